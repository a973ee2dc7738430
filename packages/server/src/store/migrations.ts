import type { Migration } from './migrate.ts'
import { tenantsAndUsers } from './migrations/0001-tenants-and-users.ts'
import { rules } from './migrations/0002-rules.ts'
import { alerts } from './migrations/0003-alerts.ts'
import { audit } from './migrations/0004-audit.ts'
import { requests } from './migrations/0005-requests.ts'
import { checkpoints } from './migrations/0006-checkpoints.ts'
import { metrics } from './migrations/0007-metrics.ts'
import { connectors } from './migrations/0008-connectors.ts'
import { enrichment } from './migrations/0009-enrichment.ts'
import { oneTimePasswords } from './migrations/0010-one-time-passwords.ts'
import { reviews } from './migrations/0012-reviews.ts'
import { alertIndexes } from './migrations/0013-alert-indexes.ts'
import { eventReferences } from './migrations/0014-event-references.ts'
import { externalUsers } from './migrations/0015-external-users.ts'

/** All migrations in order; the first is version 1. Append new ones. */
export const migrations: readonly Migration[] = [
  tenantsAndUsers, rules, alerts, audit, requests, checkpoints, metrics, connectors, enrichment, oneTimePasswords, reviews,
  alertIndexes, eventReferences, externalUsers,
]
