import { createHash } from 'node:crypto'
import type { Runtime } from '../runtime.ts'
import { printPublicId, publicIdBytes, secretBytes } from './api-key-format.ts'

/** How tokens of connectors begin; those who redact know it too. */
export const connectorTokenPrefix = 'tc_'

/**
 * Makes the token with which others send to a connector: 256 random bits, after a mark and a few characters that
 * may be shown. Only its hash is kept.
 */
export function createConnectorToken({ randomBytes }: Pick<Runtime, 'randomBytes'>): { readonly text: string; readonly hash: string } {
  const secret = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
  const text = `${connectorTokenPrefix}${printPublicId(randomBytes(publicIdBytes))}_${secret(randomBytes(secretBytes))}`
  return { text, hash: hashConnectorToken(text) }
}

/** What a token is known by. */
export function hashConnectorToken(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
