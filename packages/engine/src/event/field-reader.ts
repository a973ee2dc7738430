import type { EventObject, FieldAliases } from './event.ts'
import { foldCase } from './fold-case.ts'
import { followPath, toFieldValue } from './value.ts'
import type { FieldValue } from './value.ts'
import { limits } from '../limits.ts'

/**
 * Where a key of an event leads: to a field, with how good a source of it this is. Lower ranks win, of equal
 * ones the first key in the order of characters.
 */
type FieldSource = {
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
  readonly #byName = new Map<string, FieldSource[]>()
  readonly #byFoldedName = new Map<string, number[]>()
  readonly #sources = new Map<string, readonly FieldSource[]>()
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
      const feeds = this.#sources.get(key) ?? this.#resolveKey(key)
      for (const feed of feeds) this.#readSource(event, key, feed, values)
    }
  }

  #readSource(event: EventObject, key: string, { field, rank, path }: FieldSource, values: FieldValue[]): void {
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
    this.#addSource(name, { field, rank })
    if (!name.includes('.')) return
    const steps = name.split('.')
    this.#addSource(steps[0] ?? '', { field, rank: rank + 1, path: { name, steps } })
  }

  #addSource(key: string, feed: FieldSource): void {
    const known = this.#byName.get(key)
    if (known === undefined) this.#byName.set(key, [feed])
    else known.push(feed)
  }

  #resolveKey(key: string): readonly FieldSource[] {
    const named = this.#byName.get(key) ?? noSources
    const variants = this.#ignoresNameCase ? this.#findVariants(key) : noSources
    const feeds = variants.length === 0 ? named : [...named, ...variants]
    if (this.#sources.size >= limits.knownKeysMax) this.#sources.clear()
    this.#sources.set(key, feeds)
    return feeds
  }

  /** The fields whose name a key is but for its case. */
  #findVariants(key: string): readonly FieldSource[] {
    const fields = this.#byFoldedName.get(foldCase(key)) ?? []
    return fields.filter((field) => this.#fields[field] !== key).map((field) => ({ field, rank: variantRank }))
  }
}

const noSources: readonly FieldSource[] = []
/** Behind every alias, of which no field has as many. */
const variantRank = 1_000
const rankMax = 65_535
