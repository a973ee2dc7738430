import { limits } from '../limits.ts'
import type { YamlEntry, YamlNode } from '../sigma/yaml-document.ts'
import { shapeImplies, readTextShape } from './text-shape.ts'

/**
 * Whether an event that a selection holds on is one of another, as far as that can be seen from their
 * texts alone; false where it cannot. A map holds where all its entries do, a list where any of its members.
 */
export function selectionImplies(first: YamlNode, second: YamlNode): boolean {
  if (first.size * second.size > limits.lintImpliedPairsMax) return false
  if (first.kind === 'list') return first.items.length > 0 && first.items.every((item) => selectionImplies(item, second))
  if (second.kind === 'list') return second.items.some((item) => selectionImplies(first, item))
  if (second.kind !== 'map' || first.kind !== 'map') return false
  return second.entries.length > 0 && second.entries.every((entry) => first.entries.some((own) => entryImplies(own, entry)))
}

/** Whether one item of a map holds wherever another does. */
export function entryImplies(first: YamlEntry, second: YamlEntry): boolean {
  const own = readComparison(first)
  const other = readComparison(second)
  if (own === undefined || other === undefined || own.field !== other.field) return false
  if (other.isAll) {
    const isFound = (wanted: Shape) => own.isAll
      ? own.shapes.some((shape) => shapeImplies(shape, wanted))
      : own.shapes.every((shape) => shapeImplies(shape, wanted))
    return other.shapes.every(isFound)
  }
  const isCovered = (shape: Shape) => other.shapes.some((wanted) => shapeImplies(shape, wanted))
  return own.isAll ? own.shapes.some(isCovered) : own.shapes.every(isCovered)
}

type Shape = NonNullable<ReturnType<typeof readTextShape>>
type Comparison = { readonly field: string; readonly isAll: boolean; readonly shapes: readonly Shape[] }

/** What an entry compares, where all of its values have a shape and its field is not one of elements, which may be none. */
export function readComparison({ key, value }: YamlEntry): Comparison | undefined {
  const [field = '', ...modifiers] = key.split('|')
  const nodes = value.kind === 'list' ? value.items : [value]
  if (field === '' || field.includes('[') || nodes.length === 0 || nodes.length > limits.lintComparedValuesMax) return undefined
  const shapes: Shape[] = []
  for (const node of nodes) {
    const shape = node.kind === 'scalar' ? readTextShape(node, modifiers, field) : undefined
    if (shape === undefined) return undefined
    shapes.push(shape)
  }
  return { field, isAll: modifiers.includes('all'), shapes }
}
