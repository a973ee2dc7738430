import type { Kysely } from 'kysely'
import type { CheckpointStore } from '../ports/checkpoint-store.ts'
import { inTransaction } from './query/database.ts'
import type { Tables } from './rows/tables.ts'
import { requireIntact } from './query/row-checksums.ts'

/** Stores the checkpoints of the pipeline. */
export function checkpointStore(db: Kysely<Tables>): CheckpointStore {
  return {
    save: (tenantId, stage, { put, drop = [] }) =>
      inTransaction(db, async (db) => {
        for (const part of drop) {
          const removing = db.deleteFrom('checkpoints').where('tenantId', '=', tenantId).where('stage', '=', stage)
          await removing.where('part', '=', part).execute()
        }
        for (const [part, bytes] of put) {
          const putting = db.insertInto('checkpoints').values({ tenantId, stage, part, bytes })
          const key = ['tenantId', 'stage', 'part'] as const
          const replacing = putting.onConflict((conflict) => conflict.columns(key).doUpdateSet({ bytes }))
          await replacing.execute()
        }
      }),
    async load(tenant, stage, part) {
      const selecting = db.selectFrom('checkpoints').selectAll().where('tenantId', '=', tenant).where('stage', '=', stage)
      return requireIntact('checkpoints', await selecting.where('part', '=', part).executeTakeFirst())?.bytes
    },
    async parts(tenant, stage) {
      const selecting = db.selectFrom('checkpoints').select('part').where('tenantId', '=', tenant).where('stage', '=', stage)
      return (await selecting.orderBy('part').execute()).map(({ part }) => part)
    },
  }
}
