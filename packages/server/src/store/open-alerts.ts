import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

/**
 * A table `opened` of how many alerts that nobody has closed each host or user has, by its name in small letters. It
 * reads the open alerts of the tenant by their index, so it costs what there are of them.
 */
export function openAlertsBy(tenant: string, what: 'host' | 'user_name'): RawBuilder<unknown> {
  const column = sql.ref(what)
  return sql`(
    select lower(${column}) as name, count(*) as count from alerts
    where tenant_id = ${tenant} and status in ('open', 'in_progress') group by lower(${column})
  ) as opened`
}
