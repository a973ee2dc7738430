import type { EventObject, FieldAliases } from './event.ts'
import { foldCase } from './fold-case.ts'
import { followPath, toFieldValue } from './value.ts'
import type { FieldValue } from './value.ts'
import { limits } from '../limits.ts'

/**
 * Where a key of an event leads: to a field, with how good a source of it this is. Lower ranks win, of equal
 * ones the first key in the order of characters.
 */
type Feed = {
  readonly field: number
  readonly rank: number
  /** The name whose dots are steps from this key on. */
  readonly path?: { readonly name: string; readonly steps: readonly string[] }
}

/**
 * Reads many fields of an event in one walk over its keys: a field under its own name, then under its other
 * names, then without regard to case, as a column of a batch does. Keys that lead nowhere cost one look.
 */
export class FieldReader {
  readonly #fields: readonly string[]
  readonly #ignoresNameCase: boolean
  readonly #named = new Map<string, Feed[]>()
  readonly #byFoldedName = new Map<string, number[]>()
  readonly #feeds = new Map<string, readonly Feed[]>()
  readonly #ranks: Uint16Array
  readonly #keys: string[] = []

  constructor(fields: readonly string[], aliases: FieldAliases, ignoresNameCase: boolean) {
    this.#fields = fields
    this.#ignoresNameCase = ignoresNameCase
    this.#ranks = new Uint16Array(fields.length)
    for (const [field, name] of fields.entries()) {
      for (const [place, one] of [name, ...(aliases.get(name) ?? [])].entries()) this.#addName(one, field, 2 * place)
      const folded = foldCase(name)
      this.#byFoldedName.set(folded, [...(this.#byFoldedName.get(folded) ?? []), field])
    }
  }

  /** Writes to `values` what each field holds, undefined where it is absent. */
  read(event: EventObject, values: FieldValue[]): void {
    values.fill(undefined)
    this.#ranks.fill(rankMax)
    for (const key of Object.keys(event)) {
      const feeds = this.#feeds.get(key) ?? this.#learn(key)
      for (const feed of feeds) this.#take(event, key, feed, values)
    }
  }

  #take(event: EventObject, key: string, { field, rank, path }: Feed, values: FieldValue[]): void {
    const best = this.#ranks[field]!
    if (rank > best || (rank === best && key > this.#keys[field]!)) return
    if (path !== undefined && Object.hasOwn(event, path.name)) return
    const value = path === undefined ? toFieldValue(event[key]) : followPath(event, path.steps)
    if (value === undefined) return
    values[field] = value
    this.#ranks[field] = rank
    this.#keys[field] = key
  }

  #addName(name: string, field: number, rank: number): void {
    this.#addFeed(name, { field, rank })
    if (!name.includes('.')) return
    const steps = name.split('.')
    this.#addFeed(steps[0] ?? '', { field, rank: rank + 1, path: { name, steps } })
  }

  #addFeed(key: string, feed: Feed): void {
    const known = this.#named.get(key)
    if (known === undefined) this.#named.set(key, [feed])
    else known.push(feed)
  }

  #learn(key: string): readonly Feed[] {
    const named = this.#named.get(key) ?? none
    const variants = this.#ignoresNameCase ? this.#variantsOf(key) : none
    const feeds = variants.length === 0 ? named : [...named, ...variants]
    if (this.#feeds.size >= limits.knownKeysMax) this.#feeds.clear()
    this.#feeds.set(key, feeds)
    return feeds
  }

  /** The fields whose name a key is but for its case. */
  #variantsOf(key: string): readonly Feed[] {
    const fields = this.#byFoldedName.get(foldCase(key)) ?? []
    return fields.filter((field) => this.#fields[field] !== key).map((field) => ({ field, rank: variantRank }))
  }
}

const none: readonly Feed[] = []
/** Behind every alias, of which no field has as many. */
const variantRank = 1_000
const rankMax = 65_535
