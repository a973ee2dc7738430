import { matchFields } from '@tripline/model/lists/list-fields'
import type { RuleMatch } from '@tripline/model/match'
import { sql } from 'kysely'
import type { FieldColumn } from './filter-condition.ts'
import type { SqlList } from './list-page.ts'
import { parseEventRef } from '../rows/alert-row.ts'
import type { AlertMatchRow, AlertRow } from '../rows/tables.ts'

const columns: { readonly [field in keyof typeof matchFields]: FieldColumn } = {
  rule_id: 'alertMatches.ruleId',
  timestamp: 'alertMatches.matchedAt',
  verdict: 'alerts.verdict',
  host: 'alertMatches.host',
  user: 'alertMatches.userName',
  process_name: 'alertMatches.processName',
}

const matchColumns = [
  'matchId', 'ruleId', 'alertId', 'matchedAt', 'eventAt', 'eventOffset', 'host', 'userName', 'processName', 'commandLine', 'statedTime',
] as const satisfies readonly (keyof AlertMatchRow)[]
const reviewColumns = ['verdict', 'reviewedBy', 'reviewedAt'] as const satisfies readonly (keyof AlertRow)[]

type MatchRow = Pick<AlertMatchRow, (typeof matchColumns)[number]> & Pick<AlertRow, (typeof reviewColumns)[number]>

/** The matches of rules; the verdict of an alert applies to all its matches. */
export const matchList: SqlList<MatchRow, RuleMatch> = {
  entries: 'matches', fields: matchFields, columns,
  texts: ['alertMatches.commandLine', 'alertMatches.host', 'alertMatches.userName'],
  from: sql`alert_matches inner join alerts
    on alerts.tenant_id = alert_matches.tenant_id and alerts.id = alert_matches.alert_id`,
  select: sql.join([
    ...matchColumns.map((column) => sql.ref(`alertMatches.${column}`)), ...reviewColumns.map((column) => sql.ref(`alerts.${column}`)),
  ]),
  tenant: 'alertMatches.tenantId', id: 'alertMatches.matchId',
  parse: ({ matchId: id, ruleId, alertId, matchedAt, host, userName: user, processName, commandLine, statedTime, ...row }) => ({
    id, ruleId, alertId, matchedAt, eventRef: parseEventRef(row),
    event: { processName, commandLine, user, host, statedTime }, verdict: row.verdict,
    reviewedBy: row.reviewedAt === 0 ? undefined : row.reviewedBy,
    reviewedAt: row.reviewedAt === 0 ? undefined : row.reviewedAt,
  }),
}
