#compdef untumble
# Completion of untumble for zsh. The program itself finds the words: `untumble complete`.
_untumble() {
    local line word what
    local -a complete_words complete_texts open_words open_texts
    for line in "${(@f)$("${words[1]}" complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
        case $line in
        '') ;;
        :file*)
            compset -p ${line#:file }
            _files
            return
            ;;
        :folder*)
            compset -p ${line#:folder }
            _files -/
            return
            ;;
        *)
            word=${line%%$'\t'*} what=${line#*$'\t'}
            if [[ $word == *[:=+,\(] ]]; then
                open_words+=("$word") open_texts+=("$word  -- $what")
            else
                complete_words+=("$word") complete_texts+=("$word  -- $what")
            fi
            ;;
        esac
    done
    compadd -l -d complete_texts -a complete_words
    compadd -l -S '' -d open_texts -a open_words
}
if [[ $funcstack[1] == _untumble ]]; then
    _untumble "$@"
else
    compdef _untumble untumble
fi
