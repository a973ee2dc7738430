import { longEscape, regexToken } from '../predicate/matchers/regex-length.ts'
import type { RegexTest } from '../predicate/predicate.ts'

/** A repetition that may match nothing. */
const optionalRepetition = /^(?:[?*]|\{0*[,}])/
const repetition = /^(?:[?*+]|\{\d)/

/** Characters that are common in values; others are much rarer. */
const common = /[\w\s\\.:,"'=/-]/

/** Minimum rarity of a literal, in common characters. */
const rarityMin = 2

/** Minimum rarity of further literals, which help only if they are rare. */
const furtherRarityMin = 4
const groupsMax = 3

/** The rarity of an uncommon character. */
const uncommonRarity = 3

/** Alternatives: every text that the expression matches contains at least one. */
type Literals = readonly string[]

/**
 * Extracts required literals from a regular expression, as RE2's prefilter does: up to `groupsMax` lists, best first, of
 * which every matching text contains at least one literal each. Empty if none are certain or all are common. A necessary
 * condition: classes, wildcards and optional parts end a literal unless they stand for few texts.
 */
export function extractRegexLiterals({ source, ignoresCase }: RegexTest): readonly Literals[] {
  const tokens = Array.from(source.matchAll(regexToken), ([text]) => text)
  if (tokens.some((text) => longEscape.test(text))) return []
  const reader = new LiteralExtractor(tokens, ignoresCase || /\(\?[a-zA-Z]*i/.test(source))
  const groups = sortBestFirst(reader.readAlternatives())
  if (!reader.isSupported) return []
  return groups.filter((literals, i) => computeRarity(literals) >= (i === 0 ? rarityMin : furtherRarityMin)).slice(0, groupsMax)
}

/** Maximum texts of one literal: each becomes a needle. Two `\s` in a row are already 25. */
const choicesMax = 32

/** Control characters by their escape letter. */
const controls: ReadonlyMap<string, string> = new Map([['t', '\t'], ['n', '\n'], ['v', '\v'], ['f', '\f'], ['r', '\r']])

/** Classes of few characters, as RE2 understands them. */
const namedClasses: ReadonlyMap<string, Literals> = new Map([
  [String.raw`\s`, ['\t', '\n', '\f', '\r', ' ']],
  [String.raw`\d`, Array.from('0123456789')],
])

/** ASCII, but not the `s`, which a search without regard to case also finds in `ſ`. */
const foldsToItself = /^(?![sS])[\x20-\x7e]$/

class LiteralExtractor {
  readonly #tokens: readonly string[]
  readonly #foldsCase: boolean
  #at = 0
  #isUnsupported = false

  constructor(tokens: readonly string[], foldsCase: boolean) {
    this.#tokens = tokens
    this.#foldsCase = foldsCase
  }

  /** Whether the whole expression was read and contains no unsupported construct. */
  get isSupported(): boolean {
    return this.#at === this.#tokens.length && !this.#isUnsupported
  }

  /** Reads to the end of the group or expression; combines the best literals of each alternative. */
  readAlternatives(): readonly Literals[] {
    const branches = [this.#readSequence()]
    while (this.#tokens[this.#at] === '|') {
      this.#at++
      branches.push(this.#readSequence())
    }
    const [only = []] = branches
    if (branches.length === 1) return only
    const best = branches.flatMap((branch) => sortBestFirst(branch).slice(0, 1))
    return best.length === branches.length ? [dropSuperstrings(best.flat())] : []
  }

  #readSequence(): readonly Literals[] {
    const groups: Literals[] = []
    // The texts that the last tokens may match: several if a token is a choice.
    let runs: Literals = ['']
    const end = (): void => {
      if (!runs.includes('')) groups.push(dropSuperstrings(runs))
      runs = ['']
    }
    for (;;) {
      const text = this.#tokens[this.#at]
      if (text === undefined || text === '|' || text === ')') break
      this.#at++
      const start = this.#at
      const group = text === '(' ? this.#readGroup() : []
      const choices = text === '(' ? this.#listGroupChoices(start) : this.#listChoices(text)
      const repeats = this.#readRepetition()
      if (choices === undefined || repeats === 'any or none') {
        end()
        if (repeats !== 'any or none' && repeats !== 'one or none') groups.push(...group)
        continue
      }
      const texts = repeats === 'one or none' ? ['', ...choices] : choices
      if (runs.length * texts.length > choicesMax) end()
      runs = runs.flatMap((run) => texts.map((one) => run + one))
      // What follows a repetition is not adjacent to its first iteration.
      if (repeats === 'any') end()
    }
    end()
    return groups
  }

  /** Reads a group after its opening parenthesis, including the closing one; a group of flags gives no literals. */
  #readGroup(): readonly Literals[] {
    if (this.#tokens[this.#at] === '?') {
      while (!/^[:>)]$/.test(this.#tokens[this.#at] ?? ')')) this.#at++
      if (this.#tokens[this.#at] !== ')') this.#at++
      // A repetition after a group of flags applies to what is before it.
      else if (repetition.test(this.#tokens[this.#at + 1] ?? '')) this.#isUnsupported = true
    }
    const literals = this.readAlternatives()
    if (this.#tokens[this.#at] === ')') this.#at++
    return literals
  }

  /** Reads how often the last token is repeated. */
  #readRepetition(): 'one' | 'one or none' | 'any' | 'any or none' {
    const start = this.#at
    while (repetition.test(this.#tokens[this.#at] ?? '')) this.#at++
    const marks = this.#tokens.slice(start, this.#at)
    const [first] = marks
    if (first === undefined) return 'one'
    // The second mark of `+?` and `{2}?` only makes it lazy.
    if (first === '?' && marks.every((mark) => mark === '?')) return 'one or none'
    return optionalRepetition.test(first) ? 'any or none' : 'any'
  }

  /** Lists the characters that a token matches; undefined if they are many or the token is an assertion. */
  #listChoices(text: string): Literals | undefined {
    const named = namedClasses.get(text)
    if (named !== undefined) return named
    const isClass = text.length > 1 && text.startsWith('[')
    if (isClass && !/^\[[^\]\\^[-]{1,4}\]$/u.test(text)) return undefined
    const characters = isClass ? Array.from(text.slice(1, -1)) : [this.#readLiteral(text)]
    const spellings = characters.map((one) => (one === undefined ? undefined : this.#listSpellings(one)))
    return spellings.every((one) => one !== undefined) ? spellings.flat() : undefined
  }

  /** Lists the spellings that match a character besides its case variants; undefined if they are uncertain. */
  #listSpellings(character: string): Literals | undefined {
    if (!this.#foldsCase || foldsToItself.test(character)) return [character]
    return /s/i.test(character) ? [character, 'ſ'] : undefined
  }

  /** Lists the texts of a group that was read from `start`, if it consists of alternatives of plain texts. */
  #listGroupChoices(start: number): Literals | undefined {
    const content = this.#tokens.slice(start, this.#at - 1)
    const plain = content[0] === '?' && content[1] === ':' ? content.slice(2) : content
    const texts: string[] = []
    let branch: string[] = ['']
    for (const text of plain) {
      const character = text === '|' ? undefined : this.#readLiteral(text)
      if (text === '|') {
        texts.push(...branch)
        branch = ['']
        continue
      }
      const spellings = character === undefined || /^[()?*+]|^\{\d/.test(text) ? undefined : this.#listSpellings(character)
      if (spellings === undefined) return undefined
      branch = branch.flatMap((start) => spellings.map((one) => start + one))
      if (texts.length + branch.length > choicesMax) return undefined
    }
    texts.push(...branch)
    return texts
  }

  /** The character that a token matches; undefined if it matches several or is an assertion. */
  #readLiteral(text: string): string | undefined {
    const isEscape = text.length > 1 && text.startsWith('\\')
    const character = isEscape ? text.slice(1) : text
    const control = isEscape ? controls.get(character) : undefined
    if (control !== undefined) return control
    return (isEscape ? /\w/.test(character) : /^(?:\[.+|[.^$])$/su.test(text)) ? undefined : character
  }
}

/** Removes literals that contain another one, which is implied. */
function dropSuperstrings(literals: Literals): Literals {
  const distinct = [...new Set(literals)]
  return distinct.filter((literal) => !distinct.some((other) => other !== literal && literal.includes(other)))
}

/** The rarity of the most common literal, in common characters. */
function computeRarity(literals: Literals): number {
  return Math.min(...literals.map((literal) => (
    Array.from(literal).reduce((sum, one) => sum + (common.test(one) ? 1 : uncommonRarity), 0)
  )))
}

function sortBestFirst(groups: readonly Literals[]): readonly Literals[] {
  return groups.toSorted((a, b) => scoreLiterals(b) - scoreLiterals(a))
}

/** Scores literals: rare ones are better than common ones, and few are better than many. */
function scoreLiterals(literals: Literals): number {
  return computeRarity(literals) - Math.log2(literals.length) / 4
}
