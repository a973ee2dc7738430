import type { Option } from '@tripline/common/command-line/parse-arguments'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { Readable, Writable } from 'node:stream'
import type { Command } from '../framework/command.ts'
import type { Context } from '../framework/context.ts'
import { limits } from '../limits.ts'
import type { McpTool } from './serve-mcp.ts'

/** The commands that only read, and the options of them that write files, never end, or change nothing here. */
const readOnlyCommands: { readonly [name: string]: readonly string[] } = {
  'detect': ['state', 'jobs', 'json'],
  'explain': [],
  'convert': [],
  'search': [],
  'verify': [],
  'rules check': [],
  'rules lint': ['fix', 'sarif'],
  'rules test': ['junit', 'sarif'],
  'rules cost': [],
  'rules health': [],
  'rules coverage': [],
  'limits': [],
}

/** Makes a tool of each command that only reads: its options by name, its operands, and what it reads on stdin. */
export function createCommandTools(commands: readonly Command[], context: Context): McpTool[] {
  return commands.flatMap((command) => {
    const hidden = Object.hasOwn(readOnlyCommands, command.name) ? readOnlyCommands[command.name] : undefined
    return hidden === undefined ? [] : [toTool(command, hidden, context)]
  })
}

function toTool(command: Command, hidden: readonly string[], context: Context): McpTool {
  const options = Object.entries(command.options).filter(([name]) => !hidden.includes(name))
  const required = options.filter(([, option]) => 'required' in option && option.required === true).map(([name]) => name)
  return {
    name: `tripline_${command.name.replaceAll(/[ -]/g, '_')}`,
    description: [command.summary, ...command.notes].join(' '),
    inputSchema: {
      type: 'object',
      properties: {
        ...Object.fromEntries(options.map(([name, option]) => [name, toSchema(option)])),
        ...(command.operands && { operands: { type: 'array', items: { type: 'string' }, description: command.operands.help } }),
        stdin: { type: 'string', description: 'What the command reads on stdin, such as events as NDJSON.' },
      },
      required: [...required, ...(command.operands?.usage.startsWith('<') ? ['operands'] : [])],
      additionalProperties: false,
    },
    call: async (given) => {
      try {
        return await runCommand(command, { args: toArguments(given, new Map(options)), stdin: given['stdin'], context })
      } catch (error) {
        if (error instanceof ExitError) return { text: error.message, isError: true }
        throw error
      }
    },
  }
}

function toSchema(option: Option): object {
  const { help: description } = option
  if (option.kind === 'flag') return { type: 'boolean', description }
  if (option.kind === 'choice') return { type: 'string', enum: option.choices, description }
  if (option.kind === 'repeated' || option.kind === 'list') return { type: 'array', items: { type: 'string' }, description }
  return { type: 'string', description }
}

/** @throws ExitError (2) for an argument that the command does not take here. */
function toArguments(given: { readonly [name: string]: unknown }, options: ReadonlyMap<string, Option>): string[] {
  const args = Object.entries(given).flatMap(([name, value]): string[] => {
    if (name === 'stdin' || name === 'operands' || value === undefined || value === false) return []
    const option = options.get(name)
    if (option === undefined) throw new ExitError(exitCodes.usage, `there is no argument '${name}'`)
    if (option.kind === 'flag') return [`--${name}`]
    // With `=` a value is never taken for another option.
    return (Array.isArray(value) ? value : [value]).map((one) => `--${name}=${String(one)}`)
  })
  const operands: readonly unknown[] = Array.isArray(given['operands']) ? given['operands'] : []
  return operands.length === 0 ? args : [...args, '--', ...operands.map(String)]
}

/** Runs a command with its output collected; an exit code other than 0 is no error where the command says what it found. */
async function runCommand(
  command: Command, { args, stdin, context }: { readonly args: readonly string[]; readonly stdin: unknown; readonly context: Context },
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const [stdout, stderr] = [new TextCollector(), new TextCollector()]
  const code = await command.run(args, {
    ...context, stdout, stderr, isTty: false, stdoutIsTty: false,
    stdin: Readable.from([Buffer.from(typeof stdin === 'string' ? stdin : '')]),
  })
  const text = [stdout.text, stderr.text].filter((part) => part !== '').join('\n')
  const note = code === exitCodes.ok ? '' : `\n(exit code ${code})`
  return { text: `${text}${note}`, isError: code !== exitCodes.ok && code !== exitCodes.found }
}

/** Collects what a command prints, up to a limit. */
class TextCollector extends Writable {
  #text = ''
  #isCut = false

  get text(): string {
    return this.#isCut ? `${this.#text}\n(cut after ${limits.toolOutputMax} characters; narrow the question)` : this.#text
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const left = limits.toolOutputMax - this.#text.length
    const text = chunk.toString('utf8')
    this.#isCut ||= text.length > left
    this.#text += text.slice(0, Math.max(0, left))
    done()
  }
}
