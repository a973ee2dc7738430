/** Texts and patterns of the reference evaluator: a pattern is a list of code points and wildcards. */

/** A literal code point, or a wildcard: `*` for any run, `?` for exactly one code point. */
export type Token = { readonly literal: string } | { readonly wildcard: '*' | '?' }

export const anyRun: Token = { wildcard: '*' }

/** Parses the source of a value; a backslash escapes only `*`, `?` and `\`. */
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

/** Converts a text without wildcards to tokens. */
export function literalTokens(text: string): Token[] {
  return Array.from(text, (literal) => ({ literal }))
}

/** Returns the text of a pattern without wildcards; undefined when it has one. */
export function literalText(tokens: readonly Token[]): string | undefined {
  let text = ''
  for (const token of tokens) {
    if ('wildcard' in token) return undefined
    text += token.literal
  }
  return text
}

/** Whether the pattern matches the whole text. */
export function patternMatches(tokens: readonly Token[], text: string, cased: boolean): boolean {
  const points = Array.from(cased ? text : fold(text))
  // The offsets at which the tokens so far can end.
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

/** Converts each code point to lower case, unless that changes its length in UTF-16. */
export function fold(text: string): string {
  return Array.from(text, (point) => {
    const lower = point.toLowerCase()
    return lower.length === point.length ? lower : point
  }).join('')
}
