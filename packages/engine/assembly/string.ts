import { backslash, quote } from './bytes'

/** Every second bit, from the lowest but one on: what ends a run of backslashes of odd length lies there. */
const oddBits: u32 = 0xaaaa_aaaa

/** Whether a string of the line was found to hold `\u` or `\/`, which write plain characters otherwise. */
export let hasHiddenText: bool = false

/** Sets or clears the mark of hidden text: a remembered key brings its own. */
@inline
export function setHiddenText(value: bool): void {
  hasHiddenText = value
}

/**
 * The closing quote of a string whose first byte after the opening quote is given, or 0 when JSON has no
 * such string: a control byte, an escape that does not exist, no end before the line's.
 *
 * Runs of backslashes are taken apart by arithmetic over the bits of 16 bytes: paths are full of them.
 */
export function stringEnd(at: usize): usize {
  // 1 when the first byte of the chunk is escaped by the last one of the chunk before.
  let carried: u32 = 0
  while (true) {
    const chunk = v128.load(at)
    const isQuote = i8x16.eq(chunk, i8x16.splat(<i8>quote))
    const isBackslash = i8x16.eq(chunk, i8x16.splat(<i8>backslash))
    const isControl = i8x16.le_u(chunk, i8x16.splat(0x1f))
    const special: u32 = i8x16.bitmask(v128.or(v128.or(isQuote, isBackslash), isControl))
    if ((special | carried) == 0) {
      at += 16
      continue
    }
    const backslashes: u32 = i8x16.bitmask(isBackslash)
    if ((backslashes | carried) == 0) {
      const found = at + <usize>ctz(special)
      return load<u8>(found) == quote ? found : 0
    }
    const possible = backslashes & ~carried
    const ends = (((possible << 1) | oddBits) - possible) ^ oddBits
    const escaped = (ends ^ (backslashes | carried)) & 0xffff
    const others = escaped & ~(backslashes | i8x16.bitmask(isQuote))
    const stops = (special & ~backslashes & ~escaped) | others
    if (stops == 0) {
      carried = ((ends & backslashes) >>> 15) & 1
      at += 16
      continue
    }
    const found = at + <usize>ctz(stops)
    if ((others & (1 << ctz(stops))) == 0) return load<u8>(found) == quote ? found : 0
    at = escapeEnd(found)
    if (at == 0) return 0
    carried = 0
  }
}

/** The byte after an escape that is neither of a quote nor of a backslash, by its letter; 0 where there is none. */
function escapeEnd(at: usize): usize {
  const letter: u32 = load<u8>(at)
  if (letter == 0x6e || letter == 0x74 || letter == 0x72 || letter == 0x62 || letter == 0x66) return at + 1
  hasHiddenText = true
  if (letter == 0x2f) return at + 1
  if (letter != 0x75) return 0
  for (let digit: usize = 1; digit <= 4; digit++) if (!isHexDigit(load<u8>(at + digit))) return 0
  return at + 5
}

function isHexDigit(byte: u32): bool {
  return byte - 0x30 < 10 || (byte | 0x20) - 0x61 < 6
}
