import type { Kysely } from 'kysely'
import type { UpsertInput, UpsertOutcome } from '../../ports/enrichment/enrichment-store.ts'
import type { Tables } from '../rows/tables.ts'
import { inTransaction } from './database.ts'

/** How entries of one kind are identified, created, changed and stored. */
type UpsertAdapter<Facts, Thing> = {
  /** The natural key. */
  readonly keyOf: (facts: Facts) => string
  readonly make: (stated: UpsertInput<Facts>) => Thing
  /** Merges stated fields into a stored entry; the result has the same fields in the same order. */
  readonly merge: (known: Thing, facts: Facts) => Thing
  readonly nextVersion: (merged: Thing) => Thing
  readonly find: (db: Kysely<Tables>, keys: readonly string[]) => Promise<readonly (readonly [key: string, thing: Thing])[]>
  readonly insert: (db: Kysely<Tables>, things: readonly Thing[]) => Promise<void>
  readonly replace: (db: Kysely<Tables>, thing: Thing) => Promise<void>
}

/**
 * Upserts entries in order, all or nothing, and skips those that change nothing, so repeating a call has no effect.
 * Returns the outcome of each.
 */
export async function upsertAll<Facts, Thing extends object>(
  db: Kysely<Tables>,
  stated: readonly UpsertInput<Facts>[],
  terms: UpsertAdapter<Facts, Thing>,
): Promise<readonly UpsertOutcome[]> {
  return await inTransaction(db, async (db) => {
    const before = new Map(await terms.find(db, [...new Set(stated.map(({ facts }) => terms.keyOf(facts)))]))
    const after = new Map(before)
    const outcomes = stated.map((next): UpsertOutcome => {
      const key = terms.keyOf(next.facts)
      const known = after.get(key)
      const thing = known === undefined ? terms.make(next) : terms.merge(known, next.facts)
      if (known !== undefined && JSON.stringify(known) === JSON.stringify(thing)) return 'unchanged'
      after.set(key, thing)
      return known === undefined ? 'created' : 'changed'
    })
    const changed = [...after].filter(([key, thing]) => before.get(key) !== thing)
    await terms.insert(db, changed.filter(([key]) => !before.has(key)).map(([, thing]) => thing))
    for (const [, thing] of changed.filter(([key]) => before.has(key))) await terms.replace(db, terms.nextVersion(thing))
    return outcomes
  })
}

/** Splits a list into parts of bounded size, because statements have a bounded number of parameters. */
export function splitIntoParts<Entry>(entries: readonly Entry[], sizeMax: number): Entry[][] {
  return Array.from({ length: Math.ceil(entries.length / sizeMax) }, (_, i) => entries.slice(i * sizeMax, (i + 1) * sizeMax))
}
