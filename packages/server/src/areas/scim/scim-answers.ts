import { notFound } from '@tripline/state/ports/version-conflict'
import { z } from 'zod'
import { parseJsonBody, withBody } from '../../http/read-body.ts'
import type { RequestContext, RequestRefusal } from '../../http/route.ts'
import { checkBody, readQuery } from '../../http/validate.ts'
import { limits } from '../../limits.ts'
import { matchesFilter } from '../../scim/match-filter.ts'
import { parseScimFilter } from '../../scim/parse-filter.ts'
import type { Resource } from '../../scim/read-resource.ts'
import type { ResourceType } from '../../scim/resource-types.ts'
import { selectAttributes } from '../../scim/select-attributes.ts'

const mediaType = 'application/scim+json'

/** The types of refusals that other requests know too. */
const scimTypes: ReadonlyMap<string, string> = new Map([['INVALID_BODY', 'invalidSyntax'], ['INVALID_PARAMETER', 'invalidValue']])

/** Errors in the words of SCIM (RFC 7644, section 3.12). */
export function printScimError(c: RequestContext, { code, status, message, details }: RequestRefusal): Response {
  const { scim_type: scimType = scimTypes.get(code) } = details ?? {}
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error']
  return respondAsScim(c, { schemas, status: String(status), ...(scimType !== undefined && { scimType }), detail: message }, status)
}

/** Answers with a body of SCIM. */
export function respondAsScim(c: RequestContext, body: object, status: RequestRefusal['status'] = 200): Response {
  return c.body(JSON.stringify(body), status, { 'Content-Type': mediaType })
}

const selectionShape = { attributes: z.string().optional(), excludedAttributes: z.string().optional() }
const selectionSchema = z.object(selectionShape)

/** Answers with the wanted attributes of a resource. */
export function respondWithResource(c: RequestContext, resource: Resource, status: 200 | 201): Response {
  const { query } = readQuery(c, selectionSchema)
  const { location } = resource['meta'] as { readonly location: string }
  if (status === 201) c.header('Location', location)
  return respondAsScim(c, selectAttributes(resource, query), status)
}

const wholeNumber = z.string().regex(/^-?\d{1,9}$/, 'must be a whole number').transform(Number)
const listSchema = z.object({
  ...selectionShape, filter: z.string().optional(), startIndex: wholeNumber.optional(), count: wholeNumber.optional(),
})

type PageQuery = z.output<typeof listSchema>

/** All resources of a type without an attribute that is read only where it is wanted. */
export type Listing = {
  readonly resources: readonly Resource[]
  readonly costly: 'groups' | 'members'
  /** The resource of an id with all of its attributes. */
  readonly complete: (id: string) => Promise<Resource>
}

/** A page of the resources that a request selects by its parameters. */
export async function respondWithPage(c: RequestContext, type: ResourceType, listing: Listing): Promise<Response> {
  return respondAsScim(c, await selectPage(type, listing, readQuery(c, listSchema).query))
}

const names = z.array(z.string()).transform((list) => list.join(','))
const searchSchema = z.object({
  filter: z.string().optional(), startIndex: z.int().optional(), count: z.int().optional(), attributes: names.optional(),
  excludedAttributes: names.optional(),
})

/** A page of the resources that a request selects by its body (RFC 7644, section 3.4.3). */
export async function respondToSearch(c: RequestContext, type: ResourceType, listing: Listing): Promise<Response> {
  return respondAsScim(c, await selectPage(type, listing, checkBody(await readScimBody(c), searchSchema)))
}

/** Pages are numbered from 1, and what is less counts as the least (RFC 7644, section 3.4.2.4). */
async function selectPage(
  type: ResourceType, { resources, costly, complete }: Listing, { filter = '', startIndex = 1, count, ...selection }: PageQuery,
): Promise<object> {
  const parsed = filter.trim() === '' ? undefined : parseScimFilter(type, filter)
  const isFilteredByCostly = parsed !== undefined && filter.toLowerCase().includes(costly)
  const completeAll = (some: readonly Resource[]): Promise<readonly Resource[]> => Promise.all(some.map(({ id }) => complete(String(id))))
  const all = isFilteredByCostly ? await completeAll(resources) : resources
  const selected = parsed === undefined ? all : all.filter((resource) => matchesFilter(parsed, resource))
  const first = Math.max(1, startIndex)
  const size = Math.min(Math.max(0, count ?? limits.scim.pageSizeMax), limits.scim.pageSizeMax)
  const page = selected.slice(first - 1, first - 1 + size)
  const isWanted = costly in selectAttributes({ [costly]: [] }, selection)
  const whole = isFilteredByCostly || !isWanted ? page : await completeAll(page)
  const shown = whole.map((resource) => selectAttributes(resource, selection))
  return printListResponse(shown, { totalResults: selected.length, startIndex: first })
}

/** Resources as the list that all answers with several have. */
export function printListResponse(resources: readonly object[], { totalResults = resources.length, startIndex = 1 } = {}): object {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'], totalResults, startIndex, itemsPerPage: resources.length,
    Resources: resources,
  }
}

/** Ids are UUIDs; what is longer is none. @throws StoreError NOT_FOUND. */
export function readScimId(c: RequestContext): string {
  const id = c.req.param('id') ?? ''
  if (id.length > limits.auth.tokenIdLengthMax) throw notFound('resource')
  return id
}

/** Reads a body as JSON. @throws AppError as `withBody` and `parseJsonBody` do. */
export function readScimBody(c: RequestContext): Promise<{ readonly [name: string]: unknown }> {
  return withBody(c, limits.request.bodyBytesMax, async (bytes) => parseJsonBody(c, bytes))
}
