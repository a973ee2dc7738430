import { normalizePattern } from '@tripline/engine/predicate'
import type { CompareTest, ComparisonOperator, Pattern, Predicate, Test, ValueTest } from '@tripline/engine/predicate'
import { limits } from '../limits.ts'
import { getLiteralText } from '../read-word.ts'
import type { ParameterType, SqlDialect } from './dialects.ts'
import { toStoredText } from './stored-field.ts'
import type { SqlColumn, SqlTable, TableField } from './table.ts'

/** A condition for WHERE, and the residual predicate to evaluate on the rows that it selects. */
export type SqlCondition = {
  readonly text: string
  /** In the order of their places in the text. */
  readonly parameters: readonly (string | number)[]
  /** The condition and the residual together are equivalent to the predicate; the constant true if nothing is left. */
  readonly residual: Predicate
}

const alwaysTrue: Predicate = { kind: 'constant', value: true }

/**
 * Translates a predicate to a condition over the columns of a table (predicate pushdown). Parts that the columns cannot
 * decide (regular expressions, networks, case, fields without a column) remain in `residual`; the condition is weakened
 * accordingly: it may select too many rows, and misses none. Values are parameters, and column names are quoted.
 */
export function toSql(predicate: Predicate, dialect: SqlDialect, table: SqlTable): SqlCondition {
  const translator = new Translator(dialect, table)
  const condition = measureDepth(predicate) > limits.predicateDepthMax ? true : translator.approximate(predicate, 'weaker')
  const fragment = typeof condition === 'boolean' ? textFragment(condition ? '1 = 1' : '1 = 0') : condition
  if (condition === true || fragment.parameters.length > limits.sqlParametersMax) {
    return { text: '1 = 1', parameters: [], residual: predicate.kind === 'constant' ? alwaysTrue : predicate }
  }
  return {
    text: renderFragment(fragment, dialect),
    parameters: fragment.parameters.map(({ value }) => value),
    residual: translator.findResidual(predicate) ?? alwaysTrue,
  }
}

/** SQL that is implied by the predicate (weaker) or implies it (stronger); a constant if nothing better exists. */
type Approximation = Fragment | boolean
type ApproximationSide = 'weaker' | 'stronger'

/** SQL for one comparison that is equivalent to it or weaker. */
type TranslatedTest = { readonly fragment: Fragment; readonly isExact: boolean }

const signs: { readonly [operator in ComparisonOperator]: string } = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' }

class Translator {
  readonly #dialect: SqlDialect
  readonly #table: SqlTable

  constructor(dialect: SqlDialect, table: SqlTable) {
    this.#dialect = dialect
    this.#table = table
  }

  approximate(predicate: Predicate, side: ApproximationSide): Approximation {
    switch (predicate.kind) {
      case 'constant':
        return predicate.value
      case 'group':
        return this.approximate(predicate.of, side)
      case 'not': {
        const negated = this.approximate(predicate.of, side === 'weaker' ? 'stronger' : 'weaker')
        return typeof negated === 'boolean' ? !negated : concatenate(textFragment('(NOT '), negated, textFragment(')'))
      }
      case 'and':
      case 'or':
        return joinParts(predicate.kind, predicate.of.map((part) => this.approximate(part, side)))
      case 'elements':
        return side === 'weaker'
      case 'test': {
        const translated = this.#translate(predicate)
        if (side === 'stronger') return translated?.isExact === true ? translated.fragment : false
        return translated === undefined ? true : translated.fragment
      }
    }
  }

  /** The residual of a predicate; undefined if SQL decides it completely. */
  findResidual(predicate: Predicate): Predicate | undefined {
    if (this.#isExact(predicate)) return undefined
    if (predicate.kind === 'group') return this.findResidual(predicate.of)
    if (predicate.kind !== 'and') return predicate
    const of = predicate.of.map((part) => this.findResidual(part)).filter((part) => part !== undefined)
    return of.length === 1 ? of[0] : { kind: 'and', of }
  }

  #isExact(predicate: Predicate): boolean {
    switch (predicate.kind) {
      case 'constant':
        return true
      case 'group':
      case 'not':
        return this.#isExact(predicate.of)
      case 'and':
      case 'or':
        return predicate.of.every((part) => this.#isExact(part))
      case 'elements':
        return false
      case 'test':
        return this.#translate(predicate)?.isExact === true
    }
  }

  #translate({ field, value }: Test): TranslatedTest | undefined {
    if (field !== undefined) return this.#translateValue(value, this.#table.fields.get(field))
    // Numbers among the leaves are stored as text, so only texts are searched there.
    const { leaves } = this.#table
    return value.kind === 'text' && leaves !== undefined ? this.#translateValue(value, { texts: leaves }) : undefined
  }

