/**
 * Texts and patterns of the reference evaluator (sigma.md section 5, D-7): a pattern is a list of tokens,
 * one for each code point or wildcard, and matching tries every way to lay it over the text.
 */

/** One code point that stands for itself, or a wildcard: `*` any run, `?` exactly one code point. */
export type Token = { readonly literal: string } | { readonly wildcard: '*' | '?' }

export const anyRun: Token = { wildcard: '*' }

/** Reads the source of a value: a backslash takes the meaning from `*`, `?` and `\` only. */
export function scanPattern(source: string): Token[] {
  const tokens: Token[] = []
  const points = Array.from(source)
  for (let at = 0; at < points.length; at++) {
    const point = points[at] ?? ''
    const next = points[at + 1] ?? ''
    if (point === '\\' && (next === '*' || next === '?' || next === '\\')) {
      tokens.push({ literal: next })
      at++
    } else if (point === '*' || point === '?') {
      tokens.push({ wildcard: point })
    } else {
      tokens.push({ literal: point })
    }
  }
  return tokens
}

/** Tokens of a text that holds no wildcards, whatever its characters. */
export function literalTokens(text: string): Token[] {
  return Array.from(text, (literal) => ({ literal }))
}

/** The text of a pattern that has no wildcards, undefined when it has one. */
export function literalText(tokens: readonly Token[]): string | undefined {
  let text = ''
  for (const token of tokens) {
    if ('wildcard' in token) return undefined
    text += token.literal
  }
  return text
}

/** Whether the pattern covers the whole text. */
export function patternMatches(tokens: readonly Token[], text: string, cased: boolean): boolean {
  const points = Array.from(cased ? text : fold(text))
  // Where in the text the tokens read so far can end.
  let ends = new Set([0])
  for (const token of tokens) {
    const next = new Set<number>()
    for (const end of ends) {
      if ('literal' in token) {
        const literal = cased ? token.literal : fold(token.literal)
        if (end < points.length && points[end] === literal) next.add(end + 1)
      } else if (token.wildcard === '?') {
        if (end < points.length) next.add(end + 1)
      } else {
        for (let later = end; later <= points.length; later++) next.add(later)
      }
    }
    ends = next
  }
  return ends.has(points.length)
}

/** Lower case of each code point, save where that would change its length in UTF-16 (D-7). */
export function fold(text: string): string {
  return Array.from(text, (point) => {
    const lower = point.toLowerCase()
    return lower.length === point.length ? lower : point
  }).join('')
}
