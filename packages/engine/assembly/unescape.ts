import { backslash, foldBytes, createMask } from './bytes'
import { allocate } from './memory'

/** The start of the text that was read last. */
export let textStart: usize = 0

/** Reserves memory for a text of `byteCount` bytes; up to 32 bytes beyond its end are readable. */
export function configureUnescape(byteCount: u32): void {
  textStart = allocate(<usize>byteCount + 64) + 16
}

/**
 * Decodes the content of a JSON string, folding A-Z to a-z, and writes it to `textStart`. Returns its end, after which
 * 16 zero bytes follow, or 0 if one of its characters is not ASCII.
 */
export function readText(at: usize, end: usize): usize {
  let to = textStart
  let seen = i8x16.splat(0)
  while (at < end) {
    const rest = end - at
    const chunk = rest >= 16 ? v128.load(at) : v128.and(v128.load(at), createMask(<u32>rest))
    seen = v128.or(seen, chunk)
    v128.store(to, foldBytes(chunk))
    const escapes: u32 = i8x16.bitmask(i8x16.eq(chunk, i8x16.splat(<i8>backslash)))
    if (escapes == 0) {
      const length: usize = rest < 16 ? rest : 16
      at += length
      to += length
      continue
    }
    at += <usize>ctz(escapes)
    to += <usize>ctz(escapes)
    const letter: u32 = load<u8>(at + 1)
    const byte = letter == 0x75 ? decodeUnicodeEscape(at + 2) : decodeEscape(letter)
    if (byte > 0x7f) return 0
    store<u8>(to++, <u8>byte)
    at += letter == 0x75 ? 6 : 2
  }
  v128.store(to, i8x16.splat(0))
  return i8x16.bitmask(seen) == 0 ? to : 0
}

/** The character of an escape with a letter other than u. */
@inline
function decodeEscape(letter: u32): u32 {
  if (letter == 0x6e) return 0x0a
  if (letter == 0x74) return 0x09
  if (letter == 0x72) return 0x0d
  if (letter == 0x62) return 0x08
  return letter == 0x66 ? 0x0c : letter
}

/** The character of four hexadecimal digits, with A-Z folded to a-z. */
function decodeUnicodeEscape(at: usize): u32 {
  let code: u32 = 0
  for (let digit: usize = 0; digit < 4; digit++) {
    const byte: u32 = load<u8>(at + digit)
    code = (code << 4) | (byte < 0x40 ? byte - 0x30 : (byte | 0x20) - 0x57)
  }
  return code - 0x41 < 26 ? code | 0x20 : code
}
