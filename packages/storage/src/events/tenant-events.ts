import type { Block } from './block/block.ts'
import { mergeCatalogs } from './block/catalog.ts'
import { catalogMemtable } from './block/catalog-memtable.ts'
import { getDay, getEndOfDay } from './day-partition.ts'
import type { CatalogField, EventStats, FieldCatalog } from './event-store.ts'
import { Memtable } from './block/memtable.ts'
import type { EventRow } from './block/memtable.ts'
import type { TurnSharing } from './search/store-searches.ts'
import type { Segment } from './segment/segment.ts'
import { defaultEventStoreSizes } from './event-store-sizes.ts'
import type { EventStoreSizes } from './event-store-sizes.ts'
import { FieldNames, readCatalog } from './field-names.ts'
import { StoredBlock } from './segment/stored-block.ts'
import { limits } from '../limits.ts'

/** A block in memory, and the first log file that has rows of it. */
export type LoggedBlock = {
  readonly tenant: TenantEvents
  readonly day: string
  readonly block: Memtable
  readonly firstLog: number
}

/** Rows that are added to blocks between two looks at the clock. */
const rowsAtOnce = 4

/** The events of one tenant: segments by day, closed blocks to be written, and open blocks. */
export class TenantEvents {
  readonly name: string
  readonly segments = new Map<string, Segment>()
  /** The open block of each day. */
  readonly open = new Map<string, LoggedBlock>()
  /** Closed blocks, in the order of closing. */
  waiting: readonly LoggedBlock[] = []
  /** Rows that are in the log and in no block yet, oldest first. */
  readonly logged: { readonly row: EventRow; readonly logNumber: number }[] = []
  nextSequence = 0
  /** Rows that are on their way to the log. */
  inFlight = 0
  /** The highest mark of durable events. */
  mark: number | undefined
  readonly #blockRowsMax: number
  /** The fields of the newest blocks, as merged last. */
  #catalog: { readonly parts: readonly unknown[]; readonly catalog: FieldCatalog } | undefined
  readonly #names = new FieldNames()

  constructor(name: string, { blockRowsMax }: EventStoreSizes = defaultEventStoreSizes) {
    this.name = name
    this.#blockRowsMax = blockRowsMax
  }

  /** All current blocks; each row is in exactly one. */
  get blocks(): Block[] {
    const stored = [...this.segments.values()].flatMap(({ blocks }) => blocks)
    return [...stored, ...[...this.waiting, ...this.open.values()].map(({ block }) => block)]
  }

  /** The days that have events. */
  get days(): ReadonlySet<string> {
    return new Set([...this.segments.keys(), ...this.open.keys(), ...this.waiting.map(({ day }) => day)])
  }

  findStoredBlock(file: string, offset: number): StoredBlock | undefined {
    const segment = [...this.segments.values()].find(({ path }) => path === file)
    return segment?.blocks.find((block) => block.offset === offset)
  }

  hasStoredBlock({ file, firstSequence }: { readonly file: string; readonly firstSequence: number }): boolean {
    const segment = [...this.segments.values()].find(({ path }) => path === file)
    return segment?.blocks.some(({ bounds }) => bounds.firstSequence === firstSequence) === true
  }

