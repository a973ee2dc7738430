import type { DirectoryUser } from '@tripline/model/enrichment/directory-user'
import { directoryUserFields } from '@tripline/model/enrichment/enrichment-fields'
import { sql } from 'kysely'
import type { DirectoryUserWithAlerts } from '../../ports/enrichment/directory-user-store.ts'
import { buildOpenAlertCount } from './open-alerts.ts'
import type { FieldColumn } from './filter-condition.ts'
import type { SqlList } from './list-page.ts'
import { parseStoredInstant } from '../rows/asset-row.ts'
import { parseTextList } from '../rows/stored-list.ts'
import type { PersonRow } from '../rows/enrichment-tables.ts'

export const openAlertsOfUser = buildOpenAlertCount('user_name', { tenant: sql`persons.tenant_id`, name: sql`persons.name` })

const columns: { readonly [field in keyof typeof directoryUserFields]: FieldColumn } = {
  name: 'persons.name',
  email: 'persons.email',
  department: 'persons.department',
  is_privileged: 'persons.isPrivileged',
  last_seen: 'persons.lastSeenAt',
  open_alerts: { expression: openAlertsOfUser, name: 'openAlertCount' },
}

type CountedPersonRow = PersonRow & { readonly openAlertCount: number }

export function parseDirectoryUserRow(row: PersonRow): DirectoryUser {
  const { id, name, email, department, version, createdAt, updatedAt } = row
  const lists = { aliases: parseTextList(row.aliases), lastSeenAt: parseStoredInstant(row.lastSeenAt), sources: parseTextList(row.sources) }
  return { id, name, email, department, isPrivileged: row.isPrivileged === 1, ...lists, version, createdAt, updatedAt }
}

export function parseCountedUser({ openAlertCount, ...row }: CountedPersonRow): DirectoryUserWithAlerts {
  return { ...parseDirectoryUserRow(row), openAlertCount }
}

/** The directory users of a tenant. */
export const directoryUserList: SqlList<CountedPersonRow, DirectoryUserWithAlerts> = {
  entries: 'identities', fields: directoryUserFields, columns, texts: ['persons.name', 'persons.email', 'persons.department'],
  from: sql`persons`, select: sql`*, ${openAlertsOfUser} as open_alert_count`, tenant: 'persons.tenantId', id: 'persons.id',
  parse: parseCountedUser,
}
