import { limits } from '../../limits.ts'
import { regexToken } from '../matchers/regex-length.ts'
import { allCharacters, newline, otherThan } from './character-set.ts'
import type { Characters } from './character-set.ts'
import { parseCharacters } from './parse-characters.ts'

/** A regular expression over ASCII, as far as it matters whether it is found: groups and greed are gone. */
export type Expression =
  | { readonly kind: 'characters'; readonly of: Characters }
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'sequence'; readonly of: readonly Expression[] }
  | { readonly kind: 'choice'; readonly of: readonly Expression[] }
  | { readonly kind: 'repetition'; readonly of: Expression } & Times

/** What has to be true between two characters. */
export type Place = 'textStart' | 'lineStart' | 'textEnd' | 'lineEnd' | 'wordEdge' | 'noWordEdge'

/** How often something stands; without `max`, any number of times. */
export type Times = { readonly min: number; readonly max?: number }

export type Flags = {
  readonly ignoresCase: boolean
  readonly isMultiline: boolean
  readonly dotMatchesNewline: boolean
}

/**
 * Reads the common forms of RE2's dialect, with its meaning: `$` is the end of the text or of a line and
 * nothing else. Undefined for every other form, for what RE2 refuses as far as it is looked at, and where
 * groups nest deeper than `automatonDepthMax`.
 */
export function parseExpression(source: string, flags: Flags): Expression | undefined {
  const reader = new Reader(Array.from(source.matchAll(token), ([text]) => text), flags)
  const expression = reader.choice(0)
  return reader.isUnderstood ? expression : undefined
}

/** The tokens of other readers, but that the code of a character belongs to its escape. */
const token = new RegExp(String.raw`\\x[\dA-Fa-f]{2}|${regexToken.source}`, 'gu')

const nothing: Expression = { kind: 'sequence', of: [] }

class Reader {
  readonly #tokens: readonly string[]
  #flags: Flags
  #at = 0
  #isRefused = false

  constructor(tokens: readonly string[], flags: Flags) {
    this.#tokens = tokens
    this.#flags = flags
  }

  /** Whether all was read, and nothing that is left to others. */
  get isUnderstood(): boolean {
    return this.#at === this.#tokens.length && !this.#isRefused
  }

  /** Reads up to the end of the group or of the expression. */
  choice(depth: number): Expression {
    const of = [this.#sequence(depth)]
    while (this.#tokens[this.#at] === '|') {
      this.#at++
      of.push(this.#sequence(depth))
    }
    return { kind: 'choice', of }
  }

  #sequence(depth: number): Expression {
    const of: Expression[] = []
    for (;;) {
      const text = this.#tokens[this.#at]
      if (text === undefined || text === '|' || text === ')') break
      this.#at++
      of.push(this.#repeated(text === '(' ? this.#group(depth + 1) : this.#single(text)))
    }
    return { kind: 'sequence', of }
  }

  /** Reads a group behind its parenthesis, with the closing one; flags alone are a group of nothing. */
  #group(depth: number): Expression {
    if (depth > limits.automatonDepthMax) return this.#refuse()
    const outer = this.#flags
    const opening = this.#tokens[this.#at] === '?' ? this.#opening() : ':'
    if (opening.endsWith(')')) {
      // RE2 passes a repetition of flags on to what is before them.
      return isRepetition(this.#tokens[this.#at]) ? this.#refuse() : nothing
    }
    const content = this.choice(depth)
    if (this.#tokens[this.#at++] !== ')') return this.#refuse()
    this.#flags = outer
    return content
  }

  /** Reads what stands between `(` and the content of a group, and puts its flags into force. */
  #opening(): string {
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

  #single(text: string): Expression {
    const place = this.#flags.isMultiline && linePlaces.get(text) || places.get(text)
    if (place !== undefined) return { kind: 'place', place }
    if (text === '.') return { kind: 'characters', of: this.#flags.dotMatchesNewline ? allCharacters : otherThan(newline) }
    const isCharacters = text !== '[' && !isRepetition(text)
    const of = isCharacters ? parseCharacters(text, this.#flags.ignoresCase) : undefined
    return of === undefined ? this.#refuse() : { kind: 'characters', of }
  }

  #repeated(of: Expression): Expression {
    const text = this.#tokens[this.#at]
    if (text === undefined || !isRepetition(text)) return of
    this.#at++
    // The `?` behind another repetition only asks for few; RE2 refuses any other.
    if (this.#tokens[this.#at] === '?') this.#at++
    const times = timesOf(text)
    return times === undefined || isRepetition(this.#tokens[this.#at]) ? this.#refuse() : { kind: 'repetition', of, ...times }
  }

  #refuse(): Expression {
    this.#isRefused = true
    return nothing
  }
}

const places: ReadonlyMap<string, Place> = new Map([
  ['^', 'textStart'], ['$', 'textEnd'], [String.raw`\A`, 'textStart'], [String.raw`\z`, 'textEnd'],
  [String.raw`\b`, 'wordEdge'], [String.raw`\B`, 'noWordEdge'],
])

const linePlaces: ReadonlyMap<string, Place> = new Map([['^', 'lineStart'], ['$', 'lineEnd']])

function isRepetition(text: string | undefined): boolean {
  return text !== undefined && /^(?:[?*+]$|\{.)/.test(text)
}

/** Undefined for numbers that RE2 does not take as such, or refuses. */
function timesOf(text: string): Times | undefined {
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
