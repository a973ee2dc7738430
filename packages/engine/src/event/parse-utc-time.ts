const letterZ = 90
/** Milliseconds per unit of a fraction with up to three digits. */
const fractionScales = [0, 100, 10, 1]

/**
 * Fast path for the most common time format, `2026-01-05T08:00:00.123Z` with an optional fraction of any length, in
 * milliseconds since the epoch. Undefined for all other formats, which `parse-time.ts` handles.
 */
export function parseUtcTime(text: string): number | undefined {
  const end = text.length - 1
  if (end < 19 || end > 29 || text.charCodeAt(end) !== letterZ || !hasUtcLayout(text)) return undefined
  const year = readDigits(text, 0, 4)
  const month = readDigits(text, 5, 2)
  const day = readDigits(text, 8, 2)
  const hour = readDigits(text, 11, 2)
  const minute = readDigits(text, 14, 2)
  const second = readDigits(text, 17, 2)
  const digitCount = Math.max(0, end - 20)
  const thousandths = readDigits(text, 20, Math.min(3, digitCount)) * fractionScales[Math.min(3, digitCount)]!
  const rest = readDigits(text, 23, Math.max(0, digitCount - 3))
  // NaN fails every comparison. The slow path handles days after the 28th and years before 1970.
  const isPlainDay = year >= 1970 && 1 <= month && month <= 12 && 1 <= day && day <= 28
  const isPlain = isPlainDay && hour < 24 && minute < 60 && second < 60 && thousandths >= 0 && rest >= 0
  if (!isPlain) return undefined
  const days = countDaysSinceEpoch(year, month) + day - 1
  return ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1_000 + thousandths
}

function hasUtcLayout(text: string): boolean {
  return text[4] === '-' && text[7] === '-' && text[10] === 'T' && text[13] === ':' && text[16] === ':'
    && (text.length === 20 || (text[19] === '.' && text.length > 21))
}

/** Reads digits as a number; NaN when a character is not a digit. */
function readDigits(text: string, start: number, count: number): number {
  let number = 0
  for (let at = start; at < start + count; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return NaN
    number = number * 10 + digit
  }
  return number
}

/** Counts the days from 1970 to the first of a month, with years that start in March so that leap days come last. */
function countDaysSinceEpoch(year: number, month: number): number {
  const marchYear = month > 2 ? year : year - 1
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400)
  const monthDays = Math.floor((153 * ((month + 9) % 12) + 2) / 5)
  return marchYear * 365 + leapDays + monthDays - 719_468
}
