import { isJsonObject, tryParseJson } from '@tripline/common/json'
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { BackupError } from './blob-store.ts'
import type { BlobStore } from './blob-store.ts'
import { limits } from './limits.ts'

/** What opens a repository: a passphrase, or an identity of age (`AGE-SECRET-KEY-1...`). */
export type BackupSecret = { readonly kind: 'passphrase' | 'age'; readonly text: string }

const configName = 'repository.json'
const keyLength = 32
const version = 1
const nonceLength = 12
const tagLength = 16

/** Opens the key of a repository, or creates both. */
export async function openRepositoryKey(
  store: BlobStore, secret: BackupSecret, { creates }: { readonly creates: boolean },
): Promise<RepositoryKey> {
  const config = await store.get(configName)
  if (config !== undefined) return new RepositoryKey(await unwrapKey(store, config.toString('utf8'), secret))
  if (!creates) throw new BackupError(`'${store.name}' holds no backups`)
  const key = randomBytes(keyLength)
  const created = { format: 'tripline-backup', version: 1, ...await wrapKey(key, secret) }
  await store.put(configName, Buffer.from(`${JSON.stringify(created, undefined, 2)}\n`))
  return new RepositoryKey(key)
}

/**
 * The keys of a repository, derived from one random key that the secret wraps. Objects are compressed, then sealed with
 * AES-256-GCM under their name, so none can stand for another; names of chunks are a keyed hash of their content.
 */
export class RepositoryKey {
  readonly #sealKey: Buffer
  readonly #nameKey: Buffer

  constructor(key: Uint8Array) {
    const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `tripline-backup ${purpose}`, keyLength))
    this.#sealKey = derive('seal')
    this.#nameKey = derive('name')
  }

  /** The name of a chunk: equal content has equal names. */
  hash(bytes: Uint8Array): string {
    return createHmac('sha256', this.#nameKey).update(bytes).digest('hex')
  }

  seal(name: string, bytes: Uint8Array): Buffer {
    const packed = zstdCompressSync(bytes)
    const isPacked = packed.length < bytes.length
    const nonce = randomBytes(nonceLength)
    const head = Buffer.from([version, isPacked ? 1 : 0])
    const cipher = createCipheriv('aes-256-gcm', this.#sealKey, nonce)
    cipher.setAAD(Buffer.concat([head, Buffer.from(name, 'utf8')]))
    const sealed = Buffer.concat([cipher.update(isPacked ? packed : bytes), cipher.final()])
    return Buffer.concat([head, nonce, sealed, cipher.getAuthTag()])
  }

  /** Opens a sealed object; undefined for one that was changed. */
  open(name: string, sealed: Buffer): Buffer | undefined {
    if (sealed.length < 2 + nonceLength + tagLength || sealed[0] !== version) return undefined
    const decipher = createDecipheriv('aes-256-gcm', this.#sealKey, sealed.subarray(2, 2 + nonceLength))
    decipher.setAAD(Buffer.concat([sealed.subarray(0, 2), Buffer.from(name, 'utf8')]))
    decipher.setAuthTag(sealed.subarray(-tagLength))
    try {
      const bytes = Buffer.concat([decipher.update(sealed.subarray(2 + nonceLength, -tagLength)), decipher.final()])
      return sealed[1] === 1 ? zstdDecompressSync(bytes) : bytes
    } catch {
      // GCM tells no more than that the bytes are not those that were sealed.
      return undefined
    }
  }
}

async function wrapKey(key: Uint8Array, secret: BackupSecret): Promise<object> {
  if (secret.kind === 'age') {
    const { armor, Encrypter, identityToRecipient } = await import('age-encryption')
    const encrypter = new Encrypter()
    encrypter.addRecipient(await identityToRecipient(secret.text))
    return { age: armor.encode(await encrypter.encrypt(key)) }
  }
  checkPassphrase(secret.text)
  const salt = randomBytes(16)
  const { scryptCost: cost } = limits.backup
  const wrapped = new RepositoryKey(await deriveKey(secret.text, salt, cost)).seal(configName, key)
  return { scrypt: { cost, salt: salt.toString('base64') }, key: wrapped.toString('base64') }
}

async function unwrapKey(store: BlobStore, text: string, secret: BackupSecret): Promise<Uint8Array> {
  const config = parseConfig(store, text)
  if ('age' in config) {
    if (secret.kind !== 'age') {
      throw new BackupError(`the backups in '${store.name}' are sealed for an age identity; name it with --age-identity`)
    }
    // Loaded where it is used: a start without such a repository goes without.
    const { armor, Decrypter } = await import('age-encryption')
    const decrypter = new Decrypter()
    try {
      decrypter.addIdentity(secret.text)
      return await decrypter.decrypt(armor.decode(config.age))
    } catch (error) {
      throw new BackupError(`the age identity does not open the backups in '${store.name}'`, { cause: error })
    }
  }
  if (secret.kind !== 'passphrase') {
    throw new BackupError(`the backups in '${store.name}' have a passphrase; name its file with --passphrase-file`)
  }
  const key = new RepositoryKey(await deriveKey(secret.text, config.salt, config.cost)).open(configName, config.key)
  if (key === undefined) throw new BackupError(`the passphrase does not open the backups in '${store.name}'`)
  return key
}

type RepositoryConfig = { readonly age: string } | { readonly cost: number; readonly salt: Buffer; readonly key: Buffer }

function parseConfig(store: BlobStore, text: string): RepositoryConfig {
  const parsed = tryParseJson(text)
  const config = 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : {}
  const { format, version: found, age, scrypt: derivation, key } = config
  if (format !== 'tripline-backup') throw new BackupError(`'${configName}' in '${store.name}' is damaged, or is not of a backup`)
  if (found !== 1) throw new BackupError(`the backups in '${store.name}' are of a newer version of Tripline`)
  if (typeof age === 'string') return { age }
  if (isJsonObject(derivation) && typeof key === 'string') {
    const { cost, salt } = derivation
    // A larger cost would take all memory before a wrong passphrase is refused.
    if (typeof cost === 'number' && cost <= limits.backup.scryptCost && typeof salt === 'string') {
      return { cost, salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') }
    }
  }
  throw new BackupError(`'${configName}' in '${store.name}' is damaged`)
}

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

function deriveKey(passphrase: string, salt: Buffer, cost: number): Promise<Buffer> {
  return derive(passphrase.normalize('NFC'), salt, keyLength, { N: cost, r: 8, p: 1, maxmem: 256 * cost * 8 })
}

function checkPassphrase(text: string): void {
  const { passphraseLengthMin: min } = limits.backup
  if (text.length < min) throw new BackupError(`the passphrase has ${text.length} characters; at least ${min} are needed`)
}
