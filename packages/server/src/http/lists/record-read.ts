import type { ListPage } from '../../areas/shared/list-page.ts'
import { recordListRead } from '../../areas/shared/record-list-read.ts'
import type { OutcomeDeps } from '../../areas/shared/record-outcome.ts'
import { getPrincipal } from '../route.ts'
import type { RequestContext } from '../route.ts'

/** Reads the page of a list that a request asks for, recorded as in `recordListRead`; a request that fails is recorded too. */
export async function recordRead<Page extends Pick<ListPage<unknown>, 'total'>>(
  app: OutcomeDeps, c: RequestContext, list: string, read: () => Promise<Page>,
): Promise<Page> {
  const { q: text, filters, cursor, page = '1' } = c.req.query()
  return await recordListRead(app, getPrincipal(c), { list, text, filters, isFirstPage: cursor === undefined && page === '1' }, read)
}
