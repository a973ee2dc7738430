import type { AuditFacts } from '@tripline/model/audit'

/** The tables of audit trails, part of `Tables`. */
export type AuditTables = {
  readonly auditEntries: AuditEntryRow
  readonly auditEnds: AuditEndsRow
  readonly auditKeys: AuditKeyRow
}

export type AuditEntryRow = {
  readonly tenantId: string
  readonly seq: number
  readonly at: number
  readonly actorType: AuditFacts['actor']['type']
  readonly actorId: string
  readonly actorEmail: string | null
  readonly action: string
  readonly targetType: string
  readonly targetId: string
  readonly ip: string | null
  readonly userAgent: string | null
  readonly requestId: string | null
  readonly outcome: AuditFacts['outcome']
  readonly diff: string | null
  readonly prevHash: string
  readonly hash: string
  /** 1 for an entry in the clear, 2 for one whose texts are encrypted. */
  readonly version: number
  /** Of an entry in the clear that an erasure changed. */
  readonly attestation: string | null
}

/** What the key of a text of the trail is derived from; the salt of a destroyed key is empty. */
export type AuditKeyRow = {
  readonly tenantId: string
  readonly id: string
  /** Which entries share it. */
  readonly epoch: number
  /** What it encrypts, as an HMAC. */
  readonly label: string
  readonly salt: string
  /** Attests that the server wrote the key, or destroyed it. */
  readonly seal: string
}

type AuditEndsRow = {
  readonly tenantId: string
  readonly firstSeq: number
  readonly firstHash: string
  readonly lastSeq: number
  readonly lastHash: string
  readonly seal: string
}
