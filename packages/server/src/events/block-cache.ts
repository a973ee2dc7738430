/**
 * Keeps what was read lately within a bound of bytes. When there is no room, pieces are gone through from the oldest
 * on: one that was asked for since it was last passed stays for another round, any other is let go of.
 */
export class BlockCache {
  readonly #bytesMax: number
  readonly #bytes = new Map<CachedValue<unknown>, number>()
  #byteCount = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get byteCount(): number {
    return this.#byteCount
  }

  /** Says that a piece was read and holds so many bytes. */
  add(piece: CachedValue<unknown>, bytes: number): void {
    this.#remove(piece)
    this.#add(piece, bytes)
    for (const [oldest, oldestBytes] of this.#bytes) {
      if (this.#byteCount <= this.#bytesMax) break
      this.#remove(oldest)
      if (oldest.clearReferenced()) this.#add(oldest, oldestBytes)
      else oldest.evict()
    }
  }

  #add(piece: CachedValue<unknown>, bytes: number): void {
    this.#bytes.set(piece, bytes)
    this.#byteCount += bytes
  }

  #remove(piece: CachedValue<unknown>): void {
    this.#byteCount -= this.#bytes.get(piece) ?? 0
    this.#bytes.delete(piece)
  }
}

/** A piece that was read, and the bytes of memory that it takes, roughly. */
export type LoadedValue<Value> = { readonly value: Value; readonly bytes: number }

/** Something that is read when it is asked for, and kept for as long as the cache has room. */
export class CachedValue<Value> {
  readonly #cache: BlockCache
  readonly #load: () => Promise<LoadedValue<Value>>
  #loaded: LoadedValue<Value> | undefined
  #isReferenced = false

  constructor(cache: BlockCache, load: () => Promise<LoadedValue<Value>>) {
    this.#cache = cache
    this.#load = load
  }

  async get(): Promise<Value> {
    if (this.#loaded !== undefined) {
      this.#isReferenced = true
      return this.#loaded.value
    }
    const loaded = await this.#load()
    this.#loaded = loaded
    this.#cache.add(this, loaded.bytes)
    return loaded.value
  }

  /** Whether it was asked for since this was asked last. */
  clearReferenced(): boolean {
    const isUsed = this.#isReferenced
    this.#isReferenced = false
    return isUsed
  }

  evict(): void {
    this.#loaded = undefined
  }
}
