/** A token of a regular expression: an escape, a class, a counted repetition, or one character. */
export const regexToken = /\\[^]|\[\^?\]?(?:\\[^]|\[:\w+:\]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[^]/gu

/** Escapes that match more or less than their token suggests: quoted text, codes, named classes. */
export const longEscape = /^\\[QExpPC0-7]$/

/** Zero-width assertions. */
const zeroWidth = /^(?:[\^$]|\\[bBAzZ])$/

/**
 * Computes a lower bound of the UTF-16 units of a text that a regular expression matches; 0 if it is unclear. Alternatives
 * and groups count as 0.
 */
export function computeShortestMatch(source: string): number {
  const tokens = Array.from(source.matchAll(regexToken), ([text]) => text)
  // Top-level alternatives, and groups of flags, are not supported.
  if (tokens.some((text) => longEscape.test(text)) || source.includes('(?')) return 0
  let length = 0
  let depth = 0
  for (const [i, text] of tokens.entries()) {
    if (text === '(') depth++
    else if (text === ')') depth--
    else if (depth === 0 && text === '|') return 0
    else if (depth === 0 && !zeroWidth.test(text) && !isRepetition(text)) length += countRepeats(tokens, i)
  }
  return length
}

function isRepetition(token: string): boolean {
  return /^(?:[?*+]|\{\d+(?:,\d*)?\})$/.test(token)
}

/** How often at least the token before some repetitions stands; the repetitions of a repetition are taken as none. */
function countRepeats(tokens: readonly string[], at: number): number {
  const next = tokens[at + 1] ?? ''
  if (!isRepetition(next)) return 1
  // The `?` behind another repetition only asks for few of them; anything else is not worth knowing.
  const after = tokens[at + 2] ?? ''
  if (isRepetition(after) && after !== '?') return 0
  if (next === '+') return 1
  return next.startsWith('{') ? Number.parseInt(next.slice(1), 10) : 0
}
