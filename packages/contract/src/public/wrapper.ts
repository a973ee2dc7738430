import { z } from 'zod'
import { errorStatus } from '../errors.ts'
import type { ErrorCode } from '../errors.ts'
import { toProfileName } from './profile.ts'
import type { ByProfile, Profile } from './profile.ts'
import type { Shape } from './shape.ts'

/** A page of a list. */
export type PublicPage<Entry> = {
  readonly entries: readonly Entry[]
  /** From 1. */
  readonly page: number
  readonly size: number
  readonly total: number
  readonly nextCursor: string | null
}

/** How each profile numbers pages, and calls the direction of a sort. */
export const paging = {
  a: { firstPage: 0, directionName: 'direction', isCursorInHeader: true },
  b: { firstPage: 1, directionName: 'order', isCursorInHeader: false },
} as const satisfies ByProfile<{
  readonly firstPage: 0 | 1
  readonly directionName: string
  readonly isCursorInHeader: boolean
}>

type PageForm = {
  readonly toSchema: (entry: z.ZodType) => z.ZodType
  readonly render: (page: PublicPage<unknown>) => object
}

const count = z.int().min(0)

const pageForms: ByProfile<PageForm> = {
  a: {
    toSchema: (entry) => z.strictObject({
      content: z.array(entry), totalElements: count, totalPages: count, number: count, size: count,
    }),
    render: ({ entries, page, size, total }) => ({
      content: entries, totalElements: total, totalPages: countPages(total, size), number: page - 1, size,
    }),
  },
  b: {
    toSchema: (entry) => z.strictObject({
      data: z.array(entry),
      pagination: z.strictObject({ page: count, size: count, total: count, total_pages: count, next_cursor: z.string().nullable() }),
    }),
    render: ({ entries, page, size, total, nextCursor }) => ({
      data: entries, pagination: { page, size, total, total_pages: countPages(total, size), next_cursor: nextCursor },
    }),
  },
}

/** The schema of a page of entries. */
export function toPageSchema(entry: Shape<unknown>, profile: Profile): z.ZodType {
  return pageForms[profile].toSchema(entry.toSchema(profile))
}

/** Renders a page in the wrapper of a profile. */
export function renderPage<Entry>(entry: Shape<Entry>, profile: Profile, page: PublicPage<Entry>): object {
  return pageForms[profile].render({ ...page, entries: page.entries.map((each) => entry.render(profile, each)) })
}

const listForms: ByProfile<{
  readonly toSchema: (entry: z.ZodType) => z.ZodType
  readonly render: (entries: readonly unknown[]) => unknown
}> = {
  a: { toSchema: (entry) => z.array(entry), render: (entries) => entries },
  b: { toSchema: (entry) => z.strictObject({ data: z.array(entry) }), render: (entries) => ({ data: entries }) },
}

/** The schema of a list that is returned whole. */
export function toListSchema(entry: Shape<unknown>, profile: Profile): z.ZodType {
  return listForms[profile].toSchema(entry.toSchema(profile))
}

/** Renders a list that is returned whole. */
export function renderList<Entry>(entry: Shape<Entry>, profile: Profile, entries: readonly Entry[]): unknown {
  return listForms[profile].render(entries.map((each) => entry.render(profile, each)))
}

/** An error before it is rendered. */
type PublicError = {
  readonly code: ErrorCode
  /** The HTTP reason phrase of its status. */
  readonly reason: string
  readonly message: string
  readonly details?: { readonly [name: string]: unknown } | undefined
  readonly requestId: string
}

/** The schema of a list that is returned whole, as a page where the profile has no bare arrays. */
export function toWholePageSchema(entry: Shape<unknown>, profile: Profile): z.ZodType {
  return profile === 'a' ? toListSchema(entry, profile) : toPageSchema(entry, profile)
}

/** Renders a list that is returned whole: as its only page where the profile has no bare arrays. */
export function renderWholePage<Entry>(entry: Shape<Entry>, profile: Profile, entries: readonly Entry[]): unknown {
  if (profile === 'a') return renderList(entry, profile, entries)
  const size = Math.max(1, entries.length)
  return renderPage(entry, profile, { entries, page: 1, size, total: entries.length, nextCursor: null })
}

const errorCode = z.enum(Object.keys(errorStatus))

/** What an error is about where its details name no parameter: all errors of profile B have details, with parameter and value. */
const parameterOfCode: { readonly [Code in ErrorCode]?: string } = {
  UNAUTHORIZED: 'Authorization', FORBIDDEN: 'Authorization', RATE_LIMITED: 'Authorization', NOT_FOUND: 'path', METHOD_NOT_ALLOWED: 'method',
  INVALID_CURSOR: 'cursor', INVALID_QUERY: 'query', PRECONDITION_FAILED: 'If-Match', INTERNAL_ERROR: 'request', UNAVAILABLE: 'request',
}

/** The body of errors in each profile. */
export const errorForms: ByProfile<{ readonly schema: z.ZodType; readonly render: (error: PublicError) => object }> = {
  a: {
    schema: z.strictObject({
      error: z.string(), message: z.string(), status: z.int(), code: errorCode, details: z.looseObject({}).optional(),
      requestId: z.string(),
    }),
    render: ({ code, reason, message, details, requestId }) => {
      const named = details && Object.fromEntries(Object.entries(details).map(([name, value]) => [toProfileName('a', name), value]))
      return { error: reason, message, status: errorStatus[code], code, ...(named && { details: named }), requestId }
    },
  },
  b: {
    schema: z.strictObject({
      error: z.strictObject({
        code: errorCode, message: z.string(),
        details: z.looseObject({ parameter: z.string(), value: z.unknown() }),
        request_id: z.string(),
      }),
    }),
    render: ({ code, message, details, requestId }) => ({
      error: { code, message, details: nameParameter(code, details), request_id: requestId },
    }),
  },
}

function nameParameter(code: ErrorCode, details: PublicError['details'] = {}): object {
  const { parameter = parameterOfCode[code] ?? 'body', value = null, ...rest } = details
  return { parameter: String(parameter), value, ...rest }
}

function countPages(total: number, size: number): number {
  return Math.ceil(total / size)
}
