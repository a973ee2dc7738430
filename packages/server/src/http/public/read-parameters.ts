import { describeZodIssue } from '@tripline/contract/issue-message'
import { parseParameters, toParameterSchema } from '@tripline/contract/public/parameters'
import type { ParameterValues, Parameters } from '@tripline/contract/public/parameters'
import type { Profile } from '@tripline/contract/public/profile'
import { z } from 'zod'
import { limits } from '../../limits.ts'
import type { RequestContext } from '../route.ts'
import { publicParameterError, shorten } from './public-errors.ts'
import { readPaging, toPagingSchema } from './public-paging.ts'
import type { PublicPaging, PublicSorting } from './public-paging.ts'

/** What the query of an operation may hold. */
type QueryDefinition = { readonly parameters?: Parameters; readonly sorting?: PublicSorting }

/** The internal values of a query; unknown parameters are ignored, and named in `warnings`. */
type ReadParameters = {
  readonly query: ParameterValues<Parameters>
  readonly paging: PublicPaging | undefined
  readonly warnings: readonly string[]
}

/** The schema of all query parameters of an operation in a profile. */
export function toQuerySchema({ parameters = {}, sorting }: QueryDefinition, profile: Profile): z.ZodObject {
  const own = toParameterSchema(parameters, profile)
  return sorting === undefined ? own : z.object({ ...own.shape, ...toPagingSchema(profile, sorting).shape })
}

/**
 * Reads the query parameters of an operation in a profile; repeated ones are joined with commas.
 *
 * @throws AppError INVALID_PARAMETER for the first invalid one, with the words that are allowed.
 */
export function readParameters(
  c: RequestContext, { parameters = {}, sorting }: QueryDefinition, { profile, schema }: { profile: Profile; schema: z.ZodObject },
): ReadParameters {
  const given = Object.entries(c.req.queries()).map(([name, values]) => [name, values.join(',')] as const)
  const known = Object.fromEntries(given.filter(([name]) => Object.hasOwn(schema.shape, name)))
  const parsed = schema.safeParse(known, { error: describeZodIssue })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const parameter = String(issue?.path[0])
    const allowed = issue?.code === 'invalid_value' ? { allowed: issue.values.map(String) } : { reason: issue?.message }
    throw publicParameterError(parameter, known[parameter] ?? '', allowed)
  }
  const unknown = given.filter(([name]) => !Object.hasOwn(schema.shape, name)).slice(0, limits.request.warningsListedMax)
  return {
    query: parseParameters(parameters, profile, known),
    paging: sorting && readPaging(profile, sorting, known),
    warnings: unknown.map(([name]) => `unknown_parameter:${encodeURIComponent(shorten(name).toWellFormed())}`),
  }
}
