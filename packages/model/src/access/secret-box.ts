import { createCipheriv, createDecipheriv } from 'node:crypto'

/** Encrypts secrets at rest, so that reading the database does not reveal them. */
export type SecretBox = {
  /** Encrypts a text for one context; each result is different. */
  readonly seal: (place: SecretContext, text: string) => string
  /** @throws Error for a value of another key or context, or one that was modified. */
  readonly open: (place: SecretContext, sealed: string) => string
}

/** The context of a secret, authenticated with it, so that encrypted values cannot be swapped between rows. */
export type SecretContext = { readonly tenant: string; readonly owner: string; readonly key: string }

const algorithm = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
/** Version prefix of the format. */
const mark = 's1.'

/**
 * Creates a secret box: AES-256-GCM with random 96-bit nonces, which allows about 2^32 values per key.
 *
 * @throws Error for a key that does not have 32 bytes.
 */
export function openSecretBox(key: Uint8Array, randomBytes: (count: number) => Uint8Array): SecretBox {
  if (key.length !== keyBytes) throw new Error(`the key of secrets has ${key.length} bytes; it must have ${keyBytes}`)
  return {
    seal(place, text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(encodeContext(place))
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${mark}${sealed.toString('base64url')}`
    },
    open(place, sealed) {
      const bytes = Buffer.from(sealed.slice(mark.length), 'base64url')
      if (!sealed.startsWith(mark) || bytes.length < nonceBytes + tagBytes) throw new Error('a sealed secret has an unknown format')
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
      decipher.setAAD(encodeContext(place)).setAuthTag(bytes.subarray(-tagBytes))
      return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

function encodeContext({ tenant, owner, key }: SecretContext): Buffer {
  return Buffer.from(JSON.stringify(['secret 1', tenant, owner, key]))
}
