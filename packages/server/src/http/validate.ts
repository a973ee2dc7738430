import { AppError } from '@tripline/contract/app-error'
import { describeZodIssue } from '@tripline/contract/issue-message'
import type { z } from 'zod'
import { limits } from './limits.ts'
import type { RequestContext } from './route.ts'

type Issue = z.core.$ZodIssue

/**
 * Parses the query parameters that a schema names; repeated parameters are joined with commas. Unknown ones are ignored and
 * listed in `warnings`.
 *
 * @throws AppError INVALID_PARAMETER for the first invalid parameter.
 */
export function readQuery<Schema extends z.ZodObject>(
  c: RequestContext,
  schema: Schema,
): { query: z.output<Schema>; warnings: string[] } {
  const given = Object.entries(c.req.queries()).map(([name, values]) => [name, values.join(',')] as const)
  const known = given.filter(([name]) => Object.hasOwn(schema.shape, name))
  const unknown = given.filter(([name]) => !Object.hasOwn(schema.shape, name))
  const parsed = schema.safeParse(Object.fromEntries(known), { error: describeZodIssue })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const parameter = String(issue?.path[0])
    const value = new Map(known).get(parameter) ?? ''
    if (issue?.code === 'invalid_value') throw invalidParameter(parameter, value, { allowed: issue.values.map(String) })
    throw invalidParameter(parameter, value, { reason: issue?.message ?? 'is not valid' })
  }
  const named = unknown.slice(0, limits.request.warningsListedMax)
  return { query: parsed.data, warnings: named.map(([name]) => `unknown_parameter:${shorten(name)}`) }
}

/** Checks a body against its schema. @throws AppError INVALID_BODY with the first problems and their paths. */
export function checkBody<Schema extends z.ZodType>(body: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(body, { error: describeZodIssue })
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.slice(0, limits.request.warningsListedMax)
  const errors = issues.map((issue) => ({ path: shorten(issue.path.join('.')), message: describeIssue(issue) }))
  const sentences = errors.map(({ path, message }) => `${path || 'the body'}: ${message}`)
  throw new AppError('INVALID_BODY', sentences[0] ?? 'the body is not valid', { errors })
}

/** The error for an invalid parameter, with the allowed values or a reason. */
export function invalidParameter(
  parameter: string,
  value: string,
  { allowed, reason = `allowed: ${allowed?.join(', ') ?? ''}` }: { allowed?: readonly string[]; reason?: string },
): AppError {
  const shown = shorten(value)
  return new AppError('INVALID_PARAMETER', `invalid ${parameter} '${shown}'; ${reason}`, {
    parameter,
    value: shown,
    ...(allowed === undefined ? {} : { allowed }),
  })
}

/** Describes a problem without the value sent by the client, which may be long. */
function describeIssue(issue: Issue): string {
  if (issue.code === 'unrecognized_keys') return `unknown field '${shorten(issue.keys[0] ?? '')}'`
  return issue.message
}

function shorten(text: string): string {
  return text.length <= 64 ? text : `${text.slice(0, 64)}...`
}
