import { readFileSync } from 'node:fs'
import type { EventObject } from '@tripline/engine'

/** Events that the queries below are asked of, by number. */
export const events: readonly EventObject[] = readData('events.ndjson').trim().split('\n').map((line) => JSON.parse(line) as EventObject)

/** What each query finds: a table that every way to search is asked. */
export const searchRows: readonly (readonly [query: string, rows: readonly number[]])[] =
  Object.values(JSON.parse(readData('rows.json')) as { readonly [section: string]: readonly [string, number[]][] }).flat()

function readData(name: string): string {
  return readFileSync(new URL(`../../../fixtures/queries/${name}`, import.meta.url), 'utf8')
}
