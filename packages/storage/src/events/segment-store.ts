import { SerialQueue } from '@tripline/common/serial-queue'
import type { EventRef } from '@tripline/formats/event/event-id'
import type { FileSystem } from '../disk/file-system.ts'
import { isTransientDiskError } from '../disk/file-system.ts'
import { limits } from '../limits.ts'
import type { WriteAheadLog } from '../log/write-ahead-log.ts'
import { SyncError } from '../log/sync-error.ts'
import { DamageKeeper } from './damage-keeper.ts'
import { DamageLog } from './damage-log.ts'
import type { BlockDamage } from './damage-log.ts'
import { getDay, getEndOfDay, getStartOfDay } from './day-partition.ts'
import { encodeBlock } from './block/encode-block.ts'
import { eraseEvents } from './erase-events.ts'
import { appendToLog, openEventLog, listLogNumbers } from './event-log.ts'
import { EventStoreError } from './event-store.ts'
import type {
  AppendReceipt, EraseQuery, EraseReceipt, EventStore, NewEvent, RetainReceipt, SecondCopy, StoredEvent,
} from './event-store.ts'
import { findByRef, findBySequence } from './search/find-event.ts'
import type { LogRecord } from './log-record.ts'
import { LogRepair } from './log-repair.ts'
import { checkBatch, toRow } from './ingest-rows.ts'
import type { EventRow } from './block/memtable.ts'
import { openSegment, openSegments } from './open-segments.ts'
import { recoverGaps, removeCorruptedLog } from './recover-gaps.ts'
import { replayLog } from './replay-log.ts'
import { StoreSearches, yieldTurn } from './search/store-searches.ts'
import type { StoreSearchesOptions, TurnSharing } from './search/store-searches.ts'
import type { SegmentDeps } from './segment/segment.ts'
import { defaultEventStoreSizes } from './event-store-sizes.ts'
import type { EventStoreSizes } from './event-store-sizes.ts'
import { TenantEvents, findOldestLogInUse, listBlocksToClose } from './tenant-events.ts'
import type { LoggedBlock } from './tenant-events.ts'
import { FileReader } from './segment/file-reader.ts'
import { BlockCache } from './segment/block-cache.ts'
import { getTenantFolder } from './tenant-folder.ts'
import { completeTrash, getTrashFolder, isTrashComplete, moveToTrash, purgeTrash } from './trash.ts'
import { verifyStore } from './verify-store.ts'

/** Dependencies of the store: a file system below its own folder, and a monotonic clock. */
type SegmentEventStoreOptions = StoreSearchesOptions & {
  readonly disk: FileSystem
  readonly sizes?: EventStoreSizes
  /** Called for damage: its events are lost, or it was repaired; and where that could not be written. */
  readonly onDamage?: (damage: BlockDamage) => void
  readonly onProblem?: (problem: string) => void
  /** Where events that corrupted bytes of the log held are read again. */
  readonly readSecondCopy?: SecondCopy
}

/**
 * Opens the embedded event store: columnar segments behind a write-ahead log, as in an LSM tree without merges
 * (docs/decisions/0016-event-segments.md). One process at a time may open it.
 */
export async function openSegmentEventStore(options: SegmentEventStoreOptions): Promise<SegmentEventStore> {
  const { disk, sizes = defaultEventStoreSizes } = options
  const tasks = new SerialQueue()
  const damage = new DamageKeeper({
    log: await DamageLog.open(disk), runTask: (work) => tasks.run(work), onDamage: options.onDamage, onProblem: options.onProblem,
  })
  const room = {
    disk,
    damage,
    reader: new FileReader(disk, limits.events.openFilesMax),
    cache: new BlockCache(sizes.cacheBytesMax),
    filterCache: new BlockCache(sizes.filterBytesMax),
  }
  const tenants = await openSegments(room, sizes)
  const numbers = await listLogNumbers(disk)
  const store = new SegmentEventStore(options, { deps: room, tenants, numbers, tasks, damage })
  const logDamage = await replayLog(disk, { numbers, replay: (record, logNumber) => store.replay(record, logNumber) })
  const isWhole = await recoverGaps(logDamage, { store, damage, readSecondCopy: options.readSecondCopy })
  await store.finishReplay()
  if (logDamage.isCorrupted && isWhole) await removeCorruptedLog(store, options.onProblem)
  return store
}

