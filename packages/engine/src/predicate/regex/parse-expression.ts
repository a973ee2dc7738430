import { limits } from '../../limits.ts'
import { regexToken } from '../matchers/regex-length.ts'
import { addOtherCase, allCharacters, characterRange, complement, namedClasses, newline } from './character-set.ts'
import type { CharacterSet } from './character-set.ts'

/** The syntax tree of a regular expression over ASCII, without groups and laziness, which do not affect whether it matches. */
export type Expression =
  | { readonly kind: 'characters'; readonly of: CharacterSet }
  | { readonly kind: 'place'; readonly place: Assertion }
  | { readonly kind: 'sequence'; readonly of: readonly Expression[] }
  | { readonly kind: 'choice'; readonly of: readonly Expression[] }
  | { readonly kind: 'repetition'; readonly of: Expression } & RepeatCount

/** A zero-width assertion. */
export type Assertion = 'textStart' | 'lineStart' | 'textEnd' | 'lineEnd' | 'wordEdge' | 'noWordEdge'

/** The bounds of a repetition; unbounded without `max`. */
type RepeatCount = { readonly min: number; readonly max?: number }

export type RegexFlags = {
  readonly ignoresCase: boolean
  readonly isMultiline: boolean
  readonly dotMatchesNewline: boolean
}

/** `regexToken`, except that a character code belongs to its escape. */
const token = new RegExp(String.raw`\\x[\dA-Fa-f]{2}|${regexToken.source}`, 'gu')

/**
 * Parses the common forms of RE2's dialect, with its semantics: `$` is the end of the text or of a line and
 * nothing else. Undefined for all other forms, for those that RE2 rejects, and where
 * groups nest deeper than `nfaDepthMax`.
 */
export function parseExpression(source: string, flags: RegexFlags): Expression | undefined {
  const reader = new ExpressionParser(Array.from(source.matchAll(token), ([text]) => text), flags)
  const expression = reader.parseChoice(0)
  return reader.isSupported ? expression : undefined
}

const emptyExpression: Expression = { kind: 'sequence', of: [] }

const assertions: ReadonlyMap<string, Assertion> = new Map([
  ['^', 'textStart'], ['$', 'textEnd'], [String.raw`\A`, 'textStart'], [String.raw`\z`, 'textEnd'],
  [String.raw`\b`, 'wordEdge'], [String.raw`\B`, 'noWordEdge'],
])

const lineAssertions: ReadonlyMap<string, Assertion> = new Map([['^', 'lineStart'], ['$', 'lineEnd']])

class ExpressionParser {
  readonly #tokens: readonly string[]
  #flags: RegexFlags
  #at = 0
  #isUnsupported = false

  constructor(tokens: readonly string[], flags: RegexFlags) {
    this.#tokens = tokens
    this.#flags = flags
  }

  /** Whether the whole expression was read and all of it is supported. */
  get isSupported(): boolean {
    return this.#at === this.#tokens.length && !this.#isUnsupported
  }

  /** Parses to the end of the group or expression. */
  parseChoice(depth: number): Expression {
    const of = [this.#parseSequence(depth)]
    while (this.#tokens[this.#at] === '|') {
      this.#at++
      of.push(this.#parseSequence(depth))
    }
    return { kind: 'choice', of }
  }

  #parseSequence(depth: number): Expression {
    const of: Expression[] = []
    for (;;) {
      const text = this.#tokens[this.#at]
      if (text === undefined || text === '|' || text === ')') break
      this.#at++
      of.push(this.#parseRepetition(text === '(' ? this.#parseGroup(depth + 1) : this.#parseSingle(text)))
    }
    return { kind: 'sequence', of }
  }

  /** Parses a group after its opening parenthesis, including the closing one; a group of flags is empty. */
  #parseGroup(depth: number): Expression {
    if (depth > limits.nfaDepthMax) return this.#refuse()
    const outer = this.#flags
    const opening = this.#tokens[this.#at] === '?' ? this.#parseGroupOpening() : ':'
    if (opening.endsWith(')')) {
      // In RE2 a repetition after flags applies to what is before them.
      return isRepetition(this.#tokens[this.#at]) ? this.#refuse() : emptyExpression
    }
    const content = this.parseChoice(depth)
    if (this.#tokens[this.#at++] !== ')') return this.#refuse()
    this.#flags = outer
    return content
  }

  /** Parses the part between `(` and the content of a group and sets its flags. */
  #parseGroupOpening(): string {
    let opening = ''
    while (!/[:)]$/.test(opening) && this.#at < this.#tokens.length) opening += this.#tokens[this.#at++] ?? ''
    const [isKnown, on = '', off = ''] = /^\?([ims]*)(?:-([ims]+))?[:)]$/.exec(opening) ?? []
    if (isKnown === undefined) this.#refuse()
    const { ignoresCase, isMultiline, dotMatchesNewline } = this.#flags
    this.#flags = {
      ignoresCase: (ignoresCase || on.includes('i')) && !off.includes('i'),
      isMultiline: (isMultiline || on.includes('m')) && !off.includes('m'),
      dotMatchesNewline: (dotMatchesNewline || on.includes('s')) && !off.includes('s'),
    }
    return opening
  }

