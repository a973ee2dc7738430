import { longEscape, regexToken } from '../predicate/matchers/regex-length.ts'
import type { RegexTest } from '../predicate/predicate.ts'

/** A repetition that may be of nothing. */
const maybeNone = /^(?:[?*]|\{0*[,}])/
const repetition = /^(?:[?*+]|\{\d)/

/** What stands in values of all kinds; other characters are much rarer. */
const common = /[\w\s\\.:,"'=/-]/

/** How rare a literal has to be, in common characters, to be looked for at all. */
const rarityMin = 2

/** What an uncommon character counts for. */
const rarityOfUncommon = 3

/** At least one of these stands in every text in which the expression is found. */
type Literals = readonly string[]

/**
 * Finds literals of which one is in every text in which a regular expression is found; undefined where none
 * is certain, or only common ones are. May only weaken: classes, wildcards, whatever may be absent and, where
 * case does not count, characters that fold beyond themselves end a literal.
 */
export function literalsOfRegex({ source, ignoresCase }: RegexTest): Literals | undefined {
  const tokens = Array.from(source.matchAll(regexToken), ([text]) => text)
  if (tokens.some((text) => longEscape.test(text))) return undefined
  const reader = new Reader(tokens, ignoresCase || /\(\?[a-zA-Z]*i/.test(source))
  const literals = reader.alternatives()
  return reader.isUnderstood && literals !== undefined && rarityOf(literals) >= rarityMin ? literals : undefined
}

class Reader {
  readonly #tokens: readonly string[]
  readonly #foldsCase: boolean
  #at = 0
  #isUnclear = false

  constructor(tokens: readonly string[], foldsCase: boolean) {
    this.#tokens = tokens
    this.#foldsCase = foldsCase
  }

  /** Whether all was read, and nothing that means something else than it seems to. */
  get isUnderstood(): boolean {
    return this.#at === this.#tokens.length && !this.#isUnclear
  }

  /** Reads up to the end of the group or of the expression. */
  alternatives(): Literals | undefined {
    const branches = [this.#sequence()]
    while (this.#tokens[this.#at] === '|') {
      this.#at++
      branches.push(this.#sequence())
    }
    const known = branches.filter((branch) => branch !== undefined)
    return known.length === branches.length ? [...new Set(known.flat())] : undefined
  }

  #sequence(): Literals | undefined {
    let best: Literals | undefined
    // The texts that may stand where the last tokens do: several where a token leaves a choice.
    let runs: Literals = ['']
    const offer = (literals: Literals | undefined): void => {
      if (literals !== undefined && worthOf(literals) > worthOf(best)) best = literals
    }
    const end = (): void => {
      offer(runs)
      runs = ['']
    }
    for (;;) {
      const text = this.#tokens[this.#at]
      if (text === undefined || text === '|' || text === ')') break
      this.#at++
      const start = this.#at
      const group = text === '(' ? this.#group() : undefined
      const choices = text === '(' ? this.#choicesOfGroup(start) : this.#choices(text)
      const repeats = this.#repetition()
      if (choices === undefined || repeats.maybeNone) {
        end()
        if (!repeats.maybeNone) offer(group)
        continue
      }
      if (runs.length * choices.length > choicesMax) end()
      runs = runs.flatMap((run) => choices.map((choice) => run + choice))
      // What follows a repetition does not stand beside the first of what is repeated.
      if (repeats.any) end()
    }
    end()
    return best
  }

  /** Reads a group behind its parenthesis, with the closing one; flags alone say nothing. */
  #group(): Literals | undefined {
    if (this.#tokens[this.#at] === '?') {
      while (!/^[:>)]$/.test(this.#tokens[this.#at] ?? ')')) this.#at++
      if (this.#tokens[this.#at] !== ')') this.#at++
      // Flags that stand alone pass a repetition on to what is before them.
      else if (repetition.test(this.#tokens[this.#at + 1] ?? '')) this.#isUnclear = true
    }
    const literals = this.alternatives()
    if (this.#tokens[this.#at] === ')') this.#at++
    return literals
  }

  #repetition(): { readonly any: boolean; readonly maybeNone: boolean } {
    let any = false
    let isMaybeNone = false
    for (let text = this.#tokens[this.#at]; text !== undefined && repetition.test(text); text = this.#tokens[this.#at]) {
      // The second mark of `+?` and `{2}?` only asks for few.
      isMaybeNone ||= maybeNone.test(text) && !any
      any = true
      this.#at++
    }
    return { any, maybeNone: isMaybeNone }
  }

  /** The characters that a token stands for, where they are few; undefined where they are many, or it is a place. */
  #choices(text: string): Literals | undefined {
    const named = namedClasses.get(text)
    if (named !== undefined) return named
    const isClass = text.length > 1 && text.startsWith('[')
    if (isClass && !/^\[[^\]\\^[-]{1,4}\]$/u.test(text)) return undefined
    const characters = isClass ? Array.from(text.slice(1, -1)) : [this.#literal(text)]
    return characters.every((one) => one !== undefined && (!this.#foldsCase || foldsToItself.test(one)))
      ? characters.filter((one) => one !== undefined)
      : undefined
  }

  /** The texts of a group, which begins at a token and was read, where it is nothing but alternatives of plain texts. */
  #choicesOfGroup(start: number): Literals | undefined {
    const content = this.#tokens.slice(start, this.#at - 1)
    const plain = content[0] === '?' && content[1] === ':' ? content.slice(2) : content
    const texts = ['']
    for (const text of plain) {
      const character = text === '|' ? '' : this.#literal(text)
      if (character === undefined || /^[()?*+]|^\{\d/.test(text)) return undefined
      if (text === '|') texts.push('')
      else texts[texts.length - 1] += character
    }
    const isPlain = texts.every((text) => Array.from(text).every((one) => !this.#foldsCase || foldsToItself.test(one)))
    return isPlain && texts.length <= choicesMax ? texts : undefined
  }

  /** The character that a token stands for; undefined where it stands for several, or for a place. */
  #literal(text: string): string | undefined {
    const isEscape = text.length > 1 && text.startsWith('\\')
    const character = isEscape ? text.slice(1) : text
    return (isEscape ? /\w/.test(character) : /^(?:\[.+|[.^$])$/su.test(text)) ? undefined : character
  }
}

/** Texts that a run may have: each becomes a needle. Two blanks with a choice between them are 25 and more. */
const choicesMax = 32

/** Classes of few characters, as RE2 understands them. */
const namedClasses: ReadonlyMap<string, Literals> = new Map([
  [String.raw`\s`, ['\t', '\n', '\f', '\r', ' ']],
  [String.raw`\d`, Array.from('0123456789')],
])

/** ASCII, but not the `s`, which a search without regard to case also finds in `ſ`. */
const foldsToItself = /^(?![sS])[\x20-\x7e]$/

/** How rare the most common of some literals is, in common characters. */
function rarityOf(literals: Literals): number {
  return Math.min(...literals.map((literal) => (
    Array.from(literal).reduce((sum, one) => sum + (common.test(one) ? 1 : rarityOfUncommon), 0)
  )))
}

/** Rare ones are better than common ones, and few better than many. */
function worthOf(literals: Literals | undefined): number {
  return literals === undefined ? 0 : rarityOf(literals) - Math.log2(literals.length) / 4
}
