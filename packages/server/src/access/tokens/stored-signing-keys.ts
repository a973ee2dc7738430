import type { Runtime } from '@tripline/common/runtime'
import { readInstallationKeys, writeInstallationKeys } from '@tripline/state/installation-keys'
import { openSigningKeys, rotateSigningKeys } from './signing-keys.ts'
import type { SigningKeyRecord } from './signing-keys.ts'

/** The id of the key that signs after a rotation, and how many older ones still verify. */
export type SigningKeyRotation = { readonly keyId: string; readonly retiredCount: number }

/**
 * Rotates the signing keys in `keys.json`. A running server reads them within seconds; until the tokens that it signed before
 * have expired, the old key verifies them, so no session ends.
 *
 * @throws Error for a data directory without keys.
 */
export async function rotateStoredSigningKeys(dataDir: string, io: Pick<Runtime, 'now' | 'randomBytes'>): Promise<SigningKeyRotation> {
  const keys = await readInstallationKeys(dataDir)
  if (keys === undefined) throw new Error(`'${dataDir}' has no keys.json`)
  const { current, retired } = await rotateSigningKeys(await openSigningKeys(keys.signing), io)
  const signing = [...retired, current].map(({ seed, createdAt, retiredAt }) => ({ seed, createdAt, retiredAt }))
  await writeInstallationKeys(dataDir, { ...keys, signing })
  return { keyId: current.keyId, retiredCount: retired.length }
}

/** Has a server use the signing keys of its data directory: those that a command rotated, and those that are too old. */
export class SigningKeyWatch {
  readonly #options: SigningKeyWatchOptions
  #records: readonly SigningKeyRecord[]

  constructor(options: SigningKeyWatchOptions) {
    this.#options = options
    this.#records = options.records
  }

  /** Reads the keys, and uses them if they have changed. Call it every few seconds. */
  async check(): Promise<void> {
    const keys = await readInstallationKeys(this.#options.dataDir)
    if (keys === undefined || printRecords(keys.signing) === printRecords(this.#records)) return
    await this.#options.use(keys.signing)
    this.#records = keys.signing
  }

  /** When the key that signs was created. */
  get createdAt(): number {
    return Math.max(...this.#records.map(({ createdAt }) => createdAt))
  }
}

type SigningKeyWatchOptions = {
  readonly dataDir: string
  readonly records: readonly SigningKeyRecord[]
  readonly use: (records: readonly SigningKeyRecord[]) => Promise<void>
}

function printRecords(records: readonly SigningKeyRecord[]): string {
  return records.map(({ seed, retiredAt }) => `${Buffer.from(seed).toString('base64')} ${retiredAt}`).join('\n')
}
