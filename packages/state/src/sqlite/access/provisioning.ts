import { isJsonObject } from '@tripline/common/json'
import type { GroupHead, ProvisionedGroup, ProvisionedUser, ProvisioningToken } from '@tripline/model/access/provisioning'
import type { Kysely } from 'kysely'
import type { ProvisioningStore } from '../../ports/access/provisioning-store.ts'
import { inTransaction } from '../query/database.ts'
import { requireIntact, takeIntact } from '../query/row-checksums.ts'
import { splitIntoParts } from '../query/upsert.ts'
import type { ProvisionedGroupRow, ProvisionedUserRow, ProvisioningTokenRow } from '../rows/provisioning-tables.ts'
import type { Tables } from '../rows/tables.ts'

/** Members that one statement names, which has a bounded number of parameters. */
const membersOfStatement = 200

/** Stores users and groups of identity providers; the members of groups in a table of their own. */
export function provisioningStore(db: Kysely<Tables>): ProvisioningStore {
  const groupRow = async (tenantId: string, id: string) => {
    const finding = db.selectFrom('provisionedGroups').selectAll().where('tenantId', '=', tenantId).where('id', '=', id)
    return requireIntact('provisionedGroups', await finding.executeTakeFirst())
  }
  return {
    async insertToken(tenantId, token) {
      await db.insertInto('provisioningTokens').values(toTokenRow(tenantId, token)).execute()
    },
    async findToken(hash) {
      const finding = db.selectFrom('provisioningTokens').selectAll().where('hash', '=', hash)
      const row = requireIntact('provisioningTokens', await finding.executeTakeFirst())
      return row === undefined ? undefined : { tenant: row.tenantId, token: parseTokenRow(row) }
    },
    async listTokens(tenantId) {
      const listing = db.selectFrom('provisioningTokens').selectAll().where('tenantId', '=', tenantId)
      return takeIntact('provisioningTokens', await listing.orderBy('createdAt').orderBy('id').execute()).map(parseTokenRow)
    },
    async removeToken(tenantId, id) {
      const removing = db.deleteFrom('provisioningTokens').where('tenantId', '=', tenantId).where('id', '=', id)
      return (await removing.executeTakeFirst()).numDeletedRows === 1n
    },
    async noteTokenUse(tenantId, id, { at, ip }) {
      const noting = db.updateTable('provisioningTokens').set({ lastUsedAt: at, lastUsedIp: ip })
      await noting.where('tenantId', '=', tenantId).where('id', '=', id).where('lastUsedAt', '<', at).execute()
    },
    async getUser(tenantId, userId) {
      const finding = db.selectFrom('provisionedUsers').selectAll().where('tenantId', '=', tenantId).where('userId', '=', userId)
      const row = requireIntact('provisionedUsers', await finding.executeTakeFirst())
      return row === undefined ? undefined : parseUserRow(row)
    },
    async listUsers(tenantId) {
      const listing = db.selectFrom('provisionedUsers').selectAll().where('tenantId', '=', tenantId).orderBy('userId')
      return takeIntact('provisionedUsers', await listing.execute()).map(parseUserRow)
    },
    putUser: (tenantId, user) =>
      inTransaction(db, async (db) => {
        const row = toUserRow(tenantId, user)
        const holding = db.selectFrom('provisionedUsers').select('userId').where('tenantId', '=', tenantId)
        const holder = await holding.where('foldedName', '=', row.foldedName).executeTakeFirst()
        if (holder !== undefined && holder.userId !== user.userId) return 'taken'
        const putting = db.insertInto('provisionedUsers').values(row)
        await putting.onConflict((conflict) => conflict.columns(['tenantId', 'userId']).doUpdateSet(row)).execute()
        return 'inserted'
      }),
    async getGroup(tenantId, id) {
      const row = await groupRow(tenantId, id)
      if (row === undefined) return undefined
      const listing = db.selectFrom('provisionedMembers').selectAll().where('tenantId', '=', tenantId).where('groupId', '=', id)
      const members = takeIntact('provisionedMembers', await listing.orderBy('userId').execute())
      return { ...parseGroupRow(row), memberIds: members.map(({ userId }) => userId) }
    },
    async listGroups(tenantId) {
      const listing = db.selectFrom('provisionedGroups').selectAll().where('tenantId', '=', tenantId).orderBy('id')
      return takeIntact('provisionedGroups', await listing.execute()).map(parseGroupRow)
    },
    async listGroupsOf(tenantId, userId) {
      const own = db.selectFrom('provisionedMembers').selectAll().where('tenantId', '=', tenantId).where('userId', '=', userId)
      const ids = takeIntact('provisionedMembers', await own.execute()).map(({ groupId }) => groupId)
      if (ids.length === 0) return []
      const listing = db.selectFrom('provisionedGroups').selectAll().where('tenantId', '=', tenantId).where('id', 'in', ids).orderBy('id')
      return takeIntact('provisionedGroups', await listing.execute()).map(parseGroupRow)
    },
    async countMembers(tenantId) {
      const counting = db.selectFrom('provisionedMembers').where('tenantId', '=', tenantId)
        .select(({ fn }) => ['groupId', fn.countAll<number>().as('count')])
      return new Map((await counting.groupBy('groupId').execute()).map(({ groupId, count }) => [groupId, Number(count)]))
    },
    putGroup: (tenantId, group) =>
      inTransaction(db, async (db) => {
        const row = toGroupRow(tenantId, group)
        const holding = db.selectFrom('provisionedGroups').select('id').where('tenantId', '=', tenantId)
        const holder = await holding.where('foldedName', '=', row.foldedName).executeTakeFirst()
        if (holder !== undefined && holder.id !== group.id) return 'taken'
        const putting = db.insertInto('provisionedGroups').values(row)
        await putting.onConflict((conflict) => conflict.columns(['tenantId', 'id']).doUpdateSet(row)).execute()
        const ofGroup = db.selectFrom('provisionedMembers').select('userId').where('tenantId', '=', tenantId)
        const present = new Set((await ofGroup.where('groupId', '=', group.id).execute()).map(({ userId }) => userId))
        const wanted = new Set(group.memberIds)
        const left = [...present].filter((userId) => !wanted.has(userId))
        for (const part of splitIntoParts(left, membersOfStatement)) {
          const removing = db.deleteFrom('provisionedMembers').where('tenantId', '=', tenantId).where('groupId', '=', group.id)
          await removing.where('userId', 'in', part).execute()
        }
        const came = [...wanted].filter((userId) => !present.has(userId)).map((userId) => ({ tenantId, groupId: group.id, userId }))
        for (const part of splitIntoParts(came, membersOfStatement)) await db.insertInto('provisionedMembers').values(part).execute()
        return 'inserted'
      }),
    async removeGroup(tenantId, id) {
      const removing = db.deleteFrom('provisionedGroups').where('tenantId', '=', tenantId).where('id', '=', id)
      return (await removing.executeTakeFirst()).numDeletedRows === 1n
    },
  }
}

