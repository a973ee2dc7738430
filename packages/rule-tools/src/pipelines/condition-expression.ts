import { PipelineError } from './pipeline.ts'
import type { ConditionExpression } from './pipeline.ts'

/** Parses an expression over the names of conditions, such as `a and not (b or c)`; each name must be used. */
export function parseConditionExpression(text: string, names: readonly string[]): ConditionExpression {
  const tokens: readonly string[] = text.match(/[()]|[^\s()]+/g) ?? []
  const parser = new ExpressionParser(tokens, new Set(names))
  const expression = parser.parse()
  const unused = names.find((name) => !tokens.includes(name))
  if (unused !== undefined) throw new PipelineError(`the expression '${text}' does not use the condition '${unused}'`)
  return expression
}

/** A recursive-descent parser; precedence, lowest first: or, and, not. */
class ExpressionParser {
  readonly #tokens: readonly string[]
  readonly #names: ReadonlySet<string>
  #next = 0
  #depth = 0

  constructor(tokens: readonly string[], names: ReadonlySet<string>) {
    this.#tokens = tokens
    this.#names = names
  }

  parse(): ConditionExpression {
    const expression = this.#parseOr()
    const rest = this.#tokens[this.#next]
    if (rest !== undefined) throw new PipelineError(`the expression goes on behind its end, at '${rest}'`)
    return expression
  }

  #parseOr(): ConditionExpression {
    const of = [this.#parseAnd()]
    while (this.#takeWord('or')) of.push(this.#parseAnd())
    return of.length === 1 ? of[0]! : { kind: 'any', of }
  }

  #parseAnd(): ConditionExpression {
    const of = [this.#parseNot()]
    while (this.#takeWord('and')) of.push(this.#parseNot())
    return of.length === 1 ? of[0]! : { kind: 'all', of }
  }

  #parseNot(): ConditionExpression {
    if (++this.#depth > 64) throw new PipelineError('the expression nests deeper than 64 levels')
    try {
      if (this.#takeWord('not')) return { kind: 'not', of: this.#parseNot() }
      if (this.#takeWord('(')) {
        const inner = this.#parseOr()
        if (!this.#takeWord(')')) throw new PipelineError('the expression lacks a closing parenthesis')
        return inner
      }
      const name = this.#tokens[this.#next++]
      if (name === undefined || !this.#names.has(name)) {
        throw new PipelineError(`the expression names '${name ?? 'nothing'}', which is no condition`)
      }
      return { kind: 'name', name }
    } finally {
      this.#depth--
    }
  }

  #takeWord(word: string): boolean {
    if (this.#tokens[this.#next]?.toLowerCase() !== word) return false
    this.#next++
    return true
  }
}
