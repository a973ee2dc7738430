import { listPrefixes, nameFunction } from './bash-completion.ts'
import type { CompletionModel } from './completion-model.ts'

type CompletedCommand = CompletionModel['commands'][number]

/** Prints the completion script for fish 3 and later. */
export function printFishCompletion({ program, groups, commands }: CompletionModel): string {
  const at = `_${nameFunction(program)}_at`
  const words = groups.flatMap(({ prefix, words: following }) => following.map(({ word, summary }) =>
    `complete -c ${program} -f -n ${quote(`${at} ${quote(prefix)}`)} -a ${quote(word)} -d ${quote(summary)}`))
  return `# fish completion for ${program}: save this file as ~/.config/fish/completions/${program}.fish
function ${at} --description 'Whether the words before the cursor are those of a command'
  set -l words (commandline -opc)
  set -e words[1]
  set -l command
  for word in $words
    contains -- (string join ' ' -- $command $word) ${listPrefixes({ groups, commands }).map(quote).join(' ')}; or break
    set -a command $word
  end
  set -l joined (string join ' ' -- $command)
  test "$joined" = "$argv[1]"
end
complete -c ${program} -f
${words.join('\n')}
complete -c ${program} -n ${quote(`${at} ''`)} -s v -l version -d 'Prints the version'
${commands.flatMap((command) => printCommand(command, program, at)).join('\n')}
`
}

function printCommand({ name, options, operand }: CompletedCommand, program: string, at: string): readonly string[] {
  const begin = `complete -c ${program} -n ${quote(`${at} ${quote(name)}`)}`
  return [
    ...(operand === undefined || operand.kind === 'text' ? [] : [`${begin} ${printValue(operand)}`]),
    ...options.map(({ name: option, short, summary, value }) => {
      const spellings = `${short === undefined ? '' : ` -s ${short}`} -l ${option}`
      return `${begin}${spellings} -d ${quote(summary)}${value === undefined ? '' : ` -r ${printValue(value)}`}`
    }),
  ]
}

/** `-F` offers files, `-f` none. */
function printValue(value: NonNullable<CompletedCommand['operand']>): string {
  if (value.kind === 'file') return '-F'
  return value.kind === 'text' ? '-f' : `-f -a ${quote(value.words.join(' '))}`
}

function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`
}
