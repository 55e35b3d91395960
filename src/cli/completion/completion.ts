import { usageError } from "../arguments.js";
import type { Arguments } from "../declaration.js";
import { type completionCommand, SHELLS } from "./commands.js";

/** Each asks `dragoman complete` with the words so far; `:file` in its answer stands for the files of the folder. */
const scripts: Readonly<Record<(typeof SHELLS)[number], string>> = {
  bash: String.raw`_dragoman() {
  local cur=$2 line
  COMPREPLY=()
  # Words are split at colons and equal signs; join them again.
  local words cword
  if declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref -n := -w words -i cword
  else
    words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD
  fi
  while IFS= read -r line; do
    if [[ $line == :file ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
    else
      COMPREPLY+=("\${line%%$'\t'*}")
    fi
  done < <(dragoman complete -- "\${words[@]:1:$cword}" 2>/dev/null)
  if declare -F __ltrim_colon_completions >/dev/null; then __ltrim_colon_completions "\${words[cword]}"; fi
}
complete -F _dragoman dragoman
`,
  zsh: String.raw`#compdef dragoman
_dragoman() {
  local -a lines values
  local line files=0
  lines=("\${(@f)$(dragoman complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    if [[ $line == :file ]]; then files=1
    elif [[ -n $line ]]; then values+=("\${\${line%%$'\t'*}//:/\\:}:\${line#*$'\t'}"); fi
  done
  (( \${#values} )) && _describe dragoman values
  (( files )) && _files
  return 0
}
compdef _dragoman dragoman
`,
  fish: `function __dragoman_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (dragoman complete -- $words[2..-1] 2>/dev/null)
        if test "$line" = :file
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c dragoman -f -a '(__dragoman_complete)'
`,
};

export async function run({ words: [shell] }: Arguments<typeof completionCommand>): Promise<number> {
  const known = SHELLS.find((name) => name === shell);
  if (known === undefined) throw usageError(`SHELL must be one of ${SHELLS.join(", ")}, not "${shell}"`);
  process.stdout.write(scripts[known].replaceAll("\\${", "${"));
  return 0;
}
