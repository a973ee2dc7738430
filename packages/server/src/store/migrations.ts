import type { Migration } from './migrate.ts'
import { tenantsAndUsers } from './migrations/0001-tenants-and-users.ts'
import { rules } from './migrations/0002-rules.ts'
import { alerts } from './migrations/0003-alerts.ts'

/** All migrations, in order; the first is version 1. A new one goes to the end. */
export const migrations: readonly Migration[] = [tenantsAndUsers, rules, alerts]
