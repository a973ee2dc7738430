/** Why the server ends a connection, as the client is told: codes of RFC 6455, and those of D-35. */
export const closeCodes = {
  stopping: { code: 1001, reason: 'the server stops' },
  unanswered: { code: 1001, reason: 'pings stayed without an answer' },
  unreadable: { code: 1008, reason: 'too many messages could not be read' },
  flooding: { code: 1008, reason: 'too many messages came within a minute' },
  failed: { code: 1011, reason: 'the server met an error that it did not expect' },
  slow: { code: 1013, reason: 'messages were not read in time' },
  unauthorized: { code: 4401, reason: 'the token is missing, expired or not accepted here' },
  forbidden: { code: 4403, reason: 'the permission read is missing' },
  userFull: { code: 4429, reason: 'the user has too many connections' },
  tenantFull: { code: 4429, reason: 'the tenant has too many connections' },
} as const satisfies { readonly [name: string]: CloseCode }

/** A reason has at most 123 bytes. */
export type CloseCode = { readonly code: number; readonly reason: string }
