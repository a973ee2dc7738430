import type { Kysely } from 'kysely'
import { accountStore } from './accounts.ts'
import { alertStore } from './alerts.ts'
import { apiKeyStore } from './api-keys.ts'
import { assetStore } from './assets.ts'
import { auditStore } from './audit.ts'
import { checkpointStore } from './checkpoints.ts'
import { connectorStore } from './connectors.ts'
import { inTransaction, openDatabase } from './database.ts'
import type { DatabaseOptions } from './database.ts'
import { directoryUserStore } from './directory-users.ts'
import { idempotencyKeyStore } from './idempotency-keys.ts'
import { indicatorStore } from './indicators.ts'
import { checkWritable, metricStore } from './metrics.ts'
import { checkSchema, migrate } from './migrate.ts'
import { migrations } from './migrations.ts'
import { ruleStore } from './rules.ts'
import { sessionStore } from './sessions.ts'
import type { StateStore, Stores } from './state-store.ts'
import type { Tables } from './tables.ts'
import { tenantStore } from './tenants.ts'
import { userStore } from './users.ts'

export type StateOptions = Omit<DatabaseOptions, 'isReadOnly'> & {
  /** What is done with it: to change it, to read it in the present shape, or to inspect it in whatever shape it has. */
  readonly use?: 'change' | 'read' | 'inspect'
  /** Seals audit trails; kept apart from the database, or who can write one can write the other. */
  readonly auditKey: Uint8Array
}

/**
 * Opens the server's state, after bringing its database to the present shape; nothing is written to one that is opened to
 * be read.
 *
 * @throws Error, besides those of `migrate`, for a database to be read that is not there or has another shape.
 */
export async function openState({ auditKey, use = 'change', ...options }: StateOptions): Promise<StateStore> {
  const database = openDatabase({ ...options, isReadOnly: use !== 'change' })
  const { db } = database
  try {
    if (use === 'change') await migrate(database, migrations)
    if (use === 'read') await checkSchema(database, migrations)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return {
    ...createStores(db, auditKey),
    transaction: (work) => inTransaction(db, (db) => work(createStores(db, auditKey))),
    checkWritable: () => checkWritable(db),
    close: () => db.destroy(),
  }
}

function createStores(db: Kysely<Tables>, auditKey: Uint8Array): Stores {
  return {
    tenants: tenantStore(db, auditKey),
    accounts: accountStore(db),
    users: userStore(db),
    apiKeys: apiKeyStore(db),
    sessions: sessionStore(db),
    rules: ruleStore(db),
    alerts: alertStore(db),
    audit: auditStore(db, auditKey),
    requests: idempotencyKeyStore(db),
    checkpoints: checkpointStore(db),
    connectors: connectorStore(db),
    metrics: metricStore(db),
    assets: assetStore(db),
    persons: directoryUserStore(db),
    indicators: indicatorStore(db),
  }
}
