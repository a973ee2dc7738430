import { chunkBySize } from '@tripline/common/chunk-by-size'
import { EventStoreError, LostEventError } from './event-store.ts'
import type { AcceptedEvent, EventStore, SecondCopy, StoredEvent } from './event-store.ts'
import type { DamageKeeper } from './damage-keeper.ts'
import { limits } from '../limits.ts'
import type { LogGap } from './log-gaps.ts'
import type { LogDamage } from './replay-log.ts'

type RecoveryDeps = {
  readonly store: Pick<EventStore, 'append' | 'get' | 'find' | 'getMark'>
  readonly damage: DamageKeeper
  /** Absent where no pipeline writes. */
  readonly readSecondCopy: SecondCopy | undefined
}

/** A gap, and how many of its events are stored. */
type OpenGap = { readonly gap: LogGap; readonly storedCount: number; recoveredCount: number }

/** What the second copy has of a tenant and the store has not. */
type Recovered = {
  /** Before the tenant's mark. */
  readonly inGaps: AcceptedEvent[]
  /** Behind it: the log tells nothing of them. */
  readonly atEnd: AcceptedEvent[]
  readonly mark: number
  lastOffset: number
}

/**
 * Stores events again that corrupted bytes of the log held, where the second copy still has them; the others count as lost. They
 * get sequences of their own, and keep their references. A crash meanwhile is harmless: what is stored is not stored again.
 * Returns whether none is lost.
 */
export async function recoverGaps({ gaps, isUncertain }: Omit<LogDamage, 'isCorrupted'>, deps: RecoveryDeps): Promise<boolean> {
  const unknown = gaps.filter(({ tenant, first, corruption: { file } }) => !deps.damage.isKnown({ tenant, file, firstSequence: first }))
  const open: OpenGap[] = []
  for (const gap of unknown) open.push({ gap, storedCount: await countStored(gap, deps), recoveredCount: 0 })
  if (open.length > 0 || isUncertain) await recover(open, deps)
  for (const gap of open) await recordGap(gap, deps)
  return gaps.every(({ tenant, first, corruption: { file } }) => !deps.damage.isLostGap({ tenant, file, firstSequence: first }))
}

/** Removes corrupted files of the log once segments hold all of their events. Without the disk space for it they stay. */
export async function removeCorruptedLog(
  store: { readonly emptyLog: () => Promise<void> }, onProblem: ((problem: string) => void) | undefined,
): Promise<void> {
  try {
    await store.emptyLog()
  } catch (error) {
    if (!(error instanceof EventStoreError) || error.code !== 'FULL') throw error
    onProblem?.(`files of the log are corrupted, with no event lost, and could not be removed: ${error.message}`)
  }
}

async function recover(open: readonly OpenGap[], deps: RecoveryDeps): Promise<void> {
  const tenants = new Map<string, Recovered>()
  for await (const { tenant, event } of deps.readSecondCopy?.() ?? []) {
    const mark = (await deps.store.getMark(tenant)) ?? -1
    const recovered = tenants.get(tenant) ?? { inGaps: [], atEnd: [], mark, lastOffset: -1 }
    tenants.set(tenant, recovered)
    const { offset } = event.arrival
    // It was delivered to the second copy twice.
    if (offset <= recovered.lastOffset) continue
    recovered.lastOffset = offset
    const found = open.find(({ gap }) => gap.tenant === tenant && gap.after < offset && offset < gap.before)
    const isAtEnd = offset > mark
    if (found === undefined && !isAtEnd) continue
    const stored = await lookUp(() => deps.store.find(tenant, { occurredAt: event.occurredAt, by: 'offset', number: offset }))
    if (stored === undefined) recovered[isAtEnd ? 'atEnd' : 'inGaps'].push(event)
    if (found !== undefined && (stored === undefined || isElsewhere(stored, found.gap))) found.recoveredCount++
  }
  for (const [tenant, { inGaps, atEnd }] of tenants) {
    for (const batch of splitBatches(inGaps)) await deps.store.append(tenant, batch)
    for (const batch of splitBatches(atEnd)) await deps.store.append(tenant, batch, batch.at(-1)!.arrival.offset)
  }
}

/** Whether an event of a gap was stored again, and did not come from a segment. */
function isElsewhere(stored: StoredEvent | 'lost', { first, last }: LogGap): boolean {
  return stored !== 'lost' && (stored.sequence < first || stored.sequence > last)
}

async function countStored({ tenant, first, last }: LogGap, { store }: RecoveryDeps): Promise<number> {
  let count = 0
  for (let sequence = first; sequence <= last; sequence++) if (await lookUp(() => store.get(tenant, sequence))) count++
  return count
}

async function lookUp(read: () => Promise<StoredEvent | undefined>): Promise<StoredEvent | 'lost' | undefined> {
  try {
    return await read()
  } catch (error) {
    // What a corrupted block held is counted with the block.
    if (error instanceof LostEventError) return 'lost'
    throw error
  }
}

async function recordGap({ gap, storedCount, recoveredCount }: OpenGap, { damage }: RecoveryDeps): Promise<void> {
  const { tenant, first, last, corruption: { file, offset, problem }, receivedBefore } = gap
  const lostCount = Math.max(0, last - first + 1 - storedCount - recoveredCount)
  const newestAt = receivedBefore === undefined ? undefined : receivedBefore + limits.events.lostSkewMs
  const place = { tenant, file, offset, firstSequence: first, lastSequence: last, problem, newestAt }
  if (lostCount > 0) await damage.recordGap({ ...place, kind: 'lost', eventCount: lostCount })
  if (recoveredCount > 0) await damage.recordGap({ ...place, kind: 'repaired', eventCount: recoveredCount })
}

function splitBatches(events: readonly AcceptedEvent[]): Iterable<readonly AcceptedEvent[]> {
  const { recoveryEventsMax: itemsMax, batchBytesMax: bytesMax } = limits.events
  return chunkBySize(events, { itemsMax, bytesMax }, ({ bytes }) => bytes.length)
}
