import { foldCase } from '../event/fold-case.ts'

/** Where no key is. */
export const noSlot = -1

const empty = -1
const removed = -2
const free = -1

/**
 * Numbers keys, which are texts, with small memory: an open-addressing hash table with linear probing over typed arrays.
 * Keys that are equal but for their case are one, unless case matters, and it keeps the spelling that came first. A slot
 * that was removed is given to a later key.
 */
export class KeyTable {
  #index = new Int32Array(16).fill(empty)
  /** Slots of the index that are taken or once were: a probe ends at the first that never was. */
  #usedCount = 0
  #hashes = new Int32Array(8)
  #starts = new Uint32Array(8)
  /** Units of the key, times two, plus one where they take two bytes each; -1 for a slot that is free. */
  #lengths = new Int32Array(8).fill(free)
  #bytes = new Uint8Array(64)
  #bytesEnd = 0
  #deadBytes = 0
  #slotCount = 0
  #freeSlots: number[] = []
  #size = 0

  readonly #seed: number
  readonly #isCaseSensitive: boolean

  /** The seed goes into the hashes: who chooses keys and knows it can make them collide. */
  constructor(seed: number, isCaseSensitive = false) {
    this.#seed = seed
    this.#isCaseSensitive = isCaseSensitive
  }

  /** How many keys there are. */
  get size(): number {
    return this.#size
  }

  /** One more than the largest slot that was ever given. */
  get slotCount(): number {
    return this.#slotCount
  }

  /** Bytes of memory that it takes. */
  get byteLength(): number {
    const columns = this.#index.byteLength + this.#hashes.byteLength + this.#starts.byteLength + this.#lengths.byteLength
    return columns + this.#bytes.byteLength
  }

  /** The slot of a key, or `noSlot`. */
  find(key: string): number {
    const at = this.#probe(key, hashOf(key, this.#seed))
    return at < 0 ? noSlot : this.#index[at]!
  }

