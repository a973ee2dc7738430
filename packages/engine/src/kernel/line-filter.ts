import { limits } from '../limits.ts'
import { rarityAt } from './byte-rarity.ts'

/** Bytes of the shortest and of the longest literal. */
const literalLengthMin = 3
const literalLengthMax = 16
/** Bytes of a literal that are looked for in the whole line, before the rest is compared. */
const windowLength = 3
const groupCount = 8
const hashBits = 11

const headsAt = 2 * 16 * windowLength
const literalsAt = headsAt + 4 * 2 ** hashBits
const literalSize = 48

type Literal = { readonly bytes: Uint8Array; readonly windowAt: number; readonly window: string }

/**
 * Lays out the literals of a line filter as `packages/engine/assembly/line-filter.ts` reads them. They are
 * lower-case ASCII of 3 to 16 bytes; others throw.
 */
export function layLineFilter(literals: readonly Uint8Array[]): Uint8Array {
  if (literals.length > limits.kernelLiteralsMax) {
    throw new RangeError(`a line filter has ${literals.length} literals; ${limits.kernelLiteralsMax} are the most`)
  }
  // Neighbours in this order have similar windows, so that a group of them lets few others pass.
  const sorted = literals.map(literalOf).toSorted((a, b) => (a.window < b.window ? -1 : a.window > b.window ? 1 : 0))
  const layout = new Uint8Array(literalsAt + literalSize * sorted.length)
  for (const [index, literal] of sorted.entries()) {
    const group = Math.floor(index * groupCount / sorted.length)
    for (let place = 0; place < windowLength; place++) {
      admit(layout, place, literal.window.charCodeAt(place), group)
    }
    file(layout, literalsAt + literalSize * index, literal)
  }
  return layout
}

function literalOf(bytes: Uint8Array): Literal {
  const text = String.fromCharCode(...bytes.subarray(0, literalLengthMax + 1))
  if (bytes.length < literalLengthMin || bytes.length > literalLengthMax || !/^[ -@[-~]*$/.test(text)) {
    throw new RangeError(`'${text}' is no literal of a line filter: lower-case ASCII of 3 to 16 bytes`)
  }
  const starts = Array.from({ length: bytes.length - windowLength + 1 }, (_, start) => start)
  const rarities = starts.map((start) => rarityAt(text, start, windowLength))
  const windowAt = rarities.indexOf(Math.max(...rarities))
  return { bytes, windowAt, window: text.slice(windowAt, windowAt + windowLength) }
}

/** Lets a byte pass for a group at a place of the window: by its two halves, a letter in both its cases. */
function admit(layout: Uint8Array, place: number, byte: number, group: number): void {
  const lows = 32 * place
  const highs = lows + 16
  layout[lows + (byte & 15)]! |= 1 << group
  layout[highs + (byte >> 4)]! |= 1 << group
  if (byte >= 0x61 && byte <= 0x7a) layout[highs + (byte >> 4) - 2]! |= 1 << group
}

/** Writes a literal at an offset and puts it in front of those whose windows have the same hash. */
function file(layout: Uint8Array, offset: number, { bytes, windowAt }: Literal): void {
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
