import { describeZodIssue } from '@tripline/contract/issue-message'
import type { z } from 'zod'
import { isJsonObject } from '@tripline/common/json'
import { limits } from '../../limits.ts'
import { parseJsonBody, withBody } from '../read-body.ts'
import type { RequestContext } from '../route.ts'
import { publicParameterError } from './public-errors.ts'

/**
 * Reads a JSON body and returns it as it was sent, once it matches its schema. A request without a body, such as `curl -X POST`
 * sends, means an empty object: it starts what needs no field, and misses the first field that is needed.
 *
 * @throws AppError INVALID_PARAMETER for the first field that is not valid; and as `withBody` and `parseJsonBody` do.
 */
export function readPublicBody(c: RequestContext, schema: z.ZodType): Promise<unknown> {
  return withBody(c, limits.request.bodyBytesMax, async (bytes) => {
    const body = bytes.length === 0 && c.req.header('content-type') === undefined ? {} : parseJsonBody(c, bytes)
    const parsed = schema.safeParse(body, { error: describeZodIssue })
    const [issue] = parsed.error?.issues ?? []
    if (issue !== undefined) throw toFieldError(issue, body)
    return body
  })
}

function toFieldError(issue: z.core.$ZodIssue, body: { readonly [field: string]: unknown }): Error {
  if (issue.code === 'unrecognized_keys') {
    const unknown = [...issue.path, issue.keys[0] ?? '']
    return publicParameterError(unknown.join('.'), printValue(findValue(body, unknown)), { reason: 'there is no such field' })
  }
  const path = issue.path.join('.')
  const allowed = issue.code === 'invalid_value' ? { allowed: issue.values.map(String) } : { reason: issue.message }
  return publicParameterError(path === '' ? 'body' : path, printValue(findValue(body, issue.path)), allowed)
}

function findValue(body: { readonly [field: string]: unknown }, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, step) => (isJsonObject(value) || Array.isArray(value) ? Reflect.get(value, step) : undefined), body)
}

function printValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value) ?? ''
}
