import type { Kysely } from 'kysely'
import { accountStore } from './accounts.ts'
import { alertStore } from './alerts.ts'
import { apiKeyStore } from './api-keys.ts'
import { assetStore } from './assets.ts'
import { auditStore } from './audit.ts'
import { connectorStore } from './connectors.ts'
import { inTransaction, openDatabase } from './database.ts'
import type { DatabaseOptions } from './database.ts'
import { indicatorStore } from './indicators.ts'
import { checkWritable, metricStore } from './metrics.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'
import { personStore } from './persons.ts'
import { requestStore } from './requests.ts'
import { ruleStore } from './rules.ts'
import { sessionStore } from './sessions.ts'
import type { StateStore, Stores } from './state-store.ts'
import type { Tables } from './tables.ts'
import { tenantStore } from './tenants.ts'
import { userStore } from './users.ts'

export type StateOptions = DatabaseOptions & {
  /** Seals audit trails; kept apart from the database, or who can write one can write the other. */
  readonly auditKey: Uint8Array
}

/** Opens the server's state, after bringing its database to the present shape. */
export async function openState({ auditKey, ...options }: StateOptions): Promise<StateStore> {
  const database = openDatabase(options)
  const { db } = database
  try {
    await migrate(database, migrations)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return {
    ...storesOf(db, auditKey),
    transaction: (work) => inTransaction(db, (db) => work(storesOf(db, auditKey))),
    checkWritable: () => checkWritable(db),
    close: () => db.destroy(),
  }
}

function storesOf(db: Kysely<Tables>, auditKey: Uint8Array): Stores {
  return {
    tenants: tenantStore(db, auditKey),
    accounts: accountStore(db),
    users: userStore(db),
    apiKeys: apiKeyStore(db),
    sessions: sessionStore(db),
    rules: ruleStore(db),
    alerts: alertStore(db),
    audit: auditStore(db, auditKey),
    requests: requestStore(db),
    connectors: connectorStore(db),
    metrics: metricStore(db),
    assets: assetStore(db),
    persons: personStore(db),
    indicators: indicatorStore(db),
  }
}