function parseTokenRow({ tenantId: _tenant, lastUsedAt, lastUsedIp, ...rest }: ProvisioningTokenRow): ProvisioningToken {
  return lastUsedAt === 0 ? { ...rest, lastUsedAt: undefined, lastUsedIp: undefined } : { ...rest, lastUsedAt, lastUsedIp }
}

function toTokenRow(tenantId: string, { lastUsedAt = 0, lastUsedIp = '', ...rest }: ProvisioningToken): ProvisioningTokenRow {
  return { ...rest, tenantId, lastUsedAt, lastUsedIp }
}

function parseUserRow({ tenantId: _tenant, foldedName: _folded, attributes, isRemoved, ...rest }: ProvisionedUserRow): ProvisionedUser {
  const parsed: unknown = JSON.parse(attributes)
  return { ...rest, attributes: isJsonObject(parsed) ? parsed : {}, isRemoved: isRemoved === 1 }
}

function toUserRow(tenantId: string, { attributes, isRemoved, ...rest }: ProvisionedUser): ProvisionedUserRow {
  const columns = { attributes: JSON.stringify(attributes), isRemoved: Number(isRemoved) }
  return { ...rest, ...columns, tenantId, foldedName: rest.userName.toLowerCase() }
}

function parseGroupRow({ tenantId: _tenant, foldedName: _folded, ...rest }: ProvisionedGroupRow): GroupHead {
  return rest
}

function toGroupRow(tenantId: string, { memberIds: _members, ...rest }: ProvisionedGroup): ProvisionedGroupRow {
  return { ...rest, tenantId, foldedName: rest.displayName.toLowerCase() }
}
