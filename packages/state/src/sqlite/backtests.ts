import type { StoredBacktest, TriedException } from '@tripline/model/backtest'
import type { TenantId } from '@tripline/model/tenant'
import type { Kysely } from 'kysely'
import type { BacktestStore } from '../ports/rule-store.ts'
import { inTransaction } from './query/database.ts'
import { requireIntact } from './query/row-checksums.ts'
import type { Tables } from './rows/tables.ts'
import type { BacktestRow } from './rows/work-tables.ts'

/** Stores backtests, each with what it found. */
export function backtestStore(db: Kysely<Tables>): BacktestStore {
  const backtestsOf = (tenant: TenantId) => db.selectFrom('backtests').selectAll().where('tenantId', '=', tenant)
  return {
    async insert(tenantId, backtest) {
      await db.insertInto('backtests').values({ tenantId, ...toRow(backtest) }).execute()
    },
    async get(tenant, id) {
      const row = requireIntact('backtests', await backtestsOf(tenant).where('id', '=', id).executeTakeFirst())
      return row && parseRow(row)
    },
    async list(tenant, limit) {
      const newest = backtestsOf(tenant).orderBy('requestedAt', 'desc').orderBy('id', 'desc').limit(limit)
      return (await newest.execute()).map((row) => ({ ...parseRow(row), result: '' }))
    },
    async listUnfinished(tenant) {
      const unfinished = backtestsOf(tenant).where('isUnfinished', '=', 1).orderBy('requestedAt').orderBy('id')
      return (await unfinished.execute()).map(parseRow)
    },
    async save(tenant, backtest) {
      const { id: _id, ...row } = toRow(backtest)
      const saving = db.updateTable('backtests').set(row).where('tenantId', '=', tenant).where('id', '=', backtest.id)
      return (await saving.executeTakeFirst()).numUpdatedRows === 1n
    },
    remove: async (tenant, id) => await removeBacktests(db, tenant, [id]) === 1,
    removeOld: (tenant, { before, keptMax, limit }) => inTransaction(db, async (db) => {
      const finished = db.selectFrom('backtests').select('id').where('tenantId', '=', tenant).where('isUnfinished', '=', 0)
      const old = await finished.where('requestedAt', '<', before).orderBy('requestedAt').limit(limit).execute()
      const beyond = await finished.orderBy('requestedAt', 'desc').orderBy('id', 'desc').limit(limit).offset(keptMax).execute()
      return await removeBacktests(db, tenant, [...new Set([...old, ...beyond].map(({ id }) => id))])
    }),
  }
}

async function removeBacktests(db: Kysely<Tables>, tenant: TenantId, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const removed = await db.deleteFrom('backtests').where('tenantId', '=', tenant).where('id', 'in', ids).executeTakeFirst()
  return Number(removed.numDeletedRows)
}

function toRow({ ruleIds, exceptions, isCompared, from, to, finishedAt = 0, ...backtest }: StoredBacktest): Omit<BacktestRow, 'tenantId'> {
  const isUnfinished = backtest.status === 'queued' || backtest.status === 'running' ? 1 : 0
  const range = { fromAt: from, toAt: to, finishedAt }
  const lists = { ruleIds: JSON.stringify(ruleIds), exceptions: JSON.stringify(exceptions) }
  return { ...backtest, ...range, ...lists, isCompared: isCompared ? 1 : 0, isUnfinished }
}

function parseRow({ tenantId: _tenant, isUnfinished: _flag, ...stored }: BacktestRow): StoredBacktest {
  const { ruleIds, exceptions, isCompared, fromAt, toAt, finishedAt, ...row } = stored
  return {
    ...row, ruleIds: JSON.parse(ruleIds) as string[], exceptions: JSON.parse(exceptions) as TriedException[],
    isCompared: isCompared === 1, from: fromAt, to: toAt,
    finishedAt: finishedAt === 0 ? undefined : finishedAt,
  }
}
