import { limits } from '../limits.ts'
import type { EventObject } from './event.ts'

/** A limit that an event exceeds, with a message. */
export type EventExcess = { readonly code: 'LIST_TOO_LONG' | 'TOO_MANY_VALUES'; readonly message: string }

/**
 * Finds the limit beyond which `push` reads only a part of an event: the elements of one list, or the number of
 * values. Programs reject such events from untrusted sources, so that no part of an event is skipped silently. Runs
 * in linear time without recursion.
 */
export function findEventExcess(event: EventObject): EventExcess | undefined {
  const open: object[] = [event]
  let valueCount = 0
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    const values: readonly unknown[] = Object.values(container)
    if (Array.isArray(container) && values.length > limits.eventListElementsMax) {
      return { code: 'LIST_TOO_LONG', message: `a list of the event has more than ${limits.eventListElementsMax} elements` }
    }
    valueCount += values.length
    if (valueCount > limits.eventLeavesMax) {
      return { code: 'TOO_MANY_VALUES', message: `the event has more than ${limits.eventLeavesMax} values` }
    }
    for (const value of values) if (typeof value === 'object' && value !== null) open.push(value)
  }
  return undefined
}
