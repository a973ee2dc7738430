import { parseArgs } from 'node:util'
import { usageError } from '../exit-error.ts'

/** A program of commands, as messages, help, completion scripts and manual pages name it. */
export type Program = {
  readonly name: string
  /** What it does, as a sentence. */
  readonly summary: string
  /** Names the known word that a misspelt one resembles: `did you mean '--input'?`. */
  readonly suggest: (word: string, known: readonly string[]) => string | undefined
}

/**
 * One option of a command; `help` is a sentence, `value` the placeholder of its value there, `short` a letter: `-p`.
 * `otherNames` is what similar programs call it, for the hint to who types that: `--target`, `-t`.
 */
export type Option = { readonly help: string; readonly short?: string; readonly otherNames?: readonly string[] } & (
  | { readonly kind: 'flag' }
  /** A flag that may be followed by true or false, where something else may set it: `--behind-proxy`, `--behind-proxy false`. */
  | { readonly kind: 'switch'; readonly value: string }
  | { readonly kind: 'text'; readonly value: string; readonly default?: string; readonly required?: true }
  /** May be repeated; each occurrence has one value: `--allow a --allow b`. */
  | { readonly kind: 'repeated'; readonly value: string }
  /** May be repeated; each occurrence has one or more values: `--role a b --role c`. */
  | { readonly kind: 'list'; readonly value: string; readonly required?: true }
  | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly value?: string; readonly default?: string }
)

/** The arguments without an option that a command takes. */
export type Operands = {
  /** `<rules>...` where at least one is required, `[<query>]` where it may be omitted. */
  readonly usage: string
  readonly help: string
}

export type OptionTable = { readonly [name: string]: Option }

/** The arguments of a command: a value for each option, and the operands. */
export type Arguments<Options extends OptionTable> = {
  readonly options: { readonly [Name in keyof Options]: OptionValue<Options[Name]> }
  readonly operands: readonly string[]
}

type OptionValue<O extends Option> =
  O extends { kind: 'flag' } ? boolean
  : O extends { kind: 'list' | 'repeated' } ? readonly string[]
  : O extends { kind: 'choice'; choices: readonly (infer Choice)[] } ? Choice | UndefinedUnlessSet<O>
  : string | UndefinedUnlessSet<O>

type UndefinedUnlessSet<O extends Option> = O extends { default: string } | { required: true } ? never : undefined

type Definition<Options extends OptionTable> = {
  readonly name: string
  readonly operands?: Operands
  readonly options: Options
}

/**
 * Reads the arguments of a command against its table of options. A list has the values of all its occurrences.
 *
 * @throws ExitError (exit code 2) that names the argument which is unknown, incomplete, repeated or missing.
 */
export function parseArguments<Options extends OptionTable>(
  args: readonly string[],
  definition: Definition<Options>,
  program: Program,
): Arguments<Options> {
  const values = new Map<string, unknown>()
  const operands: string[] = []
  let openList: string[] | undefined
  let openSwitch: string | undefined

  for (const token of tokenize(spellOut(args, definition.options), definition.options)) {
    if (token.kind === 'option') {
      const option = getOption(token.rawName, definition, program)
      const value = parseValue(token, option, values.get(token.name))
      values.set(token.name, value)
      openSwitch = option.kind === 'switch' && token.value === undefined ? token.name : undefined
      openList = option.kind === 'list' && Array.isArray(value) ? value : undefined
    } else if (token.kind === 'positional' && openSwitch !== undefined && isSwitchValue(token.value)) {
      values.set(openSwitch, token.value)
      openSwitch = undefined
    } else if (token.kind === 'positional') {
      openSwitch = undefined
      if (openList === undefined && definition.operands === undefined) {
        const hint = Object.hasOwn(definition.options, 'input') ? "; name events with '--input'" : ''
        throw usageError(`unexpected argument '${token.value}' for '${program.name} ${definition.name}'${hint}`)
      }
      (openList ?? operands).push(token.value)
    } else {
      openSwitch = undefined
      openList = undefined
    }
  }
  const options: unknown = Object.fromEntries(Object.entries(definition.options).map(([name, option]) => {
    return [name, values.get(name) ?? getDefault(name, option, `${program.name} ${definition.name}`)]
  }))
  const usage = definition.operands?.usage ?? '['
  if (!usage.startsWith('[') && operands.length === 0) throw usageError(`'${program.name} ${definition.name}' needs ${usage}`)
  // Each value was checked against its own row of the table, from which the type is derived.
  return { options: options as Arguments<Options>['options'], operands }
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number]
type OptionToken = Extract<Token, { kind: 'option' }>

