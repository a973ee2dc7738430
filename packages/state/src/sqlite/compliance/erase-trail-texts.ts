import { attestErasedEntry } from '@tripline/model/audit'
import type { SubjectText } from '@tripline/model/compliance/erasure'
import type { Kysely } from 'kysely'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import { hashRow } from '../audit-check.ts'
import { destroyKey, listKeyIds, openText, readKeys, saltPattern } from '../audit-keys.ts'
import type { KeyPlace } from '../audit-keys.ts'
import { inTransaction } from '../query/database.ts'
import type { AuditEntryRow, AuditKeyRow } from '../rows/audit-tables.ts'
import type { Tables } from '../rows/tables.ts'

type TrailErasure = {
  /** Keys that were destroyed, and entries in the clear that were changed. */
  readonly rowCount: number
  /** The salts of the destroyed keys, which must not be left in the bytes of the database. */
  readonly salts: ReadonlySet<string>
}

/**
 * Destroys the keys of a trail's texts that name a person, and of the addresses of entries whose actor they are. Entries of
 * before texts were encrypted are changed and attested, since their hash covers the text itself.
 */
export async function eraseTrailTexts(
  db: Kysely<Tables>, place: KeyPlace & { readonly subject: SubjectText },
): Promise<TrailErasure> {
  const { tenant, subject } = place
  // A key has one text, so each is decrypted once.
  const verdicts = new Map<string, boolean>()
  const salts = new Set<string>()
  let rowCount = 0
  for (let after = -1; ;) {
    const selecting = db.selectFrom('auditEntries').selectAll().where('tenantId', '=', tenant).where('seq', '>', after)
    const rows = await selecting.orderBy('seq').limit(limits.erasure.rowsAtOnce).execute()
    const last = rows.at(-1)
    if (last === undefined) return { rowCount, salts }
    after = last.seq
    const keys = await readKeys(db, tenant, rows)
    const isNamed = (value: unknown): boolean => subject.isInEvent(JSON.stringify(value))
    for (const row of rows.filter(({ version }) => version !== 1)) judgeTexts(row, { place, keys, isNamed, verdicts })
    const destroyed = [...keys.values()].filter(({ id, salt }) => salt !== '' && verdicts.get(id) === true)
    for (const { salt } of destroyed) salts.add(salt)
    const changed = rows.flatMap((row) => (row.version === 1 ? eraseInClear(place, row, subject) : []))
    rowCount += destroyed.length + changed.length
    if (destroyed.length + changed.length > 0) await inTransaction(db, (db) => write(db, place, destroyed, changed))
    await yieldToOthers()
  }
}

/** Whether bytes of the database hold one of these salts. */
export function holdsSalt(text: string, salts: ReadonlySet<string>): boolean {
  return salts.size > 0 && [...text.matchAll(saltPattern)].some(([salt]) => salts.has(salt))
}

type Judgement = {
  readonly place: KeyPlace
  readonly keys: ReadonlyMap<string, AuditKeyRow>
  readonly isNamed: (value: unknown) => boolean
  readonly verdicts: Map<string, boolean>
}

const noTexts = { actorEmail: null, ip: null, userAgent: null, requestId: null, diff: null }

/** Notes which keys of an entry have a text that names the person, or that is of the person as its actor. */
function judgeTexts(row: AuditEntryRow, { place, keys, isNamed, verdicts }: Judgement): void {
  const open = (text: string | null): unknown => openText(place, keys, text)
  const ofActor = [row.actorEmail, row.ip, row.userAgent, row.requestId]
  const isActor = isNamed(row.actorId) || isNamed(open(row.actorEmail))
  for (const text of [...ofActor, ...listTexts(row.diff)]) {
    for (const id of listKeyIds({ ...noTexts, diff: text })) {
      if (verdicts.get(id) === true) continue
      if (isActor && ofActor.includes(text)) verdicts.set(id, true)
      else if (!verdicts.has(id)) verdicts.set(id, isNamed(open(text)))
    }
  }
}

/** The texts of a stored diff: its members, and those of its lists. */
function listTexts(diff: string | null): readonly string[] {
  const members: unknown[] = diff === null ? [] : Object.values(JSON.parse(diff) as object)
  return members.flat().filter((value) => typeof value === 'string')
}

/** The entry without the person's texts, if it has any. */
function eraseInClear({ tenant, auditKey }: KeyPlace, row: AuditEntryRow, subject: SubjectText): readonly AuditEntryRow[] {
  const erase = (text: string | null): string | null => text && subject.replaceIn(text)
  const isActor = subject.isIn(row.actorId) || subject.isIn(row.actorEmail ?? '')
  const circumstance = (text: string | null): string | null => (isActor ? null : erase(text))
  const erased: AuditEntryRow = {
    ...row, actorId: subject.replaceIn(row.actorId), actorEmail: erase(row.actorEmail), targetId: subject.replaceIn(row.targetId),
    ip: circumstance(row.ip), userAgent: circumstance(row.userAgent), requestId: erase(row.requestId), diff: erase(row.diff),
  }
  const contentHash = hashRow(tenant, erased)
  return contentHash === hashRow(tenant, row) ? [] : [{ ...erased, attestation: attestErasedEntry(auditKey, row.hash, contentHash) }]
}

async function write(
  db: Kysely<Tables>, place: KeyPlace, destroyed: readonly AuditKeyRow[], changed: readonly AuditEntryRow[],
): Promise<void> {
  const { tenant } = place
  for (const key of destroyed) {
    await db.updateTable('auditKeys').set(destroyKey(place, key)).where('tenantId', '=', tenant).where('id', '=', key.id).execute()
  }
  for (const { tenantId: _tenant, seq, ...row } of changed) {
    await db.updateTable('auditEntries').set(row).where('tenantId', '=', tenant).where('seq', '=', seq).execute()
  }
}
