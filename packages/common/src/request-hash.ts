import { createHash } from 'node:crypto'

/** Hashes a request unambiguously: equal only for the same facts and bytes. */
export function hashRequest(facts: readonly string[], body: Uint8Array): string {
  return createHash('sha256').update(JSON.stringify(facts)).update(body).digest('hex')
}
