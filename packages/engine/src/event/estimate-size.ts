import { limits } from '../limits.ts'
import { isObject } from './value.ts'

/** Overhead in bytes of an object or list, a slot, a string and a number, measured in V8 and rounded up. */
const objectBytes = 56
const slotBytes = 8
const textBytes = 24
const numberBytes = 12

/**
 * Estimates the memory of the values of an event in bytes: good enough to bound memory, not to report it. Field names
 * are shared between events and not counted. Walks without recursion, at most `limits.eventLeavesMax` values.
 */
export function estimateSize(value: unknown): number {
  let bytes = 0
  let visitedCount = 0
  const open: unknown[] = [value]
  while (open.length > 0 && visitedCount < limits.eventLeavesMax) {
    const next = open.pop()
    visitedCount++
    bytes += slotBytes
    if (typeof next === 'string') bytes += textBytes + next.length
    else if (typeof next === 'number' || typeof next === 'bigint') bytes += numberBytes
    else if (Array.isArray(next)) {
      bytes += objectBytes
      for (const element of next.slice(0, limits.eventLeavesMax)) open.push(element)
    } else if (isObject(next)) {
      bytes += objectBytes
      for (const member of Object.values(next)) open.push(member)
    }
  }
  return bytes
}
