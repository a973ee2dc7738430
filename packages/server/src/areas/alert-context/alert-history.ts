import { isJsonObject } from '@tripline/common/json'
import type { AlertContextBody } from '@tripline/contract/console/alerts/alert-context'
import type { Alert, AlertStatus } from '@tripline/model/alert'
import { toAlertStatusWord } from '@tripline/model/alert-status'
import type { AuditEntry } from '@tripline/model/audit'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { limits } from '../../limits.ts'

type HistoryEntry = NonNullable<AlertContextBody['history']>[number]
type Change = HistoryEntry['changes'][number]

const names = ['status', 'verdict', 'assignee', 'comment'] as const

/** Lists what the audit trail has of an alert, oldest first: changes of it alone, and of many alerts with it among them. */
export async function listAlertHistory(
  { audit }: Pick<StateStore, 'audit'>, tenant: TenantId, { id, createdAt }: Pick<Alert, 'id' | 'createdAt'>,
): Promise<readonly HistoryEntry[]> {
  const order = [{ field: 'at', direction: 'desc' }] as const
  const { timelineEntriesMax: limit } = limits.lists
  const own = await audit.list(tenant, {
    where: [{ field: 'target_type', operator: 'eq', value: 'alert' }, { field: 'target_id', operator: 'eq', value: id }], order, limit,
  })
  const bulk = await audit.list(tenant, {
    where: [{ field: 'target_type', operator: 'eq', value: 'bulk_change' }, { field: 'at', operator: 'gte', value: createdAt }],
    order, limit,
  })
  const concerned = bulk.entries.filter(({ diff }) => Array.isArray(diff?.['alerts']) && diff['alerts'].includes(id))
  return [...own.entries, ...concerned].toSorted((one, other) => one.seq - other.seq).map(printEntry)
}

function printEntry({ at, actor, action, diff = {} }: AuditEntry): HistoryEntry {
  return {
    at: formatTimestamp(at), actor: actor.email ?? `${actor.type}:${actor.id}`,
    action: action === 'alert.bulk_undo' ? 'restored' : 'changed', changes: listChanges(diff),
  }
}

/** A change of one alert has what each value was; one of many has what they were set to. */
function listChanges(diff: NonNullable<AuditEntry['diff']>): Change[] {
  const set = diff['set']
  const stated = isJsonObject(set)
    ? Object.entries({ ...set, ...(typeof set['status'] === 'string' && { status: toAlertStatusWord(set['status'] as AlertStatus) }) })
    : Object.entries(diff)
  return names.flatMap((name) => {
    const found = stated.find(([key]) => key === name)
    if (found === undefined) return []
    const [, value] = found as readonly [string, unknown]
    const [from, to] = Array.isArray(value) ? (value as readonly unknown[]) : [null, value]
    return [{ name, from: printValue(from), to: printValue(to) }]
  })
}

function printValue(value: unknown): string | null {
  return value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value)
}
