import type { EventObject, FieldAliases } from './event.ts'
import { foldCase } from './fold-case.ts'
import { followPath, toFieldValue } from './value.ts'
import type { FieldValue } from './value.ts'
import { limits } from '../limits.ts'

/**
 * A key of an event as the source of a field. The lowest rank wins; among equal ranks, the first key in code unit
 * order.
 */
type FieldSource = {
  readonly field: number
  readonly rank: number
  /** The dotted name that starts with this key, and its steps. */
  readonly path?: { readonly name: string; readonly steps: readonly string[] }
}

const noSources: readonly FieldSource[] = []
/** The rank of names that differ by case: above every alias, since no field has that many. */
const variantRank = 1_000

const rankMax = 65_535

/**
 * Reads many fields of an event in one pass over its keys, with the same precedence as a column of a batch: the name
 * of the field, then its aliases, then names that differ by case. A key of no field costs one map lookup.
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

  /** Writes the value of each field to `values`; undefined when the field is absent. */
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
    if (this.#sources.size >= limits.cachedKeysMax) this.#sources.clear()
    this.#sources.set(key, feeds)
    return feeds
  }

  /** Finds the fields whose names equal a key except for case. */
  #findVariants(key: string): readonly FieldSource[] {
    const fields = this.#byFoldedName.get(foldCase(key)) ?? []
    return fields.filter((field) => this.#fields[field] !== key).map((field) => ({ field, rank: variantRank }))
  }
}
