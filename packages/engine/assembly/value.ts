import { quote, skipBlanks } from './bytes'
import { stringEnd } from './string'

/** Levels of nesting in a value: the parser recurses, and the host parses lines with deeper ones. */
const depthMax: u32 = 32

/** The byte after the value that starts here, validated as strictly as `JSON.parse` does; 0 if it is invalid. */
@inline
export function valueEnd(at: usize): usize {
  if (load<u8>(at) != quote) return otherValueEnd(at, 0)
  const end = stringEnd(at + 1)
  return end == 0 ? 0 : end + 1
}

function otherValueEnd(at: usize, depth: u32): usize {
  const first: u32 = load<u8>(at)
  if (first - 0x30 < 10 || first == 0x2d) return numberEnd(at)
  if (first == 0x5b || first == 0x7b) return depth == depthMax ? 0 : nestedEnd(at, depth + 1)
  const word = load<u32>(at)
  if (word == 0x6c6c_756e || word == 0x6575_7274) return at + 4
  return word == 0x736c_6166 && load<u8>(at, 4) == 0x65 ? at + 5 : 0
}

/** The byte after a number; the caller checks what follows. */
function numberEnd(at: usize): usize {
  if (load<u8>(at) == 0x2d) at++
  const digits = digitsEnd(at)
  if (digits == at || (load<u8>(at) == 0x30 && digits != at + 1)) return 0
  at = digits
  if (load<u8>(at) == 0x2e) {
    const fraction = digitsEnd(at + 1)
    if (fraction == at + 1) return 0
    at = fraction
  }
  if ((load<u8>(at) | 0x20) != 0x65) return at
  const sign: u32 = load<u8>(at, 1)
  const exponent = sign == 0x2b || sign == 0x2d ? at + 2 : at + 1
  const end = digitsEnd(exponent)
  return end == exponent ? 0 : end
}

@inline
function digitsEnd(at: usize): usize {
  while (<u32>load<u8>(at) - 0x30 < 10) at++
  return at
}

/** The byte after a list or an object. */
function nestedEnd(at: usize, depth: u32): usize {
  const isObject = load<u8>(at) == 0x7b
  const closing: u32 = isObject ? 0x7d : 0x5d
  at = skipBlanks(at + 1)
  if (load<u8>(at) == closing) return at + 1
  while (true) {
    if (isObject) {
      at = colonEnd(at)
      if (at == 0) return 0
    }
    at = load<u8>(at) == quote ? stringEnd(at + 1) + 1 : otherValueEnd(at, depth)
    if (at <= 1) return 0
    at = skipBlanks(at)
    const next: u32 = load<u8>(at)
    if (next == closing) return at + 1
    if (next != 0x2c) return 0
    at = skipBlanks(at + 1)
  }
}

/** The first byte of the value after a key and its colon, or 0. */
function colonEnd(at: usize): usize {
  if (load<u8>(at) != quote) return 0
  const end = stringEnd(at + 1)
  if (end == 0) return 0
  const colon = skipBlanks(end + 1)
  return load<u8>(colon) == 0x3a ? skipBlanks(colon + 1) : 0
}
