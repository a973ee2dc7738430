import type { ExportedEvent } from '@tripline/contract/console/event-export'
import { TurnSlices } from '@tripline/detection/fairness/turn-slices'
import { createEventIds } from '@tripline/formats/event/event-id'
import { limits } from '../../limits.ts'
import type { EventScan } from '../shared/event-scan.ts'
import type { EventSummary } from './event-summary.ts'
import { summarizeEvent } from './event-summary.ts'
import { compileSearchText } from './search-events.ts'
import { findGaps, listDamage, resolveSearchRange, toQueryRefusal } from './tenant-search.ts'
import type { EventSearchDeps } from './tenant-search.ts'

/**
 * Prepares the export of the events that a query finds; reading them takes turns of the tenant.
 *
 * @throws AppError INVALID_QUERY with the position; INVALID_PARAMETER for an invalid or too long range.
 */
export function createEventScan(deps: Omit<EventSearchDeps, 'recordSearch' | 'trail'>): EventScan {
  return (tenant, { query, ...range }) => {
    const now = deps.clock.now()
    const { from, to } = resolveSearchRange(range, now)
    const predicate = compilePredicate(query, now)
    const { lostCount } = deps.events.getDamage(tenant)
    return {
      warnings: [...findGaps(deps, tenant).warnings, ...listDamage({ corruptedCount: 0, lostCount })],
      async* scan(signal) {
        const ids = createEventIds(deps.keys.cursor, tenant)
        const slices = new TurnSlices(deps.pipeline.turns, tenant)
        const batches = deps.events.scan({ tenant, from, to, predicate, batchEventsMax: limits.exports.eventsAtOnce })
        for await (const { events, corruptedCount } of batches) {
          signal.throwIfAborted()
          // Where nothing was said of damage, a file without these events would look complete.
          if (corruptedCount > 0 && lostCount === 0) throw new Error('stored events of the range are damaged')
          const rows: ExportedEvent[] = []
          for (const event of events) {
            await slices.yieldIfDue()
            rows.push(toRow(summarizeEvent(event, { ids })))
          }
          yield rows
        }
      },
    }
  }
}

function compilePredicate(query: string, now: number): ReturnType<typeof compileSearchText>['predicate'] {
  try {
    return compileSearchText(query, now).predicate
  } catch (error) {
    throw toQueryRefusal(error)
  }
}

function toRow({ id, occurredAt, product, host, sourceIp, code, severity, message, fields }: EventSummary): ExportedEvent {
  return { id, timestamp: occurredAt, source_type: product, host, source_ip: sourceIp, event_id: code ?? null, severity, message, fields }
}
