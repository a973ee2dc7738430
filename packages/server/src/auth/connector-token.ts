import { createHash } from 'node:crypto'
import type { Io } from '../runtime.ts'
import { printPublicId, publicIdBytes, secretBytes } from './api-key-format.ts'

/** How tokens of connectors begin; those who redact know it too. */
export const connectorTokenMark = 'tc_'

/**
 * Makes the token with which others send to a connector: 256 random bits, after a mark and a few characters that
 * may be shown. Only its hash is kept.
 */
export function newConnectorToken({ randomBytes }: Pick<Io, 'randomBytes'>): { readonly text: string; readonly hash: string } {
  const secret = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
  const text = `${connectorTokenMark}${printPublicId(randomBytes(publicIdBytes))}_${secret(randomBytes(secretBytes))}`
  return { text, hash: connectorTokenHash(text) }
}

/** What a token is known by. */
export function connectorTokenHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
