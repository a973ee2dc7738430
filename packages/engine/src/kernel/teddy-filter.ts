import { limits } from '../limits.ts'
import { estimateFrequency, isCommonAt } from './byte-rarity.ts'

/** Bytes of the shortest and of the longest literal. */
const literalLengthMin = 3
const literalLengthMax = 16
/** Bytes of a literal's window, which the filter searches before the literal is compared. */
const windowLength = 3
const bucketCount = 8
const hashBits = 11

const headsAt = 2 * 16 * windowLength
const literalsAt = headsAt + 4 * 2 ** hashBits
const literalSize = 48

/**
 * Builds a Teddy-style prefilter for `packages/engine/assembly/literal-teddy-filter.ts`, which describes the layout and
 * how it differs from Hyperscan's Teddy. Throws for literals other than 3 to 16 bytes of lower-case ASCII.
 */
export function buildTeddyFilter(literals: readonly Uint8Array[]): Uint8Array {
  if (literals.length > limits.kernelLiteralsMax) {
    throw new RangeError(`a line filter has ${literals.length} literals; at most ${limits.kernelLiteralsMax} are allowed`)
  }
  const groups = Array.from({ length: bucketCount }, () => new TeddyBucket())
  const layout = new Uint8Array(literalsAt + literalSize * literals.length)
  for (const [index, bytes] of literals.entries()) {
    const text = decodeLiteral(bytes)
    const { group, windowAt } = findBestWindow(text, groups)
    group.add(text, windowAt)
    writeLiteral(layout, literalsAt + literalSize * index, bytes, windowAt)
  }
  for (const [number, group] of groups.entries()) writeMasks(layout, number, group)
  return layout
}

function decodeLiteral(bytes: Uint8Array): string {
  const text = String.fromCharCode(...bytes.subarray(0, literalLengthMax + 1))
  if (bytes.length < literalLengthMin || bytes.length > literalLengthMax || !/^[ -@[-~]*$/.test(text)) {
    throw new RangeError(`'${text}' cannot be a literal of a line filter; use 3 to 16 bytes of lower-case ASCII`)
  }
  return text
}

/** Chooses the window of a literal and its bucket: those that add the fewest false positives. */
function findBestWindow(text: string, groups: readonly TeddyBucket[]): { readonly group: TeddyBucket; readonly windowAt: number } {
  let best = { group: groups[0]!, windowAt: 0 }
  let least = Infinity
  for (let windowAt = 0; windowAt + windowLength <= text.length; windowAt++) {
    const penalty = isCommonAt(text, windowAt) ? 1 : 0
    for (const group of groups) {
      const more = penalty + group.computeGrowth(text, windowAt)
      if (more >= least) continue
      least = more
      best = { group, windowAt }
    }
  }
  return best
}

/** By nibble: the estimated share of bytes with it. */
const lowShares = computeShares((byte) => byte & 15)

const highShares = computeShares((byte) => byte >> 4)

/** A bucket of windows: a position passes if each byte's low and high nibble is that of one of the windows there. */
class TeddyBucket {
  /** By place in the window: bitmaps of the nibbles that pass. */
  readonly lows = new Uint16Array(windowLength)
  readonly highs = new Uint16Array(windowLength)
  /** The estimated shares of bytes that pass. */
  readonly #lowShares = new Float64Array(windowLength)
  readonly #highShares = new Float64Array(windowLength)
  #share = 0

  /** The estimated growth of the share of positions that pass if a window is added. */
  computeGrowth(text: string, at: number): number {
    let share = 1
    for (let place = 0; place < windowLength; place++) {
      const byte = text.charCodeAt(at + place)
      share *= this.#lowShares[place]! + sumShares(getLowBit(byte) & ~this.lows[place]!, lowShares)
      share *= this.#highShares[place]! + sumShares(getHighBits(byte) & ~this.highs[place]!, highShares)
    }
    return share - this.#share
  }

  add(text: string, at: number): void {
    this.#share += this.computeGrowth(text, at)
    for (let place = 0; place < windowLength; place++) {
      const byte = text.charCodeAt(at + place)
      this.lows[place]! |= getLowBit(byte)
      this.highs[place]! |= getHighBits(byte)
      this.#lowShares[place] = sumShares(this.lows[place]!, lowShares)
      this.#highShares[place] = sumShares(this.highs[place]!, highShares)
    }
  }
}

function getLowBit(byte: number): number {
  return 1 << (byte & 15)
}

/** Letters pass in both cases. */
function getHighBits(byte: number): number {
  const isLetter = byte >= 0x61 && byte <= 0x7a
  return (1 << (byte >> 4)) | (isLetter ? 1 << ((byte >> 4) - 2) : 0)
}

function computeShares(halfOf: (byte: number) => number): Float64Array {
  const sums = new Float64Array(16)
  for (let byte = 0; byte < 128; byte++) sums[halfOf(byte)]! += estimateFrequency(byte)
  const total = sums.reduce((sum, of) => sum + of)
  return sums.map((sum) => sum / total)
}

/** The sum of the shares of a bitmap of nibbles. */
function sumShares(halves: number, shares: Float64Array): number {
  let sum = 0
  for (let rest = halves; rest !== 0; rest &= rest - 1) sum += shares[31 - Math.clz32(rest & -rest)]!
  return sum
}

/** Writes the masks of a bucket. */
function writeMasks(layout: Uint8Array, number: number, { lows, highs }: TeddyBucket): void {
  for (let place = 0; place < windowLength; place++) {
    for (let half = 0; half < 16; half++) {
      layout[32 * place + half]! |= ((lows[place]! >> half) & 1) << number
      layout[32 * place + 16 + half]! |= ((highs[place]! >> half) & 1) << number
    }
  }
}

/** Writes a literal at an offset and prepends it to the chain of its window's hash. */
function writeLiteral(layout: Uint8Array, offset: number, bytes: Uint8Array, windowAt: number): void {
  const view = new DataView(layout.buffer)
  const [a = 0, b = 0, c = 0] = bytes.subarray(windowAt)
  const hash = Math.imul(a | (b << 8) | (c << 16), 0x9e3779b1) >>> (32 - hashBits)
  const head = headsAt + 4 * hash
  layout.set(bytes, offset)
  layout.fill(0xff, offset + literalLengthMax, offset + literalLengthMax + bytes.length)
  view.setUint32(offset + 32, windowAt, true)
  view.setUint32(offset + 36, view.getUint32(head, true), true)
  view.setUint32(head, offset, true)
}
