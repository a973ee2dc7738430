import { limits } from '../limits.ts'
import type { EventObject } from './event.ts'

/** Which limit an event is over, in a sentence. */
export type EventExcess = { readonly code: 'LIST_TOO_LONG' | 'TOO_MANY_VALUES'; readonly message: string }

/**
 * Says whether an event is over a limit beyond which `push` looks only at a part of it: the elements of one
 * list, the values in all. Programs that read events from strangers refuse those, so that nothing is left
 * out unseen. Takes time linear in the event and does not recurse.
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
