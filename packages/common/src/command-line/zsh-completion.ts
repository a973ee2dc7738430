import { listPrefixes, nameFunction } from './bash-completion.ts'
import type { CompletionModel } from './completion-model.ts'

type CompletedCommand = CompletionModel['commands'][number]

/** Prints the completion script for zsh: a function for `$fpath`, which may be sourced as well. */
export function printZshCompletion({ program, groups, commands }: CompletionModel): string {
  const name = nameFunction(program)
  return `#compdef ${program}
# zsh completion for ${program}: save this file as _${program} in a folder of $fpath, or source it after compinit
${name}() {
  local command='' next
  local -i i
  local -a following
  for (( i = 2; i < CURRENT; i++ )); do
    next="\${command:+$command }\${words[i]}"
    case "$next" in
      ${listPrefixes({ groups, commands }).map(quote).join('|')}) command="$next" ;;
      *) break ;;
    esac
  done
  # From here on, the words of the command are one.
  words=(${program} "\${(@)words[i,-1]}")
  (( CURRENT -= i - 2 ))
  case "$command" in
${groups.map(({ prefix, words }) => `    ${quote(prefix)})
      following=(${words.map(({ word, summary }) => quote(`${word}:${summary}`)).join(' ')})
      _describe -t commands 'command' following ;;`).join('\n')}
${commands.map((command) => `    ${quote(command.name)}) _arguments ${printSpecs(command).map(quote).join(' ')} ;;`).join('\n')}
  esac
}
if [[ "\${funcstack[1]}" == _${program} || "\${funcstack[1]}" == ${name} ]]; then ${name} "$@"; else compdef ${name} ${program}; fi
`
}

/** The specifications that zsh's `_arguments` takes. */
function printSpecs({ options, operand }: CompletedCommand): readonly string[] {
  const specs = options.flatMap(({ name, short, summary, value, isRepeated }) => {
    const rest = `[${escapeSpec(summary)}]${printAction(value, 'value')}`
    return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])].map((spelling) => `${isRepeated ? '*' : ''}${spelling}${rest}`)
  })
  return operand === undefined ? specs : [...specs, `*${printAction(operand, 'argument')}`]
}

function printAction(value: CompletedCommand['operand'], label: string): string {
  if (value === undefined) return ''
  if (value.kind === 'words') return `:${label}:(${value.words.join(' ')})`
  return value.kind === 'file' ? `:${label}:_files` : `:${label}: `
}

/** Brackets and colons separate the parts of a specification. */
function escapeSpec(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, String.raw`\$&`)
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
