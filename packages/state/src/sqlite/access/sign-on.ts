import { isJsonObject } from '@tripline/common/json'
import { isRole } from '@tripline/model/access/permission'
import { noSignOn, signOnProtocols } from '@tripline/model/access/sign-on'
import type { SignOn, SignOnTest } from '@tripline/model/access/sign-on'
import type { Kysely } from 'kysely'
import type { SignOnStore } from '../../ports/sign-on-store.ts'
import { inTransaction } from '../query/database.ts'
import { requireIntact, takeIntact } from '../query/row-checksums.ts'
import { parseTextList } from '../rows/stored-list.ts'
import type { SignOnRow, Tables } from '../rows/tables.ts'

/** Stores the identity provider of each tenant, with the domains that lead to it in a table of their own. */
export function signOnStore(db: Kysely<Tables>): SignOnStore {
  const find = async (domain: string) => {
    const finding = db.selectFrom('signOnDomains').selectAll().where('domain', '=', domain)
    return requireIntact('signOnDomains', await finding.executeTakeFirst())?.tenantId
  }
  return {
    async get(tenant) {
      const row = requireIntact('signOn', await db.selectFrom('signOn').selectAll().where('tenantId', '=', tenant).executeTakeFirst())
      if (row === undefined) return noSignOn
      const domains = db.selectFrom('signOnDomains').selectAll().where('tenantId', '=', tenant).orderBy('domain')
      return parseSignOnRow(row, takeIntact('signOnDomains', await domains.execute()).map(({ domain }) => domain))
    },
    findTenant: find,
    async isAnyEnabled() {
      const row = await db.selectFrom('signOn').selectAll().where('isEnabled', '=', 1).limit(1).executeTakeFirst()
      return requireIntact('signOn', row) !== undefined
    },
    put: (tenantId, signOn, { expectedVersion, at }) =>
      inTransaction(db, async (db) => {
        const current = await signOnStore(db).get(tenantId)
        if (expectedVersion !== undefined && expectedVersion !== current.version) return { outcome: 'stale', version: current.version }
        for (const domain of signOn.emailDomains) {
          const holder = await signOnStore(db).findTenant(domain)
          if (holder !== undefined && holder !== tenantId) return { outcome: 'taken' }
        }
        const next: SignOn = { ...signOn, version: current.version + 1 }
        const row = rowOf(tenantId, next, at)
        await db.insertInto('signOn').values(row).onConflict((conflict) => conflict.column('tenantId').doUpdateSet(row)).execute()
        await db.deleteFrom('signOnDomains').where('tenantId', '=', tenantId).execute()
        const domains = signOn.emailDomains.map((domain) => ({ domain, tenantId }))
        if (domains.length > 0) await db.insertInto('signOnDomains').values(domains).execute()
        return { outcome: 'changed', value: next }
      }),
    useAssertion: (tenantId, assertion, at) =>
      inTransaction(db, async (db) => {
        await db.deleteFrom('usedAssertions').where('tenantId', '=', tenantId).where('expiresAt', '<=', at).execute()
        const inserting = db.insertInto('usedAssertions').values({ tenantId, ...assertion }).onConflict((conflict) => conflict.doNothing())
        return (await inserting.executeTakeFirst()).numInsertedOrUpdatedRows === 1n
      }),
  }
}

function parseSignOnRow(row: SignOnRow, emailDomains: readonly string[]): SignOn {
  const { issuer, clientId, clientSecret, loginUrl, breakGlassUserId, version } = row
  return {
    issuer, clientId, clientSecret, loginUrl, version, emailDomains,
    protocol: signOnProtocols.find((known) => known === row.protocol) ?? 'oidc',
    isEnabled: row.isEnabled === 1,
    isEnforced: row.isEnforced === 1,
    scopes: parseTextList(row.scopes),
    certificates: parseTextList(row.certificates),
    breakGlassUserId: breakGlassUserId === '' ? undefined : breakGlassUserId,
    lastTest: row.lastTest === '' ? undefined : parseTest(JSON.parse(row.lastTest)),
  }
}

function parseTest(value: unknown): SignOnTest | undefined {
  if (!isJsonObject(value) || typeof value['at'] !== 'number') return undefined
  const { at, problem, email, name, roles, claims } = value
  const known = Array.isArray(roles) ? roles.filter(isRole).filter((role) => role !== 'operator') : []
  const texts = { problem: readText(problem), email: readText(email), name: readText(name) }
  return { at, ...texts, roles: known, claims: isJsonObject(claims) ? claims : {} }
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function rowOf(tenantId: string, signOn: SignOn, updatedAt: number): SignOnRow {
  const { protocol, issuer, clientId, clientSecret, scopes, loginUrl, certificates, breakGlassUserId = '', lastTest, version } = signOn
  return {
    tenantId, protocol, issuer, clientId, clientSecret, loginUrl, breakGlassUserId, version, updatedAt,
    isEnabled: Number(signOn.isEnabled), isEnforced: Number(signOn.isEnforced), scopes: JSON.stringify(scopes),
    certificates: JSON.stringify(certificates),
    lastTest: lastTest === undefined ? '' : JSON.stringify(lastTest),
  }
}
