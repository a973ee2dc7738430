import type { Contribution } from '../correlation/contribution.ts'
import type { SavedCorrelation } from '../correlation/correlator-state.ts'
import type { LegacyGroup } from '../correlation/fired-group.ts'
import { TimeScale } from '../correlation/time/time-scale.ts'
import { more, readCounts, readMeasuredValue, readSuppressions } from './body-parts.ts'
import type { EngineState } from './engine-state.ts'
import type { SnapshotReader } from './snapshot-reader.ts'

/**
 * Reads the body of the first version of snapshots, whose groups have all events of their windows and whose times are
 * milliseconds since the epoch. Windows of conditions that closed with a timespan begin anew with their first event.
 */
export function readLegacyState(body: SnapshotReader): EngineState {
  const sequence = body.number()
  const scale = new TimeScale()
  const [newestAt, watermark] = [scale.fromMs(body.number()), scale.fromMs(body.number())]
  const counts = readCounts(body)
  const correlations: SavedCorrelation[] = []
  while (body.byte() === more) {
    const [id, definition] = [body.text(), body.text()]
    const legacyGroups: LegacyGroup[] = []
    while (body.byte() === more) {
      const [key, since, held] = [body.text(), scale.fromMs(body.number()), body.byte() === 1]
      const events: LegacyEvent[] = []
      while (body.byte() === more) events.push(readEvent(body, scale))
      legacyGroups.push({ key, since, held, events })
    }
    const pending: Contribution[] = []
    while (body.byte() === more) pending.push({ key: body.text(), match: 0, carried: undefined, ...readEvent(body, scale) })
    correlations.push({ id, definition, carriedFields: [], degradedUntil: -Infinity, groups: [], legacyGroups, pending })
  }
  return { sequence, baseMs: scale.baseMs, newestAt, watermark, counts, correlations, suppressions: readSuppressions(body) }
}

type LegacyEvent = LegacyGroup['events'][number]

function readEvent(body: SnapshotReader, scale: TimeScale): LegacyEvent {
  return { at: scale.fromMs(body.number()), sequence: body.number(), member: body.byte(), value: readMeasuredValue(body) }
}
