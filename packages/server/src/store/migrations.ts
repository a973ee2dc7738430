import type { Migration } from './migrate.ts'
import { tenantsAndUsers } from './migrations/0001-tenants-and-users.ts'

/** All migrations, in order; the first is version 1. A new one goes to the end. */
export const migrations: readonly Migration[] = [tenantsAndUsers]
