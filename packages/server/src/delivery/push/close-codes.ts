/**
 * Why the server closes a connection: WebSocket close codes of RFC 6455, and those of
 * docs/reference/console-api.md#live-push.
 */
export const closeCodes = {
  stopping: { code: 1001, reason: 'the server is stopping' },
  unanswered: { code: 1001, reason: 'pings were not answered' },
  unreadable: { code: 1008, reason: 'too many unreadable messages' },
  flooding: { code: 1008, reason: 'too many messages within a minute' },
  failed: { code: 1011, reason: 'unexpected server error' },
  slow: { code: 1013, reason: 'messages were not read in time' },
  unauthorized: { code: 4401, reason: 'the token is missing, expired or not valid; authenticate again' },
  forbidden: { code: 4403, reason: 'the permission read is missing' },
  userFull: { code: 4429, reason: 'the user has too many connections' },
  tenantFull: { code: 4429, reason: 'the tenant has too many connections' },
} as const satisfies { readonly [name: string]: CloseCode }

/** A reason has at most 123 bytes. */
export type CloseCode = { readonly code: number; readonly reason: string }
