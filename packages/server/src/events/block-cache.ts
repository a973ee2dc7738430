/**
 * Keeps what was read lately within a bound of bytes. When there is no room, pieces are gone through from the oldest
 * on: one that was asked for since it was last passed stays for another round, any other is let go of.
 */
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

  /** Says that a piece was read and holds so many bytes. */
  hold(piece: Piece<unknown>, bytes: number): void {
    this.#remove(piece)
    this.#add(piece, bytes)
    for (const [oldest, oldestBytes] of this.#bytes) {
      if (this.#bytesHeld <= this.#bytesMax) break
      this.#remove(oldest)
      if (oldest.passUsed()) this.#add(oldest, oldestBytes)
      else oldest.drop()
    }
  }

  #add(piece: Piece<unknown>, bytes: number): void {
    this.#bytes.set(piece, bytes)
    this.#bytesHeld += bytes
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
  #isUsed = false

  constructor(cache: PieceCache, load: () => Promise<LoadedPiece<Value>>) {
    this.#cache = cache
    this.#load = load
  }

  async get(): Promise<Value> {
    if (this.#loaded !== undefined) {
      this.#isUsed = true
      return this.#loaded.value
    }
    const loaded = await this.#load()
    this.#loaded = loaded
    this.#cache.hold(this, loaded.bytes)
    return loaded.value
  }

  /** Whether it was asked for since this was asked last. */
  passUsed(): boolean {
    const isUsed = this.#isUsed
    this.#isUsed = false
    return isUsed
  }

  drop(): void {
    this.#loaded = undefined
  }
}
