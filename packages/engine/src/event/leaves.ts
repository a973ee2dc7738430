import { limits } from '../limits.ts'
import type { EventObject } from './event.ts'

/** Keys that shippers and data sets add to an event (`_id`, `_index`, `_logsource`) and that are not part of it. */
const annotation = /^_(?!raw$)[a-z]/

/**
 * Collects the texts of all leaf values of an event, which keywords search. Includes the canonical text of numbers and
 * booleans, but no keys and no annotations on the top level (`_id`, but not `_raw`;
 * docs/decisions/0007-keywords-skip-annotations.md). Walks without recursion and visits at most
 * `limits.eventLeavesMax` values, so a cyclic object ends too.
 */
export function collectLeafTexts(event: EventObject): string[] {
  const texts: string[] = []
  let visitedCount = 0
  for (const key of Object.keys(event)) {
    if (key.startsWith('_') && annotation.test(key)) continue
    const value = event[key]
    // Most values are strings on the top level.
    if (typeof value === 'string') texts.push(value)
    else visitedCount = addLeaves(value, texts, visitedCount)
  }
  return texts
}

/** Adds the texts below a value; returns the number of values visited, `visitedBefore` included. */
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
