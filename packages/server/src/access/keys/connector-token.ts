import type { Runtime } from '@tripline/common/runtime'
import { createHash } from 'node:crypto'
import { printPublicId, publicIdBytes, secretBytes } from './api-key-format.ts'

/** The prefix of connector tokens, also known to redaction. */
export const connectorTokenPrefix = 'tc_'

/** Creates the token for sending events to a connector: a prefix, a public id and 256 random bits. Only its hash is stored. */
export function createConnectorToken({ randomBytes }: Pick<Runtime, 'randomBytes'>): { readonly text: string; readonly hash: string } {
  const secret = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
  const text = `${connectorTokenPrefix}${printPublicId(randomBytes(publicIdBytes))}_${secret(randomBytes(secretBytes))}`
  return { text, hash: hashConnectorToken(text) }
}

/** Hashes a token for lookup. */
export function hashConnectorToken(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
