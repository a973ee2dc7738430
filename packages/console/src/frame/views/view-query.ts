import { printSearch } from '../../lib/url-state.ts'

/** What is of the moment and no part of a view. */
const always = ['sort', 'from', 'to', 'tz']

/** The filters of an address in one order, without what is not part of a view, such as the entry that is open. */
export function toViewQuery(search: string, beside: readonly string[]): string {
  const filters = [...new URLSearchParams(search)]
    .filter(([name]) => !always.includes(name) && !beside.includes(name))
    .sort(([one], [other]) => one.localeCompare(other))
  return printSearch(new URLSearchParams(filters))
}

/** The address of a view; the range of time stays as it is unless the view has its own. */
export function toViewAddress(path: string, query: string, search: string): string {
  const kept = new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => name === 'from' || name === 'to' || name === 'tz'))
  for (const [name, value] of new URLSearchParams(query)) kept.set(name, value)
  const text = printSearch(kept)
  return text === '' ? path : `${path}?${text}`
}
