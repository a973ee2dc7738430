import { getPrincipal } from '../../http/route.ts'
import type { RequestContext } from '../../http/route.ts'
import type { ListPage } from './list-page.ts'
import { recordOutcome } from './record-outcome.ts'
import type { OutcomeDeps } from './record-outcome.ts'

/**
 * Reads the page of a list that a request asks for. The first page of a list that is searched or filtered is recorded in the
 * audit trail, and a request for it that fails is recorded too.
 */
export async function recordListRead<Page extends Pick<ListPage<unknown>, 'total'>>(
  deps: OutcomeDeps, c: RequestContext, list: string, read: () => Promise<Page>,
): Promise<Page> {
  const { q: text, filters, cursor, page = '1' } = c.req.query()
  const isFirstPage = cursor === undefined && page === '1'
  if (!isFirstPage || (text === undefined && filters === undefined)) return await read()
  const details = { list, ...(text !== undefined && { text }), ...(filters !== undefined && { filters }) }
  const action = { action: 'search.run', target: { type: 'list', id: list }, details }
  return await recordOutcome(deps, getPrincipal(c), action, read, ({ total }) => ({ figures: { found: total.count } }))
}