  /** Adds a row that is in the log; returns the block when that made it full. */
  add(row: EventRow, logNumber: number): LoggedBlock | undefined {
    const day = getDay(row.occurredAt)
    const logged = this.open.get(day) ?? { tenant: this, day, block: new Memtable(this.#blockRowsMax), firstLog: logNumber }
    this.open.set(day, logged)
    logged.block.add(row)
    if (!logged.block.isFull) return undefined
    this.close(logged)
    return logged
  }

  /** Adds logged rows to their blocks, at most so many. */
  addLogged(countMax: number): void {
    for (const { row, logNumber } of this.logged.splice(0, countMax)) this.add(row, logNumber)
  }

  /** Adds logged rows up to a sequence, in turns, together with other calls. */
  async addLoggedInTurns(end: number, { elapsedMs, takeTurn }: TurnSharing): Promise<void> {
    for (let turnEndsMs = -Infinity; (this.logged[0]?.row.sequence ?? end) < end;) {
      if (elapsedMs() >= turnEndsMs) turnEndsMs = await takeTurn(this.name, 'store') + elapsedMs()
      this.addLogged(rowsAtOnce)
    }
  }

  /** Raises the mark; a lower one changes nothing. */
  raiseMark(mark: number | undefined): void {
    if (mark !== undefined && mark > (this.mark ?? -Infinity)) this.mark = mark
  }

  /** Closes a block, which then waits to be written. */
  close(logged: LoggedBlock): void {
    this.open.delete(logged.day)
    this.waiting = [...this.waiting, logged]
  }

  /** Drops memtables of days that end at or before an instant; returns the number of their rows. */
  drop(before: number): number {
    const dropped = [...this.waiting, ...this.open.values()].filter(({ day }) => getEndOfDay(day) <= before)
    this.waiting = this.waiting.filter((logged) => !dropped.includes(logged))
    for (const { day } of dropped) this.open.delete(day)
    return dropped.reduce((sum, { block }) => sum + block.bounds.rowCount, 0)
  }

  stats(): EventStats {
    const { blocks } = this
    const readable = blocks.filter((block) => !(block instanceof StoredBlock && block.isLost))
    const bounds = readable.map((block) => block.bounds).filter(({ rowCount }) => rowCount > 0)
    return {
      eventCount: bounds.reduce((sum, { rowCount }) => sum + rowCount, 0),
      oldestAt: bounds.length === 0 ? undefined : bounds.reduce((min, { oldestAt }) => Math.min(min, oldestAt), Infinity),
      newestAt: bounds.length === 0 ? undefined : bounds.reduce((max, { newestAt }) => Math.max(max, newestAt), -Infinity),
      storedBytes: [...this.segments.values()].reduce((sum, { byteCount }) => sum + byteCount, 0),
      dayCount: this.days.size,
    }
  }

  async fields(): Promise<FieldCatalog> {
    // Stored blocks do not change; of a memtable the same list is returned until it has grown.
    const parts: (StoredBlock | readonly CatalogField[])[] = []
    for (const block of this.#newestBlocks) {
      if (block instanceof StoredBlock) parts.push(block)
      else if (block instanceof Memtable) parts.push(await catalogMemtable(block))
    }
    const known = this.#catalog
    if (known?.parts.length === parts.length && known.parts.every((part, i) => part === parts[i])) return known.catalog
    const catalogs: (readonly CatalogField[] | undefined)[] = []
    for (const part of parts) catalogs.push(part instanceof StoredBlock ? await readCatalog(part) : part)
    const catalog = mergeCatalogs(catalogs.filter((fields) => fields !== undefined))
    // A block that cannot be read now may be repaired later.
    this.#catalog = catalogs.includes(undefined) ? undefined : { parts, catalog }
    return catalog
  }

  /** The names of these fields; undefined if there are too many. */
  async fieldNames(): Promise<readonly string[] | undefined> {
    return await this.#names.list(this.#newestBlocks)
  }

  get #newestBlocks(): readonly Block[] {
    return this.blocks.sort((a, b) => b.bounds.newestAt - a.bounds.newestAt).slice(0, limits.events.catalogBlocksMax)
  }
}

/** The open blocks that keep old log files from being removed, or are too many. */
export function listBlocksToClose(
  tenants: Iterable<TenantEvents>, logNumbers: readonly number[], { logFilesMax }: Pick<EventStoreSizes, 'logFilesMax'>,
): readonly LoggedBlock[] {
  const open = [...tenants].flatMap((tenant) => [...tenant.open.values()])
  open.sort((a, b) => a.firstLog - b.firstLog)
  const { openBlocksMax } = limits.events
  const oldestKept = logNumbers.length > logFilesMax ? logNumbers[logNumbers.length - logFilesMax]! : -1
  return open.filter(({ firstLog }, i) => firstLog < oldestKept || i < open.length - openBlocksMax)
}

/** The first log file with rows that are in no segment; the last file if there are none. */
export function findOldestLogInUse(tenants: Iterable<TenantEvents>, logNumbers: readonly number[]): number {
  let below = logNumbers.at(-1) ?? 0
  for (const { open, waiting, logged } of tenants) {
    below = Math.min(below, logged[0]?.logNumber ?? below)
    for (const { firstLog } of [...waiting, ...open.values()]) below = Math.min(below, firstLog)
  }
  return below
}
