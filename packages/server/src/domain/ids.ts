import { createHash } from 'node:crypto'

/** Makes a UUID of version 7: 48 bits of `atMs`, the rest from ten random bytes. Sorts by time (G4). */
export function createUuidV7(atMs: number, randomBytes: (count: number) => Uint8Array): string {
  return formatTimedUuid(7, atMs, randomBytes(10))
}

/** What a match is derived from: the same again gives the same id. */
export type MatchOrigin = {
  readonly tenant: string
  readonly ruleId: string
  readonly ruleVersion: number
  /** When the first event that made the match was accepted. */
  readonly acceptedAt: number
  /** The id that the sender gave the event; without one its offset names it. */
  readonly eventId: string | undefined
  readonly eventOffset: number
}

/**
 * Derives the id of a match, which is also the id of its alert: a UUID of version 8 of 48 bits of the accepted
 * time and a hash of everything else, so that replaying an event never makes a second one (G4).
 */
export function deriveMatchId(origin: MatchOrigin): string {
  const { tenant, ruleId, ruleVersion, acceptedAt, eventId, eventOffset } = origin
  // As JSON no two origins read the same; a number tells an offset from an id that looks like one.
  const text = JSON.stringify([tenant, ruleId, ruleVersion, eventId ?? eventOffset])
  return formatTimedUuid(8, acceptedAt, createHash('sha256').update(text).digest())
}

/** 48 bits of time, 4 of version, 12 of `rest`, 2 of variant, 62 of `rest` (RFC 9562). */
function formatTimedUuid(version: number, atMs: number, rest: Uint8Array): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(atMs, 0, 6)
  bytes.set(rest.subarray(0, 10), 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | (version << 4), 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