  #parseSingle(text: string): Expression {
    const place = this.#flags.isMultiline && lineAssertions.get(text) || assertions.get(text)
    if (place !== undefined) return { kind: 'place', place }
    if (text === '.') return { kind: 'characters', of: this.#flags.dotMatchesNewline ? allCharacters : complement(newline) }
    const isCharacters = text !== '[' && !isRepetition(text)
    const of = isCharacters ? parseCharacters(text, this.#flags.ignoresCase) : undefined
    return of === undefined ? this.#refuse() : { kind: 'characters', of }
  }

  #parseRepetition(of: Expression): Expression {
    const text = this.#tokens[this.#at]
    if (text === undefined || !isRepetition(text)) return of
    this.#at++
    // A `?` after another repetition makes it lazy; RE2 rejects any other.
    if (this.#tokens[this.#at] === '?') this.#at++
    const times = parseRepeatCount(text)
    return times === undefined || isRepetition(this.#tokens[this.#at]) ? this.#refuse() : { kind: 'repetition', of, ...times }
  }

  #refuse(): Expression {
    this.#isUnsupported = true
    return emptyExpression
  }
}

function isRepetition(text: string | undefined): boolean {
  return text !== undefined && /^(?:[?*+]$|\{.)/.test(text)
}

/** Undefined for counts that RE2 reads as text or rejects. */
function parseRepeatCount(text: string): RepeatCount | undefined {
  if (text === '?') return { min: 0, max: 1 }
  if (text === '*') return { min: 0 }
  if (text === '+') return { min: 1 }
  const [, from, comma, to] = /^\{(0|[1-9]\d{0,3})(?:(,)(0|[1-9]\d{0,3})?)?\}$/.exec(text) ?? []
  if (from === undefined) return undefined
  const min = Number(from)
  if (comma !== undefined && to === undefined) return { min }
  const max = to === undefined ? min : Number(to)
  return min <= max ? { min, max } : undefined
}

/** An escape, or one character. */
const classMember = /\\x[\dA-Fa-f]{2}|\\[^]|[^]/gu

/** RE2's escapes of control characters. */
const controls: ReadonlyMap<string, number> = new Map([
  [String.raw`\a`, 0x07], [String.raw`\t`, 0x09], [String.raw`\n`, 0x0a],
  [String.raw`\v`, 0x0b], [String.raw`\f`, 0x0c], [String.raw`\r`, 0x0d],
])

/**
 * Parses a bracket class, an escape or one character to a set of ASCII characters. Undefined for anything else, for
 * uncommon forms, and for letters whose other case may be beyond ASCII.
 */
function parseCharacters(token: string, ignoresCase: boolean): CharacterSet | undefined {
  const isClass = token.length > 1 && token.startsWith('[')
  // POSIX classes have brackets inside the brackets.
  if (isClass && token.includes('[:')) return undefined
  const isNegated = isClass && token.startsWith('[^')
  const content = isClass ? token.slice(isNegated ? 2 : 1, -1) : token
  const members = Array.from(content.matchAll(classMember), ([text]) => text)
  let characters = 0n
  for (let i = 0; i < members.length; i++) {
    const isRange = members[i + 1] === '-' && i + 2 < members.length && !namedClasses.has(members[i] ?? '')
    const part = isRange ? parseRange(members[i], members[i + 2], ignoresCase) : parseMember(members[i], ignoresCase)
    if (part === undefined) return undefined
    characters |= part
    if (isRange) i += 2
  }
  return isNegated ? complement(characters) : characters
}

function parseMember(text = '', ignoresCase: boolean): CharacterSet | undefined {
  return namedClasses.get(text) ?? parseRange(text, text, ignoresCase)
}

function parseRange(from = '', to = '', ignoresCase: boolean): CharacterSet | undefined {
  const first = parseCode(from)
  const last = parseCode(to)
  if (first === undefined || last === undefined || first > last) return undefined
  if (!ignoresCase) return characterRange(first, last)
  return last > 127 ? undefined : addOtherCase(characterRange(first, last))
}

/** The code of the one character that a text stands for. */
function parseCode(text: string): number | undefined {
  if (!text.startsWith('\\')) return text.codePointAt(0)
  if (text.length === 4) return Number.parseInt(text.slice(2), 16)
  return /^\\[!-/:-@[-`{-~ ]$/.test(text) ? text.charCodeAt(1) : controls.get(text)
}
