import type { Alert } from '@tripline/model/alert'
import type { Filter, ListTotal } from '@tripline/model/lists/filter'
import { alertFields } from '@tripline/model/lists/list-fields'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { ListSelection } from '../../ports/list-query.ts'
import type { FieldColumn } from './filter-condition.ts'
import { buildSelectionConditions } from './list-page.ts'
import type { SqlList } from './list-page.ts'
import { parseAlertRow } from '../rows/alert-row.ts'
import type { AlertRow, Tables } from '../rows/tables.ts'

const columns = {
  id: 'id',
  severity: 'level',
  status: 'status',
  rule_id: 'ruleId',
  rule_title: 'ruleTitle',
  host: 'host',
  host_folded: { expression: sql`lower(host)` },
  user: 'userName',
  user_folded: { expression: sql`lower(user_name)` },
  process: 'processName',
  source: 'source',
  source_ip: 'sourceIp',
  product: 'product',
  description: 'description',
  tactic: 'tactics',
  technique: 'techniques',
  assignee: 'assignee',
  verdict: 'verdict',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  event_count: 'eventCount',
  incident_id: 'incidentId',
  asset_criticality: 'assetCriticality',
} as const satisfies { readonly [field in keyof typeof alertFields]: keyof AlertRow | Exclude<FieldColumn, string> }

const texts = ['ruleTitle', 'host', 'userName', 'commandLine', 'id'] as const satisfies readonly (keyof AlertRow)[]

/** The alerts of a tenant. */
export const alertList: SqlList<AlertRow, Alert> = {
  entries: 'alerts', fields: alertFields, columns, texts,
  from: sql`alerts`, select: sql`alerts.*`, tenant: 'tenantId', id: 'id',
  textIndex: { table: 'alert_texts', terms: 'alert_texts_terms', of: 'alerts', fields: ['rule_title', 'description', 'host', 'user'] },
  merged: { fields: ['severity', 'status', 'product'], sort: 'created_at' },
  parse: parseAlertRow,
  count: countByStatusAndLevel,
}

/** Reads the maintained counts, if the selection is of statuses and severities only. */
function countByStatusAndLevel(db: Kysely<Tables>, tenant: string, selection: ListSelection): Promise<ListTotal> | undefined {
  if (!isCountedSelection(selection)) return undefined
  let counting = db.selectFrom('alertCounts').where('tenantId', '=', tenant)
  for (const condition of buildSelectionConditions(alertList, selection)) counting = counting.where(condition)
  const total = counting.select((eb) => eb.fn.sum<number | null>('count').as('total')).executeTakeFirst()
  return total.then((row) => ({ count: row?.total ?? 0, isExact: true }))
}

/** Whether a selection is of statuses and severities only. */
export function isCountedSelection({ where = [], text = '' }: ListSelection): boolean {
  return text === '' && where.every(isCounted)
}

function isCounted(filter: Filter): boolean {
  if ('and' in filter) return filter.and.every(isCounted)
  if ('or' in filter) return filter.or.every(isCounted)
  if ('not' in filter) return isCounted(filter.not)
  return filter.field === 'status' || filter.field === 'severity'
}
