import { backslash, foldBytes, createMask, quote } from './bytes'

/**
 * Whether two raw JSON values may be the same text, case ignored. False is certain; true is not if one is no string, or
 * contains escapes or characters with several spellings.
 */
export function mayBeEqual(a: usize, aLength: u32, b: usize, bLength: u32): bool {
  if (load<u8>(a) != quote || load<u8>(b) != quote) return true
  if (aLength == bLength && isEqualFolded(a, b, aLength)) return true
  return hasOtherSpellings(a, aLength) || hasOtherSpellings(b, bLength)
}

/** Whether bytes are equal apart from the case of ASCII letters. */
function isEqualFolded(a: usize, b: usize, length: u32): bool {
  while (length > 16) {
    if (v128.any_true(v128.xor(foldBytes(v128.load(a)), foldBytes(v128.load(b))))) return false
    a += 16
    b += 16
    length -= 16
  }
  const differing = v128.xor(foldBytes(v128.load(a)), foldBytes(v128.load(b)))
  return !v128.any_true(v128.and(differing, createMask(length)))
}

/** Whether a string contains bytes beyond ASCII, or possibly an escape that stands for another character. */
function hasOtherSpellings(at: usize, length: u32): bool {
  for (; length > 16; at += 16, length -= 16) if (v128.any_true(otherSpellings(at))) return true
  return v128.any_true(v128.and(otherSpellings(at), createMask(length)))
}

/** Ones at the bytes that are not ASCII, and at the backslashes before a `u` or a `/`. */
@inline
function otherSpellings(at: usize): v128 {
  const chunk = v128.load(at)
  const next = v128.load(at + 1)
  const isEscape = i8x16.eq(chunk, i8x16.splat(<i8>backslash))
  const isLong = v128.or(i8x16.eq(next, i8x16.splat(0x75)), i8x16.eq(next, i8x16.splat(0x2f)))
  return v128.or(v128.and(isEscape, isLong), i8x16.lt_s(chunk, i8x16.splat(0)))
}
