import type { EventObject, NormalizedEvent } from '../event/event.ts'
import { limits } from '../limits.ts'
import type { Test } from './predicate.ts'
import { runTest } from './single-test.ts'

/** A leaf value of an event: its path, such as `a.b[0]`, and its text. */
type MatchingLeaf = { readonly path: string; readonly text: string }

/**
 * Finds the leaf of an event that a keyword matches, the first in the order of the event: descends into the member that
 * matches alone, so that exactly the keyword's own matcher decides. Undefined if none matches.
 */
export function findMatchingLeaf(test: Test, event: NormalizedEvent): MatchingLeaf | undefined {
  let path = ''
  let value: unknown = event.fields
  let wrap = (member: unknown): unknown => member
  for (let depth = 0; depth < limits.eventDepthMax && typeof value === 'object' && value !== null; depth++) {
    const isList = Array.isArray(value)
    const outer = wrap
    const found = Object.entries(value).find(([key, member]) => {
      const fields = outer(isList ? [member] : { [key]: member }) as EventObject
      return runTest(test, { ...event, fields }).holds
    })
    if (found === undefined) return undefined
    const [key] = found
    wrap = (member) => outer(isList ? [member] : { [key]: member })
    path += isList ? `[${key}]` : path === '' ? key : `.${key}`
    value = found[1]
  }
  return path === '' || (typeof value === 'object' && value !== null) ? undefined : { path, text: String(value) }
}
