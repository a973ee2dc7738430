import { parseJson } from '@tripline/common/parse-json'
import { limits } from '../limits.ts'
import { findEventExcess } from './event-limits.ts'
import type { EventObject } from './event.ts'

/** An event, or the reason why the text is not one. The reason quotes the text: escape it before printing. */
export type ParsedEvent =
  | { readonly event: EventObject }
  | { readonly reason: string }

/** A line that is not an event. */
export type MalformedLine = {
  /** Counts from 0. */
  readonly line: number
  readonly reason: string
}

/**
 * Parses the JSON text of one event. Checks the nesting depth before parsing, and rejects events of which the engine
 * would read only a part.
 */
export function parseEvent(text: string): ParsedEvent {
  if (isDeeperThan(text, limits.eventDepthMax)) return { reason: `nested deeper than ${limits.eventDepthMax} levels` }
  try {
    const value = parseJson(text)
    if (!isEvent(value)) return { reason: `${describeKind(value)}, not an object` }
    // A value takes at least two characters with its comma, so short texts need no check.
    const excess = text.length > 2 * limits.eventListElementsMax ? findEventExcess(value) : undefined
    return excess === undefined ? { event: value } : { reason: excess.message }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { reason: `not JSON: ${error.message.slice(0, limits.reasonLengthMax)}` }
  }
}

function isEvent(value: unknown): value is EventObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function describeKind(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}

/** Whether a JSON text nests more than `depthMax` lists and objects. */
function isDeeperThan(text: string, depthMax: number): boolean {
  // Counting brackets with `indexOf` is fast and enough for nearly all events.
  const openCount = countAtMost(text, '{', depthMax + 1) + countAtMost(text, '[', depthMax + 1)
  return openCount > depthMax && measureDepth(text) > depthMax
}

function countAtMost(text: string, character: string, countMax: number): number {
  let count = 0
  for (let at = text.indexOf(character); at !== -1 && count < countMax; at = text.indexOf(character, at + 1)) count++
  return count
}

/** Measures the nesting depth, ignoring brackets in strings. */
function measureDepth(text: string): number {
  let depth = 0
  let deepest = 0
  let isInString = false
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (isInString) {
      if (character === '\\') i++
      else if (character === '"') isInString = false
    } else if (character === '"') {
      isInString = true
    } else if (character === '{' || character === '[') {
      deepest = Math.max(deepest, ++depth)
    } else if (character === '}' || character === ']') {
      depth--
    }
  }
  return deepest
}
