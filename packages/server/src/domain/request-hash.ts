import { createHash } from 'node:crypto'

/** Tells requests apart: the same for the same facts and bytes alone, whatever the texts hold. */
export function hashRequest(facts: readonly string[], body: Uint8Array): string {
  return createHash('sha256').update(JSON.stringify(facts)).update(body).digest('hex')
}
