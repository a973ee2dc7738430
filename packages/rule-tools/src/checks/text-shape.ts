import { normalizePattern, parsePattern } from '@tripline/engine/predicate'
import type { YamlScalar } from '@tripline/engine/yaml'

/** A value as one literal text; an open start or end allows any characters before or after it. */
export type TextShape = {
  readonly opensStart: boolean
  readonly opensEnd: boolean
  /** Lower case unless the item is case-sensitive. */
  readonly text: string
  readonly isCased: boolean
}

const anchors: ReadonlySet<string> = new Set(['contains', 'startswith', 'endswith'])
const plainModifiers: ReadonlySet<string> = new Set([...anchors, 'cased', 'all'])

/** Reads the shape of a value; undefined for inner wildcards, values that are not text, and other modifiers. */
export function readTextShape(
  { value, text }: YamlScalar, modifiers: readonly string[], field: string | undefined,
): TextShape | undefined {
  if (value === null || typeof value === 'boolean') return undefined
  if (!modifiers.every((name) => plainModifiers.has(name))) return undefined
  const isAnchored = modifiers.some((name) => anchors.has(name))
  // An unquoted number is compared as a number.
  if (typeof value === 'number' && !isAnchored) return undefined
  const parts = [...normalizePattern(parsePattern(text))]
  const isKeyword = field === undefined && !modifiers.includes('startswith') && !modifiers.includes('endswith')
  const isContains = modifiers.includes('contains') || (modifiers.includes('startswith') && modifiers.includes('endswith'))
  let opensStart = isKeyword || isContains || modifiers.includes('endswith')
  let opensEnd = isKeyword || isContains || modifiers.includes('startswith')
  if (parts[0]?.kind === 'any') {
    opensStart = true
    parts.shift()
  }
  if (parts.at(-1)?.kind === 'any') {
    opensEnd = true
    parts.pop()
  }
  const [part] = parts
  if (parts.length > 1 || (part !== undefined && part.kind !== 'text')) return undefined
  const isCased = modifiers.includes('cased')
  const literal = part?.text ?? ''
  return { opensStart, opensEnd, text: isCased ? literal : literal.toLowerCase(), isCased }
}

/** Whether every text of the first shape also has the second shape. */
export function shapeImplies(first: TextShape, second: TextShape): boolean {
  if (second.isCased && !first.isCased) return false
  const text = first.isCased && !second.isCased ? first.text.toLowerCase() : first.text
  if (second.opensStart && second.opensEnd) return text.includes(second.text)
  if (second.opensStart) return !first.opensEnd && text.endsWith(second.text)
  if (second.opensEnd) return !first.opensStart && text.startsWith(second.text)
  return !first.opensStart && !first.opensEnd && text === second.text
}

/** Whether no text has both shapes. */
export function shapesExclude(first: TextShape, second: TextShape): boolean {
  const [a, b] = [first.text.toLowerCase(), second.text.toLowerCase()]
  if (!first.opensStart && !first.opensEnd) {
    return !shapeImplies({ ...first, isCased: false, text: a }, { ...second, isCased: false, text: b })
  }
  if (!second.opensStart && !second.opensEnd) return shapesExclude(second, first)
  if (!first.opensStart && !second.opensStart) return !a.startsWith(b) && !b.startsWith(a)
  return !first.opensEnd && !second.opensEnd && !a.endsWith(b) && !b.endsWith(a)
}
