import { hidesLeaves } from './dictionary.ts'

/** Where the dictionary of a column stands among the raw bytes of a frame. */
export type DictionaryLocation = { readonly pathKey: string; readonly offset: number; readonly length: number }

/**
 * The dictionaries of a frame, searched all at once: a word is in few of the thousand columns of a block, and the
 * others need not be decoded to know that they do not hold it.
 */
export class DictionaryFrame {
  readonly #places: readonly DictionaryLocation[]
  readonly #folded: string
  /** Of columns whose bytes do not tell. */
  readonly #hidden: readonly string[]

  /** `places` are in the order of their offsets. */
  constructor(raw: Buffer, places: readonly DictionaryLocation[]) {
    this.#places = places
    this.#folded = raw.toString('latin1').toLowerCase()
    this.#hidden = places
      .filter(({ offset, length }) => hidesLeaves(raw.subarray(offset, offset + length)))
      .map(({ pathKey }) => pathKey)
  }

  /** Adds the columns that may hold one of some texts, as `toSearchableTexts` gives them. */
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
      // Between two dictionaries, where other parts share the frame, nothing is to be found.
      if (place.offset <= at) found.add(place.pathKey)
      at = this.#folded.indexOf(written, place.offset <= at ? getEnd(place) : place.offset)
    }
  }
}

function getEnd({ offset, length }: DictionaryLocation): number {
  return offset + length
}
