/** A token of a regular expression: an escape, a class, a counted repetition, or one character. */
export const regexToken = /\\[^]|\[\^?\]?(?:\\[^]|\[:\w+:\]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[^]/gu

/** Escapes that stand for more, or less, than a token shows: quoted text, codes, classes by name. */
export const longEscape = /^\\[QExpPC0-7]$/

/** Places, which have no length. */
const zeroWidth = /^(?:[\^$]|\\[bBAzZ])$/

/**
 * The least UTF-16 units that a text has in which a regular expression is found; 0 where that is not plain.
 * May only be too low: lengths of alternatives and of groups that may be absent count as nothing.
 */
export function computeShortestMatch(source: string): number {
  const tokens = Array.from(source.matchAll(regexToken), ([text]) => text)
  // Alternatives at the top, and flags that pass repetitions on, are left alone.
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
