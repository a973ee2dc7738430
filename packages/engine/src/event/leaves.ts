import { limits } from '../limits.ts'
import type { EventObject } from './event.ts'

/** Keys that shippers and data sets put beside an event (`_id`, `_index`, `_logsource`), which are not part of it. */
const annotation = /^_(?!raw$)[a-z]/

/**
 * The texts of an event's leaves, at any depth: what keywords are searched in (D-13). Numbers and booleans
 * count with their canonical text, keys do not count, and neither do annotations at the top (`_id`, but
 * not `_raw`; docs/decisions/0007-keywords-skip-annotations.md). Walks without recursion and visits at most
 * `limits.eventLeavesMax` values, which also ends the walk of an object that contains itself.
 */
export function collectLeafTexts(event: EventObject): string[] {
  const texts: string[] = []
  let visitedCount = 0
  for (const key of Object.keys(event)) {
    if (key.startsWith('_') && annotation.test(key)) continue
    const value = event[key]
    // Most values are texts at the top.
    if (typeof value === 'string') texts.push(value)
    else visitedCount = addLeaves(value, texts, visitedCount)
  }
  return texts
}

/** Adds the texts below a value; takes and gives the number of values visited so far. */
function addLeaves(root: unknown, texts: string[], visitedBefore: number): number {
  const open: unknown[] = [root]
  let visitedCount = visitedBefore
  while (open.length > 0 && visitedCount < limits.eventLeavesMax) {
    const value = open.pop()
    if (typeof value === 'string') texts.push(value)
    else if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') texts.push(String(value))
    else if (typeof value === 'object' && value !== null) {
      const members = Array.isArray(value) ? value : Object.values(value)
      visitedCount += members.length
      for (let i = Math.min(members.length, limits.eventLeavesMax) - 1; i >= 0; i--) open.push(members[i])
    }
  }
  return visitedCount
}
