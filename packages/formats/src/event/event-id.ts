import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'

/**
 * What identifies a stored event within its tenant: its time, and its offset among all accepted events or, for an event
 * that no pipeline accepted, its sequence in the store.
 */
export type EventRef = { readonly occurredAt: number; readonly by: 'offset' | 'sequence'; readonly number: number }

/** Prints references to the events of one tenant as opaque ids, and parses them. */
export type EventIds = {
  readonly print: (ref: EventRef) => string
  /** Undefined for a text that is no id of this tenant. */
  readonly parse: (id: string) => EventRef | undefined
}

const blockLength = 16

/**
 * Creates the event ids of a tenant: a reference enciphered as one block of AES-256 under a key of the tenant, in
 * hexadecimal. A reference always has the same id; an id tells neither tenant nor number; that of another tenant
 * deciphers to a reference that no event has.
 */
export function createEventIds(key: Uint8Array, tenant: string): EventIds {
  const tenantKey = createHmac('sha256', key).update('event id v1').update(tenant).digest()
  const encipher = createCipheriv('aes-256-ecb', tenantKey, null).setAutoPadding(false)
  const decipher = createDecipheriv('aes-256-ecb', tenantKey, null).setAutoPadding(false)
  return {
    print({ occurredAt, by, number }) {
      const block = Buffer.alloc(blockLength)
      block.writeBigInt64BE(BigInt(occurredAt), 0)
      block.writeBigInt64BE(BigInt(number) * 2n + BigInt(by === 'sequence'), 8)
      return encipher.update(block).toString('hex')
    },
    parse(id) {
      if (!/^[0-9a-f]{32}$/.test(id)) return undefined
      const block = decipher.update(Buffer.from(id, 'hex'))
      const occurredAt = Number(block.readBigInt64BE(0))
      const packed = block.readBigInt64BE(8)
      const number = Number(packed >> 1n)
      if (!Number.isSafeInteger(occurredAt) || !Number.isSafeInteger(number) || number < 0) return undefined
      return { occurredAt, by: (packed & 1n) === 1n ? 'sequence' : 'offset', number }
    },
  }
}
