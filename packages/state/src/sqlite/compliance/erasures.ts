import type { Erasure } from '@tripline/model/compliance/erasure'
import type { TenantId } from '@tripline/model/tenant'
import type { Kysely } from 'kysely'
import type { ErasureStore } from '../../ports/erasure-store.ts'
import { requireIntact } from '../query/row-checksums.ts'
import type { ErasureRow } from '../rows/compliance-tables.ts'
import type { Tables } from '../rows/tables.ts'
import { eraseTexts } from './erase-texts.ts'
import type { RewritableFile } from './erase-texts.ts'
import { listKeptDefinitions } from './list-kept-definitions.ts'

/** Stores erasures of persons' data. */
export function erasureStore(db: Kysely<Tables>, file: RewritableFile, auditKey: Uint8Array): ErasureStore {
  const erasuresOf = (tenant: TenantId) => db.selectFrom('erasures').selectAll().where('tenantId', '=', tenant)
  return {
    async put(tenant, erasure) {
      const row = toRow(tenant, erasure)
      const putting = db.insertInto('erasures').values(row)
      await putting.onConflict((conflict) => conflict.columns(['tenantId', 'requestId']).doUpdateSet(row)).execute()
    },
    async get(tenant, requestId) {
      const row = requireIntact('erasures', await erasuresOf(tenant).where('requestId', '=', requestId).executeTakeFirst())
      return row && parseRow(row)
    },
    async listUnfinished(tenant) {
      return (await erasuresOf(tenant).where('isUnfinished', '=', 1).orderBy('requestedAt').execute()).map(parseRow)
    },
    listKept: (tenant, subject) => listKeptDefinitions(db, tenant, subject),
    eraseTexts: (tenant, subject, editRule) => eraseTexts(db, file, { tenant, subject, auditKey, editRule }),
  }
}

function toRow(tenantId: TenantId, { finishedAt = 0, kept, ...erasure }: Erasure): ErasureRow {
  const isUnfinished = erasure.status === 'queued' || erasure.status === 'running' ? 1 : 0
  return { tenantId, ...erasure, kept: JSON.stringify(kept), finishedAt, isUnfinished }
}

function parseRow({ tenantId: _tenant, isUnfinished: _flag, finishedAt, kept, ...row }: ErasureRow): Erasure {
  return { ...row, kept: JSON.parse(kept) as Erasure['kept'], finishedAt: finishedAt === 0 ? undefined : finishedAt }
}
