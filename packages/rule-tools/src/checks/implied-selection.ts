import type { YamlEntry, YamlNode } from '@tripline/engine/yaml'
import { limits } from '../limits.ts'
import { shapeImplies, readTextShape } from './text-shape.ts'

/**
 * Whether every event that matches one selection also matches another, decided from their values alone; false when
 * that is not certain. A map matches when all its entries do, a list when any of its elements does.
 */
export function selectionImplies(first: YamlNode, second: YamlNode): boolean {
  if (first.size * second.size > limits.lintImpliedPairsMax) return false
  if (first.kind === 'list') return first.items.length > 0 && first.items.every((item) => selectionImplies(item, second))
  if (second.kind === 'list') return second.items.some((item) => selectionImplies(first, item))
  if (second.kind !== 'map' || first.kind !== 'map') return false
  return second.entries.length > 0 && second.entries.every((entry) => first.entries.some((own) => entryImplies(own, entry)))
}

/** Whether the second item of a map matches whenever the first does. */
export function entryImplies(first: YamlEntry, second: YamlEntry): boolean {
  const own = readComparison(first)
  const other = readComparison(second)
  if (own === undefined || other === undefined || own.field !== other.field) return false
  if (other.isAll) {
    const isImplied = (target: Shape) => own.isAll
      ? own.shapes.some((shape) => shapeImplies(shape, target))
      : own.shapes.every((shape) => shapeImplies(shape, target))
    return other.shapes.every(isImplied)
  }
  const isCovered = (shape: Shape) => other.shapes.some((target) => shapeImplies(shape, target))
  return own.isAll ? own.shapes.some(isCovered) : own.shapes.every(isCovered)
}

type Shape = NonNullable<ReturnType<typeof readTextShape>>
type Comparison = { readonly field: string; readonly isAll: boolean; readonly shapes: readonly Shape[] }

/** Reads the comparison of an entry; undefined when a value has no shape, or when the field selects list elements. */
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
