import { limits } from '../limits.ts'

/** A condition as written: selections are named, quantifiers already know which selections they mean. */
export type Condition =
  | { readonly kind: 'and'; readonly of: readonly Condition[] }
  | { readonly kind: 'or'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'selection'; readonly name: string }
  | { readonly kind: 'quantifier'; readonly isAll: boolean; readonly pattern: string; readonly names: readonly string[] }

/** What is wrong with a condition: `offset` counts from the start of its text. */
export type ConditionProblem = {
  readonly kind: 'aggregation' | 'capitals' | 'limit' | 'syntax' | 'unknown'
  readonly message: string
  readonly offset: number
  /** The word that names no selection. */
  readonly unknownName?: string
}

export type ConditionResult = { readonly tree: Condition | undefined; readonly problems: readonly ConditionProblem[] }

/**
 * Reads the text of a condition (sigma.md section 7) over the names of a rule's selections.
 * Binding, weakest first: or, and, not, `x of`, parentheses. A word is a keyword only as a whole token
 * and only where one can stand (D-31), capitals are accepted and reported (D-29), a pattern may hold `-`
 * (D-30) and must match something (D-32). All unknown names are reported, not only the first; `tree` is
 * undefined when anything but `capitals` was.
 */
export function parseCondition(text: string, selectionNames: Iterable<string>): ConditionResult {
  if (text.length > limits.conditionLengthMax) {
    const message = `the condition has ${text.length} characters; at most ${limits.conditionLengthMax} are read`
    return { tree: undefined, problems: [{ kind: 'limit', message, offset: 0 }] }
  }
  const parser = new ConditionParser(text, new Set(selectionNames))
  const tree = parser.parse()
  const isBroken = parser.problems.some((problem) => problem.kind !== 'capitals')
  return { tree: isBroken ? undefined : tree, problems: parser.problems }
}

/** The selections that a condition reads, in the order it names them; a name may come twice. */
export function* listSelectionNames(condition: Condition): Generator<string> {
  if (condition.kind === 'selection') yield condition.name
  else if (condition.kind === 'quantifier') yield* condition.names
  else if (condition.kind === 'not') yield* listSelectionNames(condition.of)
  else for (const part of condition.of) yield* listSelectionNames(part)
}

/** Whether a quantifier's pattern matches a whole name; `*` is any run of characters. */
export function matchesNamePattern(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return name === pattern
  const last = rest.pop() ?? ''
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const piece of rest) {
    const found = name.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}

type Token = { readonly text: string; readonly offset: number }

/** Ends the reading of a condition at its first syntax problem. */
class ConditionSyntaxError extends Error {}

class ConditionParser {
  readonly problems: ConditionProblem[] = []
  readonly #text: string
  readonly #names: ReadonlySet<string>
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0
  #referenceCount = 0

  constructor(text: string, names: ReadonlySet<string>) {
    this.#text = text
    this.#names = names
    this.#tokens = Array.from(text.matchAll(/[\w*-]+|[^\s]/g), (found) => ({ text: found[0], offset: found.index }))
  }

  parse(): Condition | undefined {
    try {
      const tree = this.#or()
      const token = this.#peek()
      if (token !== undefined) this.#stop(`expected 'and', 'or' or the end, found '${token.text}'`, token.offset)
      return tree
    } catch (error) {
      if (error instanceof ConditionSyntaxError) return undefined
      throw error
    }
  }

