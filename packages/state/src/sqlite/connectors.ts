import type { Connector, ConnectorCheck, ConnectorConfig, ConnectorHealth } from '@tripline/model/connector'
import type { Kysely } from 'kysely'
import { compareAndSet } from './query/compare-and-set.ts'
import type { ConnectorStore } from '../ports/connector-store.ts'
import { inTransaction } from './query/database.ts'
import type { ConnectorRow } from './rows/connector-tables.ts'
import type { Tables } from './rows/tables.ts'
import { requireIntact, takeIntact } from './query/row-checksums.ts'

/** Stores connectors: settings, health and totals share a row, and each is written separately. */
export function connectorStore(db: Kysely<Tables>): ConnectorStore {
  const rowsOf = (tenant: string) => db.selectFrom('connectors').where('tenantId', '=', tenant)
  const rowOf = (tenant: string, id: string) => rowsOf(tenant).where('id', '=', id)
  const changing = (tenant: string, id: string) => changingRow(db, { tenant, id })
  const get = async (tenant: string, id: string) => {
    const row = requireIntact('connectors', await rowOf(tenant, id).selectAll().executeTakeFirst())
    return row === undefined ? undefined : parseConnectorRow(row)
  }
  return {
    insert: (tenant, connector, tokenHash) =>
      inTransaction(db, async (db) => {
        const facts = { ...identityColumns(connector), ...settingColumns(connector), ...healthColumns(connector.health) }
        const nothingYet = { receivedCount: 0, failedCount: 0, byteCount: 0, lastEventAt: null, pollCursor: null }
        const row = { tenantId: tenant, ...facts, ...nothingYet, tokenHash: tokenHash ?? null }
        const inserting = db.insertInto('connectors').values(row).onConflict((conflict) => conflict.doNothing())
        const { numInsertedOrUpdatedRows } = await inserting.executeTakeFirstOrThrow()
        if (numInsertedOrUpdatedRows !== 1n) return 'taken'
        await addMoment(db, { tenant, id: connector.id }, connector.health, connector.createdAt)
        return 'inserted'
      }),
    async find(tokenHash) {
      const finding = db.selectFrom('connectors').selectAll().where('tokenHash', '=', tokenHash)
      const row = requireIntact('connectors', await finding.executeTakeFirst())
      return row === undefined ? undefined : { tenant: row.tenantId, connector: parseConnectorRow(row) }
    },
    get,
    async list(tenant) {
      return takeIntact('connectors', await rowsOf(tenant).selectAll().orderBy('id').execute()).map(parseConnectorRow)
    },
    async update(tenant, id, change, terms) {
      return await inTransaction(db, async (db) => {
        const { name } = change
        if (name !== undefined) {
          const others = db.selectFrom('connectors').select('id').where('tenantId', '=', tenant).where('name', '=', name)
          if ((await others.where('id', '!=', id).executeTakeFirst()) !== undefined) return { outcome: 'taken' as const }
        }
        const own = connectorStore(db)
        return await compareAndSet(terms, {
          read: () => own.get(tenant, id),
          next: (current) => ({ ...current, ...change, version: current.version + 1, updatedAt: terms.at }),
          write: async (next, { version }) => {
            const writing = changingRow(db, { tenant, id }).set(settingColumns(next))
            return (await writing.where('version', '=', version).executeTakeFirst()).numUpdatedRows === 1n
          },
        })
      })
    },
    async remove(tenant, id) {
      const removing = db.deleteFrom('connectors').where('tenantId', '=', tenant).where('id', '=', id)
      return (await removing.executeTakeFirst()).numDeletedRows === 1n
    },
    setHealth: (tenant, id, health, at) =>
      inTransaction(db, async (db) => {
        const own = db.selectFrom('connectors').where('tenantId', '=', tenant).where('id', '=', id)
        const before = await own.select('status').executeTakeFirst()
        if (before === undefined) return false
        await changingRow(db, { tenant, id }).set(healthColumns(health)).execute()
        if (before.status !== health.status) await addMoment(db, { tenant, id }, health, at)
        return true
      }),
    async history(tenant, id, limit) {
      const moments = db.selectFrom('connectorMoments').where('tenantId', '=', tenant).where('connectorId', '=', id)
      return await moments.select(['at', 'status', 'message']).orderBy('seq', 'desc').limit(limit).execute()
    },
    async removeOldHistory(tenant, before) {
      const removing = db.deleteFrom('connectorMoments').where('tenantId', '=', tenant).where('at', '<', before)
      return Number((await removing.executeTakeFirst()).numDeletedRows)
    },
    async totals(tenant, id) {
      const row = await rowOf(tenant, id).select(['receivedCount', 'failedCount', 'byteCount', 'lastEventAt']).executeTakeFirst()
      return row === undefined ? undefined : { ...row, lastEventAt: row.lastEventAt ?? undefined }
    },
    async addTotals(tenant, id, { receivedCount, failedCount, byteCount, lastEventAt }) {
      const adding = changing(tenant, id).set((eb) => ({
        receivedCount: eb('receivedCount', '+', receivedCount),
        failedCount: eb('failedCount', '+', failedCount),
        byteCount: eb('byteCount', '+', byteCount),
        ...(lastEventAt !== undefined && { lastEventAt }),
      }))
      await adding.execute()
    },
    async cursor(tenant, id) {
      return (await rowOf(tenant, id).select('pollCursor').executeTakeFirst())?.pollCursor ?? undefined
    },
    async setCursor(tenant, id, cursor) {
      await changing(tenant, id).set({ pollCursor: cursor ?? null }).execute()
    },
  }
}

