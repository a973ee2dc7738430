import type { Runtime } from '@tripline/common/runtime'
import { createHash } from 'node:crypto'
import { printPublicId, publicIdBytes, secretBytes } from './api-key-format.ts'

/** The prefixes of connector tokens, credentials of collectors, their enrolment tokens, and tokens of SCIM; redaction knows them too. */
export const connectorTokenPrefix = 'tc_'
export const collectorCredentialPrefix = 'tl_'
export const enrolmentTokenPrefix = 'te_'
export const provisioningTokenPrefix = 'tp_'

/** Creates a token: a prefix, a public id and 256 random bits. Only its hash is stored. */
export function createToken(
  prefix: string, { randomBytes }: Pick<Runtime, 'randomBytes'>,
): { readonly text: string; readonly hash: string } {
  const secret = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
  const text = `${prefix}${printPublicId(randomBytes(publicIdBytes))}_${secret(randomBytes(secretBytes))}`
  return { text, hash: hashToken(text) }
}

/** Hashes a token for lookup. */
export function hashToken(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
