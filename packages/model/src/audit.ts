import { createHash, createHmac } from 'node:crypto'
import type { Principal } from './access/principal.ts'
import type { TenantId } from './tenant.ts'

/** An action recorded in the audit trail. */
export type AuditFacts = {
  readonly at: number
  readonly actor: {
    /** `anonymous` for a request that was not authenticated. */
    readonly type: Principal['actor']['type'] | 'anonymous'
    readonly id: string
    readonly email: string | undefined
  }
  readonly action: string
  readonly target: { readonly type: string; readonly id: string }
  readonly ip: string | undefined
  readonly userAgent: string | undefined
  readonly requestId: string | undefined
  readonly outcome: 'success' | 'refused' | 'failed'
  /** What changed; the caller has masked secrets. */
  readonly diff: { readonly [name: string]: unknown } | undefined
}

/** Something that may happen many times: what is recorded once per window, with a count. */
export type AuditOccurrence = Pick<AuditFacts, 'action' | 'target' | 'outcome'> & {
  readonly tenant: TenantId
  readonly actor: Pick<AuditFacts['actor'], 'type' | 'id'>
  readonly circumstances: Pick<Principal, 'ip' | 'userAgent' | 'requestId'>
  /** Details that tell occurrences apart, such as a reason. Secrets are masked here. */
  readonly details?: { readonly [name: string]: unknown }
  /** Details that may differ between repetitions, such as a number of results; the last ones are recorded. */
  readonly figures?: { readonly [name: string]: unknown }
  /** Whether the actor is only what a login claimed, so that a flood of logins may not use up what users record. */
  readonly isClaimed?: true
}

/** Records occurrences without waiting for the store. */
export type AuditRecorder = { readonly note: (occurrence: AuditOccurrence) => void }

/** The actor of requests that are not authenticated. */
export const anonymous: AuditOccurrence['actor'] = { type: 'anonymous', id: 'anonymous' }

/**
 * An entry of a tenant's hash-chained audit trail. Its hash covers its content, its position and the hash of the previous
 * entry.
 */
export type AuditEntry = AuditFacts & { readonly seq: number; readonly prevHash: string; readonly hash: string }

/** The ends of a trail: from the entry after `first` to `last`; both are equal in an empty trail. */
export type AuditEnds = { readonly first: AuditPoint; readonly last: AuditPoint }

/** An entry by its number and hash. */
export type AuditPoint = { readonly seq: number; readonly hash: string }

/** The start of the hash chain of a tenant. */
export const auditOrigin: AuditPoint = { seq: 0, hash: '0'.repeat(64) }

/** The hashed fields of an entry, as they are stored: the diff as text, and what may name a person encrypted since version 2. */
type HashedEntry = Omit<AuditEntry, 'hash' | 'diff'> & { readonly version: number; readonly diff: string | undefined }

/** Hashes an entry: SHA-256 of its JSON in a fixed order of fields, absent ones as null. */
export function hashAuditEntry(tenant: string, { version, ...entry }: HashedEntry): string {
  const { seq, prevHash, at, actor, action, target, ip, userAgent, requestId, outcome, diff } = entry
  const text = JSON.stringify([
    `audit ${version}`, tenant, seq, prevHash, at, actor.type, actor.id, actor.email ?? null, action, target.type, target.id,
    ip ?? null, userAgent ?? null, requestId ?? null, outcome, diff ?? null,
  ])
  return createHash('sha256').update(text).digest('hex')
}

/**
 * Seals the ends of a trail with an HMAC. An attacker who can write the database could rebuild the hash chain, but not this
 * seal; it cannot detect that an older state of the whole trail was restored.
 */
export function sealAuditTrail(key: Uint8Array, tenant: string, { first, last }: AuditEnds): string {
  const text = JSON.stringify(['audit ends 1', tenant, first.seq, first.hash, last.seq, last.hash])
  return createHmac('sha256', key).update(text).digest('hex')
}

/**
 * Attests an entry that was stored in the clear and from which an erasure took texts: it keeps the hash that it had, which the
 * next entry refers to, and the HMAC covers that hash and what is left of the entry.
 */
export function attestErasedEntry(key: Uint8Array, hash: string, contentHash: string): string {
  return createHmac('sha256', key).update(JSON.stringify(['audit erased 1', hash, contentHash])).digest('hex')
}
