import type { Filter } from '../../../model/lists/filter.ts'
import { alertFields } from '../../../model/lists/list-fields.ts'
import type { ListColumns } from '../query/filter-condition.ts'
import type { AlertRow } from './tables.ts'

const columns = {
  severity: 'level',
  status: 'status',
  rule_id: 'ruleId',
  rule_title: 'ruleTitle',
  host: 'host',
  user: 'userName',
  process: 'processName',
  source: 'source',
  source_ip: 'sourceIp',
  tactic: 'tactics',
  technique: 'techniques',
  assignee: 'assignee',
  verdict: 'verdict',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  event_count: 'eventCount',
  incident_id: 'incidentId',
  asset_criticality: 'assetCriticality',
} as const satisfies { readonly [field in keyof typeof alertFields]: keyof AlertRow }

/** The columns of the alert fields. */
export const alertColumns: ListColumns<typeof alertFields> = { entries: 'alerts', fields: alertFields, columns }

/** Columns of the text search. */
export const alertTextColumns = ['ruleTitle', 'host', 'userName', 'commandLine', 'id'] as const satisfies readonly (keyof AlertRow)[]

/** Whether a filter uses status and severity only, whose counts are maintained. */
export function isCounted(filter: Filter): boolean {
  if ('and' in filter) return filter.and.every(isCounted)
  if ('or' in filter) return filter.or.every(isCounted)
  if ('not' in filter) return isCounted(filter.not)
  return filter.field === 'status' || filter.field === 'severity'
}
