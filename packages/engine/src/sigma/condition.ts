import { limits } from '../limits.ts'

/** A condition as a syntax tree: selections by name, quantifiers resolved to the selections they cover. */
export type Condition =
  | { readonly kind: 'and'; readonly of: readonly Condition[] }
  | { readonly kind: 'or'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'selection'; readonly name: string }
  | { readonly kind: 'quantifier'; readonly isAll: boolean; readonly pattern: string; readonly names: readonly string[] }

/** A problem of a condition; `offset` counts from the start of its text. */
export type ConditionProblem = {
  readonly kind: 'aggregation' | 'capitals' | 'limit' | 'syntax' | 'unknown'
  readonly message: string
  readonly offset: number
  /** The name that is not a selection. */
  readonly unknownName?: string
}

type ConditionResult = { readonly tree: Condition | undefined; readonly problems: readonly ConditionProblem[] }

/**
 * Recursive-descent parser for the condition language of Sigma, over the names of a rule's selections
 * (docs/reference/sigma.md). Precedence, lowest first: or, and, not, `x of`, parentheses. A word is a keyword only
 * as a whole token and where the grammar allows one. The parser accepts keywords in capitals and reports them;
 * patterns may contain `-` and must match a selection. It reports all unknown names; `tree` is undefined when
 * it found any problem other than `capitals`.
 */
export function parseCondition(text: string, selectionNames: Iterable<string>): ConditionResult {
  if (text.length > limits.conditionLengthMax) {
    const message = `the condition has ${text.length} characters; the limit is ${limits.conditionLengthMax}`
    return { tree: undefined, problems: [{ kind: 'limit', message, offset: 0 }] }
  }
  const parser = new ConditionParser(text, new Set(selectionNames))
  const tree = parser.parse()
  const isBroken = parser.problems.some((problem) => problem.kind !== 'capitals')
  return { tree: isBroken ? undefined : tree, problems: parser.problems }
}

/** Lists the selections that a condition reads, in its order and with repetitions. */
export function* listSelectionNames(condition: Condition): Generator<string> {
  if (condition.kind === 'selection') yield condition.name
  else if (condition.kind === 'quantifier') yield* condition.names
  else if (condition.kind === 'not') yield* listSelectionNames(condition.of)
  else for (const part of condition.of) yield* listSelectionNames(part)
}

/** Whether the pattern of a quantifier matches a whole name; `*` matches any run of characters. */
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

/** Stops the parser at the first syntax error; never leaves this file. */
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

  /** A selection may be named `not`: the word is the selection when no operand follows. */
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

  /** Only patterns that begin with `_` match names that begin with `_`. */
  #findNames(pattern: string): string[] {
    const matchesHidden = pattern.startsWith('_')
    return [...this.#names].filter((name) => (matchesHidden || !name.startsWith('_')) && matchesNamePattern(pattern, name))
  }

  #selection(token: Token): Condition {
    if (token.text === '|') {
      this.#stopWith('aggregation', "Sigma conditions no longer support aggregations after '|'", token.offset)
    }
    if (!/^[\w-]+$/.test(token.text)) this.#stop(`expected a selection, found ${quoteToken(token)}`, token.offset)
    this.#at++
    if (!this.#names.has(token.text)) {
      this.#report('unknown', `the condition names '${token.text}', but there is no such selection`, token.offset, token.text)
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
    this.#report('capitals', `write the keyword '${token.text}' in lower case: '${keyword}'`, token.offset)
  }

  #report(kind: ConditionProblem['kind'], message: string, offset: number, unknownName?: string): void {
    this.problems.push({ kind, message, offset, ...(unknownName === undefined ? {} : { unknownName }) })
  }

  #stop(message: string, offset: number): never {
    const pipe = this.#tokens[this.#at]
    if (pipe?.text === '|') this.#stopWith('aggregation', "Sigma conditions no longer support aggregations after '|'", pipe.offset)
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
