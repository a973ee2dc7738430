import type { AuditEntry } from '@tripline/model/audit'
import { limits } from '../../limits.ts'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { Alert } from '@tripline/model/alert'

/** Something that happened to an alert. */
type TimelineEntry = { readonly at: number; readonly actor: string; readonly action: string; readonly detail: string }

/** Lists what happened to an alert, in order: its creation, and every change of it that the audit trail holds. */
export async function listAlertTimeline(
  { audit }: Pick<StateStore, 'audit'>, tenant: TenantId, { id, ruleTitle, createdAt }: Alert,
): Promise<readonly TimelineEntry[]> {
  const { entries } = await audit.list(tenant, {
    where: [{ field: 'target_type', operator: 'eq', value: 'alert' }, { field: 'target_id', operator: 'eq', value: id }],
    order: [{ field: 'at', direction: 'desc' }],
    limit: limits.lists.timelineEntriesMax,
  })
  const created = { at: createdAt, actor: 'system', action: 'alert.create', detail: ruleTitle }
  return [created, ...entries.map(toTimelineEntry).reverse()]
}

function toTimelineEntry({ at, actor, action, diff = {} }: AuditEntry): TimelineEntry {
  const changes = Object.entries(diff).map(([name, change]) => describeChange(name, change))
  return { at, actor: actor.email ?? `${actor.type}:${actor.id}`, action, detail: changes.join('; ') }
}

function describeChange(name: string, change: unknown): string {
  if (name === 'comment') return 'comment added'
  const [before, after] = Array.isArray(change) ? change.map(printValue) : ['', printValue(change)]
  return `${name}: ${before} to ${after}`
}

function printValue(value: unknown): string {
  return value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value) ?? ''
}
