import type { AppErrorDetails } from '@tripline/contract/app-error'
import type { ErrorCode } from '@tripline/contract/errors'
import type { Profile } from '@tripline/contract/public/profile'
import type { ApiKey } from '@tripline/model/access/api-key'
import type { Permission } from '@tripline/model/access/permission'
import type { Principal } from '@tripline/model/access/principal'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import type { ListDefinition } from './lists/list-definition.ts'
import type { ResponseHeader } from './openapi/header-table.ts'
import type { RequestMemoryLimit } from './request-memory-limit.ts'

/** Variables that middleware sets on a request. */
export type Env = {
  Variables: {
    requestId: string
    traceId: string
    /** Start of the request, on the clock of `elapsedMs`. */
    startedMs: number
    /** The client address. */
    address: string | undefined
    /** Limits the memory that bodies of requests take. */
    bodies: RequestMemoryLimit
    /** The authenticated principal; absent on public routes. */
    caller?: Principal
    /** The profile of a request to the public API, in which it is answered. */
    profile?: Profile
    /** The key of a request to the public API. */
    apiKey?: ApiKey
    /** The matched route. */
    route?: Route
    /** The code of an error response. */
    errorCode?: string
    /** The missing permission, or what else was needed, of a refused request. */
    refusalReason?: string
  }
}

export type RequestContext = Context<Env>

/**
 * One method of one path: access, input and output. `mount` enforces `access` before `handle` runs; the OpenAPI document is
 * generated from the rest, and `respond` serializes by the schemas of `responses`.
 */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `:name` for parameters. */
  readonly path: string
  /** The profile of an operation of the public API; undefined for the console's. */
  readonly profile?: Profile
  readonly access: Access
  /** One sentence without a full stop, at most 72 characters. */
  readonly summary: string
  /** Whether it supports an `Idempotency-Key`, because it creates or starts something. */
  readonly isIdempotent?: true
  /** Whether it records refused requests in the audit trail itself; the others are recorded alike. */
  readonly recordsRefusals?: true
  /** Whether the response may be compressed; default: that of a GET. It must hold no secret beside what the client chose. */
  readonly isCompressed?: boolean
  /** Whether `If-Match` is checked, so that a change of another version is refused. */
  readonly checksVersion?: true
  readonly query?: z.ZodObject
  /** The list whose query contract the route follows. */
  readonly list?: ListDefinition
  readonly body?: z.ZodType
  /** Media types of the body; default JSON. */
  readonly bodyTypes?: readonly string[]
  readonly isBodyOptional?: true
  /** Headers that successful responses always have, or may have, beyond those of every response. */
  readonly headers?: readonly ResponseHeader[]
  readonly optionalHeaders?: readonly ResponseHeader[]
  /** The media type of successful responses with a body other than JSON. */
  readonly responseType?: string
  /** Media types that the body may have beside that, such as those of a file in several formats. */
  readonly otherTypes?: readonly string[]
  /** Error codes beyond those that `listErrorCodes` derives from the rest. */
  readonly errors?: readonly ErrorCode[]
  /** By status; null for a response without a body or with a type other than JSON. */
  readonly responses: { readonly [status: number]: z.ZodType | null }
  /** Whether the vendor of a protocol documents it, and no document of ours does. */
  readonly isForeign?: true
  /** Prints errors in the words of another protocol; default: as the API does. */
  readonly printError?: (c: RequestContext, refusal: RequestRefusal) => Response
  readonly handle: (c: RequestContext) => Response | Promise<Response>
}

/** Why a request was refused, and the HTTP status of the code. */
export type RequestRefusal = {
  readonly code: ErrorCode
  readonly status: ContentfulStatusCode
  readonly message: string
  readonly details: AppErrorDetails | undefined
}

/** Who may call a route: principals with a permission, senders of events, collectors, identity providers, monitoring, or anyone. */
export type Access = Permission | 'sender' | 'collector' | 'provisioner' | 'scraper' | 'anyone'

/** The authenticated principal. @throws Error on a public route, which has none. */
export function getPrincipal(c: RequestContext): Principal {
  const caller = c.get('caller')
  if (caller === undefined) throw new Error('a route that anyone may call has no caller')
  return caller
}
