import { backslash, quote } from './bytes'

/** Every second bit, starting with bit 1. */
const oddBits: u32 = 0xaaaa_aaaa

/** The Kelvin sign, which folds to k. */
const kelvinSign: u32 = 0x212a

/** Whether a string of the line writes an ASCII character, or one that folds to ASCII, as an escape. */
export let hasEscapedText: bool = false

/** Sets or clears `hasEscapedText`: a cached key brings its own flag. */
@inline
export function setEscapedText(value: bool): void {
  hasEscapedText = value
}

/**
 * The closing quote of the string that starts here, after its opening quote; 0 if it is no JSON string: it contains a
 * control byte or an invalid escape, or does not end before the line does.
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

/** Marks the bytes that end or break a string: quotes, backslashes, control bytes. */
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
 * The same from a backslash on. Finds escaped characters by carry arithmetic over 16 bits, as simdjson does: paths are
 * full of runs of backslashes.
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

/** The byte after an escape other than `\"` and `\\`, given its letter; 0 if there is no such escape. */
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

/** The value of a hexadecimal digit; above 15 for other bytes. */
function hexDigit(byte: u32): u32 {
  const letter = (byte | 0x20) - 0x61
  return letter < 6 ? letter + 10 : byte - 0x30 < 10 ? byte - 0x30 : 16
}
