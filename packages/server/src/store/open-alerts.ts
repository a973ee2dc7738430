import { sql } from 'kysely'
import type { Expression, RawBuilder } from 'kysely'

/**
 * How many alerts that nobody has closed have a host or user of that name, whatever the case of a to z; for a row
 * with a tenant and a name. Its condition is that of the indexes of open alerts, which answer it where both sides are
 * an expression: compared with a column, SQLite would take its type into account and leave the index aside.
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
