import { isObject } from '@tripline/engine/evaluate'
import type { NormalizedEvent } from '@tripline/engine/evaluate'
import { limits } from '../limits.ts'
import { intern, rulesOf } from './alias-rules.ts'
import type { NumberedRules } from './alias-rules.ts'
import { Shape, pathsOfTemplate } from './event-template.ts'
import type { Path } from './event-template.ts'
import { tokenOf } from './json-literal.ts'
import { splitEvent, valueMark } from './split-event.ts'

/** An event as a row: its shape, and its tokens in the order of the shape's columns. */
export type ShapedEvent = { readonly shape: Shape; readonly tokens: readonly string[] }

/** How a shape is written to a block. */
export type WrittenShape =
  | { readonly rules: number; readonly template: string }
  | { readonly rules: number; readonly paths: readonly Path[]; readonly emptyPaths: readonly Path[] }

/** Shapes by key, shared by all blocks, so that what was found out about one is found out once. */
const shapes = new Map<string, Shape>()

/** Lays an event out as a row. `text` is its JSON, one character per byte; `event` is what rules see of it. */
export function shapeEvent(text: string, event: NormalizedEvent, isOwnObject: boolean): ShapedEvent {
  const rules = rulesOf(event)
  const split = isOwnObject ? splitEvent(text, limits.events.shapeColumnsMax) : undefined
  const shape = split === undefined ? undefined : templateShape(rules, split.template)
  if (shape !== undefined) return { shape, tokens: split?.tokens ?? [] }
  return isOwnObject ? opaqueEvent(text, rules) : renamedEvent(text, event, rules)
}

/** An event that is known as a whole only. */
export function opaqueEvent(text: string, rules: NumberedRules): ShapedEvent {
  return { shape: fieldShape(rules, [], []), tokens: [text] }
}

/** The shape of a template; undefined where the template does not tell where values belong. */
function templateShape(rules: NumberedRules, template: string): Shape | undefined {
  const key = `${rules.number} ${template}`
  const known = shapes.get(key)
  if (known !== undefined) return known
  const found = pathsOfTemplate(template)
  return found && remember(new Shape({ key, rules, pieces: template.split(valueMark), ...found }))
}

/** The shape of events that keep their whole text and have these fields as columns beside it. */
function fieldShape(rules: NumberedRules, paths: readonly Path[], emptyPaths: readonly Path[]): Shape {
  const key = `${rules.number}\u0000${JSON.stringify([paths, emptyPaths])}`
  return shapes.get(key) ?? remember(new Shape({ key, rules, pieces: undefined, paths: [undefined, ...paths], emptyPaths }))
}

export function writeShape(shape: Shape, rules: number): WrittenShape {
  if (shape.pieces !== undefined) return { rules, template: shape.pieces.join(valueMark) }
  return { rules, paths: shape.paths.filter((path) => path !== undefined), emptyPaths: shape.emptyPaths }
}

export function readShape(written: WrittenShape, rulesTexts: readonly string[]): Shape | undefined {
  const text = rulesTexts[written.rules]
  if (text === undefined) return undefined
  const rules = intern(text)
  return 'template' in written ? templateShape(rules, written.template) : fieldShape(rules, written.paths, written.emptyPaths)
}

/** An event whose fields the taxonomy renamed: the text as it arrived, and the fields as rules see them. */
function renamedEvent(text: string, { fields }: NormalizedEvent, rules: NumberedRules): ShapedEvent {
  const paths: Path[] = []
  const emptyPaths: Path[] = []
  const tokens = [text]
  const open: { readonly value: unknown; readonly path: Path }[] = [{ value: fields, path: [] }]
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const { value, path } = top
    if (isObject(value)) {
      const keys = Object.keys(value)
      if (keys.length === 0 && path.length > 0) emptyPaths.push(path)
      for (const key of keys) open.push({ value: value[key], path: [...path, key] })
    } else if (value !== undefined) {
      paths.push(path)
      tokens.push(tokenOf(value))
    }
    if (paths.length > limits.events.shapeColumnsMax) return opaqueEvent(text, rules)
  }
  return { shape: fieldShape(rules, paths, emptyPaths), tokens }
}

function remember(shape: Shape): Shape {
  // Events choose their shapes: whoever floods the table costs time, never memory.
  if (shapes.size >= limits.events.knownShapesMax) shapes.clear()
  shapes.set(shape.key, shape)
  return shape
}
