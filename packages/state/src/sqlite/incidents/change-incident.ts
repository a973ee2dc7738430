import { isUnedited, nextEdit } from '@tripline/model/edited-version'
import type { Incident, NewTimelineEntry } from '@tripline/model/incidents/incident'
import type { TenantId } from '@tripline/model/tenant'
import type { Kysely } from 'kysely'
import type { ChangeResult } from '../../ports/change.ts'
import type { IncidentTerms } from '../../ports/incident-store.ts'
import { inTransaction } from '../query/database.ts'
import { parseIncidentRow, toIncidentColumns } from '../rows/incident-row.ts'
import type { Tables } from '../rows/tables.ts'

type IncidentToChange = { readonly id: string; readonly terms: IncidentTerms }

/** The incident after a change, with entries for its timeline; none if nothing changed. */
type ChangedIncident = {
  readonly next: Incident
  readonly entries: readonly NewTimelineEntry[]
  /** Whether it is an edit, as most are, or what is only added, such as a delivery. */
  readonly isEdit?: boolean
}

/** Changes an incident under optimistic concurrency, and writes its timeline; all in one transaction. */
export function changeStored(
  db: Kysely<Tables>, tenant: TenantId, { id, terms: { expectedVersion, at, by } }: IncidentToChange,
  work: (db: Kysely<Tables>, current: Incident) => Promise<ChangedIncident>,
): Promise<ChangeResult<Incident>> {
  return inTransaction(db, async (db) => {
    const row = await db.selectFrom('incidents').selectAll().where('tenantId', '=', tenant).where('id', '=', id).executeTakeFirst()
    if (row === undefined) return { outcome: 'missing' }
    const current = parseIncidentRow(row)
    if (expectedVersion !== undefined && !isUnedited(current, expectedVersion)) return { outcome: 'stale', version: current.version }
    const { next, entries, isEdit = true } = await work(db, current)
    if (entries.length === 0) return { outcome: 'unchanged', value: current }
    await writeEntries(db, tenant, { incidentId: id, after: current.timelineLength, entries, at, by })
    const timelineLength = current.timelineLength + entries.length
    const versions = isEdit ? nextEdit(current) : { version: current.version + 1 }
    const changed: Incident = { ...next, timelineLength, ...versions, updatedAt: Math.max(current.updatedAt, at) }
    const writing = db.updateTable('incidents').set(toIncidentColumns(changed)).where('tenantId', '=', tenant).where('id', '=', id)
    const { numUpdatedRows } = await writing.where('version', '=', current.version).executeTakeFirst()
    if (numUpdatedRows !== 1n) throw new Error(`incident '${id}' changed while it was written`)
    return { outcome: 'changed', value: changed }
  })
}

type NewEntries = Pick<IncidentTerms, 'at' | 'by'> & {
  readonly incidentId: string
  /** The number of the last entry. */
  readonly after: number
  readonly entries: readonly NewTimelineEntry[]
}

export async function writeEntries(
  db: Kysely<Tables>, tenantId: TenantId, { incidentId, after, entries, at, by }: NewEntries,
): Promise<void> {
  const rows = entries.map(({ action, detail }, index) =>
    ({ tenantId, incidentId, number: after + index + 1, at, actor: by, action, detail: JSON.stringify(detail) }))
  await db.insertInto('incidentTimeline').values(rows).execute()
}
