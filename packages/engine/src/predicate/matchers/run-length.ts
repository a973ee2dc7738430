/** `.{1000,}`, also in a group: a line with at least 1,000 characters. */
const countedDot = /^(?:\.|\(\.\)|\(\?:\.\))\{(\d+),?\}$/

/**
 * Parses an expression that is only a counted dot and returns the count; undefined for others. Rules use it to measure
 * command lines, for which an automaton would need a thousand states.
 */
export function parseCountedDot(source: string): number | undefined {
  const match = countedDot.exec(source)
  return match === null ? undefined : Number(match[1])
}

/** Whether a text has `length` consecutive characters; a line feed interrupts them unless a dot matches it. */
export function hasRun(text: string, length: number, dotMatchesNewline: boolean): boolean {
  let count = 0
  for (let i = 0; count < length && i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 0x0a && !dotMatchesNewline) count = 0
    // The second half of a surrogate pair is no character of its own.
    else if (!isLowSurrogate(unit) || i === 0 || !isHighSurrogate(text.charCodeAt(i - 1))) count++
  }
  return count >= length
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
