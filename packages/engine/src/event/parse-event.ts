import { limits } from '../limits.ts'
import { findEventExcess } from './event-limits.ts'
import type { EventObject } from './event.ts'
import { parseJson } from './parse-json.ts'

/** An event, or why the text is none; the reason quotes the text, so make it printable before it is shown. */
export type ParsedEvent =
  | { readonly event: EventObject }
  | { readonly reason: string }

/** A line that holds no event. */
export type MalformedLine = {
  /** Counts from 0. */
  readonly line: number
  readonly reason: string
}

/**
 * Reads the JSON text of one event. Its nesting is bounded before it is parsed; an event of which the engine
 * would look at a part only is refused, so that nothing is left out unseen.
 */
export function parseEvent(text: string): ParsedEvent {
  if (isDeeperThan(text, limits.eventDepthMax)) return { reason: `nested deeper than ${limits.eventDepthMax} levels` }
  try {
    const value = parseJson(text)
    if (!isEvent(value)) return { reason: `${describeKind(value)}, not an object` }
    // A value takes two characters with its comma, so most events are known to be small by their length.
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

/** Whether JSON text opens more than `depthMax` lists and objects inside each other. */
function isDeeperThan(text: string, depthMax: number): boolean {
  // Counting brackets natively is fast and settles nearly every event: few open hundreds.
  const openCount = countAtMost(text, '{', depthMax + 1) + countAtMost(text, '[', depthMax + 1)
  return openCount > depthMax && measureDepth(text) > depthMax
}

function countAtMost(text: string, character: string, countMax: number): number {
  let count = 0
  for (let at = text.indexOf(character); at !== -1 && count < countMax; at = text.indexOf(character, at + 1)) count++
  return count
}

/** The depth of the deepest list or object, brackets in strings left out. */
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
