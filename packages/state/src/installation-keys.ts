import { isJsonObject } from '@tripline/common/json'
import { open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * The secrets of an installation: they allow impersonating any user. They are kept apart from the database that they
 * protect.
 */
export type InstallationKeys = {
  /** The seeds of token signing keys with their times; exactly one is not retired. */
  readonly signing: readonly { readonly seed: Uint8Array; readonly createdAt: number; readonly retiredAt: number | undefined }[]
  /** 32 bytes each: for refresh tokens, cursors, audit seals, and encryption of secrets at rest. */
  readonly refresh: Uint8Array
  readonly cursor: Uint8Array
  readonly audit: Uint8Array
  readonly box: Uint8Array
}

const secretNames = ['refresh', 'cursor', 'audit', 'box'] as const
const secretLength = 32

/** Reads the keys of a data directory, or creates them in a file that only its owner can read. */
export async function openInstallationKeys(dataDir: string, world: KeyGenerationDeps): Promise<InstallationKeys> {
  const known = await readInstallationKeys(dataDir)
  if (known !== undefined) return known
  const keys = newInstallationKeys(world)
  await writeInstallationKeys(dataDir, keys)
  return keys
}

/** Reads the keys of a data directory; undefined if there are none. */
export async function readInstallationKeys(dataDir: string): Promise<InstallationKeys | undefined> {
  const path = getKeysPath(dataDir)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : parseInstallationKeys(path, text)
}

function getKeysPath(dataDir: string): string {
  return join(dataDir, 'keys.json')
}

/** Generates new keys. */
export function newInstallationKeys({ now, randomBytes }: KeyGenerationDeps): InstallationKeys {
  const secret = () => randomBytes(secretLength)
  const signing = [{ seed: secret(), createdAt: now(), retiredAt: undefined }]
  return { signing, refresh: secret(), cursor: secret(), audit: secret(), box: secret() }
}

type KeyGenerationDeps = { readonly now: () => number; readonly randomBytes: (count: number) => Uint8Array }

/** Writes the keys of a data directory: a temporary file that is renamed, for a partial file would lock all users out. */
export async function writeInstallationKeys(dataDir: string, { signing, ...secrets }: InstallationKeys): Promise<void> {
  const path = getKeysPath(dataDir)
  const printed = {
    signing: signing.map(({ seed, createdAt, retiredAt = null }) => {
      return { seed: base64url(seed), created_at: createdAt, retired_at: retiredAt }
    }),
    ...Object.fromEntries(secretNames.map((name) => [name, base64url(secrets[name])])),
  }
  const draft = `${path}.new`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(printed, undefined, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/**
 * Parses the text of `keys.json`.
 *
 * @throws Error, with `path` in its message, for a text that holds no keys.
 */
export function parseInstallationKeys(path: string, text: string): InstallationKeys {
  const parsed: unknown = JSON.parse(text)
  if (!isJsonObject(parsed) || !Array.isArray(parsed['signing'])) throw new Error(`'${path}' does not hold the keys of an installation`)
  const secretNamed = (holder: { readonly [name: string]: unknown }, name: string): Uint8Array => {
    const value = holder[name]
    const bytes = Buffer.from(typeof value === 'string' ? value : '', 'base64url')
    if (bytes.length === secretLength) return bytes
    throw new Error(`'${name}' in '${path}' is not ${secretLength} bytes in base64url`)
  }
  const signing = parsed['signing'].map((record: unknown) => {
    if (!isJsonObject(record) || typeof record['created_at'] !== 'number') throw new Error(`a signing key in '${path}' has no 'created_at'`)
    const retiredAt = typeof record['retired_at'] === 'number' ? record['retired_at'] : undefined
    return { seed: secretNamed(record, 'seed'), createdAt: record['created_at'], retiredAt }
  })
  const [refresh, cursor, audit, box] = secretNames.map((name) => secretNamed(parsed, name))
  return { signing, refresh: refresh!, cursor: cursor!, audit: audit!, box: box! }
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
