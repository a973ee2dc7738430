import { auditOrigin, hashAuditEntry, sealAuditTrail } from '@tripline/model/audit'
import type { AuditEnds, AuditEntry, AuditFacts, AuditPoint } from '@tripline/model/audit'
import type { Kysely } from 'kysely'
import { timingSafeEqual } from 'node:crypto'
import type { AuditStore } from '../ports/audit-store.ts'
import type { WithoutList } from '../ports/list-query.ts'
import { checkTrail } from './audit-check.ts'
import type { StoredEnds, StoredTrail } from './audit-check.ts'
import { getKeyEpoch, labelText, readKeys, sealText, takeKeys } from './audit-keys.ts'
import { mapAuditTexts } from './audit-texts.ts'
import type { AuditTexts, TextOwner } from './audit-texts.ts'
import { inTransaction } from './query/database.ts'
import type { AuditEntryRow } from './rows/audit-tables.ts'
import type { Tables } from './rows/tables.ts'

/** The version of entries whose texts are encrypted. */
const sealedVersion = 2

/** What entries lack in a database of a release before texts were encrypted, which `verify` reads as it is. */
const inTheClear: Partial<AuditEntryRow> = { version: 1, attestation: null }

/** Stores the audit trails of tenants, sealed under `key`. */
export function auditStore(db: Kysely<Tables>, key: Uint8Array): WithoutList<AuditStore> {
  return {
    append: (tenant, facts) => inTransaction(db, (db) => append(db, key, tenant, facts)),
    verify: (tenant, anchor) =>
      checkTrail(storedTrail(db, key, tenant, anchor), (check) =>
        inTransaction(db, (db) => check(storedTrail(db, key, tenant, anchor))),
      ),
    removeOld: (tenant, before) => inTransaction(db, (db) => removeOld(db, key, tenant, before)),
  }
}

function storedTrail(db: Kysely<Tables>, key: Uint8Array, tenant: string, anchor: AuditPoint | undefined): StoredTrail {
  return {
    tenant,
    key,
    anchor,
    ends: () => readEnds(db, key, tenant),
    rowsAfter: async (seq, limit) => {
      const selecting = db.selectFrom('auditEntries').selectAll().where('tenantId', '=', tenant).where('seq', '>', seq)
      const rows = await selecting.orderBy('seq').limit(limit).execute()
      return rows.map((row): AuditEntryRow => ({ ...inTheClear, ...row }))
    },
    keysOf: (rows) => readKeys(db, tenant, rows),
  }
}

/** Creates the empty trail of a new tenant, in the transaction that creates the tenant. */
export async function openTrail(db: Kysely<Tables>, key: Uint8Array, tenant: string): Promise<void> {
  await db.insertInto('auditEnds').values(toEndsRow(key, tenant, { first: auditOrigin, last: auditOrigin })).execute()
}

async function append(db: Kysely<Tables>, key: Uint8Array, tenant: string, facts: AuditFacts): Promise<AuditEntry> {
  await lockEnds(db, tenant)
  const { ends, isSealed } = await readEnds(db, key, tenant)
  // A new seal would hide the tampering.
  if (!isSealed) throw new Error(`the audit trail of tenant '${tenant}' was modified from outside; no entry is appended`)
  const seq = ends.last.seq + 1
  const prevHash = ends.last.hash
  const { actor, target, at, action, outcome } = facts
  const { email, ip, userAgent, requestId, diff } = await sealTexts(db, key, { tenant, seq, facts })
  const version = sealedVersion
  const stored = { ip, userAgent, requestId, diff: diff && JSON.stringify(diff) }
  const hash = hashAuditEntry(tenant, { ...facts, actor: { ...actor, email }, ...stored, version, seq, prevHash })
  const who = { actorType: actor.type, actorId: actor.id, actorEmail: email ?? null }
  const what = { at, action, targetType: target.type, targetId: target.id, outcome, diff: stored.diff ?? null }
  const from = { ip: ip ?? null, userAgent: userAgent ?? null, requestId: requestId ?? null }
  await db.insertInto('auditEntries').values({
    tenantId: tenant, seq, ...who, ...what, ...from, prevHash, hash, version, attestation: null,
  }).execute()
  await writeEnds(db, key, tenant, { first: ends.first, last: { seq, hash } })
  return { ...facts, seq, prevHash, hash }
}

