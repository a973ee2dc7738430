import { limits } from '../../limits.ts'
import type { Block } from '../block/block.ts'
import { CorruptionError } from '../../log/byte-reader.ts'
import { compileEventSearch } from './compile-search.ts'
import type { CompiledSearch } from './compile-search.ts'
import type { EventPage, EventPosition, EventQuery, Histogram, HistogramQuery, ScanBatch, ScanQuery, StoredEvent } from '../event-store.ts'
import { HistogramBuilder } from './histogram.ts'
import { hasKeyword } from './keyword-search.ts'
import { isBefore, matchBlock, compareNewestFirst, overlaps, readEvents } from './match-block.ts'
import type { MatchedRow } from './match-block.ts'
import type { LocatedRows, SearchCache } from './search-cache.ts'
import { pageOrders } from './search-order.ts'
import type { PageOrder } from './search-order.ts'
import { BudgetError, TimeSlicer } from './time-slicer.ts'
import type { SliceDeps } from './time-slicer.ts'

/** Dependencies of a search: a snapshot of a tenant's blocks, a clock, turns, and what earlier searches found. */
export type BlockSearchDeps = SliceDeps & { readonly blocks: readonly Block[]; readonly cache: SearchCache }

/**
 * Finds a page of events. Searches blocks in the order of the query until no remaining block can hold an event of the
 * page or, for a total, until all are searched.
 */
export async function searchBlocks(room: BlockSearchDeps, query: EventQuery): Promise<EventPage> {
  validatePage(query)
  const turns = new TimeSlicer(room, query.budgetMs, query.signal)
  const countMs = hasKeyword(query.predicate) ? query.keywordCountMs : undefined
  const countingEndsMs = room.elapsedMs() + (countMs ?? Infinity)
  const canCount = (): boolean => room.elapsedMs() < countingEndsMs
  const compiled = compileEventSearch(query.predicate)
  const damaged = new Set<Block>()
  for (;;) {
    const search = new PageSearch(query, compiled, { turns, canCount, cache: room.cache })
    await search.run(room.blocks, damaged)
    try {
      return await search.page(damaged)
    } catch (error) {
      // A part that the predicate does not read is corrupted: search again without the block.
      const block = error instanceof CorruptionError ? await search.findCorruptedBlock() : undefined
      if (block === undefined) throw error
      damaged.add(block)
    }
  }
}

type PageSearchDeps = {
  readonly turns: TimeSlicer
  /** Whether there is time left to count events beyond the page. */
  readonly canCount: () => boolean
  readonly cache: SearchCache
}

/** A search for one page. */
class PageSearch {
  readonly #query: EventQuery
  readonly #order: PageOrder
  readonly #search: CompiledSearch
  readonly #deps: PageSearchDeps
  readonly #histogram: HistogramBuilder | undefined
  #found: MatchedRow[] = []
  #total = 0
  #isComplete = true
  #rangeCount = 0
  readonly #read = new Set<Block>()
  /** The first time of unsearched blocks, when the budget ended. */
  #stoppedAt: number | undefined

  constructor(query: EventQuery, search: CompiledSearch, deps: PageSearchDeps) {
    this.#query = query
    this.#order = pageOrders[query.order ?? 'newest_first']
    this.#search = search
    this.#deps = deps
    this.#histogram = query.extent === 'histogram' ? new HistogramBuilder(query.from, query.to, query.bucketsWanted) : undefined
  }

