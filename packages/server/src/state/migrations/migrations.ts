import { tenantsAndUsers } from './0001-tenants-and-users.ts'
import { rules } from './0002-rules.ts'
import { alerts } from './0003-alerts.ts'
import { audit } from './0004-audit.ts'
import { requests } from './0005-requests.ts'
import { checkpoints } from './0006-checkpoints.ts'
import { metrics } from './0007-metrics.ts'
import { connectors } from './0008-connectors.ts'
import { enrichment } from './0009-enrichment.ts'
import { oneTimePasswords } from './0010-one-time-passwords.ts'
import { reviews } from './0012-reviews.ts'
import { alertIndexes } from './0013-alert-indexes.ts'
import { eventReferences } from './0014-event-references.ts'
import { externalUsers } from './0015-external-users.ts'
import { savedViews } from './0016-saved-views.ts'
import { rowChecksums } from './0017-row-checksums.ts'
import { domainEvents } from './0018-domain-events.ts'
import type { Migration } from './migrate.ts'

/** All migrations in order; the first is version 1. Append new ones. */
export const migrations: readonly Migration[] = [
  tenantsAndUsers, rules, alerts, audit, requests, checkpoints, metrics, connectors, enrichment, oneTimePasswords, reviews,
  alertIndexes, eventReferences, externalUsers, savedViews, rowChecksums,
  domainEvents,
]
