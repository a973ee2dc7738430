import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { z } from 'zod'

/** A private key file for a self-operated issuer (RFC 7517, RFC 8037). */
type IssuerKey = z.infer<typeof issuerKeySchema>

const issuerKeySchema = z.strictObject({
  kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), d: z.string(), kid: z.string(),
})

/** Creates a key pair. */
export async function createIssuerKey(): Promise<IssuerKey> {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const shape = { kty: 'OKP', crv: 'Ed25519', x } as const
  return { ...shape, d, kid: await calculateJwkThumbprint(shape) }
}

/** The JWKS document for `--trusted-jwks-file`. */
export function toPublicKeySet({ kty, crv, x, kid }: IssuerKey): { readonly keys: readonly object[] } {
  return { keys: [{ kty, crv, x, kid, alg: 'EdDSA', use: 'sig' }] }
}

/** Parses a key file. @throws Error for any other text. */
export function parseIssuerKey(text: string): IssuerKey {
  const parsed = issuerKeySchema.safeParse(tryParseJson(text))
  if (parsed.success) return parsed.data
  throw new Error("it is not a key pair file; create one with 'tripline token key'")
}

/** Signs a token with any claims, valid or not, to test how a server treats it. */
export function signClaims({ kid, ...jwk }: IssuerKey, claims: { readonly [name: string]: unknown }): string {
  const signed = `${encodePart({ alg: 'EdDSA', kid, typ: 'JWT' })}.${encodePart(claims)}`
  return `${signed}.${sign(null, Buffer.from(signed), createPrivateKey({ key: jwk, format: 'jwk' })).toString('base64url')}`
}

function encodePart(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message would quote the text, which may contain key material.
    return undefined
  }
}
