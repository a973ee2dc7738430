import type { Notice } from '@tripline/model/delivery/channel'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { limits } from '../../limits.ts'
import type { WithoutList } from '../../ports/list-query.ts'
import type { ChannelMessageStore, NoticePlace } from '../../ports/delivery/channel-store.ts'
import { parseMessageRow } from '../lists/channel-message-list.ts'
import { inTransaction } from '../query/database.ts'
import { requireIntact } from '../query/row-checksums.ts'
import type { Tables } from '../rows/tables.ts'

/** Stores the queue and the log of the messages of channels: the same rows, pending and done. */
export function channelMessageStore(db: Kysely<Tables>): WithoutList<ChannelMessageStore> {
  const rowsOf = (tenant: string) => db.selectFrom('channelMessages').where('tenantId', '=', tenant)
  const changing = (tenant: string) => db.updateTable('channelMessages').where('tenantId', '=', tenant)
  const pendingOf = (tenant: string, channelId: string) =>
    // A literal, not a parameter: the partial index is used only if the condition is known.
    rowsOf(tenant).where('channelId', '=', channelId).where(sql<boolean>`status = 'pending'`)
  const placeOf = (tenant: string, { channelId, routeId, reason }: NoticePlace) =>
    rowsOf(tenant).where('channelId', '=', channelId).where('routeId', '=', routeId).where('reason', '=', reason)
  const get = async (tenant: string, id: string) => {
    const row = requireIntact('channelMessages', await rowsOf(tenant).selectAll().where('id', '=', id).executeTakeFirst())
    return row && parseMessageRow(row)
  }
  return {
    get,
    async hasNotice(tenant, { channelId, routeId, reason }, noticeId) {
      const known = db.selectFrom('channelNotices').select('messageId').where('tenantId', '=', tenant).where('channelId', '=', channelId)
      const mine = known.where('routeId', '=', routeId).where('reason', '=', reason).where('noticeId', '=', noticeId)
      return await mine.executeTakeFirst() !== undefined
    },
    async lastScheduledAt(tenant, place, until) {
      const last = placeOf(tenant, place).select('scheduledAt').where('scheduledAt', '<=', until).orderBy('scheduledAt', 'desc').limit(1)
      return (await last.executeTakeFirst())?.scheduledAt
    },
    async findCollecting(tenant, place, { after, until }) {
      const collecting = placeOf(tenant, place).select('id').where('status', '=', 'pending').where('isBegun', '=', 0)
      const inRange = collecting.where('scheduledAt', '>', after).where('scheduledAt', '<=', until)
      return (await inRange.orderBy('scheduledAt').limit(1).executeTakeFirst())?.id
    },
    insert: (tenantId, message, notice) => inTransaction(db, async (db) => {
      const unsent = { lastAt: null, durationMs: null, httpStatus: null, error: '', snippet: '' }
      const nothingYet = { status: 'pending', attempt: 0, isBegun: 0, moreCount: 0, ...unsent } as const
      const row = { ...message, ...nothingYet, tenantId, notices: JSON.stringify([notice]), dueAt: message.scheduledAt }
      await db.insertInto('channelMessages').values(row).execute()
      await noteNotice(db, tenantId, { messageId: message.id, place: message, noticeId: notice.id })
    }),
    async addNotice(tenant, messageId, place, notice) {
      const row = requireIntact('channelMessages', await rowsOf(tenant).selectAll().where('id', '=', messageId).executeTakeFirstOrThrow())!
      const notices = JSON.parse(row.notices) as readonly Notice[]
      const hasRoom = notices.length < limits.state.noticesMax
      const change = hasRoom ? { notices: JSON.stringify([...notices, notice]) } : { moreCount: row.moreCount + 1 }
      await changing(tenant).where('id', '=', messageId).set(change).execute()
      await noteNotice(db, tenant, { messageId, place, noticeId: notice.id })
    },
    async countPending(tenant, channelId) {
      return (await pendingOf(tenant, channelId).select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count
    },
    async listPending(tenant, channelId, limit) {
      const rows = await pendingOf(tenant, channelId).select(['id', 'dueAt']).orderBy('dueAt').orderBy('id').limit(limit).execute()
      return rows.map(({ id, dueAt }) => ({ id, dueAt: dueAt ?? 0 }))
    },
    async listWaiting() {
      const selecting = db.selectFrom('channelMessages').select(['tenantId', 'channelId'])
        .select(({ fn }) => fn.min('dueAt').as('dueAt')).where(sql<boolean>`status = 'pending'`)
      const rows = await selecting.groupBy(['tenantId', 'channelId']).execute()
      return rows.map(({ tenantId: tenant, channelId, dueAt }) => ({ tenant, channelId, dueAt: dueAt ?? 0 }))
    },
    async begin(tenant, id) {
      const beginning = changing(tenant).set({ isBegun: 1 }).where('id', '=', id).where('status', '=', 'pending')
      await beginning.where('isBegun', '=', 0).execute()
      const message = await get(tenant, id)
      return message?.status === 'pending' ? message : undefined
    },
    async settle(tenant, id, { status, attempt, dueAt = null, last: { at: lastAt, durationMs, httpStatus = null, error, snippet } }) {
      const settling = changing(tenant).set({ status, attempt, dueAt, lastAt, durationMs, httpStatus, error, snippet })
      return (await settling.where('id', '=', id).where('status', '=', 'pending').executeTakeFirst()).numUpdatedRows === 1n
    },
    async cancelPending(tenant, channelId) {
      const canceling = changing(tenant).set({ status: 'canceled', dueAt: null }).where('channelId', '=', channelId)
      return Number((await canceling.where(sql<boolean>`status = 'pending'`).executeTakeFirst()).numUpdatedRows)
    },
    async removeOld(tenant, { before, limit }) {
      const old = rowsOf(tenant).select('id').where('createdAt', '<', before).where('status', '!=', 'pending').limit(limit)
      const removing = db.deleteFrom('channelMessages').where('tenantId', '=', tenant).where('id', 'in', old)
      return Number((await removing.executeTakeFirst()).numDeletedRows)
    },
  }
}

type NoticeKey = { readonly messageId: string; readonly place: NoticePlace; readonly noticeId: string }

async function noteNotice(db: Kysely<Tables>, tenantId: string, { messageId, place, noticeId }: NoticeKey): Promise<void> {
  const { channelId, routeId, reason } = place
  await db.insertInto('channelNotices').values({ tenantId, messageId, channelId, routeId, reason, noticeId }).execute()
}
