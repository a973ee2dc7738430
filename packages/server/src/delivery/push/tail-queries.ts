import type { Runtime } from '@tripline/common/runtime'
import type { TenantId } from '@tripline/model/tenant'
import { compileQuery } from '@tripline/query'
import { limits } from '../limits.ts'
import { TailMatches } from './tail-matches.ts'
import type { TailMatch } from './tail-matches.ts'
import type { PrintedEvent, Tail } from './tail.ts'

/** A passing event: the fields that queries see, and how it prints as a JSON object. */
export type PassingEvent = { readonly event: { readonly [field: string]: unknown }; readonly print: () => PrintedEvent }

type TailQuery = {
  readonly findRows: (events: readonly PassingEvent['event'][]) => readonly number[]
  readonly tails: Set<Tail>
}

/** The queries of live tails, each compiled once for all clients of a tenant. */
export class TailQueries {
  readonly #io: Pick<Runtime, 'elapsedMs' | 'now'>
  readonly #queriesOf = new Map<TenantId, Map<string, TailQuery>>()
  /** Of tenants with queries. */
  readonly #matchesOf = new Map<TenantId, TailMatches>()

  constructor(io: Pick<Runtime, 'elapsedMs' | 'now'>) {
    this.#io = io
  }

  /** Whether a client of the tenant has a live tail. */
  has(tenant: TenantId): boolean {
    return this.#queriesOf.has(tenant)
  }

  /**
   * Adds a tail to a query; returns false if the tenant has too many different queries.
   *
   * @throws QueryError for an invalid query.
   */
  add(tenant: TenantId, text: string, tail: Tail): boolean {
    const queries = this.#queriesOf.get(tenant) ?? new Map<string, TailQuery>()
    const known = queries.get(text)
    if (known === undefined && queries.size >= limits.push.tailQueriesMax) return false
    const query = known ?? { findRows: compileRowFinder(text, this.#io.now()), tails: new Set<Tail>() }
    query.tails.add(tail)
    queries.set(text, query)
    this.#queriesOf.set(tenant, queries)
    return true
  }

  remove(tenant: TenantId, text: string, tail: Tail): void {
    const queries = this.#queriesOf.get(tenant)
    const query = queries?.get(text)
    if (queries === undefined || query === undefined) return
    query.tails.delete(tail)
    if (query.tails.size === 0) queries.delete(text)
    if (queries.size > 0) return
    this.#queriesOf.delete(tenant)
    this.#matchesOf.delete(tenant)
  }

  /**
   * Passes events to the matching tails. When the queries take longer than `limits.push.tailBudgetMs`, the remaining
   * ones skip this batch, but come first with the next one.
   */
  push(tenant: TenantId, passing: readonly PassingEvent[]): void {
    const queries = this.#queriesOf.get(tenant)
    if (queries === undefined) return
    const startedMs = this.#io.elapsedMs()
    const events = passing.map(({ event }) => event)
    const printed = new Map<number, PrintedEvent>()
    // Evaluated queries move to the end of the map, so this iterates over a copy.
    const waiting = [...queries]
    for (const [text, query] of waiting) {
      if (this.#io.elapsedMs() - startedMs >= limits.push.tailBudgetMs) {
        for (const tail of query.tails) tail.drop(events.length)
        continue
      }
      for (const row of query.findRows(events)) {
        const shown = printed.get(row) ?? passing[row]!.print()
        printed.set(row, shown)
        for (const tail of query.tails) tail.push(shown, this.#matchesOf.get(tenant)?.get(shown.id) ?? [])
      }
      queries.delete(text)
      queries.set(text, query)
    }
  }

  /** Tells tails which rules matched their events, for as long as `limits.push.tailBudgetMs`; others never learn of these matches. */
  match(tenant: TenantId, matches: readonly TailMatch[]): void {
    const queries = this.#queriesOf.get(tenant)
    if (queries === undefined) return
    const startedMs = this.#io.elapsedMs()
    const known = this.#matchesOf.get(tenant) ?? new TailMatches()
    this.#matchesOf.set(tenant, known)
    for (const match of matches) known.add(match)
    for (const { tails } of queries.values()) {
      if (this.#io.elapsedMs() - startedMs >= limits.push.tailBudgetMs) return
      for (const tail of tails) tail.match(matches)
    }
  }
}

/** An empty text matches every event, as in searches; relative times are those of when the tail begins. */
function compileRowFinder(text: string, now: number): TailQuery['findRows'] {
  return text === '' ? (events) => [...events.keys()] : compileQuery(text, { now }).findRows
}
