import { sealAuditTrail } from '@tripline/model/audit'
import { existsSync } from 'node:fs'
import { isCorruptionError } from './check-database.ts'
import { getStateFile } from './data-dir.ts'
import { parseInstallationKeys, readInstallationKeys, writeInstallationKeys } from './installation-keys.ts'
import type { InstallationKeys } from './installation-keys.ts'
import { openReadOnly } from './sqlite/query/open-read-only.ts'

/** The keys of an installation are missing beside its state, or belong to another one. */
export class ForeignKeysError extends Error {
  override readonly name = 'ForeignKeysError'
}

const remedy = "restore keys.json from a backup, or with 'tripline admin installation-keys import'"

/**
 * Checks that a data directory with a state has the keys of that state; writes nothing. New keys would end all sessions and API
 * keys, leave sealed secrets unreadable and every audit trail unproven.
 *
 * @throws ForeignKeysError if they are missing, or no audit trail is sealed under them.
 */
export async function checkInstallationKeys(dataDir: string): Promise<void> {
  if (!existsSync(getStateFile(dataDir))) return
  const keys = await readInstallationKeys(dataDir)
  if (keys === undefined) throw new ForeignKeysError(`'${dataDir}' has a state but no keys.json; ${remedy}`)
  if (isSealedUnder(getStateFile(dataDir), keys)) return
  throw new ForeignKeysError(`the keys.json in '${dataDir}' is of another state; ${remedy}`)
}

/**
 * Writes keys, as `keys.json` has them, into a data directory.
 *
 * @throws ForeignKeysError for keys of another state, and where other keys would be replaced that may still be needed.
 */
export async function importInstallationKeys(dataDir: string, text: string): Promise<void> {
  const keys = parseInstallationKeys('the file', text)
  const hasState = existsSync(getStateFile(dataDir))
  if (hasState && !isSealedUnder(getStateFile(dataDir), keys)) {
    throw new ForeignKeysError(`the keys are not those of the state in '${dataDir}'`)
  }
  if (!hasState && await readInstallationKeys(dataDir) !== undefined) {
    throw new ForeignKeysError(`'${dataDir}' has keys and no state to compare with; remove its keys.json first`)
  }
  await writeInstallationKeys(dataDir, keys)
}

/** Whether the end of any audit trail is sealed under the keys, or there is none. A corrupted database is reported by who opens it. */
function isSealedUnder(path: string, { audit }: InstallationKeys): boolean {
  const database = openReadOnly(path)
  try {
    if (database.prepare("select 1 from sqlite_schema where name = 'audit_ends'").get() === undefined) return true
    const rows = database.prepare('select tenant_id, first_seq, first_hash, last_seq, last_hash, seal from audit_ends').all()
    return rows.length === 0 || rows.some((row) => {
      const ends = {
        first: { seq: Number(row['first_seq']), hash: String(row['first_hash']) },
        last: { seq: Number(row['last_seq']), hash: String(row['last_hash']) },
      }
      return sealAuditTrail(audit, String(row['tenant_id']), ends) === row['seal']
    })
  } catch (error) {
    if (isCorruptionError(error)) return true
    throw error
  } finally {
    database.close()
  }
}
