import type { FilteredValue } from '@tripline/model/lists/evaluate-filter'
import type { TenantList } from '../../src/ports/list-query.ts'
import type { EntryReader } from '../../src/ports/memory-list.ts'
import type { Stores } from '../../src/ports/state-store.ts'

/** A list under test: how entries come and go, and what their fields are. */
export type ListSample<Entry> = {
  readonly name: string
  readonly of: (stores: Stores) => TenantList<Entry>
  /** Adds an entry that a seed decides; numbers are never used twice. */
  readonly add: (stores: Stores, tenant: string, entry: { readonly number: number; readonly seed: number }) => Promise<unknown>
  /** Removes one or some of the entries. */
  readonly remove: (stores: Stores, tenant: string, entry: Entry) => Promise<unknown>
  readonly reader: EntryReader<Entry>
}

/** Texts with ties, letters of both cases, wildcards of LIKE, and code points whose order differs in UTF-16. */
export const texts = ['', 'web-1', 'WEB-1', 'web_1', 'web%1', 'Äb', 'äb', 'a"b\\c', '\u{ff5e}', '😀']
export const addresses = ['', '10.0.0.1', '10.1.0.1', '2001:db8::1']
export const tags = ['pc', 'pci', 'p"c', 'é']
export const techniques = ['T1059', 'T1059.001', 'T1033']
export const tactics = ['discovery', 'execution']

export const pick = <Value>(values: readonly Value[], seed: number): Value => values[seed % values.length]!
export const some = <Value>(values: readonly Value[], seed: number): Value[] => values.filter((_, index) => (seed >> index) % 2 === 1)
export const event = (seed: number) => ({
  processName: pick(texts, seed + 3), commandLine: pick(texts, seed + 5), user: pick(texts, seed + 7), host: pick(texts, seed), statedTime: '',
})

/** Reads fields from a table of functions. */
export function readerOf<Entry, Fields extends EntryReader<Entry>['fields']>(
  fields: Fields, values: { readonly [field in keyof Fields]: (entry: Entry) => FilteredValue },
  { getId, getTexts }: Pick<EntryReader<Entry>, 'getId' | 'getTexts'>,
): EntryReader<Entry> {
  const table = new Map(Object.entries<(entry: Entry) => FilteredValue>(values))
  return { fields, getId, getTexts, read: (entry, field) => table.get(field)!(entry) }
}
