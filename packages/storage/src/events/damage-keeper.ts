import { getErrorMessage } from '@tripline/common/error-message'
import type { BlockHeader } from './block/block-header.ts'
import type { BlockDamage, DamageLog } from './damage-log.ts'
import type { EventRange, EventStore } from './event-store.ts'
import type { Segment, SegmentDamage } from './segment/segment.ts'
import type { BlockCorruption, StoredBlock } from './segment/stored-block.ts'
import { parseTenantFolder } from './tenant-folder.ts'

type DamageKeeperOptions = {
  readonly log: DamageLog
  /** Runs work while no other task writes segments. */
  readonly runTask: (work: () => Promise<void>) => Promise<void>
  readonly onDamage?: ((damage: BlockDamage) => void) | undefined
  /** Called when damage could not be repaired on the disk, or recorded. */
  readonly onProblem?: ((problem: string) => void) | undefined
}

/** Counts the events of corrupted blocks as lost, once, and writes blocks again that can be repaired. */
export class DamageKeeper implements SegmentDamage {
  readonly #options: DamageKeeperOptions
  readonly #ignoredFilters = new Map<string, number>()
  /** By tenant: the instant before which retention removed all events, since the start. */
  readonly #retainedFrom = new Map<string, number>()

  constructor(options: DamageKeeperOptions) {
    this.#options = options
  }

  isLost(file: string, firstSequence: number): boolean {
    return this.#options.log.isLost({ tenant: getTenantOf(file), file, firstSequence })
  }

  getLastSequence(tenant: string): number {
    return this.#options.log.getLastSequence(tenant)
  }

  getCounts(tenant: string): ReturnType<EventStore['getDamage']> {
    return { ...this.#options.log.getCounts(tenant), ignoredFilterCount: this.countIgnoredFilters(tenant) }
  }

  readonly onCorruption: SegmentDamage['onCorruption'] = (segment, block, { problem, repaired }) => {
    const damage = describe(segment.path, block, problem)
    if (repaired === undefined) void this.#record({ ...damage, kind: 'lost' })
    else void this.#options.runTask(() => this.repair(segment, block, { problem, repaired }))
  }

  readonly onFilterIgnored: SegmentDamage['onFilterIgnored'] = (segment, block, problem) => {
    const { tenant } = describe(segment.path, block, problem)
    this.#ignoredFilters.set(tenant, this.countIgnoredFilters(tenant) + 1)
    const place = `a filter of the block at byte ${block.offset} of ${segment.path}`
    this.#options.onProblem?.(`${place} is corrupted, so searches read more of the block: ${problem}`)
  }

  /** The blocks of a tenant, since the start, of which a filter was found corrupted beyond repair. */
  countIgnoredFilters(tenant: string): number {
    return this.#ignoredFilters.get(tenant) ?? 0
  }

  async onMissing(file: string, blocks: readonly BlockHeader[], problem: string): Promise<void> {
    for (const bounds of blocks) await this.#record({ ...describe(file, { bounds, offset: 0 }, problem), kind: 'lost' })
  }

  /** Writes a repaired block again; where that fails, reads go on with the repaired bytes in memory. */
  async repair(
    segment: Segment, block: StoredBlock, { problem, repaired }: BlockCorruption & { readonly repaired: Buffer },
  ): Promise<void> {
    await this.#record({ ...describe(segment.path, block, problem), kind: 'repaired' })
    try {
      await segment.rewrite(block, repaired)
    } catch (error) {
      const place = `the repaired block at byte ${block.offset} of ${segment.path}`
      this.#options.onProblem?.(`${place} could not be written: ${getErrorMessage(error)}`)
    }
  }

  /** Whether events that were in no block yet are known to be lost, or were stored again. */
  isKnown(place: Pick<BlockDamage, 'tenant' | 'file' | 'firstSequence'>): boolean {
    return this.#options.log.isLost(place) || this.#options.log.isRepaired(place)
  }

  /** Whether some of them are lost. */
  isLostGap(place: Pick<BlockDamage, 'tenant' | 'file' | 'firstSequence'>): boolean {
    return this.#options.log.isLost(place)
  }

  /** Records what became of events that were in no block yet. */
  async recordGap(damage: BlockDamage): Promise<void> {
    await this.#record(damage)
  }

  /** Notes that retention removed the days before an instant: what was lost of them would be gone by now. */
  retain(tenant: string, from: number): void {
    this.#retainedFrom.set(tenant, Math.max(from, this.#retainedFrom.get(tenant) ?? -Infinity))
  }

  /**
   * The lost events that may have occurred in a range, but for those of blocks that a search meets, and those that retention
   * would have removed.
   */
  countLost({ tenant, from, to }: Omit<EventRange, 'predicate'>, isSearched: (damage: BlockDamage) => boolean): number {
    const inRange = this.#options.log.listLosses(tenant).filter((damage) => {
      const { oldestAt = -Infinity, newestAt = Infinity } = damage
      const firstKept = Math.max(from, this.#retainedFrom.get(tenant) ?? -Infinity)
      return oldestAt < to && firstKept <= newestAt && !isSearched(damage)
    })
    return inRange.reduce((sum, { eventCount }) => sum + eventCount, 0)
  }

  async #record(damage: BlockDamage): Promise<void> {
    const { log, onDamage, onProblem } = this.#options
    if (damage.kind === 'lost' && log.isLost(damage)) return
    onDamage?.(damage)
    try {
      await log.add(damage)
    } catch (error) {
      onProblem?.(`damage to ${damage.file} could not be recorded: ${getErrorMessage(error)}`)
    }
  }
}

function describe(file: string, { bounds, offset }: Pick<StoredBlock, 'bounds' | 'offset'>, problem: string): Omit<BlockDamage, 'kind'> {
  const { firstSequence, lastSequence, rowCount: eventCount, oldestAt, newestAt } = bounds
  return { tenant: getTenantOf(file), file, offset, firstSequence, lastSequence, eventCount, problem, oldestAt, newestAt }
}

/** The tenant of a segment. */
function getTenantOf(file: string): string {
  return parseTenantFolder(file.split('/').at(-2) ?? '') ?? ''
}
