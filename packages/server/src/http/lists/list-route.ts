import type { Clock } from '@tripline/common/runtime'
import { listParameters } from '@tripline/contract/list'
import type { Filter } from '@tripline/model/lists/filter'
import { z } from 'zod'
import { recordOutcome } from '../../audit/record-outcome.ts'
import type { OutcomeDeps } from '../../audit/record-outcome.ts'
import { respond } from '../respond.ts'
import { getPrincipal } from '../route.ts'
import type { Access, RequestContext, Route } from '../route.ts'
import { readQuery } from '../validate.ts'
import type { ListDefinition } from './list-definition.ts'
import type { ListPage, ListRequest } from './list-page.ts'
import { printList } from './print-list.ts'
import { readList } from './read-list.ts'

/** The parameters of a list: those of the query contract and its own, and the filters that the latter mean. */
export type ListParameters<QuerySchema extends z.ZodObject = z.ZodObject> = {
  readonly query: QuerySchema
  toWhere(query: z.output<QuerySchema>, c: RequestContext): readonly Filter[] | Promise<readonly Filter[]>
}

/** A list of the query contract. */
type ListResource<QuerySchema extends z.ZodObject> = ListParameters<QuerySchema> & {
  readonly path: string
  readonly access: Access
  readonly summary: string
  readonly list: ListDefinition
  readonly response: z.ZodType
  /** The name of the entries in the response, and of the list in the audit trail. */
  readonly name: string
  /** Whether the first page of a text or filter is recorded in the audit trail. */
  readonly isRecorded?: true
  /** Reads a page, with its entries as they are printed. */
  readonly readPage: (c: RequestContext, request: ListRequest) => Promise<ListPage<object>>
  /** What else the response has. */
  readonly printRest?: (c: RequestContext) => object
}

/** What the routes of lists need of the server. */
export type ListRouteDeps = OutcomeDeps & { readonly clock: Clock }

const pagingSchema = z.object(listParameters)

/** Creates the route of a list: reads the parameters, has the page read, and prints it with its metadata. */
export function listRoute<QuerySchema extends z.ZodObject>(
  { trail, clock }: ListRouteDeps, resource: ListResource<QuerySchema>,
): Route {
  const { path, access, summary, list, query: schema, response, name, isRecorded = false, printRest } = resource
  const read = async (c: RequestContext) => {
    const { query, warnings } = readQuery(c, schema)
    const { query: paging } = readQuery(c, pagingSchema)
    const values = Object.fromEntries(Object.entries(query).filter(([name]) => !Object.hasOwn(listParameters, name)))
    const listed = readList(list, paging, { where: await resource.toWhere(query, c), values })
    return { ...await resource.readPage(c, listed.request), warnings: [...warnings, ...listed.warnings] }
  }
  return {
    method: 'GET', path, access, summary, query: schema, list, responses: { 200: response },
    handle: async (c) => {
      const { entries, warnings, ...page } = await (isRecorded ? recordRead({ trail }, c, name, () => read(c)) : read(c))
      return respond(c, {
        ...printRest?.(c),
        [name]: entries,
        ...printList(page, { tookMs: clock.elapsedMs() - c.get('startedMs'), warnings }),
      })
    },
  }
}

/** Reads a page; the first page of a list that is searched or filtered is recorded in the audit trail, and a failure too. */
export async function recordRead<Page extends Pick<ListPage<unknown>, 'total'>>(
  deps: OutcomeDeps, c: RequestContext, list: string, read: () => Promise<Page>,
): Promise<Page> {
  const { q: text, filters, cursor, page = '1' } = c.req.query()
  const isFirstPage = cursor === undefined && page === '1'
  if (!isFirstPage || (text === undefined && filters === undefined)) return await read()
  const details = { list, ...(text !== undefined && { text }), ...(filters !== undefined && { filters }) }
  const action = { action: 'search.run', target: { type: 'list', id: list }, details }
  return await recordOutcome(deps, getPrincipal(c), action, read, ({ total }) => ({ figures: { found: total.count } }))
}
