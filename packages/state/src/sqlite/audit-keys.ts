import { openSecretBox } from '@tripline/model/access/secret-box'
import { erasedText } from '@tripline/model/compliance/erasure'
import type { Kysely } from 'kysely'
import { createHmac, randomBytes } from 'node:crypto'
import { limits } from '../limits.ts'
import type { AuditEntryRow, AuditKeyRow } from './rows/audit-tables.ts'
import type { Tables } from './rows/tables.ts'

// Crypto-shredding: each text of a trail that may name a person is encrypted with a key of its own, derived from the
// installation's audit key and a random salt in the database. An erasure overwrites the salts of the texts that name the
// person. The hash of an entry covers the encrypted text, so the chain still verifies.

/** The trail of a tenant, and the installation's key of trails. */
export type KeyPlace = { readonly tenant: string; readonly auditKey: Uint8Array }

const mark = 'a2.'
const [idBytes, saltBytes] = [9, 32]
/** The id of the key in an encrypted text. */
const textPattern = /^a2\.([\w-]{12})\.(.+)$/
const keyIdPattern = /a2\.([\w-]{12})\./g
/** Marks a salt, so that a scan of the database's bytes finds those that are left. */
const saltMark = 'k1.'
export const saltPattern = /k1\.[\w-]{43}/g

/** The label of a text under which entries find its key; the text cannot be computed from it without the installation's key. */
export function labelText({ tenant, auditKey }: KeyPlace, value: unknown, owner: string): string {
  return sign(auditKey, ['audit label 1', tenant, owner, value])
}

/** Takes the keys of texts for the next entry, by label; creates those that do not exist. */
export async function takeKeys(
  db: Kysely<Tables>, place: KeyPlace, seq: number, labels: readonly string[],
): Promise<ReadonlyMap<string, AuditKeyRow>> {
  if (labels.length === 0) return new Map()
  const { tenant } = place
  const epoch = getKeyEpoch(seq)
  const selecting = db.selectFrom('auditKeys').selectAll().where('tenantId', '=', tenant).where('epoch', '=', epoch)
  const keys = new Map((await selecting.where('label', 'in', labels).execute()).map((row) => [row.label, row]))
  const created = labels.filter((label) => !keys.has(label)).map((label) => createKey(place, epoch, label))
  if (created.length > 0) await db.insertInto('auditKeys').values(created).execute()
  for (const row of created) keys.set(row.label, row)
  return keys
}

/** The keys that rows of the trail refer to, by id. Entries in the clear have none, whatever their texts look like. */
export async function readKeys(
  db: Kysely<Tables>, tenant: string, rows: readonly Pick<AuditEntryRow, SealedColumn | 'version'>[],
): Promise<ReadonlyMap<string, AuditKeyRow>> {
  const ids = [...new Set(rows.flatMap((row) => (row.version === 1 ? [] : listKeyIds(row))))]
  const keys = new Map<string, AuditKeyRow>()
  for (let from = 0; from < ids.length; from += limits.state.auditPageMax) {
    const selecting = db.selectFrom('auditKeys').selectAll().where('tenantId', '=', tenant)
    const found = await selecting.where('id', 'in', ids.slice(from, from + limits.state.auditPageMax)).execute()
    for (const row of found) keys.set(row.id, row)
  }
  return keys
}

type SealedColumn = 'actorEmail' | 'ip' | 'userAgent' | 'requestId' | 'diff'

/** The ids of the keys that an entry refers to. */
export function listKeyIds({ actorEmail, ip, userAgent, requestId, diff }: Pick<AuditEntryRow, SealedColumn>): readonly string[] {
  return [actorEmail, ip, userAgent, requestId, diff].flatMap((text) => [...(text ?? '').matchAll(keyIdPattern)].map(([, id]) => id!))
}

export function sealText(place: KeyPlace, key: AuditKeyRow, value: unknown): string {
  return `${mark}${key.id}.${openBox(place, key).seal(contextOf(place, key.id), JSON.stringify(value))}`
}

/** Decrypts a text; `[erased]` where its key was destroyed. What is not encrypted is returned as it is. */
export function openText(place: KeyPlace, keys: ReadonlyMap<string, AuditKeyRow>, value: unknown): unknown {
  const [, id = '', sealed = ''] = (typeof value === 'string' ? textPattern.exec(value) : null) ?? []
  if (id === '') return value
  const key = keys.get(id)
  if (key === undefined || key.salt === '') return erasedText
  return JSON.parse(openBox(place, key).open(contextOf(place, id), sealed))
}

/** Whether the server wrote or destroyed a key: a text must not be lost by a change from outside. */
export function isKeySealed(place: KeyPlace, key: AuditKeyRow): boolean {
  return key.seal === sealKey(place, key)
}

/** What is left of a key: that the server destroyed it. */
export function destroyKey(place: KeyPlace, { id, epoch }: AuditKeyRow): Pick<AuditKeyRow, 'label' | 'salt' | 'seal'> {
  return { label: `destroyed ${id}`, salt: '', seal: sealKey(place, { id, epoch, salt: '' }) }
}

/** Which entries share keys. */
export function getKeyEpoch(seq: number): number {
  return Math.floor(seq / limits.state.auditKeyEntries)
}

function createKey(place: KeyPlace, epoch: number, label: string): AuditKeyRow {
  const id = randomBytes(idBytes).toString('base64url')
  const salt = `${saltMark}${randomBytes(saltBytes).toString('base64url')}`
  return { tenantId: place.tenant, id, epoch, label, salt, seal: sealKey(place, { id, epoch, salt }) }
}

function sealKey({ tenant, auditKey }: KeyPlace, { id, epoch, salt }: Pick<AuditKeyRow, 'id' | 'epoch' | 'salt'>): string {
  return sign(auditKey, ['audit key 1', tenant, id, epoch, salt])
}

function openBox({ tenant, auditKey }: KeyPlace, { id, salt }: AuditKeyRow) {
  return openSecretBox(createHmac('sha256', auditKey).update(JSON.stringify(['audit text key 1', tenant, id, salt])).digest(), randomBytes)
}

function contextOf({ tenant }: KeyPlace, key: string) {
  return { tenant, owner: 'audit trail', key }
}

function sign(key: Uint8Array, values: readonly unknown[]): string {
  return createHmac('sha256', key).update(JSON.stringify(values)).digest('base64url')
}
