# Completion of untumble for bash. The program itself finds the words: `untumble complete`.
_untumble() {
    # bash splits words at `:` and `=`; this joins the pieces again. The last word ends at the cursor.
    local line=${COMP_LINE:0:COMP_POINT} piece last i quoted=
    local -a words=()
    for ((i = 0; i <= COMP_CWORD; i++)); do
        piece=${COMP_WORDS[i]}
        if [[ $line != [[:space:]]* && ${#words[@]} -gt 0 ]]; then
            last=$((${#words[@]} - 1))
        else
            line=${line#"${line%%[![:space:]]*}"}
            last=${#words[@]}
            words[last]=
        fi
        if ((i == COMP_CWORD)); then piece=$line; fi
        words[last]+=$piece
        line=${line#"$piece"}
    done
    local current=${words[last]} offered word keep=
    case $current in
    [\"\']*) quoted=1 current=${current:1} words[last]=$current ;;
    esac
    # bash replaces only what follows the last `:` or `=`.
    if [[ -z $quoted && $current == *[:=]* && $COMP_WORDBREAKS == *:* && $COMP_WORDBREAKS == *=* ]]; then
        keep=${current%"${current##*[:=]}"}
    fi
    COMPREPLY=()
    while IFS= read -r offered; do
        case $offered in
        :file*)
            compopt -o filenames 2>/dev/null
            current=${current:${offered#:file }}
            while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
            ;;
        :folder*)
            compopt -o filenames 2>/dev/null
            current=${current:${offered#:folder }}
            while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -d -- "$current")
            ;;
        *)
            word=${offered%%$'\t'*}
            if [[ $word == *[:=+,\(] ]]; then compopt -o nospace 2>/dev/null; fi
            COMPREPLY+=("${word#"$keep"}")
            ;;
        esac
    done < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
}
complete -F _untumble untumble
