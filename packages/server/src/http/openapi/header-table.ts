const integer = { type: 'integer', minimum: 0 }

/** Response headers that carry a meaning; those that only protect browsers are on every response and not listed. */
export const responseHeaders = {
  'X-Request-Id': { description: 'The id of the request: the one that it brought, or a new one', schema: { type: 'string' } },
  'traceparent': { description: 'W3C Trace Context of the request', schema: { type: 'string' } },
  'X-RateLimit-Limit': { description: 'Requests that the nearest limit allows in a minute', schema: integer },
  'X-RateLimit-Remaining': { description: 'Requests that it still allows', schema: integer },
  'X-RateLimit-Reset': { description: 'Unix second of the first full minute, in UTC, at which it allows more', schema: integer },
  'X-API-Profile': { description: 'The profile of the answer', schema: { enum: ['A', 'B'] } },
  'X-Query-Warnings': { description: 'Unknown parameters, and what the list reports', schema: { type: 'string' } },
  'X-Next-Cursor': { description: 'The cursor of the next page', schema: { type: 'string' } },
  'X-Search-Truncated': { description: 'The search ended before it had read everything', schema: { const: 'true' } },
  'X-API-Key-Expires': {
    description: 'When the API key expires, in the last two weeks of its life', schema: { type: 'string', format: 'date-time' },
  },
  'ETag': { description: 'Strong validator: the version, or the hash of a file', schema: { type: 'string', pattern: '^"[0-9a-f]+"$' } },
  'Location': { description: 'Where the created resource, or the answer, is', schema: { type: 'string', format: 'uri-reference' } },
  'Idempotent-Replayed': { description: 'The stored response of an earlier request with the same key', schema: { const: 'true' } },
  'Retry-After': { description: 'Seconds to wait before a retry', schema: { type: 'integer', minimum: 1 } },
  'Connection': { description: 'Ends the connection: the rest of the request may still come', schema: { const: 'close' } },
  'WWW-Authenticate': { description: 'The scheme to authenticate with', schema: { const: 'Bearer' } },
  'Content-Disposition': { description: 'The name of the file', schema: { type: 'string' } },
  'Set-Cookie': { description: 'The refresh token of the session, which scripts cannot read', schema: { type: 'string' } },
} as const
export type ResponseHeader = keyof typeof responseHeaders