type SegmentStoreState = {
  readonly deps: SegmentDeps
  readonly tenants: Map<string, TenantEvents>
  readonly numbers: readonly number[]
  /** Serialises the tasks that write segments. */
  readonly tasks: SerialQueue
  readonly damage: DamageKeeper
}

/** The embedded event store. One task at a time writes files; searches read concurrently. */
export class SegmentEventStore implements EventStore {
  readonly #deps: SegmentDeps
  readonly #searches: StoreSearches
  readonly #sharing: TurnSharing
  readonly #sizes: EventStoreSizes
  readonly #tenants: Map<string, TenantEvents>
  readonly #log: WriteAheadLog
  readonly #tasks: SerialQueue
  readonly #damage: DamageKeeper
  readonly #logRepair = new LogRepair()
  #isClosed = false
  /** Until the log is replayed, its files may hold events that are in no block. */
  #isReplayed = false

  /** Use `openSegmentEventStore`. */
  constructor(options: SegmentEventStoreOptions, opened: SegmentStoreState) {
    const { sizes = defaultEventStoreSizes } = options
    const { deps, tenants, numbers, tasks, damage } = opened
    this.#deps = deps
    this.#tasks = tasks
    this.#damage = damage
    this.#sharing = { elapsedMs: options.elapsedMs, takeTurn: options.takeTurn ?? yieldTurn }
    this.#searches = new StoreSearches(options, (tenant) => tenants.get(tenant)?.blocks ?? [])
    this.#sizes = sizes
    this.#tenants = tenants
    const checkpoint = (): LogRecord[] => [...tenants.values()].map(({ name, nextSequence, inFlight, mark }) =>
      ({ kind: 'sequence', tenant: name, next: nextSequence - inFlight, mark }))
    this.#log = openEventLog(deps.disk, { numbers, checkpoint, fileBytesMax: sizes.logFileBytesMax })
  }

