import type { CompletionModel } from './completion-model.ts'

/** Prints the completion script for bash 4 and later; it needs nothing of the package bash-completion. */
export function printBashCompletion({ program, groups, commands }: CompletionModel): string {
  const name = nameFunction(program)
  const options = commands.flatMap(({ name: command, options: own }) => own.map((option) => ({ command, ...option })))
  return `# bash completion for ${program}: source this file, or save it as
# ~/.local/share/bash-completion/completions/${program}
${name}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command='' i
  # Readline splits --option=value at the sign.
  if [[ $cur == = ]]; then cur=''; elif [[ $prev == = ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for (( i = 1; i < COMP_CWORD; i++ )); do
    case "\${command:+$command }\${COMP_WORDS[i]}" in
      ${listPrefixes({ groups, commands }).map(quote).join('|')}) command="\${command:+$command }\${COMP_WORDS[i]}" ;;
      *) break ;;
    esac
  done
  COMPREPLY=()
  case "$command $prev" in
${options.filter(({ value }) => value !== undefined).map(({ command, name: option, short, value }) => {
  const spellings = [`--${option}`, ...(short === undefined ? [] : [`-${short}`])].map((spelling) => quote(`${command} ${spelling}`))
  return `    ${spellings.join('|')}) ${printValue(value)}; return ;;`
}).join('\n')}
  esac
  case "$command" in
${groups.map(({ prefix, words }) => {
  return `    ${quote(prefix)}) ${printWords([...words.map(({ word }) => word), '--help', ...(prefix === '' ? ['--version'] : [])])} ;;`
}).join('\n')}
${commands.map(({ name: command, options: own, operand }) => `    ${quote(command)})
      if [[ $cur == -* ]]; then ${printWords(own.map((option) => `--${option.name}`))}
      else ${printValue(operand)}; fi ;;`).join('\n')}
  esac
}
complete -F ${name} ${program}
`
}

/** The name of the shell function of a program: `_tripline`. */
export function nameFunction(program: string): string {
  return `_${program.replaceAll('-', '_')}`
}

/** All beginnings of commands, and the commands. */
export function listPrefixes({ groups, commands }: Pick<CompletionModel, 'groups' | 'commands'>): readonly string[] {
  return [...new Set([...groups.map(({ prefix }) => prefix), ...commands.map(({ name }) => name)])].filter((prefix) => prefix !== '')
}

/** A statement that fills COMPREPLY with what a value may be. */
function printValue(value: CompletionModel['commands'][number]['operand']): string {
  if (value?.kind === 'words') return printWords(value.words)
  if (value?.kind !== 'file') return ':'
  return 'compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur")'
}

function printWords(words: readonly string[]): string {
  return `mapfile -t COMPREPLY < <(compgen -W ${quote(words.join(' '))} -- "$cur")`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
