import type { FileSystem } from '../disk/file-system.ts'
import { readLogFile } from './event-log.ts'
import { LogGaps } from './log-gaps.ts'
import type { LogGap } from './log-gaps.ts'
import type { LogRecord } from './log-record.ts'

type ReplayDeps = {
  readonly numbers: readonly number[]
  readonly replay: (record: LogRecord, logNumber: number) => Promise<void>
}

/** What a replay could not read. */
export type LogDamage = {
  readonly gaps: readonly LogGap[]
  /** Whether any of its bytes are corrupted, those of events that segments hold included. */
  readonly isCorrupted: boolean
  /** Whether events may be missing that nothing in the log tells of: bytes are corrupted, or its end is torn. */
  readonly isUncertain: boolean
}

/** Replays the log into a store that is being opened; returns what its corrupted bytes held. */
export async function replayLog(disk: FileSystem, { numbers, replay }: ReplayDeps): Promise<LogDamage> {
  const found = new LogGaps()
  const gaps: LogGap[] = []
  let [isCorrupted, isUncertain] = [false, false]
  for (const number of numbers) {
    const { records, corruptions, isEndTorn } = await readLogFile(disk, number)
    isCorrupted ||= corruptions.length > 0
    isUncertain ||= corruptions.length > 0 || (isEndTorn && number === numbers.at(-1))
    let seen = 0
    for (const { record, start } of records) {
      for (; (corruptions[seen]?.offset ?? Infinity) < start; seen++) found.addCorruption(corruptions[seen]!)
      const gap = found.addRecord(record)
      if (gap !== undefined) gaps.push(gap)
      await replay(record, number)
    }
    for (const corruption of corruptions.slice(seen)) found.addCorruption(corruption)
  }
  return { gaps: [...gaps, ...found.finish()], isCorrupted, isUncertain }
}
