import { sql } from 'kysely'
import type { Expression, SqlBool } from 'kysely'
import type { Filter } from '../domain/filter.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { Change, ChangeTerms } from './state-store.ts'
import type { Stated, Upserted } from './upsert.ts'

/** Which entries of a list, in which order, and which page of them: `limit` after a place, or after so many. */
export type KnownQuery<Narrowing, Field extends string> = {
  readonly filter: Narrowing
  /** Filters that hold besides. */
  readonly filters?: readonly Filter[]
  /** Text that is looked for in some columns, whatever the case of a to z. */
  readonly text?: string | undefined
  /** The id comes after the last of them, in its direction. */
  readonly sort: readonly { readonly field: Field; readonly direction: Direction }[]
  readonly limit: number
  readonly after?: KnownPlace | undefined
  readonly skip?: number
}

/** The values of the sort keys of the last entry of a page, and its id at the end. */
export type KnownPlace = readonly (string | number)[]

export type KnownPage<Entry> = {
  readonly entries: readonly Entry[]
  /** Where the next page begins; undefined at the end. */
  readonly next: KnownPlace | undefined
  /** How many there are on all pages; a lower bound where it is not exact. */
  readonly total: { readonly count: number; readonly isExact: boolean }
}

/** What the stores of assets, persons and indicators have in common. */
export type KnownStore<Entry, New, Changed, Query> = {
  readonly upsert: (tenant: TenantId, stated: readonly Stated<New>[], at: number) => Promise<readonly Upserted[]>
  readonly get: (tenant: TenantId, id: string) => Promise<Entry | undefined>
  readonly list: (tenant: TenantId, query: Query) => Promise<KnownPage<Entry>>
  readonly update: (
    tenant: TenantId,
    id: string,
    change: Changed,
    terms: ChangeTerms,
  ) => Promise<Change<unknown> | { readonly outcome: 'taken' } | { readonly outcome: 'keyless' }>
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}

export type Direction = 'asc' | 'desc'

/** A column, or what stands for one, that a list is sorted by. */
export type SortKey = { readonly name: string; readonly expression: Expression<unknown>; readonly direction: Direction }

/** Whether an entry comes after a place: keys of one direction are compared as a tuple, which an index answers. */
export function comesAfter(keys: readonly SortKey[], place: KnownPlace): Expression<SqlBool> {
  if (place.length !== keys.length) throw new Error(`a place of ${place.length} values is none of an order of ${keys.length} keys`)
  const [first] = keys
  if (keys.every(({ direction }) => direction === first?.direction)) {
    const tuple = sql.join(keys.map(({ expression }) => expression))
    return sql<SqlBool>`(${tuple}) ${beyond(first?.direction)} (${sql.join(place)})`
  }
  const steps = keys.map(({ expression, direction }, index) => {
    const equal = keys.slice(0, index).map((key, i) => sql<SqlBool>`${key.expression} = ${place[i]}`)
    return sql<SqlBool>`(${sql.join([...equal, sql<SqlBool>`${expression} ${beyond(direction)} ${place[index]}`], sql` and `)})`
  })
  return sql<SqlBool>`(${sql.join(steps, sql` or `)})`
}

function beyond(direction: Direction | undefined): ReturnType<typeof sql> {
  return direction === 'asc' ? sql`>` : sql`<`
}
