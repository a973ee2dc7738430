import { longEscape, regexToken } from '../predicate/matchers/regex-length.ts'
import type { RegexTest } from '../predicate/predicate.ts'

/** A repetition that may be of nothing. */
const optionalRepetition = /^(?:[?*]|\{0*[,}])/
const repetition = /^(?:[?*+]|\{\d)/

/** What stands in values of all kinds; other characters are much rarer. */
const common = /[\w\s\\.:,"'=/-]/

/** How rare a literal has to be, in common characters, to be looked for at all. */
const rarityMin = 2

/** The same of those that are looked for besides: they say little unless they are rare. */
const furtherRarityMin = 4
const groupsMax = 3

/** What an uncommon character counts for. */
const uncommonRarity = 3

/** At least one of these stands in every text in which the expression is found. */
type Literals = readonly string[]

/**
 * Finds literals of which one is in every text in which a regular expression is found, and others of which one is
 * there as well: the best first, at most `groupsMax` times; none where none are certain, or only common ones are. May
 * only weaken: classes, wildcards and whatever may be absent, unless it is of few characters, end a literal.
 */
export function extractRegexLiterals({ source, ignoresCase }: RegexTest): readonly Literals[] {
  const tokens = Array.from(source.matchAll(regexToken), ([text]) => text)
  if (tokens.some((text) => longEscape.test(text))) return []
  const reader = new LiteralExtractor(tokens, ignoresCase || /\(\?[a-zA-Z]*i/.test(source))
  const groups = sortBestFirst(reader.readAlternatives())
  if (!reader.isSupported) return []
  return groups.filter((literals, i) => computeRarity(literals) >= (i === 0 ? rarityMin : furtherRarityMin)).slice(0, groupsMax)
}

class LiteralExtractor {
  readonly #tokens: readonly string[]
  readonly #foldsCase: boolean
  #at = 0
  #isUnsupported = false

  constructor(tokens: readonly string[], foldsCase: boolean) {
    this.#tokens = tokens
    this.#foldsCase = foldsCase
  }

  /** Whether all was read, and nothing that means something else than it seems to. */
  get isSupported(): boolean {
    return this.#at === this.#tokens.length && !this.#isUnsupported
  }

  /** Reads up to the end of the group or of the expression; of alternatives, what is best of each. */
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
    // The texts that may stand where the last tokens do: several where a token leaves a choice.
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
      // What follows a repetition does not stand beside the first of what is repeated.
      if (repeats === 'any') end()
    }
    end()
    return groups
  }

  /** Reads a group behind its parenthesis, with the closing one; flags alone say nothing. */
  #readGroup(): readonly Literals[] {
    if (this.#tokens[this.#at] === '?') {
      while (!/^[:>)]$/.test(this.#tokens[this.#at] ?? ')')) this.#at++
      if (this.#tokens[this.#at] !== ')') this.#at++
      // Flags that stand alone pass a repetition on to what is before them.
      else if (repetition.test(this.#tokens[this.#at + 1] ?? '')) this.#isUnsupported = true
    }
    const literals = this.readAlternatives()
    if (this.#tokens[this.#at] === ')') this.#at++
    return literals
  }

  /** How often the last token stands. */
  #readRepetition(): 'one' | 'one or none' | 'any' | 'any or none' {
    const start = this.#at
    while (repetition.test(this.#tokens[this.#at] ?? '')) this.#at++
    const marks = this.#tokens.slice(start, this.#at)
    const [first] = marks
    if (first === undefined) return 'one'
    // The second mark of `+?` and `{2}?` only asks for few.
    if (first === '?' && marks.every((mark) => mark === '?')) return 'one or none'
    return optionalRepetition.test(first) ? 'any or none' : 'any'
  }

  /** The characters that a token stands for, where they are few; undefined where they are many, or it is a place. */
  #listChoices(text: string): Literals | undefined {
    const named = namedClasses.get(text)
    if (named !== undefined) return named
    const isClass = text.length > 1 && text.startsWith('[')
    if (isClass && !/^\[[^\]\\^[-]{1,4}\]$/u.test(text)) return undefined
    const characters = isClass ? Array.from(text.slice(1, -1)) : [this.#readLiteral(text)]
    const spellings = characters.map((one) => (one === undefined ? undefined : this.#listSpellings(one)))
    return spellings.every((one) => one !== undefined) ? spellings.flat() : undefined
  }

  /** The characters that are found where one is asked for, but for those that fold to it; undefined where they are unclear. */
  #listSpellings(character: string): Literals | undefined {
    if (!this.#foldsCase || foldsToItself.test(character)) return [character]
    return /s/i.test(character) ? [character, 'ſ'] : undefined
  }

  /** The texts of a group, which begins at a token and was read, where it is nothing but alternatives of plain texts. */
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

  /** The character that a token stands for; undefined where it stands for several, or for a place. */
  #readLiteral(text: string): string | undefined {
    const isEscape = text.length > 1 && text.startsWith('\\')
    const character = isEscape ? text.slice(1) : text
    const control = isEscape ? controls.get(character) : undefined
    if (control !== undefined) return control
    return (isEscape ? /\w/.test(character) : /^(?:\[.+|[.^$])$/su.test(text)) ? undefined : character
  }
}

/** Texts that a run may have: each becomes a needle. Two blanks with a choice between them are 25 and more. */
const choicesMax = 32

/** Characters that have a letter for a name. */
const controls: ReadonlyMap<string, string> = new Map([['t', '\t'], ['n', '\n'], ['v', '\v'], ['f', '\f'], ['r', '\r']])

/** Classes of few characters, as RE2 understands them. */
const namedClasses: ReadonlyMap<string, Literals> = new Map([
  [String.raw`\s`, ['\t', '\n', '\f', '\r', ' ']],
  [String.raw`\d`, Array.from('0123456789')],
])

/** ASCII, but not the `s`, which a search without regard to case also finds in `ſ`. */
const foldsToItself = /^(?![sS])[\x20-\x7e]$/

/** Without those in which another one stands, which says as much. */
function dropSuperstrings(literals: Literals): Literals {
  const distinct = [...new Set(literals)]
  return distinct.filter((literal) => !distinct.some((other) => other !== literal && literal.includes(other)))
}

/** How rare the most common of some literals is, in common characters. */
function computeRarity(literals: Literals): number {
  return Math.min(...literals.map((literal) => (
    Array.from(literal).reduce((sum, one) => sum + (common.test(one) ? 1 : uncommonRarity), 0)
  )))
}

function sortBestFirst(groups: readonly Literals[]): readonly Literals[] {
  return groups.toSorted((a, b) => scoreLiterals(b) - scoreLiterals(a))
}

/** Rare ones are better than common ones, and few better than many. */
function scoreLiterals(literals: Literals): number {
  return computeRarity(literals) - Math.log2(literals.length) / 4
}
