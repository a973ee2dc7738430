import type { Context } from 'hono'
import type { z } from 'zod'
import type { Permission } from '../domain/permission.ts'
import type { Principal } from '../domain/principal.ts'

/** What the middleware knows of a request. */
export type Env = {
  Variables: {
    requestId: string
    traceId: string
    /** When the request came in, on the clock of `Io.elapsedMs`. */
    startedMs: number
    /** Where the request came from. */
    address: string | undefined
    /** Who asks; absent on routes that anyone may call. */
    caller?: Principal
    /** The row that answers it. */
    route?: Route
  }
}

export type RequestContext = Context<Env>

/**
 * One method of one path: who may call it, what it takes and what it answers. The mount checks `access` before
 * `handle` runs; the OpenAPI document is made of the rest, and `answer` prints by the schemas of `answers`.
 */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `:name` for what varies. */
  readonly path: string
  readonly access: Access
  /** One sentence, without a full stop. */
  readonly summary: string
  /** Whether it creates or starts something, so that it is done once under an `Idempotency-Key` (D-41). */
  readonly isIdempotent?: true
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** By status; null for an answer without a body, or of another type than JSON. */
  readonly responses: { readonly [status: number]: z.ZodType | null }
  readonly handle: (c: RequestContext) => Response | Promise<Response>
}

/** Who may call a route: those who may do this (section 5), those who send events, monitoring, or anyone. */
export type Access = Permission | 'sender' | 'scraper' | 'anyone'

/** Who asks. @throws Error on a route that anyone may call: there is nobody to speak of. */
export function getPrincipal(c: RequestContext): Principal {
  const caller = c.get('caller')
  if (caller === undefined) throw new Error('a route that anyone may call has no caller')
  return caller
}
