import type { Level } from '@tripline/engine'
import { activeIncidentStatuses } from '@tripline/model/incidents/incident-status'
import type { TenantId } from '@tripline/model/tenant'
import type { IncidentStore } from '@tripline/state/ports/incident-store'
import { limits } from '../limits.ts'
import type { Period } from './count-series.ts'

/** Incidents of a period and of the one before. */
export type IncidentCounts = {
  readonly activeLevels: readonly Level[]
  /** That were active when the period began. */
  readonly activeBefore: number
  readonly opened: { readonly current: number; readonly previous: number }
  readonly closed: { readonly current: number; readonly previous: number }
}

/** Counts the incidents that are active, were opened and were closed, in one pass over all of them. */
export async function countIncidents(
  incidents: Pick<IncidentStore, 'scan'>, tenant: TenantId, { period, before }: { readonly period: Period; readonly before: Period },
): Promise<IncidentCounts> {
  const activeLevels: Level[] = []
  const active: ReadonlySet<string> = new Set(activeIncidentStatuses)
  let activeBefore = 0
  const [opened, closed] = [{ current: 0, previous: 0 }, { current: 0, previous: 0 }]
  const isIn = (at: number, { from, to }: Period): boolean => at >= from && at < to
  const signal = AbortSignal.timeout(limits.overview.scanMs)
  for await (const chunk of incidents.scan(tenant, {}, { signal })) {
    for (const { status, level, createdAt, closedAt } of chunk) {
      if (active.has(status)) activeLevels.push(level)
      activeBefore += Number(createdAt < period.from && (closedAt ?? Number.POSITIVE_INFINITY) >= period.from)
      opened.current += Number(isIn(createdAt, period))
      opened.previous += Number(isIn(createdAt, before))
      if (closedAt === undefined) continue
      closed.current += Number(isIn(closedAt, period))
      closed.previous += Number(isIn(closedAt, before))
    }
  }
  return { activeLevels, activeBefore, opened, closed }
}