/** Replaces the letters of options by their names; after `--` nothing is an option. */
function spellOut(args: readonly string[], options: OptionTable): readonly string[] {
  const names = new Map(Object.entries(options).flatMap(([name, { short }]) => (short === undefined ? [] : [[`-${short}`, `--${name}`]])))
  const end = args.includes('--') ? args.indexOf('--') : args.length
  return args.map((arg, i) => (i < end ? names.get(arg) ?? arg : arg))
}

/** Splits the arguments with Node's parser, without its checks: the messages are this module's. */
function tokenize(args: readonly string[], options: OptionTable): readonly Token[] {
  const types = Object.entries(options).map(([name, option]) => {
    const takesNoText = option.kind === 'flag' || option.kind === 'switch'
    return [name, { type: takesNoText ? 'boolean' as const : 'string' as const }] as const
  })
  return parseArgs({ args: [...args], options: Object.fromEntries(types), strict: false, tokens: true }).tokens ?? []
}

function getOption(rawName: string, { name, operands, options }: Definition<OptionTable>, program: Program): Option {
  const option = rawName.slice('--'.length)
  const found = rawName.startsWith('--') && Object.hasOwn(options, option) ? options[option] : undefined
  if (found !== undefined) return found
  if (/^--rules?$/.test(rawName) && operands !== undefined && /^\[?<rules>/.test(operands.usage)) {
    throw usageError(`'${program.name} ${name}' takes rules without '${rawName}': ${program.name} ${name} ${operands.usage}`)
  }
  const meant = Object.entries(options).find(([, { otherNames = [] }]) => otherNames.includes(rawName))
  const known = Object.keys(options).map((option) => `--${option}`)
  const hint = meant === undefined ? program.suggest(rawName, known) : `did you mean '--${meant[0]}'?`
  throw usageError(`unknown option '${rawName}' for '${program.name} ${name}'${hint === undefined ? '' : `; ${hint}`}`)
}

function parseValue({ rawName, value, inlineValue }: OptionToken, option: Option, before: unknown): unknown {
  if (option.kind === 'flag') {
    if (value !== undefined) throw usageError(`option '${rawName}' takes no value`)
    return true
  }
  if (option.kind === 'switch') {
    if (before !== undefined) throw usageError(`option '${rawName}' is given more than once`)
    if (value === undefined || isSwitchValue(value)) return value ?? 'true'
    throw usageError(`option '${rawName}' is '${value}'; it takes true or false, or nothing for true`)
  }
  const looksLikeOption = value !== undefined && !inlineValue && value.startsWith('-') && value !== '-'
  if (value === undefined || value === '' || looksLikeOption) {
    throw usageError(`option '${rawName}' needs a value: ${printValueLabel(option)}`)
  }
  if (option.kind === 'choice' && !option.choices.includes(value)) {
    throw usageError(`option '${rawName}' is '${value}'; it takes one of ${option.choices.join(', ')}`)
  }
  if (option.kind === 'list' || option.kind === 'repeated') return Array.isArray(before) ? [...before, value] : [value]
  if (before !== undefined) throw usageError(`option '${rawName}' is given more than once`)
  return value
}

function isSwitchValue(value: string): boolean {
  return value === 'true' || value === 'false'
}

function getDefault(name: string, option: Option, command: string): unknown {
  if (option.kind === 'flag') return false
  if (isRequired(option)) {
    throw usageError(`option '--${name} ${printValueLabel(option)}' is missing for '${command}'`)
  }
  if (option.kind === 'switch') return undefined
  return option.kind === 'list' || option.kind === 'repeated' ? [] : option.default
}

export function isRequired(option: Option): boolean {
  return 'required' in option
}

/** The placeholder for the value of an option in help and messages: `<file>`, `auto|none`; empty for a flag. */
export function printValueLabel(option: Option): string {
  if (option.kind === 'flag') return ''
  return option.kind === 'choice' ? option.value ?? option.choices.join('|') : option.value
}