  #translateValue(value: ValueTest, field: TableField = {}): TranslatedTest | undefined {
    switch (value.kind) {
      case 'text': {
        const like = toLikePattern(value.pattern)
        if (like === undefined || like.text.length > limits.sqlPatternLengthMax) return undefined
        const parameter = { type: 'text', value: like.text } as const
        const fragment = like.kind === 'like' ? this.#like(field.texts, parameter) : this.#compare(field.texts, '=', parameter)
        return fragment && { fragment, isExact: like.isExact && !value.isCased }
      }
      case 'boolean':
        return toExact(this.#compare(field.texts, '=', { type: 'text', value: String(value.value) }))
      case 'number': {
        const fragment = this.#compare(field.numbers, '=', { type: 'number', value: value.value })
        return fragment && { fragment, isExact: value.text === undefined }
      }
      case 'compare':
        return this.#compareNumbers(field.numbers, value)
      case 'instant':
        return toExact(this.#compare(field.instants, signs[value.operator], { type: 'instant', value: value.at }))
      case 'exists': {
        const flag = this.#flag(field.isPresent)
        return toExact(value.isPresent || flag === undefined ? flag : concatenate(textFragment('(NOT '), flag, textFragment(')')))
      }
      case 'null':
        return toExact(this.#flag(field.isNull))
      case 'timePart':
      case 'regex':
      case 'cidr':
      case 'fieldRef':
        return undefined
    }
  }

  /** Where a double rounds the bound, the numbers that are equal to it then are asked for too. */
  #compareNumbers(column: SqlColumn | undefined, { operator, value, text }: CompareTest): TranslatedTest | undefined {
    const widened = operator === 'gt' ? 'gte' : operator === 'lt' ? 'lte' : operator
    const fragment = this.#compare(column, signs[text === undefined ? operator : widened], { type: 'number', value })
    return fragment && { fragment, isExact: text === undefined }
  }

  #compare(column: SqlColumn | undefined, operator: string, parameter: Parameter): Fragment | undefined {
    return column && this.#fillColumn(this.#getForms(column).compare, column.name, { operator, parameter })
  }

  #like(column: SqlColumn | undefined, parameter: Parameter): Fragment | undefined {
    return column && this.#fillColumn(this.#getForms(column).like, column.name, { parameter })
  }

  #flag(name: string | undefined): Fragment | undefined {
    return name === undefined ? undefined : this.#fillColumn(this.#dialect.flag, name, {})
  }

  #getForms({ isList }: SqlColumn): SqlDialect['list'] {
    return isList ? this.#dialect.list : this.#dialect.single
  }

  /** Fills in a form; undefined for a column name that cannot be quoted, which counts as missing. */
  #fillColumn(form: string, name: string, filling: Omit<Filling, 'column'>): Fragment | undefined {
    const column = quoteName(name, this.#dialect)
    return column === undefined ? undefined : fillForm(form, { ...filling, column })
  }
}

function toExact(fragment: Fragment | undefined): TranslatedTest | undefined {
  return fragment && { fragment, isExact: true }
}

/** Joins parts, folding constants. */
function joinParts(kind: 'and' | 'or', parts: readonly Approximation[]): Approximation {
  const decisive = kind === 'or'
  if (parts.includes(decisive)) return decisive
  const fragments = parts.filter((part) => typeof part !== 'boolean')
  return fragments.length === 0 ? !decisive : joinBalanced(kind === 'and' ? 'AND' : 'OR', fragments)
}