  async run(blocks: readonly Block[], damaged: Set<Block>): Promise<void> {
    const asked = blocks.filter((block) => overlaps(block, this.#query) && !damaged.has(block))
    this.#rangeCount = countRows(asked)
    const { getFirstTime, compareTimes } = this.#order
    asked.sort((a, b) => compareTimes(getFirstTime(a.bounds), getFirstTime(b.bounds)))
    for (const block of asked) {
      const isCounted = this.#query.extent !== 'page' && this.#deps.canCount()
      const canPass = !isCounted && this.#isOutsidePage(block)
      if (canPass) {
        this.#isComplete = false
        continue
      }
      try {
        await this.#deps.turns.yieldIfDue()
        await this.#searchBlock(block)
      } catch (error) {
        if (error instanceof CorruptionError) damaged.add(block)
        else if (error instanceof BudgetError) {
          this.#stoppedAt = getFirstTime(block.bounds)
          break
        } else throw error
      }
    }
  }

  async page(damaged: ReadonlySet<Block>): Promise<EventPage> {
    const corruptedCount = damaged.size
    const { limit, after } = this.#query
    const { compareTimes, getStart } = this.#order
    this.#keepFirst()
    const stoppedAt = this.#stoppedAt
    // Unsearched blocks may hold events before these, which are left for the next page.
    const certain = stoppedAt === undefined ? this.#found : this.#found.filter(({ occurredAt }) => compareTimes(occurredAt, stoppedAt) < 0)
    const events = await readEvents(certain.slice(0, limit), this.#deps.cache)
    const last = events.at(-1)
    const goesOn = certain.length > limit || stoppedAt !== undefined
    const isFull = events.length === limit && last !== undefined
    const stop = stoppedAt === undefined ? undefined : getStart(stoppedAt)
    const isTotalExact = this.#isComplete && stoppedAt === undefined && corruptedCount === 0
    return {
      events,
      cursor: goesOn ? (isFull ? { occurredAt: last.occurredAt, sequence: last.sequence } : this.#pickLater(stop, after)) : undefined,
      total: this.#total,
      isTotalExact,
      scanned: { readCount: countRows(this.#read), readByteCount: countBytes(this.#read), rangeCount: this.#rangeCount },
      isTruncated: stoppedAt !== undefined,
      corruptedCount,
      lostCount: countRows(damaged),
      histogram: this.#histogram?.build(isTotalExact),
    }
  }

  /** The first block of the page that cannot be read completely. */
  async findCorruptedBlock(): Promise<Block | undefined> {
    for (const row of this.#found.slice(0, this.#query.limit)) {
      try {
        await readEvents([row])
      } catch (error) {
        if (error instanceof CorruptionError) return row.block
        throw error
      }
    }
    return undefined
  }

  /** Whether a block holds nothing of the page: it comes entirely before or after it. */
  #isOutsidePage({ bounds }: Block): boolean {
    const { after, limit } = this.#query
    const { compareTimes, getFirstTime, getLastTime } = this.#order
    if (after !== undefined && compareTimes(getLastTime(bounds), after.occurredAt) < 0) return true
    if (this.#found.length <= limit) return false
    this.#keepFirst()
    return compareTimes(getFirstTime(bounds), this.#found[limit]!.occurredAt) > 0
  }

  async #searchBlock(block: Block): Promise<void> {
    const { after, limit } = this.#query
    const { compare, compareTimes } = this.#order
    const { turns, cache } = this.#deps
    const { rows, times, sequences, severities } = await matchBlock(block, this.#query, {
      search: this.#search, turns, cache, onRead: (read) => void this.#read.add(read),
    })
    if (rows.length === 0) return
    // Nothing fails from here on, so a block counts entirely or not at all.
    this.#total += rows.length
    const lastTime = this.#found[limit]?.occurredAt
    for (let i = 0; i < rows.length; i++) {
      const occurredAt = times[i]!
      this.#histogram?.add(occurredAt, severities[i]!)
      // Later ones are not on the page.
      if (lastTime !== undefined && compareTimes(occurredAt, lastTime) > 0) continue
      const place = { occurredAt, sequence: sequences[i]! }
      if (after === undefined || compare(after, place) < 0) this.#found.push({ ...place, block, row: rows[i]! })
    }
    this.#keepFirst()
  }

  /** Keeps one more than the page, to know whether another follows. */
  #keepFirst(): void {
    this.#found = this.#found.sort(this.#order.compare).slice(0, this.#query.limit + 1)
  }

  /** The position of two that comes later in the order. */
  #pickLater(a: EventPosition | undefined, b: EventPosition | undefined): EventPosition | undefined {
    if (a === undefined || b === undefined) return a ?? b
    return this.#order.compare(a, b) > 0 ? a : b
  }
}

function countRows(blocks: Iterable<Block>): number {
  let count = 0
  for (const { bounds } of blocks) count += bounds.rowCount
  return count
}

function countBytes(blocks: Iterable<Block>): number {
  let count = 0
  for (const { byteCount } of blocks) count += byteCount
  return count
}

/** Approximate milliseconds between two partial histograms. */
const partialEveryMs = 200

/** Counts events by time, newest blocks first, and yields partial counts. */
export async function* countBlocks(room: BlockSearchDeps, query: HistogramQuery): AsyncGenerator<Histogram> {
  const turns = new TimeSlicer(room, query.budgetMs)
  const search = compileEventSearch(query.predicate)
  const counts = new HistogramBuilder(query.from, query.to)
  const blocks = room.blocks.filter((block) => overlaps(block, query)).sort((a, b) => b.bounds.newestAt - a.bounds.newestAt)
  let isExact = true
  let yieldedMs = room.elapsedMs()
  for (const block of blocks) {
    try {
      await turns.yieldIfDue()
      const { times, severities } = await matchBlock(block, query, { search, turns, cache: room.cache })
      for (let i = 0; i < times.length; i++) counts.add(times[i]!, severities[i]!)
    } catch (error) {
      if (!(error instanceof CorruptionError) && !(error instanceof BudgetError)) throw error
      isExact = false
      if (error instanceof BudgetError) break
    }
    if (room.elapsedMs() - yieldedMs < partialEveryMs) continue
    yield counts.build(false)
    yieldedMs = room.elapsedMs()
  }
  yield counts.build(isExact)
}

/** Reads events oldest first. Rows wait until no remaining block can hold older ones. */
export async function* scanBlocks(room: BlockSearchDeps, query: ScanQuery): AsyncGenerator<ScanBatch> {
  const { after, batchEventsMax } = query
  if (!(batchEventsMax >= 1 && batchEventsMax <= limits.events.scanBatchEventsMax)) {
    throw new RangeError(`a scan batch takes 1 to ${limits.events.scanBatchEventsMax} events; requested are ${batchEventsMax}`)
  }
  const turns = new TimeSlicer(room, Infinity)
  const search = compileEventSearch(query.predicate)
  const blocks = room.blocks.filter((block) => overlaps(block, query)).sort((a, b) => a.bounds.oldestAt - b.bounds.oldestAt)
  let waiting: MatchedRow[] = []
  let corruptedCount = 0
  for (const [i, block] of blocks.entries()) {
    await turns.yieldIfDue()
    try {
      const rows = locateRows(block, await matchBlock(block, query, { search, turns }))
      // Read completely before any row is returned: a corrupted block is left out entirely.
      waiting.push(...rows.filter((row) => after === undefined || isBefore(after, row)))
    } catch (error) {
      if (!(error instanceof CorruptionError)) throw error
      corruptedCount++
    }
    const nextOldestAt = blocks[i + 1]?.bounds.oldestAt ?? Infinity
    waiting.sort(compareNewestFirst)
    const isDue = (row: MatchedRow | undefined) => row !== undefined && row.occurredAt < nextOldestAt
    while (isDue(waiting.at(-1)) && (waiting.length >= batchEventsMax || nextOldestAt === Infinity)) {
      const due: MatchedRow[] = []
      while (due.length < batchEventsMax && isDue(waiting.at(-1))) due.push(waiting.pop()!)
      const { events, damaged } = await readWhole(due)
      corruptedCount += damaged.size
      if (damaged.size > 0) waiting = waiting.filter((row) => !damaged.has(row.block))
      yield { events, corruptedCount }
    }
  }
  if (corruptedCount > 0) yield { events: [], corruptedCount }
}

/** Reads events, oldest first, and leaves out those of corrupted blocks. */
async function readWhole(rows: readonly MatchedRow[]): Promise<Pick<ScanBatch, 'events'> & { damaged: Set<Block> }> {
  const damaged = new Set<Block>()
  const events: StoredEvent[] = []
  for (const block of new Set(rows.map((row) => row.block))) {
    try {
      events.push(...await readEvents(rows.filter((row) => row.block === block)))
    } catch (error) {
      if (!(error instanceof CorruptionError)) throw error
      damaged.add(block)
    }
  }
  return { events: events.sort((a, b) => compareNewestFirst(b, a)), damaged }
}

function locateRows(block: Block, { rows, times, sequences }: LocatedRows): MatchedRow[] {
  return Array.from(rows, (row, i) => ({ occurredAt: times[i]!, sequence: sequences[i]!, block, row }))
}

function validatePage({ limit }: EventQuery): void {
  if (Number.isInteger(limit) && 0 <= limit && limit <= limits.events.pageEventsMax) return
  throw new RangeError(`a page takes 0 to ${limits.events.pageEventsMax} events; requested are ${limit}`)
}
