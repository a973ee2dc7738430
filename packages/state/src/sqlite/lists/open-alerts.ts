import { sql } from 'kysely'
import type { Expression, RawBuilder } from 'kysely'

/**
 * Builds the count of open alerts with a host or user of a row's name, ignoring ASCII case. The condition matches the
 * partial indexes of open alerts, which apply if both sides are expressions: for a plain column, SQLite would apply its
 * type affinity and skip the index.
 */
export function buildOpenAlertCount(
  what: 'host' | 'user_name',
  row: { readonly tenant: Expression<unknown>; readonly name: Expression<unknown> },
): RawBuilder<number> {
  const counted = sql`
    select count(*) from alerts
    where alerts.tenant_id = ${row.tenant} and lower(${sql.ref(`alerts.${what}`)}) = lower(${row.name})
      and alerts.status in ('open', 'in_progress')`
  return sql<number>`case when ${row.name} = '' then 0 else (${counted}) end`
}