function measureDepth(predicate: Predicate): number {
  switch (predicate.kind) {
    case 'constant':
    case 'test':
      return 1
    case 'group':
    case 'not':
    case 'elements':
      return 1 + measureDepth(predicate.of)
    case 'and':
    case 'or':
      return 1 + predicate.of.reduce((depth, part) => Math.max(depth, measureDepth(part)), 0)
  }
}

/** A pattern for comparison with stored texts in SQL. */
type LikePattern = {
  /** `=` for a text without wildcards. */
  readonly kind: 'equals' | 'like'
  readonly text: string
  /** Whether it is equivalent to the pattern; else it is weaker. */
  readonly isExact: boolean
}

/** Converts a pattern for LIKE; undefined if stored texts cannot decide it. */
function toLikePattern(pattern: Pattern): LikePattern | undefined {
  const parts = normalizePattern(pattern)
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  // A lone surrogate may be half of a character, which stored texts keep whole.
  if (!texts.every((text) => text.isWellFormed())) return undefined
  const isExact = !texts.some((text) => /[\0\ufffd]/.test(text)) && parts.every((part) => part.kind !== 'oneOf')
  const literal = getLiteralText(parts)
  if (literal !== undefined) return { kind: 'equals', text: toStoredText(literal), isExact }
  const text = parts.map((part) => {
    if (part.kind === 'text') return toStoredText(part.text).replaceAll(/[\\%_]/g, String.raw`\$&`)
    return part.kind === 'any' ? '%' : '_'
  }).join('')
  return { kind: 'like', text, isExact }
}

/** A parameter of a statement: its value is never part of the text. */
type Parameter = { readonly type: ParameterType; readonly value: string | number }

/** A part of a condition: texts with a parameter between each two. */
type Fragment = { readonly texts: readonly string[]; readonly parameters: readonly Parameter[] }

/** The values for a form of a dialect. */
type Filling = { readonly column: string; readonly operator?: string; readonly parameter?: Parameter }

/** Fills in a form of a dialect. Splits it at its placeholders first, so values are never read as placeholders. */
function fillForm(form: string, { column, operator = '', parameter }: Filling): Fragment {
  const texts = ['']
  const parameters: Parameter[] = []
  for (const piece of form.split(/(\{\w+\})/)) {
    if (piece === '{value}' && parameter !== undefined) {
      parameters.push(parameter)
      texts.push('')
    } else texts[texts.length - 1] += piece === '{column}' ? column : piece === '{operator}' ? operator : piece
  }
  return { texts, parameters }
}

function textFragment(text: string): Fragment {
  return { texts: [text], parameters: [] }
}

/** Concatenates fragments. */
function concatenate(...fragments: readonly Fragment[]): Fragment {
  const texts = ['']
  for (const fragment of fragments) {
    texts[texts.length - 1] += fragment.texts[0] ?? ''
    texts.push(...fragment.texts.slice(1))
  }
  return { texts, parameters: fragments.flatMap(({ parameters }) => parameters) }
}

/**
 * Joins conditions as a balanced binary tree: databases parse `a OR b OR c` as nested, and limit the depth.
 */
function joinBalanced(operator: 'AND' | 'OR', fragments: readonly Fragment[]): Fragment {
  const [first] = fragments
  if (first !== undefined && fragments.length === 1) return first
  const middle = Math.ceil(fragments.length / 2)
  const [left, right] = [fragments.slice(0, middle), fragments.slice(middle)].map((half) => joinBalanced(operator, half))
  return concatenate(textFragment('('), left!, textFragment(` ${operator} `), right!, textFragment(')'))
}

/** Quotes the name of a column; undefined for a name that statements cannot contain. */
function quoteName(name: string, { quote, nameEscapes }: SqlDialect): string | undefined {
  if (name.includes('\0') || !name.isWellFormed()) return undefined
  const escaped = Array.from(name, (character) => nameEscapes[character] ?? character).join('')
  return `${quote}${escaped}${quote}`
}

/** The text of a statement, with a placeholder for each parameter. */
function renderFragment({ texts, parameters }: Fragment, { placeholders }: SqlDialect): string {
  return texts.map((text, i) => {
    const parameter = parameters[i]
    return parameter === undefined ? text : text + placeholders[parameter.type].replace('#', String(i))
  }).join('')
}
