// Compares, hashes and skips bytes with SIMD, sixteen at a time. Reading up to 16 bytes past an end is always allowed.

export const lineFeed: u32 = 0x0a
export const quote: u32 = 0x22
export const backslash: u32 = 0x5c

/** 16 bytes of ones, then 16 of zeroes: a mask of n bytes starts at 16 - n. */
const masks: usize = memory.data<u8>([
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
], 16)

/** Ones in the first `length` bytes, at most 16. */
@inline
export function createMask(length: u32): v128 {
  return v128.load(masks + 16 - length)
}

/** Folds A-Z to a-z in 16 bytes. */
@inline
export function foldBytes(chunk: v128): v128 {
  const isCapital = i8x16.lt_u(i8x16.sub(chunk, i8x16.splat(0x41)), i8x16.splat(26))
  return v128.or(chunk, v128.and(isCapital, i8x16.splat(0x20)))
}

/** Whether `length` bytes at two addresses are equal. */
@inline
export function isEqual(a: usize, b: usize, length: u32): bool {
  while (length > 16) {
    if (v128.any_true(v128.xor(v128.load(a), v128.load(b)))) return false
    a += 16
    b += 16
    length -= 16
  }
  return !v128.any_true(v128.and(v128.xor(v128.load(a), v128.load(b)), createMask(length)))
}

/**
 * Hashes bytes and a seed to 32 bits, in two lanes of 64. Correctness does not depend on it: keys with equal hashes are
 * compared, so an attacker who finds collisions can only cause more calls to the host.
 */
export function hashBytes(start: usize, length: u32, seed: u32): u32 {
  let low: u64 = 0x9e37_79b9_7f4a_7c15 ^ <u64>seed
  let high: u64 = 0xc2b2_ae3d_27d4_eb4f ^ <u64>length
  while (length > 16) {
    low = rotl<u64>((low ^ load<u64>(start)) * 0xff51_afd7_ed55_8ccd, 29)
    high = rotl<u64>((high ^ load<u64>(start, 8)) * 0xc4ce_b9fe_1a85_ec53, 31)
    start += 16
    length -= 16
  }
  const rest = v128.and(v128.load(start), createMask(length))
  low = (low ^ v128.extract_lane<u64>(rest, 0)) * 0xff51_afd7_ed55_8ccd
  high = (high ^ v128.extract_lane<u64>(rest, 1)) * 0xc4ce_b9fe_1a85_ec53
  const mixed = (low ^ (low >>> 32) ^ rotl<u64>(high, 17)) * 0x9fb2_1c65_1e98_df25
  return <u32>(mixed >>> 32)
}

/** The first byte that is not JSON whitespace; never passes the end of the line. */
@inline
export function skipBlanks(at: usize): usize {
  let byte: u32 = load<u8>(at)
  while (byte <= 0x20 && (byte == 0x20 || byte == 0x09 || byte == 0x0d)) byte = load<u8>(++at)
  return at
}

/** The line feed that ends the line; there always is one. */
export function lineEnd(at: usize): usize {
  while (true) {
    const ends = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(<i8>lineFeed)))
    if (ends != 0) return at + <usize>ctz(ends)
    at += 16
  }
}
