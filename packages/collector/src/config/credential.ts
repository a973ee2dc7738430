import { getErrorCode } from '@tripline/common/error-code'
import { isJsonObject, tryParseJson } from '@tripline/common/json'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'

/** What the server gave at enrolment. */
export type Credential = { readonly collectorId: string; readonly credential: string }

const fileName = 'credential.json'

/** Reads the credential; undefined before the collector was enrolled. */
export async function readCredential(dataDir: string): Promise<Credential | undefined> {
  try {
    const parsed = tryParseJson(await readFile(join(dataDir, fileName), 'utf8'))
    const { collector_id: collectorId, credential } = 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : {}
    return typeof collectorId === 'string' && typeof credential === 'string' ? { collectorId, credential } : undefined
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Writes the credential so that its owner alone can read it. */
export async function writeCredential(dataDir: string, { collectorId, credential }: Credential): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, fileName)
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify({ collector_id: collectorId, credential })}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}
