import { mergeSubdomain } from '@tripline/model/enrichment/subdomain'
import type { Subdomain, SubdomainSighting } from '@tripline/model/enrichment/subdomain'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { limits } from '../../limits.ts'
import type { WithoutList } from '../../ports/list-query.ts'
import type { NewSubdomain, SubdomainStore } from '../../ports/enrichment/subdomain-store.ts'
import { parseSubdomainRow } from '../lists/subdomain-list.ts'
import { compareAndSet } from '../query/compare-and-set.ts'
import { inTransaction } from '../query/database.ts'
import { splitIntoParts, upsertAll } from '../query/upsert.ts'
import type { SubdomainRow } from '../rows/enrichment-tables.ts'
import type { Tables } from '../rows/tables.ts'

/** Stores the host names under the own domains of tenants. */
export function subdomainStore(db: Kysely<Tables>): WithoutList<SubdomainStore> {
  const rowsOf = (db: Kysely<Tables>, tenant: string) => db.selectFrom('subdomains').selectAll().where('tenantId', '=', tenant)
  const get = async (db: Kysely<Tables>, tenant: string, id: string) => {
    const row = await rowsOf(db, tenant).where('id', '=', id).executeTakeFirst()
    return row && parseSubdomainRow(row)
  }
  const find = async (db: Kysely<Tables>, tenant: string, names: readonly string[]): Promise<readonly Subdomain[]> => {
    const found: SubdomainRow[] = []
    for (const part of splitIntoParts(names, limits.enrichment.soughtAtOnceMax)) {
      found.push(...await rowsOf(db, tenant).where('name', 'in', part).execute())
    }
    return found.map(parseSubdomainRow)
  }
  const insert = async (db: Kysely<Tables>, tenant: string, subdomains: readonly Subdomain[]): Promise<void> => {
    for (const part of splitIntoParts(subdomains, limits.enrichment.rowsAtOnceMax)) {
      await db.insertInto('subdomains').values(part.map((subdomain) => rowOf(tenant, subdomain))).execute()
    }
  }
  const replace = async (db: Kysely<Tables>, tenant: string, subdomain: Subdomain): Promise<void> => {
    await db.updateTable('subdomains').set(rowOf(tenant, subdomain))
      .where('tenantId', '=', tenant).where('id', '=', subdomain.id).execute()
  }
  return {
    upsert: (tenant, stated, at) =>
      upsertAll<NewSubdomain, Subdomain>(db, stated, {
        keyOf: ({ name }) => name,
        make: ({ id, facts }) => ({ ...newSubdomain(id, at), ...facts }),
        merge: mergeSubdomain,
        nextVersion: (next) => ({ ...next, version: next.version + 1, updatedAt: at }),
        find: async (db, names) => (await find(db, tenant, names)).map((known) => [known.name, known]),
        insert: (db, subdomains) => insert(db, tenant, subdomains),
        replace: (db, subdomain) => replace(db, tenant, subdomain),
      }),
    observe: (tenant, sightings, { at, observedMax = limits.enrichment.observedMax }) => inTransaction(db, async (db) => {
      const known = new Map((await find(db, tenant, [...new Set(sightings.map(({ name }) => name))])).map((one) => [one.name, one]))
      const added = new Map<string, Subdomain>()
      const changed = new Map<string, Subdomain>()
      for (const sighting of sightings) {
        const { id, name } = sighting
        const before = changed.get(name) ?? known.get(name) ?? added.get(name)
        const after = mergeSighting(before ?? { ...newSubdomain(id, at), name }, sighting)
        ;(known.has(name) ? changed : added).set(name, after)
      }
      await insert(db, tenant, [...added.values()])
      for (const subdomain of changed.values()) await replace(db, tenant, subdomain)
      if (added.size > 0) await evict(db, tenant, observedMax)
    }),
    get: (tenant, id) => get(db, tenant, id),
    update: (tenant, id, change, terms) => inTransaction(db, (db) =>
      compareAndSet(terms, {
        read: () => get(db, tenant, id),
        next: (current) => ({ ...current, ...change, version: current.version + 1, updatedAt: terms.at }),
        write: async (next) => {
          await replace(db, tenant, next)
          return true
        },
      })),
    async remove(tenant, id) {
      const removing = db.deleteFrom('subdomains').where('tenantId', '=', tenant).where('id', '=', id)
      return (await removing.executeTakeFirst()).numDeletedRows === 1n
    },
  }
}

function newSubdomain(id: string, at: number): Subdomain {
  const unknown = { name: '', domain: '', ip: '', sources: [], firstSeenAt: undefined, lastSeenAt: undefined }
  return { id, ...unknown, version: 1, createdAt: at, updatedAt: at }
}

/** An older sighting does not bring back an older address. */
function mergeSighting(known: Subdomain, { domain, ip, source, at }: SubdomainSighting): Subdomain {
  const isOlder = known.lastSeenAt !== undefined && known.lastSeenAt > at
  return mergeSubdomain(known, {
    domain, sources: [source], firstSeenAt: at, lastSeenAt: at, ...(ip !== '' && (known.ip === '' || !isOlder) && { ip }),
  })
}

async function evict(db: Kysely<Tables>, tenant: string, observedMax: number): Promise<void> {
  const observed = db.selectFrom('subdomains').where('tenantId', '=', tenant).where('isImported', '=', 0)
  const { count } = await observed.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  if (count <= observedMax) return
  const evicted = observed.select('id')
    .orderBy(sql`case when last_seen_at - first_seen_at < ${limits.enrichment.probationMs} then 0 else 1 end`)
    .orderBy('lastSeenAt').orderBy('id').limit(count - observedMax)
  await db.deleteFrom('subdomains').where('tenantId', '=', tenant).where('id', 'in', evicted).execute()
}

function rowOf(tenant: string, { sources, firstSeenAt, lastSeenAt, ...subdomain }: Subdomain): SubdomainRow {
  return {
    ...subdomain, tenantId: tenant, sources: JSON.stringify(sources), isImported: Number(sources.includes('import')),
    firstSeenAt: firstSeenAt ?? 0, lastSeenAt: lastSeenAt ?? 0,
  }
}
