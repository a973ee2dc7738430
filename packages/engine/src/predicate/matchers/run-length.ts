/** `.{1000,}`, also in a group: any line with so many characters. */
const countedDot = /^(?:\.|\(\.\)|\(\?:\.\))\{(\d+),?\}$/

/**
 * How many characters in a row a regular expression asks for, where it asks for nothing else; undefined for
 * others. Rules measure command lines so, and an automaton of a thousand states is no way to count.
 */
export function parseCountedDot(source: string): number | undefined {
  const match = countedDot.exec(source)
  return match === null ? undefined : Number(match[1])
}

/** Whether a text has so many characters in a row; a line feed ends a row unless a dot matches it. */
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
