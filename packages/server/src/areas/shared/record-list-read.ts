import type { Principal } from '../../model/access/principal.ts'
import type { ListPage } from './list-page.ts'
import { recordOutcome } from './record-outcome.ts'
import type { OutcomeDeps } from './record-outcome.ts'

/** A request for a page of a list as it was written. */
type ListRead = {
  /** The name of the list, such as `alerts`. */
  readonly list: string
  readonly text: string | undefined
  readonly filters: string | undefined
  readonly isFirstPage: boolean
}

/** Reads a page of a list; the first page of a list that is searched or filtered is recorded in the audit trail. */
export async function recordListRead<Page extends Pick<ListPage<unknown>, 'total'>>(
  app: OutcomeDeps, caller: Principal, { list, text, filters, isFirstPage }: ListRead, read: () => Promise<Page>,
): Promise<Page> {
  if (!isFirstPage || (text === undefined && filters === undefined)) return await read()
  const details = { list, ...(text !== undefined && { text }), ...(filters !== undefined && { filters }) }
  const action = { action: 'search.run', target: { type: 'list', id: list }, details }
  return await recordOutcome(app, caller, action, read, ({ total }) => ({ figures: { found: total.count } }))
}
