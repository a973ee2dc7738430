import { foldCase } from '../../event/fold-case.ts'
import { normalizePattern } from '../pattern.ts'
import type { Pattern, PatternPart } from '../pattern.ts'

/**
 * Compiles a pattern to a test of whole texts by greedy segment matching, without backtracking: the time is at most text
 * times pattern. If case is ignored, it folds the pattern, and the texts must be folded.
 */
export function compilePattern(pattern: Pattern, isCased: boolean): (text: string) => boolean {
  const parts = normalizePattern(isCased ? pattern : pattern.map(foldPart))
  const startsOpen = parts[0]?.kind === 'any'
  const endsOpen = parts.at(-1)?.kind === 'any'
  const segments = splitSegments(parts)
  if (segments.length === 0) return startsOpen ? () => true : (text) => text === ''
  const [only] = segments
  if (segments.length === 1 && typeof only === 'string') {
    if (startsOpen && endsOpen) return (text) => text.includes(only)
    if (startsOpen) return (text) => text.endsWith(only)
    return endsOpen ? (text) => text.startsWith(only) : (text) => text === only
  }
  return compileSegments(segments, startsOpen, endsOpen)
}

/** The part between two `*`: plain text, or parts with single-character wildcards. */
type Segment = string | readonly PatternPart[]

function foldPart(part: PatternPart): PatternPart {
  if (part.kind === 'text') return { kind: 'text', text: foldCase(part.text) }
  return part.kind === 'oneOf' ? { kind: 'oneOf', characters: foldCase(part.characters) } : part
}

function splitSegments(parts: Pattern): Segment[] {
  const segments: Segment[] = []
  let open: PatternPart[] = []
  const close = () => {
    const [first] = open
    if (open.length === 1 && first?.kind === 'text') segments.push(first.text)
    else if (open.length > 0) segments.push(open)
    open = []
  }
  for (const part of parts) {
    if (part.kind === 'any') close()
    else open.push(part)
  }
  close()
  return segments
}

/**
 * Anchors the first segment at the start and the last at the end unless a `*` is there; finds those between one after the
 * other, each at its leftmost place, which is correct because only their order matters.
 */
function compileSegments(segments: readonly Segment[], startsOpen: boolean, endsOpen: boolean): (text: string) => boolean {
  const head = startsOpen ? undefined : segments[0]
  const tail = endsOpen ? undefined : segments.at(-1)
  if (segments.length === 1 && head !== undefined && tail !== undefined) {
    return (text) => matchSegmentAt(head, text, 0) === text.length
  }
  const middle = segments.slice(head === undefined ? 0 : 1, tail === undefined ? segments.length : -1)
  return (text) => {
    let at = head === undefined ? 0 : matchSegmentAt(head, text, 0)
    for (const segment of middle) {
      if (at === -1) return false
      at = findEnd(segment, text, at)
    }
    if (at === -1) return false
    return tail === undefined || isAtEnd(tail, text, at)
  }
}

/** The end of a segment that starts at `at`; -1 if it does not match there. */
function matchSegmentAt(segment: Segment, text: string, at: number): number {
  if (typeof segment === 'string') return text.startsWith(segment, at) ? at + segment.length : -1
  for (const part of segment) {
    if (part.kind === 'text') {
      if (!text.startsWith(part.text, at)) return -1
      at += part.text.length
    } else {
      const length = getCharacterLength(text, at)
      if (length === 0) return -1
      if (part.kind === 'oneOf' && !part.characters.includes(text.slice(at, at + length))) return -1
      at += length
    }
  }
  return at
}

/** The end of the leftmost occurrence of a segment at or after `from`; -1 if there is none. */
function findEnd(segment: Segment, text: string, from: number): number {
  if (typeof segment === 'string') {
    const found = text.indexOf(segment, from)
    return found === -1 ? -1 : found + segment.length
  }
  for (const start of listStarts(segment, text, from)) {
    const end = matchSegmentAt(segment, text, start)
    if (end !== -1) return end
  }
  return -1
}

/** Lists the places at or after `from` where a segment may start, ascending, using its first literal if it has one. */
function* listStarts(segment: readonly PatternPart[], text: string, from: number): Generator<number> {
  const singleCount = segment.findIndex((part) => part.kind === 'text')
  const first = segment[singleCount]
  if (first?.kind !== 'text') {
    for (let at = from; at <= text.length; at++) if (!splitsPair(text, at)) yield at
    return
  }
  for (let at = text.indexOf(first.text, from); at !== -1; at = text.indexOf(first.text, at + 1)) {
    const start = stepBack(text, at, singleCount)
    if (start >= from) yield start
  }
}

/** The offset some characters before another one. */
function stepBack(text: string, at: number, characterCount: number): number {
  for (let i = 0; i < characterCount; i++) at -= splitsPair(text, at - 1) ? 2 : 1
  return at
}

/** Whether a segment matches at the end of the text, starting at `from` or later. */
function isAtEnd(segment: Segment, text: string, from: number): boolean {
  if (typeof segment === 'string') return text.length - segment.length >= from && text.endsWith(segment)
  let start = text.length
  for (let i = segment.length - 1; i >= 0; i--) {
    const part = segment[i]!
    start = part.kind === 'text' ? start - part.text.length : stepBack(text, start, 1)
  }
  return start >= from && matchSegmentAt(segment, text, start) === text.length
}

/** UTF-16 units of the character at `at`: `?` matches a code point, not a surrogate. */
function getCharacterLength(text: string, at: number): number {
  if (at >= text.length) return 0
  return splitsPair(text, at + 1) ? 2 : 1
}

/** Whether `at` lies between the two halves of a surrogate pair. */
function splitsPair(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}
