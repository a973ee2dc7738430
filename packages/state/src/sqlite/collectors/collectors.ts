import type { Collector, CollectorReport, EnrolmentToken } from '@tripline/model/collectors/collector'
import type { TenantId } from '@tripline/model/tenant'
import type { Kysely } from 'kysely'
import type { CollectorStore } from '../../ports/collectors/collector-store.ts'
import { compareAndSet } from '../query/compare-and-set.ts'
import { requireIntact, takeIntact } from '../query/row-checksums.ts'
import type { CollectorRow, EnrolmentTokenRow } from '../rows/collector-tables.ts'
import type { Tables } from '../rows/tables.ts'

/** Stores collectors: what users set, what heartbeats tell and totals share a row, and each is written separately. */
export function collectorStore(db: Kysely<Tables>): CollectorStore {
  const rowsOf = (tenant: TenantId) => db.selectFrom('collectors').where('tenantId', '=', tenant)
  const changing = (tenant: TenantId, id: string) => db.updateTable('collectors').where('tenantId', '=', tenant).where('id', '=', id)
  const get = async (tenant: TenantId, id: string) => {
    const row = requireIntact('collectors', await rowsOf(tenant).where('id', '=', id).selectAll().executeTakeFirst())
    return row === undefined ? undefined : parseRow(row)
  }
  const change = (tenant: TenantId, id: string, terms: Parameters<CollectorStore['update']>[3], next: (current: Collector) => Collector) =>
    compareAndSet(terms, {
      read: () => get(tenant, id),
      next: (current) => {
        const changed = next(current)
        return changed === current ? current : { ...changed, version: current.version + 1, updatedAt: terms.at }
      },
      write: async ({ name, status, version, updatedAt }, current) => {
        const ended = status === 'retired' ? { credentialHash: null } : {}
        const writing = changing(tenant, id).set({ name, status, version, updatedAt, ...ended }).where('version', '=', current.version)
        return (await writing.executeTakeFirst()).numUpdatedRows === 1n
      },
    })
  return {
    async insert(tenantId, collector, credentialHash) {
      const nothingYet = { receivedCount: 0, failedCount: 0, byteCount: 0, lastEventAt: null }
      await db.insertInto('collectors').values({ tenantId, ...toRow(collector), credentialHash, ...nothingYet }).execute()
    },
    async find(credentialHash) {
      const finding = db.selectFrom('collectors').selectAll().where('credentialHash', '=', credentialHash)
      const row = requireIntact('collectors', await finding.executeTakeFirst())
      return row === undefined ? undefined : { tenant: row.tenantId, collector: parseRow(row) }
    },
    get,
    async list(tenant) {
      return takeIntact('collectors', await rowsOf(tenant).selectAll().orderBy('id').execute()).map(parseRow)
    },
    update: (tenant, id, { name }, terms) =>
      change(tenant, id, terms, (current) => (name === undefined || name === current.name ? current : { ...current, name })),
    async noteHeartbeat(tenant, id, { at, hostname, release: programRelease, os, osFamily, status, report }) {
      const told = { hostname, programRelease, os, osFamily, status, lastSeenAt: at, report: JSON.stringify(report) }
      return (await changing(tenant, id).where('status', '<>', 'retired').set(told).executeTakeFirst()).numUpdatedRows === 1n
    },
    async markOffline(tenant, id) {
      const heard = changing(tenant, id).where('status', 'in', ['online', 'degraded'])
      return (await heard.set({ status: 'offline' }).executeTakeFirst()).numUpdatedRows === 1n
    },
    retire: (tenant, id, terms) =>
      change(tenant, id, terms, (current) => (current.status === 'retired' ? current : { ...current, status: 'retired' })),
    async removeRetired(tenant, id) {
      const removing = db.deleteFrom('collectors').where('tenantId', '=', tenant).where('id', '=', id).where('status', '=', 'retired')
      return (await removing.executeTakeFirst()).numDeletedRows === 1n
    },
    async totals(tenant, id) {
      const reading = rowsOf(tenant).where('id', '=', id).select(['receivedCount', 'failedCount', 'byteCount', 'lastEventAt'])
      const row = await reading.executeTakeFirst()
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
    async insertToken(tenantId, token) {
      await db.insertInto('enrolmentTokens').values({ tenantId, ...token }).execute()
    },
    async listTokens(tenant) {
      const reading = db.selectFrom('enrolmentTokens').selectAll().where('tenantId', '=', tenant)
      return (await reading.orderBy('createdAt').orderBy('hash').execute()).map(parseToken)
    },
    async takeToken(hash) {
      const row = await db.deleteFrom('enrolmentTokens').where('hash', '=', hash).returningAll().executeTakeFirst()
      return row === undefined ? undefined : { tenant: row.tenantId, token: parseToken(row) }
    },
    async removeOldTokens(tenant, before) {
      const removing = db.deleteFrom('enrolmentTokens').where('tenantId', '=', tenant).where('expiresAt', '<', before)
      return Number((await removing.executeTakeFirst()).numDeletedRows)
    },
  }
}

function parseRow({ programRelease: release, lastSeenAt, report, ...row }: CollectorRow): Collector {
  const { id, name, hostname, os, osFamily, status, version, createdAt, updatedAt } = row
  return {
    id, name, hostname, release, os, osFamily, status, version, createdAt, updatedAt,
    lastSeenAt: lastSeenAt ?? undefined,
    report: report === null ? undefined : JSON.parse(report) as CollectorReport,
  }
}

function toRow({ release: programRelease, lastSeenAt, report, ...collector }: Collector) {
  return { ...collector, programRelease, lastSeenAt: lastSeenAt ?? null, report: report === undefined ? null : JSON.stringify(report) }
}

function parseToken({ hash, name, createdAt, expiresAt }: EnrolmentTokenRow): EnrolmentToken {
  return { hash, name, createdAt, expiresAt }
}
