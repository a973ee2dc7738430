import { createCipheriv, createDecipheriv } from 'node:crypto'

/** Keeps secrets at rest so that who reads the database has none of them. */
export type SecretBox = {
  /** Seals a text for one place; the same text is sealed otherwise each time. */
  readonly seal: (place: SecretContext, text: string) => string
  /** @throws Error for what was sealed under another key or for another place, or was changed since. */
  readonly open: (place: SecretContext, sealed: string) => string
}

/** Where a secret belongs: sealed for one place, it is good for no other, so rows cannot be exchanged. */
export type SecretContext = { readonly tenant: string; readonly owner: string; readonly key: string }

/**
 * Opens a box under the installation's key of 32 bytes: AES-256-GCM with a nonce of 96 random bits, of which four
 * thousand million can be drawn under one key before two of them are likely enough to be the same.
 *
 * @throws Error for a key of another length.
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

const algorithm = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
/** Says how a text was sealed, for the day when there is another way. */
const mark = 's1.'

function encodeContext({ tenant, owner, key }: SecretContext): Buffer {
  return Buffer.from(JSON.stringify(['secret 1', tenant, owner, key]))
}
