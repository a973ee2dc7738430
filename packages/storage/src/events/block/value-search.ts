import { isSearchable, toSearchableTexts } from './json-literal.ts'

/** Values that are searched as one text; of the newest ones, the text is made again for each search. */
const sliceSize = 128

/** Values as one text in lower case, and where each ends; values whose bytes do not tell always count as found. */
type ValueSlice = { readonly folded: string; readonly ends: Uint32Array; readonly unsearchable: readonly number[] }

/**
 * Searches texts in the values of a memtable's column, which only grow, as `StoredDictionary` does in those of a block: in many
 * at once. The first search copies the values; no more of them than the log has bytes are in memory.
 */
export class ValueSearch {
  readonly #tokens: readonly string[]
  readonly #slices: ValueSlice[] = []

  /** `tokens` may grow later. */
  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  /** The codes, ascending, of the first `size` values that may hold one of the case-folded texts; undefined where unknown. */
  findCodes(texts: readonly string[], size: number): Uint32Array | undefined {
    const written = toSearchableTexts(texts)
    if (written === undefined) return undefined
    const found: number[] = []
    for (let first = 0; first < size; first += sliceSize) {
      const codes = findInSlice(this.#getSlice(first, size), written)
      for (const code of codes) found.push(first + code)
    }
    return Uint32Array.from(found)
  }

  #getSlice(first: number, size: number): ValueSlice {
    const number = first / sliceSize
    const known = this.#slices[number]
    if (known !== undefined) return known
    const slice = createSlice(this.#tokens.slice(first, Math.min(size, first + sliceSize)))
    // Slices are made in order, so there is no gap before this one.
    if (first + sliceSize <= size) this.#slices[number] = slice
    return slice
  }
}

function createSlice(tokens: readonly string[]): ValueSlice {
  const ends = new Uint32Array(tokens.length)
  let end = 0
  for (const [i, { length }] of tokens.entries()) ends[i] = end += length
  const unsearchable = tokens.flatMap((token, i) => (isSearchable(token) ? [] : [i]))
  // One character for each byte: lower-casing keeps the length.
  return { folded: tokens.join('').toLowerCase(), ends, unsearchable }
}

function findInSlice({ folded, ends, unsearchable }: ValueSlice, written: readonly string[]): number[] {
  const found = new Set(unsearchable)
  for (const one of written) {
    let value = 0
    for (let at = folded.indexOf(one); at !== -1; at = folded.indexOf(one, at)) {
      while (ends[value]! <= at) value++
      found.add(value)
      // This value matches: continue with the next one, into which a text found here may reach.
      at = Math.max(at + 1, ends[value]! - one.length + 1)
    }
  }
  return [...found].sort((a, b) => a - b)
}
