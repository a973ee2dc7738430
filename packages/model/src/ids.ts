import { createHash } from 'node:crypto'

/** Creates a UUIDv7 (RFC 9562): 48 bits of `atMs`, the rest from ten random bytes. Sorts by time. */
export function createUuidV7(atMs: number, randomBytes: (count: number) => Uint8Array): string {
  return formatTimedUuid(7, atMs, randomBytes(10))
}

/** Creates a random UUID (version 4), as rules of Sigma have them. */
export function createRandomUuid(randomBytes: (count: number) => Uint8Array): string {
  return formatUuid(4, Buffer.from(randomBytes(16)))
}

/** The inputs of a match id: the same inputs give the same id. */
export type MatchOrigin = {
  readonly tenant: string
  readonly ruleId: string
  readonly ruleVersion: number
  /** When the first event of the match was received. */
  readonly acceptedAt: number
  /** The sender's event id; without one the offset identifies the event. */
  readonly eventId: string | undefined
  readonly eventOffset: number
}

/**
 * Derives the id of a match and of its alert: a UUIDv8 of 48 bits of the receive time and a hash of everything else, so that
 * replaying an event never creates a second one.
 */
export function deriveMatchId(origin: MatchOrigin): string {
  const { tenant, ruleId, ruleVersion, acceptedAt, eventId, eventOffset } = origin
  // JSON is unambiguous; an offset is a number, so it cannot equal an event id.
  const text = JSON.stringify([tenant, ruleId, ruleVersion, eventId ?? eventOffset])
  return formatTimedUuid(8, acceptedAt, createHash('sha256').update(text).digest())
}

/** Derives an id from what makes something unique, so that doing it again makes no second one. */
export function deriveId(atMs: number, parts: readonly (string | number)[]): string {
  return formatTimedUuid(8, atMs, createHash('sha256').update(JSON.stringify(parts)).digest())
}

/** Derives the id of an external issuer's user from its `iss` and `sub`: a UUIDv8 that is the same for each of their tokens. */
export function deriveExternalUserId(issuer: string, subject: string): string {
  return formatTimedUuid(8, 0, createHash('sha256').update(JSON.stringify([issuer, subject])).digest())
}

/** 48 bits of time, 4 of version, 12 of `rest`, 2 of variant, 62 of `rest` (RFC 9562). */
export function formatTimedUuid(version: number, atMs: number, rest: Uint8Array): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(atMs, 0, 6)
  bytes.set(rest.subarray(0, 10), 6)
  return formatUuid(version, bytes)
}

/** Prints 16 bytes, of which the version and the variant take 6 bits. */
function formatUuid(version: number, bytes: Buffer): string {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | (version << 4), 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
