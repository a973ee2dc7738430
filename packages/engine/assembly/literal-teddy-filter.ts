import { foldBytes, createMask } from './bytes'
import { allocate } from './memory'

// Teddy-style prefilter for many literals, after Hyperscan's Teddy: shuffles look up, by the nibbles of three
// consecutive bytes, which of eight buckets may start there. Unlike Teddy it takes the rarest three-byte window of
// each literal instead of its first bytes, and it finds the literals of a hit in a hash table.
//
// The layout, which the host builds: for each of the three bytes, 16 bucket masks by its low nibble and 16 by its high
// nibble; then the heads of the hash table of windows, as offsets of literals within the filter; then the literals: 16
// bytes, 16 bytes of mask, the offset of the window in the literal, and the offset of the next literal with this hash.
const headsAt: usize = 96
const maskAt: usize = 16
const windowAt: usize = 32
const nextAt: usize = 36
/** Bits of a window's hash. */
const hashBits: u32 = 11

let filters: usize = 0

export function configureFilters(domainCount: u32): void {
  filters = allocate(<usize>domainCount * 4)
}

/** Sets the filter of a domain. */
export function setFilter(domain: u32, filter: usize): void {
  store<u32>(filters + <usize>domain * 4, <u32>filter)
}

/**
 * Whether a line may contain a literal of the domain: it does, ASCII case ignored, or it contains a Kelvin sign, which
 * folds to k, or the domain has no filter.
 */
export function mayContainLiteral(domain: u32, start: usize, end: usize): bool {
  const filter = <usize>load<u32>(filters + <usize>domain * 4)
  if (filter == 0) return true
  const low = i8x16.splat(0x0f)
  let first = i8x16.splat(0)
  let second = i8x16.splat(0)
  let seen = i8x16.splat(0)
  for (let at = start; at < end; at += 16) {
    const rest = end - at
    const chunk = rest >= 16 ? v128.load(at) : v128.and(v128.load(at), createMask(<u32>rest))
    seen = v128.or(seen, chunk)
    const lows = v128.and(chunk, low)
    const highs = v128.and(i16x8.shr_u(chunk, 4), low)
    const firstBefore = first
    const secondBefore = second
    first = getBuckets(filter, 0, lows, highs)
    second = getBuckets(filter, 32, lows, highs)
    const third = getBuckets(filter, 64, lows, highs)
    const firstMoved = v128.shuffle<u8>(
      firstBefore, first, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
    )
    const secondMoved = v128.shuffle<u8>(
      secondBefore, second, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
    )
    const hits = v128.and(v128.and(third, secondMoved), firstMoved)
    if (v128.any_true(hits) && verifyLiterals(filter, at - 2, hits)) return true
  }
  return i8x16.bitmask(seen) != 0 && containsKelvinSign(start, end)
}

/** Whether a line contains E2 84 AA: the only character beyond ASCII that folds to a character of a literal. */
function containsKelvinSign(start: usize, end: usize): bool {
  for (let at = start; at < end; at += 16) {
    let places: u32 = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(<i8>0xaa)))
    if (end - at < 16) places &= (1 << <u32>(end - at)) - 1
    for (; places != 0; places &= places - 1) {
      if (load<u16>(at + <usize>ctz(places) - 2) == 0x84e2) return true
    }
  }
  return false
}

/** For 16 bytes, the buckets with a window that has such a byte at this position. */
@inline
function getBuckets(filter: usize, offset: usize, lows: v128, highs: v128): v128 {
  return v128.and(
    i8x16.swizzle(v128.load(filter + offset), lows),
    i8x16.swizzle(v128.load(filter + offset + 16), highs),
  )
}

/** Whether one of the literals whose windows may start at these 16 places is really there. */
function verifyLiterals(filter: usize, at: usize, hits: v128): bool {
  let places: u32 = i8x16.bitmask(i8x16.ne(hits, i8x16.splat(0)))
  while (places != 0) {
    const place = at + <usize>ctz(places)
    places &= places - 1
    const window = foldBytes(v128.load(place))
    const hash = ((<u32>i32x4.extract_lane(window, 0) & 0xff_ffff) * 0x9e37_79b1) >>> (32 - hashBits)
    let offset = load<u32>(filter + <usize>hash * 4, headsAt)
    while (offset != 0) {
      const literal = filter + <usize>offset
      const text = foldBytes(v128.load(place - <usize>load<u32>(literal, windowAt)))
      if (!v128.any_true(v128.and(v128.xor(text, v128.load(literal)), v128.load(literal, maskAt)))) return true
      offset = load<u32>(literal, nextAt)
    }
  }
  return false
}
