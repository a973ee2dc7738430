import { backslash, quote } from './bytes'

/** Every second bit, from the lowest but one on. */
const oddBits: u32 = 0xaaaa_aaaa

/** The sign that becomes a plain k when its case is folded. */
const kelvinSign: u32 = 0x212a

/** Whether a string of the line was found to write an ASCII character, or one that folds to it, by an escape. */
export let hasEscapedText: bool = false

/** Sets or clears the mark of hidden text: a remembered key brings its own. */
@inline
export function setEscapedText(value: bool): void {
  hasEscapedText = value
}

/**
 * The closing quote of a string whose first byte after the opening quote is given, or 0 when JSON has no
 * such string: a control byte, an escape that does not exist, no end before the line's.
 */
export function stringEnd(at: usize): usize {
  while (true) {
    const specials: u32 = i8x16.bitmask(specialOf(v128.load(at)))
    if (specials == 0) {
      at += 16
      continue
    }
    at += <usize>ctz(specials)
    const byte: u32 = load<u8>(at)
    if (byte == quote) return at
    return byte == backslash ? escapedStringEnd(at) : 0
  }
}

/** Marks what does not stand in a string for itself: quotes, backslashes, control bytes. */
@inline
function specialOf(chunk: v128): v128 {
  return v128.or(v128.or(isQuote(chunk), isBackslash(chunk)), i8x16.le_u(chunk, i8x16.splat(0x1f)))
}

@inline
function isQuote(chunk: v128): v128 {
  return i8x16.eq(chunk, i8x16.splat(<i8>quote))
}

@inline
function isBackslash(chunk: v128): v128 {
  return i8x16.eq(chunk, i8x16.splat(<i8>backslash))
}

/**
 * The same from a backslash on. Runs of backslashes are taken apart by arithmetic over the bits of 16 bytes:
 * paths are full of them.
 */
function escapedStringEnd(at: usize): usize {
  // 1 when the first byte of the chunk is escaped by the last one of the chunk before.
  let carried: u32 = 0
  while (true) {
    const chunk = v128.load(at)
    const backslashes: u32 = i8x16.bitmask(isBackslash(chunk))
    const quotes: u32 = i8x16.bitmask(isQuote(chunk))
    const ends = (((backslashes & ~carried) << 1 | oddBits) - (backslashes & ~carried)) ^ oddBits
    const escaped = (ends ^ (backslashes | carried)) & 0xffff
    const others = escaped & ~(backslashes | quotes)
    const plain: u32 = i8x16.bitmask(specialOf(chunk)) & ~backslashes & ~escaped
    if ((plain | others) == 0) {
      carried = ((ends & backslashes) >>> 15) & 1
      at += 16
      continue
    }
    const stop = ctz(plain | others)
    at += <usize>stop
    if ((others & (1 << stop)) == 0) return load<u8>(at) == quote ? at : 0
    at = escapeEnd(at)
    if (at == 0) return 0
    carried = 0
  }
}

/** The byte after an escape that is neither of a quote nor of a backslash, by its letter; 0 where there is none. */
function escapeEnd(at: usize): usize {
  const letter: u32 = load<u8>(at)
  if (letter == 0x6e || letter == 0x74 || letter == 0x72 || letter == 0x62 || letter == 0x66) return at + 1
  if (letter == 0x2f) {
    hasEscapedText = true
    return at + 1
  }
  if (letter != 0x75) return 0
  let code: u32 = 0
  for (let digit: usize = 1; digit <= 4; digit++) {
    const value = hexDigit(load<u8>(at + digit))
    if (value > 0xf) return 0
    code = (code << 4) | value
  }
  if (code - 0x20 < 0x5f || code == kelvinSign) hasEscapedText = true
  return at + 5
}

/** What a hexadecimal digit stands for; more than 15 for other bytes. */
function hexDigit(byte: u32): u32 {
  const letter = (byte | 0x20) - 0x61
  return letter < 6 ? letter + 10 : byte - 0x30 < 10 ? byte - 0x30 : 16
}