type ConnectorKey = { readonly tenant: string; readonly id: string }

function changingRow(db: Kysely<Tables>, { tenant, id }: ConnectorKey) {
  return db.updateTable('connectors').where('tenantId', '=', tenant).where('id', '=', id)
}

/** History entries are numbered, because several may share a millisecond. */
async function addMoment(
  db: Kysely<Tables>, { tenant, id }: ConnectorKey, { status, message }: ConnectorHealth, at: number,
): Promise<void> {
  const moments = db.selectFrom('connectorMoments').where('tenantId', '=', tenant).where('connectorId', '=', id)
  const last = await moments.select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  const row = { tenantId: tenant, connectorId: id, seq: (last?.seq ?? 0) + 1, at, status, message }
  await db.insertInto('connectorMoments').values(row).execute()
}

function parseConnectorRow(row: ConnectorRow): Connector {
  const { id, name, type, isEnabled, config, sealedSecrets, version, createdAt, updatedAt } = row
  const { status, message, consecutiveFailures, checkedAt, checks } = row
  return {
    id, name, type,
    isEnabled: isEnabled === 1,
    config: JSON.parse(config) as ConnectorConfig,
    sealedSecrets: JSON.parse(sealedSecrets) as Connector['sealedSecrets'],
    health: {
      status, message, consecutiveFailures,
      checkedAt: checkedAt ?? undefined,
      checks: JSON.parse(checks) as ConnectorCheck[],
    },
    version, createdAt, updatedAt,
  }
}

function identityColumns({ id, type, createdAt }: Connector): Pick<ConnectorRow, 'id' | 'type' | 'createdAt'> {
  return { id, type, createdAt }
}

type SettingColumns = Pick<ConnectorRow, 'name' | 'isEnabled' | 'config' | 'sealedSecrets' | 'version' | 'updatedAt'>

function settingColumns({ name, isEnabled, config, sealedSecrets, version, updatedAt }: Connector): SettingColumns {
  const texts = { config: JSON.stringify(config), sealedSecrets: JSON.stringify(sealedSecrets) }
  return { name, isEnabled: Number(isEnabled), ...texts, version, updatedAt }
}

type HealthColumns = Pick<ConnectorRow, 'status' | 'message' | 'consecutiveFailures' | 'checkedAt' | 'checks'>

function healthColumns({ status, message, consecutiveFailures, checkedAt, checks }: ConnectorHealth): HealthColumns {
  return { status, message, consecutiveFailures, checkedAt: checkedAt ?? null, checks: JSON.stringify(checks) }
}
