/**
 * A byte-bounded cache of decoded parts of blocks, evicted by the CLOCK (second chance) policy: the sweep starts at the
 * oldest value, keeps one that was referenced since the last sweep for another round, and evicts any other.
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

  /** Records that a value was loaded and its size in bytes. */
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

/** A loaded value and its approximate size in memory. */
export type LoadedValue<Value> = { readonly value: Value; readonly bytes: number }

/** A value that is loaded on demand, once for all that ask for it meanwhile, and cached while there is space. */
export class CachedValue<Value> {
  readonly #cache: BlockCache
  readonly #load: () => Promise<LoadedValue<Value>>
  #loading: Promise<Value> | undefined
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
    return await (this.#loading ??= this.#loadOnce())
  }

  /** Whether it was referenced since the last call; clears the reference bit. */
  clearReferenced(): boolean {
    const isUsed = this.#isReferenced
    this.#isReferenced = false
    return isUsed
  }

  evict(): void {
    this.#loaded = undefined
  }

  /** A failure is not remembered. */
  async #loadOnce(): Promise<Value> {
    try {
      const loaded = await this.#load()
      this.#loaded = loaded
      this.#cache.add(this, loaded.bytes)
      return loaded.value
    } finally {
      this.#loading = undefined
    }
  }
}
