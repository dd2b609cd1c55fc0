# Completion of untumble for fish. The program itself finds the words: `untumble complete`.
function __untumble_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    set -l offered ($program complete -- $words $current 2>/dev/null)
    if string match -qr '^:(file|folder) ' -- "$offered[1]"
        set -l start (string replace -r '^\S+ ' '' -- $offered[1])
        set -l before (string sub -l $start -- $current)
        for path in (__fish_complete_path (string sub -s (math $start + 1) -- $current))
            echo "$before$path"
        end
        return
    end
    printf '%s\n' $offered
end
complete -c untumble -f -a '(__untumble_complete)'