  /** Replays a record of the log, except for what segments already hold. */
  async replay(record: LogRecord, logNumber: number): Promise<void> {
    const tenant = this.#getTenant(record.tenant)
    if (record.kind !== 'retain') tenant.raiseMark(record.mark)
    if (record.kind === 'events') {
      for (const row of record.rows) await this.#replayRow(tenant, row, logNumber)
      if (this.#waitingBlocks().length > 0) await this.#tasks.run(() => this.#writeBlocks())
      return
    }
    tenant.nextSequence = Math.max(tenant.nextSequence, record.next)
    if (record.kind === 'sequence') return
    tenant.drop(record.before)
    if (await isTrashComplete(this.#deps.disk, getTrashFolder(record.tenant, record.at))) return
    for (const [day, segment] of tenant.segments) {
      if (getEndOfDay(day) > record.before || segment.lastSequence >= record.next) continue
      await moveToTrash(this.#deps.disk, tenant, { days: [day], at: record.at })
    }
  }

  /** Writes lost blocks again whose events the log holds; from now on, log files that are not needed are removed. */
  async finishReplay(): Promise<void> {
    await this.#tasks.run(() => this.#logRepair.run(this.#damage))
    this.#isReplayed = true
    await this.#tasks.run(() => this.#releaseLog())
  }

  async append(name: string, batch: readonly NewEvent[], mark?: number): Promise<AppendReceipt> {
    getTenantFolder(name)
    checkBatch(batch)
    await this.#waitForCapacity()
    const tenant = this.#getTenant(name)
    const firstSequence = tenant.nextSequence
    if (batch.length === 0) return { firstSequence, count: 0 }
    const rows = batch.map((event, i) => toRow({ arrival: undefined, ...event }, firstSequence + i))
    tenant.nextSequence += rows.length
    tenant.inFlight += rows.length
    await appendToLog(this.#log, { kind: 'events', tenant: name, rows, mark }, (logNumber) => {
      tenant.logged.push(...rows.map((row) => ({ row, logNumber })))
      tenant.raiseMark(mark)
    }).finally(() => {
      tenant.inFlight -= rows.length
    })
    await tenant.addLoggedInTurns(firstSequence + rows.length, this.#sharing)
    // The log has what is not in a segment yet.
    if (!this.#isClosed) this.#closeBlocks()
    return { firstSequence, count: rows.length }
  }

  readonly getMark = async (name: string): Promise<number | undefined> => this.#tenants.get(name)?.mark

  readonly search: EventStore['search'] = async (query) => {
    const page = await this.#searches.search(query)
    const missingCount = this.#damage.countLost(query, (block) => this.#tenants.get(query.tenant)?.hasStoredBlock(block) === true)
    return { ...page, lostCount: page.lostCount + missingCount }
  }

  readonly histogram: EventStore['histogram'] = (query) => this.#searches.histogram(query)

  readonly scan: EventStore['scan'] = (query) => this.#searches.scan(query)

  get(name: string, sequence: number): Promise<StoredEvent | undefined> {
    return this.#searches.track(() => findBySequence(this.#listBlocks(name), sequence))
  }

  readonly find = (name: string, ref: EventRef): Promise<StoredEvent | undefined> =>
    this.#searches.track(() => findByRef(this.#listBlocks(name), ref))

  async retain(name: string, before: number, at: number): Promise<RetainReceipt> {
    this.#checkUsable()
    this.#damage.retain(name, getStartOfDay(before))
    const tenant = this.#tenants.get(name)
    const dropped = [...tenant?.days ?? []].filter((day) => getEndOfDay(day) <= before)
    if (tenant === undefined || dropped.length === 0) return { droppedDays: 0, droppedEvents: 0 }
    // Events in memory go to their segments first, so that the trash has them, too.
    for (const logged of tenant.open.values()) if (dropped.includes(logged.day)) tenant.close(logged)
    await this.#tasks.run(() => this.#writeBlocks())
    let droppedEvents = 0
    let removed: Promise<unknown> = Promise.resolve()
    await appendToLog(this.#log, { kind: 'retain', tenant: name, before, next: tenant.nextSequence, at }, () => {
      tenant.addLogged(Infinity)
      const stored = dropped.flatMap((day) => tenant.segments.get(day)?.blocks ?? [])
      droppedEvents = tenant.drop(before) + stored.reduce((sum, { bounds }) => sum + bounds.rowCount, 0)
      // A later task stores events that arrive for these days from now on.
      removed = this.#tasks.run(async () => {
        await moveToTrash(this.#deps.disk, tenant, { days: dropped, at })
        await completeTrash(this.#deps.disk, getTrashFolder(name, at))
        await this.#releaseLog()
      })
    })
    await removed
    return { droppedDays: dropped.length, droppedEvents }
  }

  async erase(query: EraseQuery): Promise<EraseReceipt> {
    this.#checkUsable()
    const tenant = this.#tenants.get(query.tenant)
    if (tenant === undefined) return { eventCount: 0 }
    await this.emptyLog()
    return await eraseEvents(query, {
      segments: tenant.segments, deps: this.#deps, tasks: this.#tasks, sharing: this.#sharing,
      whenSearchesEnded: () => this.#searches.whenEnded(),
    })
  }

  /** Moves all events of the log to segments, and removes the files that they were in: a restart adds none of them again. */
  async emptyLog(): Promise<void> {
    let firstNumber = 0
    await this.#log.rotate(({ fileNumber }) => (firstNumber = fileNumber))
    for (const tenant of this.#tenants.values()) await tenant.addLoggedInTurns(tenant.nextSequence, this.#sharing)
    await this.flush()
    this.#checkUsable()
    const [oldest = firstNumber] = this.#log.numbers
    if (oldest >= firstNumber) return
    throw new EventStoreError('FULL', 'the disk is full, so the log cannot be emptied; free some space and retry')
  }

  async purgeTrash(name: string, before: number): Promise<number> {
    return await this.#tasks.run(() => purgeTrash(this.#deps.disk, name, before))
  }

  readonly fields: EventStore['fields'] = async (name) => await this.#readTenant(name).fields()
  readonly fieldNames: EventStore['fieldNames'] = async (name) => await this.#readTenant(name).fieldNames()
  readonly stats: EventStore['stats'] = async (name) => this.#readTenant(name).stats()

  readonly #readTenant = (name: string): TenantEvents => this.#tenants.get(name) ?? new TenantEvents(name)

  verify(): ReturnType<EventStore['verify']> {
    return verifyStore(this.#deps.disk)
  }

  readonly getDamage = (name: string): ReturnType<EventStore['getDamage']> => this.#damage.getCounts(name)

  async inspect(damaged: Parameters<EventStore['inspect']>[0]): Promise<void> {
    for (const { tenant, file, offset } of damaged) await this.#tenants.get(tenant)?.findStoredBlock(file, offset)?.inspect()
    await this.#tasks.done()
  }

  /** Writes all blocks to their segments, open ones included, and empties the log. */
  async flush(): Promise<void> {
    for (const tenant of this.#tenants.values()) for (const logged of tenant.open.values()) tenant.close(logged)
    await this.#tasks.run(() => this.#writeBlocks())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#log.close()
    await this.#tasks.done()
    await this.#deps.reader.close()
  }

  #getTenant(name: string): TenantEvents {
    const tenant = this.#tenants.get(name) ?? new TenantEvents(name, this.#sizes)
    this.#tenants.set(name, tenant)
    return tenant
  }

  readonly #listBlocks = (name: string) => this.#tenants.get(name)?.blocks ?? []

  async #replayRow(tenant: TenantEvents, row: EventRow, logNumber: number): Promise<void> {
    tenant.nextSequence = Math.max(tenant.nextSequence, row.sequence + 1)
    // A day's rows are stored in sequence order, so segments hold a prefix of them.
    const segment = tenant.segments.get(getDay(row.occurredAt))
    if (segment === undefined || row.sequence > segment.lastSequence) tenant.add(row, logNumber)
    else await this.#logRepair.add(segment, row)
  }

  #checkUsable(): void {
    if (this.#isClosed) throw new EventStoreError('CLOSED', 'the event store is closed')
    const { failure } = this.#log
    if (failure !== undefined) {
      const message = `the event store stopped after a disk failure; restart the server: ${failure.message}`
      throw new EventStoreError('FAILED', message, { cause: failure })
    }
  }

  /** Waits while blocks are written more slowly than events arrive. */
  async #waitForCapacity(): Promise<void> {
    this.#checkUsable()
    if (this.#log.waitingBytes > limits.events.waitingBytesMax) {
      throw new EventStoreError('OVERLOADED', `more than ${limits.events.waitingBytesMax} bytes wait to be written to the log; retry later`)
    }
    if (this.#waitingBlocks().length < limits.events.waitingBlocksMax) return
    await this.#tasks.run(() => this.#writeBlocks())
    this.#checkUsable()
    if (this.#waitingBlocks().length >= limits.events.waitingBlocksMax) {
      throw new EventStoreError('FULL', 'the disk is full, so closed blocks cannot be written; free some space and retry')
    }
  }

  #waitingBlocks(): LoggedBlock[] {
    return [...this.#tenants.values()].flatMap(({ waiting }) => waiting)
  }

  /** Closes blocks that prevent old log files from being removed, and schedules the writing of all closed ones. */
  #closeBlocks(): void {
    for (const logged of listBlocksToClose(this.#tenants.values(), this.#log.numbers, this.#sizes)) logged.tenant.close(logged)
    if (this.#waitingBlocks().length > 0) void this.#tasks.run(() => this.#writeBlocks())
  }

  /** Writes the closed blocks. On a full disk they stay in memory, and the log keeps their events. */
  async #writeBlocks(): Promise<void> {
    for (let [logged] = this.#waitingBlocks(); logged !== undefined; [logged] = this.#waitingBlocks()) {
      if (this.#log.failure !== undefined) return
      try {
        await this.#writeBlock(logged)
      } catch (error) {
        this.#failUnlessTransient(error)
        return
      }
    }
    await this.#releaseLog()
  }

  async #writeBlock(logged: LoggedBlock): Promise<void> {
    const { tenant, day, block } = logged
    const segment = tenant.segments.get(day) ?? await openSegment(tenant.name, day, this.#deps)
    const publish = await segment.add(await encodeBlock(block, { takeTurn: () => this.#sharing.takeTurn(tenant.name, 'store') }))
    // If the block was dropped meanwhile, a later task removes this segment.
    tenant.segments.set(day, segment)
    publish()
    tenant.waiting = tenant.waiting.filter((waiting) => waiting !== logged)
  }

  /** Removes log files whose rows are all in segments; a failed removal is retried later. */
  async #releaseLog(): Promise<void> {
    if (this.#isReplayed) await this.#log.release(findOldestLogInUse(this.#tenants.values(), this.#log.numbers))
  }

  #failUnlessTransient(error: unknown): void {
    if (!isTransientDiskError(error)) this.#log.fail(error instanceof SyncError ? error : new SyncError(error))
  }
}