type NewEntry = { readonly tenant: string; readonly seq: number; readonly facts: AuditFacts }

/** Encrypts what may name a person. Texts of an actor have keys of their own: an address may be that of several. */
async function sealTexts(db: Kysely<Tables>, auditKey: Uint8Array, { tenant, seq, facts }: NewEntry): Promise<AuditTexts> {
  const { actor, ip, userAgent, requestId, diff } = facts
  const texts = { email: actor.email, ip, userAgent, requestId, diff }
  const place = { tenant, auditKey }
  const owners = { actor: `${actor.type} ${actor.id}`, entry: '' }
  const labelOf = (value: unknown, owner: TextOwner): string => labelText(place, value, owners[owner])
  const labels = new Set<string>()
  mapAuditTexts(texts, (value, owner) => labels.add(labelOf(value, owner)))
  const keys = await takeKeys(db, place, seq, [...labels])
  return mapAuditTexts(texts, (value, owner) => sealText(place, keys.get(labelOf(value, owner))!, value))
}

async function removeOld(db: Kysely<Tables>, key: Uint8Array, tenant: string, before: number): Promise<number> {
  await lockEnds(db, tenant)
  const { ends, isSealed } = await readEnds(db, key, tenant)
  if (!isSealed) throw new Error(`the audit trail of tenant '${tenant}' was modified from outside; no entry is removed`)
  const entries = db.selectFrom('auditEntries').where('tenantId', '=', tenant)
  const kept = await entries.select((eb) => eb.fn.min('seq').as('seq')).where('at', '>=', before).executeTakeFirst()
  // If no entry is young enough, all are removed.
  const keptSeq = kept?.seq ?? ends.last.seq + 1
  const last = await entries.select(['seq', 'hash']).where('seq', '<', keptSeq).orderBy('seq', 'desc').limit(1).executeTakeFirst()
  if (last === undefined) return 0
  const removing = db.deleteFrom('auditEntries').where('tenantId', '=', tenant).where('seq', '<=', last.seq)
  const { numDeletedRows } = await removing.executeTakeFirst()
  await db.deleteFrom('auditKeys').where('tenantId', '=', tenant).where('epoch', '<', getKeyEpoch(last.seq + 1)).execute()
  await writeEnds(db, key, tenant, { first: last, last: ends.last })
  return Number(numDeletedRows)
}

/** Locks the ends, so that entries are appended one at a time on any database. */
async function lockEnds(db: Kysely<Tables>, tenantId: string): Promise<void> {
  await db.updateTable('auditEnds').set({ tenantId }).where('tenantId', '=', tenantId).execute()
}

/** Every tenant has a row; a missing one was removed from outside. */
async function readEnds(db: Kysely<Tables>, key: Uint8Array, tenant: string): Promise<StoredEnds> {
  const row = await db.selectFrom('auditEnds').selectAll().where('tenantId', '=', tenant).executeTakeFirst()
  if (row === undefined) return { ends: { first: auditOrigin, last: auditOrigin }, isSealed: false }
  const ends = { first: { seq: row.firstSeq, hash: row.firstHash }, last: { seq: row.lastSeq, hash: row.lastHash } }
  const expected = Buffer.from(sealAuditTrail(key, tenant, ends))
  const actual = Buffer.from(row.seal)
  return { ends, isSealed: actual.length === expected.length && timingSafeEqual(actual, expected) }
}

async function writeEnds(db: Kysely<Tables>, key: Uint8Array, tenant: string, ends: AuditEnds): Promise<void> {
  await db.updateTable('auditEnds').set(toEndsRow(key, tenant, ends)).where('tenantId', '=', tenant).execute()
}

function toEndsRow(key: Uint8Array, tenantId: string, ends: AuditEnds): Tables['auditEnds'] {
  const { first, last } = ends
  const seal = sealAuditTrail(key, tenantId, ends)
  return { tenantId, firstSeq: first.seq, firstHash: first.hash, lastSeq: last.seq, lastHash: last.hash, seal }
}