  /** The slot of a key, a new one where it has none. */
  add(key: string): number {
    const hash = hashOf(key, this.#seed)
    const known = this.#probe(key, hash)
    if (known >= 0) return this.#index[known]!
    const slot = this.#freeSlots.pop() ?? this.#newSlot()
    this.#write(slot, key, hash)
    this.#size++
    if (this.#index[~known] === empty) this.#usedCount++
    this.#index[~known] = slot
    if (this.#usedCount * 4 > this.#index.length * 3) this.#rebuildIndex()
    return slot
  }

  /** Forgets the key of a slot. */
  remove(slot: number): void {
    const at = this.#placeOf(slot)
    this.#index[at] = removed
    this.#deadBytes += byteLengthOf(this.#lengths[slot]!)
    this.#lengths[slot] = free
    this.#freeSlots.push(slot)
    this.#size--
    if (this.#deadBytes > 4_096 && this.#deadBytes * 2 > this.#bytesEnd) this.#compact()
  }

  /** The key of a slot, in the spelling that came first. */
  keyOf(slot: number): string {
    let key = ''
    for (let unit = 0; unit < this.#lengths[slot]! >> 1; unit++) key += String.fromCharCode(this.#unitOf(slot, unit))
    return key
  }

  /** The place of a key in the index, or the complement of the place where it belongs. */
  #probe(key: string, hash: number): number {
    const mask = this.#index.length - 1
    let vacant = -1
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const slot = this.#index[at]!
      if (slot === empty) return ~(vacant === -1 ? at : vacant)
      if (slot === removed) {
        if (vacant === -1) vacant = at
      } else if (this.#hashes[slot] === hash && this.#holds(slot, key)) return at
    }
  }

  #placeOf(slot: number): number {
    const mask = this.#index.length - 1
    let at = this.#hashes[slot]! & mask
    while (this.#index[at] !== slot) at = (at + 1) & mask
    return at
  }

  /** Whether a slot holds a key, first unit by unit, then without regard to case. */
  #holds(slot: number, key: string): boolean {
    if (this.#lengths[slot]! >> 1 !== key.length) return false
    for (let unit = 0; unit < key.length; unit++) {
      const own = this.#unitOf(slot, unit)
      const other = key.charCodeAt(unit)
      if (own === other) continue
      if (this.#isCaseSensitive) return false
      if (own > 127 || other > 127) return foldCase(this.keyOf(slot)) === foldCase(key)
      if (foldAscii(own) !== foldAscii(other)) return false
    }
    return true
  }

  /** A unit of the key of a slot. */
  #unitOf(slot: number, unit: number): number {
    const start = this.#starts[slot]!
    if ((this.#lengths[slot]! & 1) === 0) return this.#bytes[start + unit]!
    return this.#bytes[start + 2 * unit]! | (this.#bytes[start + 2 * unit + 1]! << 8)
  }

  #newSlot(): number {
    if (this.#slotCount === this.#hashes.length) {
      const capacity = grown(this.#slotCount)
      this.#hashes = copyOf(this.#hashes, new Int32Array(capacity))
      this.#starts = copyOf(this.#starts, new Uint32Array(capacity))
      this.#lengths = copyOf(this.#lengths, new Int32Array(capacity).fill(free))
    }
    return this.#slotCount++
  }

  #write(slot: number, key: string, hash: number): void {
    let isWide = false
    for (let unit = 0; unit < key.length && !isWide; unit++) isWide = key.charCodeAt(unit) > 255
    const length = key.length * 2 + Number(isWide)
    const end = this.#bytesEnd + byteLengthOf(length)
    if (end > this.#bytes.length) this.#bytes = copyOf(this.#bytes, new Uint8Array(Math.max(grown(this.#bytes.length), end)))
    for (let unit = 0; unit < key.length; unit++) {
      const code = key.charCodeAt(unit)
      if (isWide) {
        this.#bytes[this.#bytesEnd + 2 * unit] = code & 255
        this.#bytes[this.#bytesEnd + 2 * unit + 1] = code >> 8
      } else this.#bytes[this.#bytesEnd + unit] = code
    }
    this.#starts[slot] = this.#bytesEnd
    this.#lengths[slot] = length
    this.#hashes[slot] = hash
    this.#bytesEnd = end
  }

  /** Makes an index with room, without what was removed. */
  #rebuildIndex(): void {
    let capacity = 16
    while (capacity * 2 < this.#size * 4) capacity *= 2
    const index = new Int32Array(capacity).fill(empty)
    for (let slot = 0; slot < this.#slotCount; slot++) {
      if (this.#lengths[slot] === free) continue
      let at = this.#hashes[slot]! & (capacity - 1)
      while (index[at] !== empty) at = (at + 1) & (capacity - 1)
      index[at] = slot
    }
    this.#index = index
    this.#usedCount = this.#size
  }

  /** Moves the keys that are left together. */
  #compact(): void {
    const bytes = new Uint8Array(grown(this.#bytesEnd - this.#deadBytes))
    let end = 0
    for (let slot = 0; slot < this.#slotCount; slot++) {
      if (this.#lengths[slot] === free) continue
      const start = this.#starts[slot]!
      const size = byteLengthOf(this.#lengths[slot]!)
      bytes.set(this.#bytes.subarray(start, start + size), end)
      this.#starts[slot] = end
      end += size
    }
    this.#bytes = bytes
    this.#bytesEnd = end
    this.#deadBytes = 0
  }
}

/** The next capacity of a column: half as much again, so that little of a large one stays unused. */
export function grown(capacity: number): number {
  return Math.max(16, Math.ceil(capacity * 1.5))
}

/** Puts what an array holds into a larger one. */
export function copyOf<Column extends { set: (values: Column) => void }>(from: Column, to: Column): Column {
  to.set(from)
  return to
}

function byteLengthOf(length: number): number {
  return (length & 1) === 1 ? (length >> 1) * 2 : length >> 1
}

function foldAscii(unit: number): number {
  return unit >= 65 && unit <= 90 ? unit + 32 : unit
}

/** A hash that is the same for keys that are equal but for their case. */
function hashOf(key: string, seed: number): number {
  let hash = seed
  for (let unit = 0; unit < key.length; unit++) {
    const code = key.charCodeAt(unit)
    if (code > 127) return hashOfUnits(foldCase(key), seed)
    hash = step(hash, foldAscii(code))
  }
  return mixed(hash)
}

function hashOfUnits(folded: string, seed: number): number {
  let hash = seed
  for (let unit = 0; unit < folded.length; unit++) hash = step(hash, folded.charCodeAt(unit))
  return mixed(hash)
}

function step(hash: number, unit: number): number {
  const next = Math.imul(hash ^ unit, 0x5bd1e995)
  return next ^ (next >>> 15)
}

/** Spreads what the last units did over all bits: the index looks at the lowest ones. */
function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return once ^ (once >>> 16)
}