  #or(): Condition {
    return this.#operands('or', () => this.#and())
  }

  #and(): Condition {
    return this.#operands('and', () => this.#not())
  }

  #operands(operator: 'and' | 'or', operand: () => Condition): Condition {
    const of = [operand()]
    while (this.#isKeyword(this.#peek(), operator)) {
      this.#acceptKeyword(operator)
      of.push(operand())
    }
    return of.length === 1 ? of[0]! : { kind: operator, of }
  }

  #not(): Condition {
    const token = this.#peek()
    if (!this.#isKeyword(token, 'not') || this.#namesSelectionHere(token)) return this.#atom()
    this.#acceptKeyword('not')
    return this.#nested(token, () => ({ kind: 'not', of: this.#not() }))
  }

  /** A selection may be called `not`: it is meant where no operand follows the word. */
  #namesSelectionHere(token: Token): boolean {
    if (!this.#names.has(token.text)) return false
    const next = this.#peek(1)
    return next === undefined || next.text === ')' || this.#isKeyword(next, 'and') || this.#isKeyword(next, 'or')
  }

  #atom(): Condition {
    const token = this.#peek()
    if (token === undefined) this.#stop('expected a selection, found the end', this.#text.length)
    if (token.text === '(') {
      this.#at++
      const inner = this.#nested(token, () => this.#or())
      const close = this.#peek()
      if (close?.text !== ')') this.#stop(`expected ')', found ${quoteToken(close)}`, close?.offset ?? this.#text.length)
      this.#at++
      return inner
    }
    if (this.#isKeyword(this.#peek(1), 'of') && /^(1|any|all)$/i.test(token.text)) return this.#quantifier(token)
    return this.#selection(token)
  }

  #quantifier(token: Token): Condition {
    const quantifier = token.text.toLowerCase()
    if (token.text !== quantifier) this.#reportCapitals(token, quantifier)
    this.#at++
    this.#acceptKeyword('of')
    const target = this.#peek()
    if (target === undefined || !/^[\w*-]+$/.test(target.text)) {
      this.#stop(`expected 'them' or a pattern after 'of', found ${quoteToken(target)}`, target?.offset ?? this.#text.length)
    }
    this.#at++
    const isThem = this.#isKeyword(target, 'them') && !this.#names.has(target.text)
    if (isThem && target.text !== 'them') this.#reportCapitals(target, 'them')
    const pattern = isThem ? 'them' : target.text
    const names = this.#findNames(isThem ? '*' : pattern)
    if (names.length === 0) {
      this.#report('unknown', `'${target.text}' matches no selection`, target.offset, target.text)
    }
    this.#countReferences(names.length, target)
    return { kind: 'quantifier', isAll: quantifier === 'all', pattern, names }
  }

  /** Names with a leading `_` are meant only by patterns that begin with one. */
  #findNames(pattern: string): string[] {
    const isHiddenMeant = pattern.startsWith('_')
    return [...this.#names].filter((name) => (isHiddenMeant || !name.startsWith('_')) && matchesNamePattern(pattern, name))
  }

  #selection(token: Token): Condition {
    if (token.text === '|') {
      this.#stopWith('aggregation', "aggregations after '|' are no longer part of Sigma's conditions", token.offset)
    }
    if (!/^[\w-]+$/.test(token.text)) this.#stop(`expected a selection, found ${quoteToken(token)}`, token.offset)
    this.#at++
    if (!this.#names.has(token.text)) {
      this.#report('unknown', `the condition names '${token.text}', which is not a selection`, token.offset, token.text)
    }
    this.#countReferences(1, token)
    return { kind: 'selection', name: token.text }
  }

  #countReferences(count: number, token: Token): void {
    this.#referenceCount += count
    if (this.#referenceCount <= limits.conditionReferencesMax) return
    this.#stopWith('limit', `the condition reads selections more than ${limits.conditionReferencesMax} times`, token.offset)
  }

  #nested(token: Token, read: () => Condition): Condition {
    if (this.#depth >= limits.conditionDepthMax) {
      this.#stopWith('limit', `the condition is nested deeper than ${limits.conditionDepthMax} levels`, token.offset)
    }
    this.#depth++
    const condition = read()
    this.#depth--
    return condition
  }

  #peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead]
  }

  #isKeyword(token: Token | undefined, keyword: string): token is Token {
    return token !== undefined && token.text.toLowerCase() === keyword
  }

  #acceptKeyword(keyword: string): void {
    const token = this.#peek()
    if (token !== undefined && token.text !== keyword) this.#reportCapitals(token, keyword)
    this.#at++
  }

  #reportCapitals(token: Token, keyword: string): void {
    this.#report('capitals', `the keyword '${keyword}' is written '${token.text}'; Sigma's keywords are lower case`, token.offset)
  }

  #report(kind: ConditionProblem['kind'], message: string, offset: number, unknownName?: string): void {
    this.problems.push({ kind, message, offset, ...(unknownName === undefined ? {} : { unknownName }) })
  }

  #stop(message: string, offset: number): never {
    const pipe = this.#tokens[this.#at]
    if (pipe?.text === '|') this.#stopWith('aggregation', "aggregations after '|' are no longer part of Sigma's conditions", pipe.offset)
    this.#stopWith('syntax', message, offset)
  }

  #stopWith(kind: ConditionProblem['kind'], message: string, offset: number): never {
    this.#report(kind, message, offset)
    throw new ConditionSyntaxError()
  }
}

function quoteToken(token: Token | undefined): string {
  return token === undefined ? 'the end' : `'${token.text}'`
}
