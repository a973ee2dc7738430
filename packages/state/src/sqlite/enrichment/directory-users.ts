import { listAllNames, listLookupNames, mergeDirectoryUser, unknownDirectoryUser } from '@tripline/model/enrichment/directory-user'
import type { DirectoryUser } from '@tripline/model/enrichment/directory-user'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { limits } from '../../limits.ts'
import type { DirectoryUserStore, NewDirectoryUser } from '../../ports/enrichment/directory-user-store.ts'
import type { WithoutList } from '../../ports/list-query.ts'
import { openAlertsOfUser, parseCountedUser, parseDirectoryUserRow } from '../lists/directory-user-list.ts'
import { compareAndSet } from '../query/compare-and-set.ts'
import { inTransaction } from '../query/database.ts'
import { splitIntoParts, upsertAll } from '../query/upsert.ts'
import type { PersonRow } from '../rows/enrichment-tables.ts'
import type { Tables } from '../rows/tables.ts'

/** Stores the directory users of tenants. */
export function directoryUserStore(db: Kysely<Tables>): WithoutList<DirectoryUserStore> {
  const rowsOf = (db: Kysely<Tables>, tenant: string) =>
    db.selectFrom('persons').selectAll('persons').where('persons.tenantId', '=', tenant)
  const get = async (db: Kysely<Tables>, tenant: string, id: string) => {
    const row = await rowsOf(db, tenant).where('id', '=', id).executeTakeFirst()
    return row && parseDirectoryUserRow(row)
  }
  return {
    upsert: (tenant, stated, at) =>
      upsertAll<NewDirectoryUser, DirectoryUser>(db, stated, {
        keyOf: ({ name }) => name,
        make: ({ id, facts }) => ({ id, ...unknownDirectoryUser, ...facts, version: 1, createdAt: at, updatedAt: at }),
        merge: mergeDirectoryUser,
        nextVersion: (next) => ({ ...next, version: next.version + 1, updatedAt: at }),
        async find(db, names) {
          const found: PersonRow[] = []
          for (const part of splitIntoParts(names, limits.enrichment.soughtAtOnceMax)) {
            found.push(...(await rowsOf(db, tenant).where('name', 'in', part).execute()))
          }
          return found.map((row) => [row.name, parseDirectoryUserRow(row)])
        },
        async insert(db, persons) {
          for (const part of splitIntoParts(persons, limits.enrichment.rowsAtOnceMax)) {
            await db.insertInto('persons').values(part.map((person) => rowOf(tenant, person))).execute()
          }
          await insertNames(db, tenant, persons)
        },
        replace: (db, person) => replaceDirectoryUser(db, tenant, person).then(() => undefined),
      }),
    observe: (tenant, sightings, { at, observedMax = limits.enrichment.observedMax }) => inTransaction(db, async (db) => {
      const known = await findIds(db, tenant, sightings.flatMap(({ name }) => listLookupNames(name)))
      const added = new Map<string, DirectoryUser>()
      for (const { id, name, email, at: seenAt } of sightings) {
        const found = listLookupNames(name).map((tried) => known.get(tried)).find((each) => each !== undefined)
        if (found !== undefined) {
          await db.updateTable('persons').set({ lastSeenAt: sql<number>`max(last_seen_at, ${seenAt})` })
            .where('tenantId', '=', tenant).where('id', '=', found).execute()
          continue
        }
        const before = added.get(name) ?? { id, ...unknownDirectoryUser, name, version: 1, createdAt: at, updatedAt: at }
        added.set(name, mergeDirectoryUser(before, { lastSeenAt: seenAt, sources: ['events'], ...(email !== '' && { email }) }))
      }
      const persons = [...added.values()]
      if (persons.length === 0) return
      for (const part of splitIntoParts(persons, limits.enrichment.rowsAtOnceMax)) {
        await db.insertInto('persons').values(part.map((person) => rowOf(tenant, person))).execute()
      }
      await insertNames(db, tenant, persons)
      await evict(db, tenant, observedMax)
    }),
    async get(tenant, id) {
      const row = await rowsOf(db, tenant).select(openAlertsOfUser.as('openAlertCount')).where('id', '=', id).executeTakeFirst()
      return row && parseCountedUser(row)
    },
    async findByName(tenant, name) {
      const row = await rowsOf(db, tenant)
        .innerJoin('personNames', (join) => join.onRef('personNames.tenantId', '=', 'persons.tenantId').onRef('personId', '=', 'id'))
        .where('personNames.name', '=', name)
        .orderBy('rank')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      return row && parseDirectoryUserRow(row)
    },
    update: (tenant, id, change, terms) =>
      inTransaction(db, (db) =>
        compareAndSet(terms, {
          read: () => get(db, tenant, id),
          next: (person) => ({ ...person, ...change, version: person.version + 1, updatedAt: terms.at }),
          write: (next, { version }) => replaceDirectoryUser(db, tenant, next, version),
        }),
      ),
    remove: (tenant, id) =>
      inTransaction(db, async (db) => {
        await db.deleteFrom('personNames').where('tenantId', '=', tenant).where('personId', '=', id).execute()
        const removing = db.deleteFrom('persons').where('tenantId', '=', tenant).where('id', '=', id)
        return (await removing.executeTakeFirst()).numDeletedRows === 1n
      }),
  }
}

