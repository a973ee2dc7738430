import { confidenceDefault } from '@tripline/model/enrichment/indicator'
import type { Indicator } from '@tripline/model/enrichment/indicator'
import { sql } from 'kysely'
import type { Kysely, SqlBool } from 'kysely'
import { limits } from '../../limits.ts'
import type { IndicatorStore, NewIndicator, IndicatorKey } from '../../ports/enrichment/indicator-store.ts'
import type { WithoutList } from '../../ports/list-query.ts'
import { endless, parseIndicatorRow } from '../lists/indicator-list.ts'
import { compareAndSet } from '../query/compare-and-set.ts'
import { inTransaction } from '../query/database.ts'
import { splitIntoParts, upsertAll } from '../query/upsert.ts'
import type { IndicatorRow } from '../rows/enrichment-tables.ts'
import type { Tables } from '../rows/tables.ts'

/** Stores the indicators of tenants. */
export function indicatorStore(db: Kysely<Tables>): WithoutList<IndicatorStore> {
  const rowsOf = (db: Kysely<Tables>, tenant: string) => db.selectFrom('indicators').selectAll().where('tenantId', '=', tenant)
  const get = async (tenant: string, id: string) => {
    const row = await rowsOf(db, tenant).where('id', '=', id).executeTakeFirst()
    return row && parseIndicatorRow(row)
  }
  const find = async (db: Kysely<Tables>, tenant: string, sought: readonly IndicatorKey[]): Promise<Indicator[]> => {
    const found: Indicator[] = []
    for (const part of splitIntoParts(sought, limits.enrichment.soughtAtOnceMax)) {
      const pairs = sql.join(part.map(({ type, value }) => sql`(${type}, ${value})`))
      // As a `values` table the pairs are looked up in the index one by one; a plain `in` would not use it.
      const rows = await rowsOf(db, tenant).where(sql<SqlBool>`(type, value) in (values ${pairs})`).execute()
      found.push(...rows.map(parseIndicatorRow))
    }
    return found
  }
  return {
    upsert: (tenant, stated, at) =>
      upsertAll<NewIndicator, Indicator>(db, stated, {
        keyOf,
        make: ({ id, facts }) => makeIndicator(id, facts, at),
        merge: (known, facts) => ({ ...known, ...facts }),
        nextVersion: (next) => ({ ...next, version: next.version + 1, updatedAt: at }),
        find: async (db) => (await find(db, tenant, stated.map(({ facts }) => facts))).map((known) => [keyOf(known), known]),
        async insert(db, indicators) {
          for (const part of splitIntoParts(indicators, limits.enrichment.rowsAtOnceMax)) {
            await db.insertInto('indicators').values(part.map((indicator) => rowOf(tenant, indicator))).execute()
          }
        },
        async replace(db, indicator) {
          await db.updateTable('indicators').set(rowOf(tenant, indicator))
            .where('tenantId', '=', tenant).where('id', '=', indicator.id).execute()
        },
      }),
    get,
    find: (tenant, sought) => find(db, tenant, sought),
    update: (tenant, id, change, terms) =>
      compareAndSet(terms, {
        read: () => get(tenant, id),
        next: (current) => ({ ...current, ...change, version: current.version + 1, updatedAt: terms.at }),
        write: async (next, { version }) => {
          const { hitCount: _hits, lastHitAt: _last, ...row } = rowOf(tenant, next)
          const writing = db.updateTable('indicators').set(row).where('tenantId', '=', tenant).where('id', '=', id)
          return (await writing.where('version', '=', version).executeTakeFirst()).numUpdatedRows === 1n
        },
      }),
    async remove(tenant, id) {
      const removing = db.deleteFrom('indicators').where('tenantId', '=', tenant).where('id', '=', id)
      return (await removing.executeTakeFirst()).numDeletedRows === 1n
    },
    async removeEnded(tenant, { before, limit }) {
      const ended = db.selectFrom('indicators').select('id').where('tenantId', '=', tenant).where('validUntil', '<', before).limit(limit)
      const removing = db.deleteFrom('indicators').where('tenantId', '=', tenant).where('id', 'in', ended)
      return Number((await removing.executeTakeFirst()).numDeletedRows)
    },
    noteHits: (tenant, hits, at) =>
      inTransaction(db, async (db) => {
        for (const [id, count] of hits) {
          const set = { hitCount: sql<number>`hit_count + ${count}`, lastHitAt: sql<number>`max(last_hit_at, ${at})` }
          await db.updateTable('indicators').set(set).where('tenantId', '=', tenant).where('id', '=', id).execute()
        }
      }),
  }
}

function keyOf({ type, value, source }: NewIndicator): string {
  return JSON.stringify([type, value, source])
}

/** Defaults of an indicator: valid from now on, with its confidence as its score. */
function makeIndicator(id: string, facts: NewIndicator, at: number): Indicator {
  const { confidence = confidenceDefault, reputationScore = confidence } = facts
  const rest = { description: '', validFrom: at, validUntil: undefined, hitCount: 0, lastHitAt: undefined }
  return { id, ...rest, ...facts, confidence, reputationScore, version: 1, createdAt: at, updatedAt: at }
}

function rowOf(tenant: string, indicator: Indicator): IndicatorRow {
  const { validUntil, lastHitAt } = indicator
  return { ...indicator, tenantId: tenant, validUntil: validUntil ?? endless, lastHitAt: lastHitAt ?? 0 }
}
