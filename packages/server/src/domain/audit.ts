import { createHash, createHmac } from 'node:crypto'
import type { Principal } from './principal.ts'

/** Something that somebody did, as the audit trail tells it (D-37). */
export type AuditFacts = {
  readonly at: number
  readonly actor: Principal['actor'] & { readonly email: string | undefined }
  readonly action: string
  readonly target: { readonly type: string; readonly id: string }
  readonly ip: string | undefined
  readonly userAgent: string | undefined
  readonly requestId: string | undefined
  readonly outcome: 'success' | 'refused' | 'failed'
  /** What changed; secrets in it are masked by whoever makes it. */
  readonly diff: { readonly [name: string]: unknown } | undefined
}

/** An entry of a tenant's trail. Its hash covers what it says, where it stands and the hash of the entry before. */
export type AuditEntry = AuditFacts & { readonly seq: number; readonly prevHash: string; readonly hash: string }

/** Where a trail begins and ends: from the entry after `first` up to `last`; both are the same in an empty trail. */
export type AuditEnds = { readonly first: AuditPoint; readonly last: AuditPoint }

/** An entry by its number and hash. */
export type AuditPoint = { readonly seq: number; readonly hash: string }

/** Hash that the first entry of a tenant follows. */
export const auditOrigin: AuditPoint = { seq: 0, hash: '0'.repeat(64) }

/** What the hash of an entry covers; the difference as the text that is stored. */
export type HashedEntry = Omit<AuditEntry, 'hash' | 'diff'> & { readonly diff: string | undefined }

/** Hashes an entry: SHA-256 over its JSON in one order of fields, with absent ones as null. */
export function hashAuditEntry(tenant: string, entry: HashedEntry): string {
  const { seq, prevHash, at, actor, action, target, ip, userAgent, requestId, outcome, diff } = entry
  const text = JSON.stringify([
    'audit 1', tenant, seq, prevHash, at, actor.type, actor.id, actor.email ?? null, action, target.type, target.id,
    ip ?? null, userAgent ?? null, requestId ?? null, outcome, diff ?? null,
  ])
  return createHash('sha256').update(text).digest('hex')
}

/**
 * Seals the ends of a trail under the server's key. Who can write the database can make a chain anew, which is
 * only hashes, but not seal it; what the seal cannot tell is that an older state of all of it was put back.
 */
export function sealAuditTrail(key: Uint8Array, tenant: string, { first, last }: AuditEnds): string {
  const text = JSON.stringify(['audit ends 1', tenant, first.seq, first.hash, last.seq, last.hash])
  return createHmac('sha256', key).update(text).digest('hex')
}
