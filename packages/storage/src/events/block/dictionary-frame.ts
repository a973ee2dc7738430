import { hidesLeaves } from './dictionary.ts'

/** Where the dictionary of a column lies among the raw bytes of a frame. */
export type DictionaryLocation = { readonly pathKey: string; readonly offset: number; readonly length: number }

/**
 * The dictionaries of a frame, searched at once as one text: a word occurs in few of a block's thousand columns, and
 * the others need no decoding to rule them out.
 */
export class DictionaryFrame {
  readonly #places: readonly DictionaryLocation[]
  readonly #folded: string
  /** Columns whose bytes do not decide. */
  readonly #hidden: readonly string[]

  /** `places` are ordered by offset. */
  constructor(raw: Buffer, places: readonly DictionaryLocation[]) {
    this.#places = places
    this.#folded = raw.toString('latin1').toLowerCase()
    this.#hidden = places
      .filter(({ offset, length }) => hidesLeaves(raw.subarray(offset, offset + length)))
      .map(({ pathKey }) => pathKey)
  }

  /** Adds the columns that may hold one of the texts, as `toSearchableTexts` gives them. */
  addMatchingColumns(written: readonly string[], found: Set<string>): void {
    for (const pathKey of this.#hidden) found.add(pathKey)
    for (const one of written) this.#find(one, found)
  }

  #find(written: string, found: Set<string>): void {
    let next = 0
    for (let at = this.#folded.indexOf(written); at !== -1;) {
      while (next < this.#places.length && getEnd(this.#places[next]!) <= at) next++
      const place = this.#places[next]
      if (place === undefined) return
      // A hit between two dictionaries, in another part of the frame, does not count.
      if (place.offset <= at) found.add(place.pathKey)
      at = this.#folded.indexOf(written, place.offset <= at ? getEnd(place) : place.offset)
    }
  }
}

function getEnd({ offset, length }: DictionaryLocation): number {
  return offset + length
}
