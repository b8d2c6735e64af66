# Completion of uma in bash. `uma __complete` knows the words; see tools/uma/Completion.h.
_uma() {
  local -a words=()
  local current=${COMP_WORDS[COMP_CWORD]} i text help kind= prefix= skip
  # bash takes --cpu=x as three words.
  for ((i = 1; i <= COMP_CWORD; ++i)); do
    if ((${#words[@]})) && [[ ${COMP_WORDS[i]} == = || ${COMP_WORDS[i - 1]} == = ]]; then
      words[-1]+=${COMP_WORDS[i]}
    else
      words+=("${COMP_WORDS[i]}")
    fi
  done
  if [[ $current == = ]]; then
    current=
  fi
  # Length of the part of the last word that bash keeps.
  skip=$((${#words[-1]} - ${#current}))

  COMPREPLY=()
  while IFS=$'\t' read -r text help; do
    case $text in
    :*) kind=${text#:} prefix=$help ;;
    *) COMPREPLY+=("${text:skip}") ;;
    esac
  done < <("$1" __complete "${words[@]}" 2>/dev/null)
  # The value follows without a space.
  if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then
    compopt -o nospace 2>/dev/null
  fi

  local action=
  case $kind in
  files) action=file ;;
  folders) action=directory ;;
  programs) action=command ;;
  esac
  if [[ $action ]]; then
    [[ $action == command ]] || compopt -o filenames 2>/dev/null
    while IFS= read -r text; do
      COMPREPLY+=("${prefix:skip}$text")
    done < <(compgen -A "$action" -- "${words[-1]:${#prefix}}")
  fi
}
complete -F _uma uma
