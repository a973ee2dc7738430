import { createHash } from 'node:crypto'

/** How many ids are remembered, and for how long. */
export type IdWindowBounds = { readonly idsMax: number; readonly windowMs: number }

/**
 * Remembers the ids of the last events, so that one that is sent again is known: for at least `windowMs`, or,
 * where more arrive in that time, until `idsMax / 2` newer ones have come. It keeps two halves and forgets the
 * older when the newer is full or old, so a step costs the same however many ids there are.
 */
export class IdWindow {
  readonly #bounds: IdWindowBounds
  #newer = new Set<string>()
  #older = new Set<string>()
  #newerSince = Number.NEGATIVE_INFINITY

  constructor(bounds: IdWindowBounds) {
    this.#bounds = bounds
  }

  /** Remembers an id; tells whether it was new. */
  add(id: string, nowMs: number): boolean {
    const key = keyOf(id)
    if (this.#newer.has(key) || this.#older.has(key)) return false
    if (this.#newer.size >= this.#bounds.idsMax / 2 || nowMs - this.#newerSince >= this.#bounds.windowMs) {
      this.#older = this.#newer
      this.#newer = new Set()
      this.#newerSince = nowMs
    }
    this.#newer.add(key)
    return true
  }
}

/** A long id is remembered by its hash: what a sender makes long may not take the memory of the others. */
function keyOf(id: string): string {
  return id.length <= 64 ? id : createHash('sha256').update(id).digest('base64')
}
