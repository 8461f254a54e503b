import type { Completion, Word } from './words.ts';

/** Quotes a text for bash and zsh. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** Quotes a text for fish, whose single quotes have escapes. */
const quoteFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/**
 * Returns a function of bash and zsh that prints a line for each word that may follow a command; or nothing for a text that
 * is no command.
 */
function wordsFunction(completions: readonly Completion[], lineOf: (word: Word) => string): string {
  const cases = completions.map(({ command, subcommands, options }) => {
    const lines = [...subcommands, ...options].map((word) => quote(lineOf(word)));
    return `    ${quote(command)}) printf '%s\\n' ${lines.join(' ')} ;;`;
  });
  return `_fieldstone_words() {\n  case "$1" in\n${cases.join('\n')}\n  esac\n}`;
}

/** Renders the script for bash. For commands without subcommands it proposes options after a hyphen, else files. */
function bash(completions: readonly Completion[]): string {
  const groups = completions.filter(({ subcommands }) => subcommands.length > 0).map(({ command }) => quote(command));
  return `# Completion of fieldstone for bash: source this file in ~/.bashrc
${wordsFunction(completions, ({ name }) => name)}
_fieldstone() {
  local at=fieldstone current=\${COMP_WORDS[COMP_CWORD]} i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in -*) continue ;; esac
    [ -n "$(_fieldstone_words "$at \${COMP_WORDS[i]}")" ] && at="$at \${COMP_WORDS[i]}"
  done
  COMPREPLY=()
  case "$at" in
    ${groups.join(' | ')}) ;;
    *) case "$current" in -*) ;; *) return ;; esac ;;
  esac
  COMPREPLY=($(compgen -W "$(_fieldstone_words "$at")" -- "$current"))
}
complete -o default -F _fieldstone fieldstone
`;
}

function zsh(completions: readonly Completion[]): string {
  const groups = completions.filter(({ subcommands }) => subcommands.length > 0).map(({ command }) => quote(command));
  return `#compdef fieldstone
# Completion of fieldstone for zsh: write this file as _fieldstone into a folder of $fpath
${wordsFunction(completions, ({ name, description }) => `${name}:${description}`)}
_fieldstone() {
  local at=fieldstone word
  local -a found
  for word in \${words[2,CURRENT-1]}; do
    [[ $word == -* ]] && continue
    [[ -n "$(_fieldstone_words "$at $word")" ]] && at="$at $word"
  done
  case "$at" in
    ${groups.join(' | ')}) ;;
    *) [[ \${words[CURRENT]} == -* ]] || { _files; return } ;;
  esac
  found=(\${(f)"$(_fieldstone_words "$at")"})
  _describe fieldstone found
}
compdef _fieldstone fieldstone
`;
}

function fish(completions: readonly Completion[]): string {
  const lines = completions.flatMap(({ command, subcommands, options }) => {
    const start = `complete -c fieldstone -n ${quoteFish(`test (__fieldstone_at) = "${command}"`)}`;
    return [
      ...subcommands.map(({ name, description }) => `${start} -f -a ${quoteFish(name)} -d ${quoteFish(description)}`),
      ...options.map(({ name, description, hasValue }) => {
        return `${start} -l ${name.slice(2)}${hasValue ? ' -r' : ''} -d ${quoteFish(description)}`;
      }),
    ];
  });
  return `# Completion of fieldstone for fish: write this file as ~/.config/fish/completions/fieldstone.fish
set -g __fieldstone_commands ${completions.map(({ command }) => quoteFish(command)).join(' ')}
function __fieldstone_at
  set -l at fieldstone
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and continue
    contains -- "$at $word" $__fieldstone_commands; and set at "$at $word"
  end
  echo $at
end
${lines.join('\n')}
`;
}

/** The completion script of each shell. */
export const completionScripts: Readonly<Record<string, (completions: readonly Completion[]) => string>> = {
  bash,
  zsh,
  fish,
};