function rowOf(tenant: string, { isPrivileged, aliases, lastSeenAt, sources, ...rest }: DirectoryUser): PersonRow {
  const lists = { aliases: JSON.stringify(aliases), sources: JSON.stringify(sources) }
  return { ...rest, ...lists, tenantId: tenant, isPrivileged: Number(isPrivileged), lastSeenAt: lastSeenAt ?? 0 }
}

/** The ids of the directory users with some names; of several with the same name, the one with the best rank. */
async function findIds(db: Kysely<Tables>, tenant: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const part of splitIntoParts([...new Set(names)], limits.enrichment.soughtAtOnceMax)) {
    const rows = db.selectFrom('personNames').select(['name', 'personId']).where('tenantId', '=', tenant).where('name', 'in', part)
    for (const { name, personId } of await rows.orderBy('rank', 'desc').orderBy('personId', 'desc').execute()) found.set(name, personId)
  }
  return found
}

/** The sources of a user that no directory told of, as stored. */
const observedSources = JSON.stringify(['events'])

/** Keeps the users that events alone tell of within their bound. */
async function evict(db: Kysely<Tables>, tenant: string, observedMax: number): Promise<void> {
  const observed = db.selectFrom('persons').where('tenantId', '=', tenant).where('sources', '=', observedSources)
  const { count } = await observed.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  if (count <= observedMax) return
  const rows = await observed.select('id')
    .orderBy(sql`case when last_seen_at - created_at < ${limits.enrichment.probationMs} then 0 else 1 end`)
    .orderBy('lastSeenAt').orderBy('id').limit(count - observedMax).execute()
  for (const part of splitIntoParts(rows.map(({ id }) => id), limits.enrichment.soughtAtOnceMax)) {
    await db.deleteFrom('personNames').where('tenantId', '=', tenant).where('personId', 'in', part).execute()
    await db.deleteFrom('persons').where('tenantId', '=', tenant).where('id', 'in', part).execute()
  }
}

async function insertNames(db: Kysely<Tables>, tenant: string, persons: readonly DirectoryUser[]): Promise<void> {
  const rows = persons.flatMap((person) => listAllNames(person).map((name, rank) => ({ tenantId: tenant, name,
    personId: person.id, rank })))
  for (const part of splitIntoParts(rows, limits.enrichment.soughtAtOnceMax)) await db.insertInto('personNames').values(part).execute()
}

/** Returns whether it had the expected version, if one is given. */
async function replaceDirectoryUser(db: Kysely<Tables>, tenant: string, person: DirectoryUser, expectedVersion?: number): Promise<boolean> {
  let writing = db.updateTable('persons').set(rowOf(tenant, person)).where('tenantId', '=', tenant).where('id', '=', person.id)
  if (expectedVersion !== undefined) writing = writing.where('version', '=', expectedVersion)
  if ((await writing.executeTakeFirst()).numUpdatedRows !== 1n) return false
  await db.deleteFrom('personNames').where('tenantId', '=', tenant).where('personId', '=', person.id).execute()
  await insertNames(db, tenant, [person])
  return true
}
