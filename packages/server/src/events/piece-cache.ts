/** Keeps what was read lately within a bound of bytes, and lets go of what was not asked for the longest. */
export class PieceCache {
  readonly #bytesMax: number
  readonly #bytes = new Map<Piece<unknown>, number>()
  #bytesHeld = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get bytesHeld(): number {
    return this.#bytesHeld
  }

  /** Says that a piece holds so many bytes, and is the last that was asked for. */
  hold(piece: Piece<unknown>, bytes: number): void {
    this.#remove(piece)
    this.#bytes.set(piece, bytes)
    this.#bytesHeld += bytes
    for (const oldest of this.#bytes.keys()) {
      if (this.#bytesHeld <= this.#bytesMax) break
      this.#remove(oldest)
      oldest.drop()
    }
  }

  #remove(piece: Piece<unknown>): void {
    this.#bytesHeld -= this.#bytes.get(piece) ?? 0
    this.#bytes.delete(piece)
  }
}

/** A piece that was read, and the bytes of memory that it takes, roughly. */
export type LoadedPiece<Value> = { readonly value: Value; readonly bytes: number }

/** Something that is read when it is asked for, and kept for as long as the cache has room. */
export class Piece<Value> {
  readonly #cache: PieceCache
  readonly #load: () => Promise<LoadedPiece<Value>>
  #loaded: LoadedPiece<Value> | undefined

  constructor(cache: PieceCache, load: () => Promise<LoadedPiece<Value>>) {
    this.#cache = cache
    this.#load = load
  }

  async get(): Promise<Value> {
    const loaded = this.#loaded ?? await this.#load()
    this.#loaded = loaded
    this.#cache.hold(this, loaded.bytes)
    return loaded.value
  }

  drop(): void {
    this.#loaded = undefined
  }
}
