import type { Runtime } from '@tripline/common/runtime'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { limits } from '../../limits.ts'

/** A stored key pair: the 32 secret bytes that it is derived from, and its times. */
export type SigningKeyRecord = {
  readonly seed: Uint8Array
  readonly createdAt: number
  /** When a newer key replaced it. */
  readonly retiredAt: number | undefined
}

/** A key pair that signs and verifies tokens. */
type SigningKey = SigningKeyRecord & {
  /** The thumbprint of the public key (RFC 7638). */
  readonly keyId: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly publicJwk: PublicJwk
}

/** A public key in `/.well-known/jwks.json`. */
export type PublicJwk = {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly kid: string
  readonly alg: 'EdDSA'
  readonly use: 'sig'
}

/** The signing keys of a server: one signs; retired ones verify as long as their tokens may live. Immutable. */
export type SigningKeys = {
  readonly current: SigningKey
  readonly retired: readonly SigningKey[]
}

const seedLength = 32

/** Creates the record of a new key pair. */
export function createSigningKey({ now, randomBytes }: Pick<Runtime, 'now' | 'randomBytes'>): SigningKeyRecord {
  return { seed: randomBytes(seedLength), createdAt: now(), retiredAt: undefined }
}

/**
 * Derives keys from their records, in any order.
 *
 * @throws Error unless exactly one record is not retired, and for a seed that does not have 32 bytes.
 */
export async function openSigningKeys(records: readonly SigningKeyRecord[]): Promise<SigningKeys> {
  const keys = await Promise.all(records.map(openSigningKey))
  const [current, ...others] = keys.filter(({ retiredAt }) => retiredAt === undefined)
  if (current === undefined || others.length > 0) {
    const count = current === undefined ? 0 : others.length + 1
    throw new Error(`${count} signing keys are current; exactly one must be`)
  }
  return { current, retired: keys.filter(({ retiredAt }) => retiredAt !== undefined) }
}

/** Rotates the keys: a new one signs from now on. The old one still verifies; keys whose last token has expired are dropped. */
export async function rotateSigningKeys(keys: SigningKeys, io: Pick<Runtime, 'now' | 'randomBytes'>): Promise<SigningKeys> {
  const nowMs = io.now()
  const retired = [...keys.retired, { ...keys.current, retiredAt: nowMs }].filter((key) => mayVerify(key, nowMs))
  return { current: await openSigningKey(createSigningKey(io)), retired }
}

/** Finds a public key by id, unless its last token has expired. */
export function findVerifyingKey(keys: SigningKeys, keyId: unknown, nowMs: number): KeyObject | undefined {
  return [keys.current, ...keys.retired].find((key) => key.keyId === keyId && mayVerify(key, nowMs))?.publicKey
}

/** The public keys, newest first, as a JWKS document (RFC 7517). */
export function toJwks(keys: SigningKeys, nowMs: number): { readonly keys: readonly PublicJwk[] } {
  const shown = [keys.current, ...keys.retired.toReversed()].filter((key) => mayVerify(key, nowMs))
  return { keys: shown.map(({ publicJwk }) => publicJwk) }
}

/** PKCS #8 prefix of an Ed25519 seed (RFC 8410): structure, algorithm, two lengths. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

async function openSigningKey(record: SigningKeyRecord): Promise<SigningKey> {
  if (record.seed.length !== seedLength) {
    throw new Error(`the seed of a signing key has ${record.seed.length} bytes; it must have ${seedLength}`)
  }
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, record.seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey)
  const { x } = publicKey.export({ format: 'jwk' })
  if (x === undefined) throw new Error('an Ed25519 key has no public part')
  const keyId = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x })
  const publicJwk = { kty: 'OKP', crv: 'Ed25519', x, kid: keyId, alg: 'EdDSA', use: 'sig' } as const
  return { ...record, keyId, privateKey, publicKey, publicJwk }
}

function mayVerify({ retiredAt }: SigningKeyRecord, nowMs: number): boolean {
  return retiredAt === undefined || nowMs <= retiredAt + limits.auth.accessTokenMs + limits.auth.clockSkewMs
}
