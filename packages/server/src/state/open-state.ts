import type { Kysely } from 'kysely'
import { checkSchema, migrate } from './migrations/migrate.ts'
import { migrations } from './migrations/migrations.ts'
import { startRowChecksums } from './sqlite/query/row-checksums.ts'
import type { StateStore, Stores } from './ports/state-store.ts'
import { accountStore } from './sqlite/accounts.ts'
import { apiKeyStore } from './sqlite/api-keys.ts'
import { viewStore } from './sqlite/views.ts'
import { assetStore } from './sqlite/assets.ts'
import { auditStore } from './sqlite/audit.ts'
import { checkpointStore } from './sqlite/checkpoints.ts'
import { directoryUserStore } from './sqlite/directory-users.ts'
import { idempotencyKeyStore } from './sqlite/idempotency-keys.ts'
import { indicatorStore } from './sqlite/indicators.ts'
import { checkWritable, metricStore } from './sqlite/metrics.ts'
import { createPublishingStores } from './sqlite/publish-changes.ts'
import type { OnPublished } from './sqlite/publish-changes.ts'
import { inTransaction, openDatabase } from './sqlite/query/database.ts'
import type { DatabaseOptions } from './sqlite/query/database.ts'
import type { Tables } from './sqlite/rows/tables.ts'
import { sessionStore } from './sqlite/sessions.ts'
import { tenantStore } from './sqlite/tenants.ts'
import { userStore } from './sqlite/users.ts'

export type StateOptions = Omit<DatabaseOptions, 'isReadOnly'> & {
  /** How it is used: to change it, to read it in the current schema, or to inspect it in any schema. */
  readonly use?: 'change' | 'read' | 'inspect'
  /**
   * The key of audit seals; it is kept apart from the database, so that write access to one does not give the other.
   */
  readonly auditKey: Uint8Array
}

/**
 * Opens the server's state and migrates its database; a database that is opened for reading is not written to.
 *
 * @throws Error, besides those of `migrate`, for a database to read that does not exist or has another schema.
 */
export async function openState({ auditKey, use = 'change', ...options }: StateOptions): Promise<StateStore> {
  const database = openDatabase({ ...options, isReadOnly: use !== 'change' })
  const { db } = database
  try {
    if (use === 'change') {
      await migrate(database, migrations)
      await startRowChecksums(db)
    }
    if (use === 'read') await checkSchema(database, migrations)
  } catch (error) {
    await db.destroy()
    throw error
  }
  const listeners = new Set<OnPublished>()
  const onPublished: OnPublished = (tenant, lastSeq) => listeners.forEach((listener) => listener(tenant, lastSeq))
  return {
    ...createStores(db, auditKey, onPublished),
    async transaction(work) {
      const published = new Map<string, number>()
      const collect: OnPublished = (tenant, lastSeq) => void published.set(tenant, lastSeq)
      const result = await inTransaction(db, (db) => work(createStores(db, auditKey, collect)))
      for (const [tenant, lastSeq] of published) onPublished(tenant, lastSeq)
      return result
    },
    watchDomainEvents(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    checkWritable: () => checkWritable(db),
    getDamagedRows: () => database.damagedRows.counts,
    close: () => db.destroy(),
  }
}

function createStores(db: Kysely<Tables>, auditKey: Uint8Array, onPublished: OnPublished): Stores {
  return {
    ...createPublishingStores(db, onPublished),
    tenants: tenantStore(db, auditKey),
    accounts: accountStore(db),
    users: userStore(db),
    apiKeys: apiKeyStore(db),
    views: viewStore(db),
    sessions: sessionStore(db),
    audit: auditStore(db, auditKey),
    idempotencyKeys: idempotencyKeyStore(db),
    checkpoints: checkpointStore(db),
    metrics: metricStore(db),
    assets: assetStore(db),
    directoryUsers: directoryUserStore(db),
    indicators: indicatorStore(db),
  }
}
