import type { SerialQueue } from '@tripline/common/serial-queue'
import type { FileSystem } from '../disk/file-system.ts'
import { CorruptionError } from '../log/byte-reader.ts'
import type { Block } from './block/block.ts'
import { encodeBlock } from './block/encode-block.ts'
import { Memtable } from './block/memtable.ts'
import { listDays } from './day-partition.ts'
import type { EraseQuery, EraseReceipt, StoredEvent } from './event-store.ts'
import { toRow } from './ingest-rows.ts'
import { compileEventSearch } from './search/compile-search.ts'
import type { CompiledSearch } from './search/compile-search.ts'
import { matchBlock, readEvents } from './search/match-block.ts'
import type { TurnSharing } from './search/store-searches.ts'
import { TimeSlicer } from './search/time-slicer.ts'
import type { SliceDeps } from './search/time-slicer.ts'
import { Segment } from './segment/segment.ts'
import type { SegmentDeps } from './segment/segment.ts'
import type { StoredBlock } from './segment/stored-block.ts'
import { getTenantFolder } from './tenant-folder.ts'
import { listTrashFolders } from './trash.ts'

/** Events that are read between two looks at the turn. */
const eventsAtOnce = 32

/** What an erasure uses of the store. */
type EraseDeps = {
  /** Of the tenant, by day. */
  readonly segments: Map<string, Segment>
  readonly deps: SegmentDeps
  /** Serialises the tasks that write segments. */
  readonly tasks: SerialQueue
  readonly sharing: TurnSharing
  readonly whenSearchesEnded: () => Promise<void>
}

/** Erases events of the segments of a tenant, those in the trash included; the log must not hold them any more. */
export async function eraseEvents(
  { tenant, ...query }: EraseQuery, { segments, deps, tasks, sharing, whenSearchesEnded }: EraseDeps,
): Promise<EraseReceipt> {
  const { elapsedMs, takeTurn } = sharing
  const eraser = new SegmentEraser(query, { elapsedMs, takeTurn: () => takeTurn(tenant, 'store') })
  const eraseDay = async (day: string): Promise<void> => {
    const segment = segments.get(day)
    if (segment === undefined) return
    await eraser.eraseFrom(segment)
    if (segment.blocks.length === 0) segments.delete(day)
  }
  try {
    // A task a day: between them events of others are stored.
    for (const day of Array.from(segments.keys())) await tasks.run(() => eraseDay(day))
    await tasks.run(async () => {
      await eraseFromTrash(eraser, tenant, deps)
      await removeUnreadable(deps.disk, getTenantFolder(tenant))
    })
    await whenSearchesEnded()
  } finally {
    await eraser.close()
  }
  return { eventCount: eraser.eventCount }
}

/** Erases events of segments: blocks with such events are encoded again without them. */
class SegmentEraser {
  readonly #search: CompiledSearch
  readonly #isErased: (event: StoredEvent) => boolean
  readonly #slice: SliceDeps
  readonly #closeReplaced: (() => Promise<void>)[] = []
  #eventCount = 0

  constructor({ predicate, isErased = () => true }: Omit<EraseQuery, 'tenant'>, slice: SliceDeps) {
    this.#search = compileEventSearch(predicate)
    this.#isErased = isErased
    this.#slice = slice
  }

  /** Events erased so far. */
  get eventCount(): number {
    return this.#eventCount
  }

  /** Erases from a segment. A block whose bytes are corrupted is left out whole: they may hold such an event. */
  async eraseFrom(segment: Segment): Promise<void> {
    const erased = new Map<StoredBlock, ReadonlySet<number> | 'corrupted'>()
    for (const block of segment.blocks) {
      const sequences = await this.#findSequences(block)
      if (sequences === 'corrupted' || sequences.size > 0) erased.set(block, sequences)
    }
    if (erased.size === 0) return
    this.#closeReplaced.push(await segment.replaceBlocks(async (block) => {
      const sequences = erased.get(block)
      if (sequences === undefined) return 'keep'
      return sequences === 'corrupted' ? undefined : await this.#encodeRest(block, sequences)
    }))
    for (const sequences of erased.values()) if (sequences !== 'corrupted') this.#eventCount += sequences.size
  }

  /** Closes the files that were replaced: call it when no search reads them. */
  async close(): Promise<void> {
    for (const close of this.#closeReplaced.splice(0)) await close()
  }

  async #findSequences(block: StoredBlock): Promise<ReadonlySet<number> | 'corrupted'> {
    const sequences = new Set<number>()
    try {
      for await (const events of this.#readMatches(block, this.#search)) {
        for (const event of events) if (this.#isErased(event)) sequences.add(event.sequence)
      }
      return sequences
    } catch (error) {
      if (error instanceof CorruptionError) return 'corrupted'
      throw error
    }
  }

  /** The block without these events; undefined where none is left. */
  async #encodeRest(block: StoredBlock, erased: ReadonlySet<number>): Promise<Buffer | undefined> {
    const memtable = new Memtable(block.bounds.rowCount)
    for await (const events of this.#readMatches(block, compileEventSearch({ kind: 'constant', value: true }))) {
      for (const { sequence, ...event } of events) if (!erased.has(sequence)) memtable.add(toRow(event, sequence))
    }
    if (memtable.bounds.rowCount === 0) return undefined
    return await encodeBlock(memtable, { takeTurn: this.#slice.takeTurn })
  }

  /** Reads matching events in the order of their sequences, a few at a time. */
  async* #readMatches(block: Block, search: CompiledSearch): AsyncGenerator<readonly StoredEvent[]> {
    const turns = new TimeSlicer(this.#slice, Infinity)
    await turns.yieldIfDue()
    const { rows, times, sequences } = await matchBlock(block, { from: -Infinity, to: Infinity }, { search, turns })
    const found = Array.from(rows, (row, i) => ({ occurredAt: times[i]!, sequence: sequences[i]!, block, row }))
    found.sort((a, b) => a.sequence - b.sequence)
    for (let start = 0; start < found.length; start += eventsAtOnce) {
      await turns.yieldIfDue()
      yield await readEvents(found.slice(start, start + eventsAtOnce))
    }
  }
}

/** Nothing of the trash is searched, so its damage is no loss. */
const ignoredDamage: SegmentDeps['damage'] = {
  isLost: () => false, getLastSequence: () => -1, onCorruption() {}, onFilterIgnored() {}, onMissing: async () => {},
}

/** Erases from the segments that retention moved to the trash of a tenant. */
async function eraseFromTrash(eraser: SegmentEraser, tenant: string, deps: SegmentDeps): Promise<void> {
  const { disk, reader } = deps
  for (const folder of await listTrashFolders(disk, tenant)) {
    for (const day of listDays(await disk.list(folder))) {
      const segment = await Segment.open(folder, day, { ...deps, damage: ignoredDamage })
      await eraser.eraseFrom(segment)
      reader.evict(segment.path)
      // As when the segment was moved: it can be recovered.
      await disk.remove(`${folder}/${day}.idx`)
      await disk.syncFolder(folder)
    }
  }
}

/** Deletes the files of segments that could not be read and were set aside: they may hold what is erased. */
async function removeUnreadable(disk: FileSystem, folder: string): Promise<void> {
  const unreadable = (await disk.list(folder)).filter((name) => name.endsWith('.unreadable'))
  for (const name of unreadable) await disk.remove(`${folder}/${name}`)
  if (unreadable.length > 0) await disk.syncFolder(folder)
}
