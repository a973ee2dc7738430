import type { FileSystem } from '../disk/file-system.ts'
import type { DamageKeeper } from './damage-keeper.ts'
import { readLogFile } from './event-log.ts'
import { LostEventError } from './event-store.ts'
import type { StoredEvent } from './event-store.ts'
import { LogGaps } from './log-gaps.ts'
import type { LogGap } from './log-gaps.ts'
import type { LogRecord } from './log-record.ts'

type ReplayTarget = {
  readonly replay: (record: LogRecord, logNumber: number) => Promise<void>
  readonly get: (tenant: string, sequence: number) => Promise<StoredEvent | undefined>
}

type ReplayDeps = { readonly numbers: readonly number[]; readonly store: ReplayTarget; readonly damage: DamageKeeper }

/** Replays the log into a store that is being opened; events that its corrupted bytes held count as lost. */
export async function replayLog(disk: FileSystem, { numbers, store, damage }: ReplayDeps): Promise<void> {
  const gaps = new LogGaps()
  for (const number of numbers) {
    const { records, starts, corruptions } = await readLogFile(disk, number)
    let seen = 0
    for (const [i, record] of records.entries()) {
      for (; (corruptions[seen]?.offset ?? Infinity) < starts[i]!; seen++) gaps.addCorruption(corruptions[seen]!)
      const gap = gaps.addRecord(record)
      if (gap !== undefined) await recordGap(gap, { store, damage })
      await store.replay(record, number)
    }
    for (const corruption of corruptions.slice(seen)) gaps.addCorruption(corruption)
  }
}

async function recordGap({ tenant, first, last, corruption }: LogGap, { store, damage }: Omit<ReplayDeps, 'numbers'>): Promise<void> {
  const { file, offset, problem } = corruption
  let eventCount = 0
  for (let sequence = first; sequence <= last; sequence++) if (!(await isStored(store, tenant, sequence))) eventCount++
  if (eventCount === 0) return
  await damage.recordLost({ tenant, file, offset, firstSequence: first, lastSequence: last, eventCount, problem })
}

async function isStored(store: ReplayTarget, tenant: string, sequence: number): Promise<boolean> {
  try {
    return (await store.get(tenant, sequence)) !== undefined
  } catch (error) {
    // What a corrupted block held is counted with the block.
    if (error instanceof LostEventError) return true
    throw error
  }
}
