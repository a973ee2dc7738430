import type { ErrorCode } from '@tripline/contract/errors'
import type { ParameterValues, Parameters } from '@tripline/contract/public/parameters'
import type { Profile } from '@tripline/contract/public/profile'
import type { PublicResource } from '@tripline/contract/public/resource'
import type { Shape } from '@tripline/contract/public/shape'
import { renderList, renderPage, renderWholePage, toListSchema, toPageSchema, toWholePageSchema } from '@tripline/contract/public/wrapper'
import type { PublicPage } from '@tripline/contract/public/wrapper'
import type { z } from 'zod'
import type { Permission } from '@tripline/model/access/permission'
import type { Principal } from '@tripline/model/access/principal'
import type { ResponseHeader } from '../openapi/header-table.ts'
import type { RequestContext, Route } from '../route.ts'
import type { PublicPaging, PublicSorting } from './public-paging.ts'

/**
 * One operation of the public API, for both profiles: a handler works on internal values, and the shapes name, parse and
 * render them. The routes, both OpenAPI documents and the checks of keys are made from its row.
 */
export type PublicRoute = PublicOperation<Parameters, unknown, unknown> & {
  handle(request: PublicRequest<ParameterValues<Parameters>, unknown>): Promise<PublicAnswer<unknown>>
}

type PublicOperation<Query extends Parameters, Body, Answer> = {
  readonly method: Route['method']
  /** Below `/api/v1`, with `:id` for the parameter. */
  readonly path: string
  /** What a key must be allowed to use, where it is restricted to some resources. */
  readonly resource: PublicResource
  readonly permission: Permission
  /** One sentence without a full stop, at most 72 characters. */
  readonly summary: string
  readonly parameters?: Query
  /** Of a list: how it can be sorted. */
  readonly sorting?: PublicSorting
  readonly body?: Shape<Body>
  readonly response: ResponseForm<Answer>
  /** Whether it answers one resource with its version as ETag; a change of one then checks `If-Match`. */
  readonly hasVersion?: true
  /** Whether it checks `If-Match` and answers no version. */
  readonly checksVersion?: true
  /** Whether it supports an `Idempotency-Key`, because it creates or starts something. */
  readonly isIdempotent?: true
  readonly optionalHeaders?: readonly ResponseHeader[]
  /** Error codes beyond those that follow from the rest. */
  readonly errors?: readonly ErrorCode[]
}

/** A request in internal values. */
type PublicRequest<Query, Body> = {
  readonly caller: Principal
  /** The `:id` parameter, lower-cased. */
  readonly id: string
  /** Another parameter of the path. */
  readonly getParam: (name: string) => string
  readonly query: Query
  /** The page that a request of a list asks for. */
  readonly paging: PublicPaging | undefined
  readonly body: Body
  /** The versions that `If-Match` allows; undefined for any. */
  readonly versions: readonly number[] | undefined
  /** When the request began, on the monotonic clock. */
  readonly startedMs: number
  /** Aborts once the caller is gone. */
  readonly signal: Pick<AbortSignal, 'aborted'>
}

/** A response in internal values, or a response of another type, such as a file. */
export type PublicAnswer<Answer> = Response | {
  readonly body: Answer
  readonly version?: number
  readonly headers?: { readonly [name in ResponseHeader]?: string }
  /** What the client should know about its parameters. */
  readonly warnings?: readonly string[]
}

/** How the answers of an operation are wrapped. */
type ResponseForm<Answer> = {
  readonly status: 200 | 201 | 202 | 204
  toSchema(profile: Profile): z.ZodType | null
  render(profile: Profile, answer: Answer): unknown
  /** Whether it is a page, whose cursor a profile may send as a header. */
  readonly isPage?: true
  /** The media type of a body other than JSON. */
  readonly mediaType?: string
  /** Media types that the body may have beside that. */
  readonly otherTypes?: readonly string[]
  /** Sends an answer that is printed while it is sent, such as a file. */
  send?(c: RequestContext, profile: Profile, answer: Answer): Promise<Response>
}

/** One resource. */
export function one<Value>(shape: Shape<Value>, status: 200 | 201 | 202 = 200): ResponseForm<Value> {
  return { status, toSchema: (profile) => shape.toSchema(profile), render: (profile, value) => shape.render(profile, value) }
}

/** A page of a list. */
export function page<Value>(entry: Shape<Value>): ResponseForm<PublicPage<Value>> {
  return {
    status: 200, isPage: true,
    toSchema: (profile) => toPageSchema(entry, profile), render: (profile, answer) => renderPage(entry, profile, answer),
  }
}

/** A list that is returned whole. */
export function whole<Value>(entry: Shape<Value>): ResponseForm<readonly Value[]> {
  return {
    status: 200, toSchema: (profile) => toListSchema(entry, profile), render: (profile, answer) => renderList(entry, profile, answer),
  }
}

/** A list that is returned whole: a bare array in profile A, its only page in profile B. */
export function wholePage<Value>(entry: Shape<Value>): ResponseForm<readonly Value[]> {
  return {
    status: 200, toSchema: (profile) => toWholePageSchema(entry, profile),
    render: (profile, answer) => renderWholePage(entry, profile, answer),
  }
}

/** Nothing. */
export const nothing: ResponseForm<undefined> = { status: 204, toSchema: () => null, render: () => undefined }

/** A row of the table of routes, whose handler has the types that its shapes say. */
export function publicRoute<Answer, Query extends Parameters = Parameters, Body = undefined>(
  operation: PublicOperation<Query, Body, Answer> & {
    readonly handle: (request: PublicRequest<ParameterValues<Query>, Body>) => Promise<PublicAnswer<Answer>>
  },
): PublicRoute {
  return operation as PublicRoute
}
