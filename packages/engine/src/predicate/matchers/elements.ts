import { Batch } from '../../event/batch.ts'
import { toElementEvents } from '../../event/element-events.ts'
import type { NormalizedEvent } from '../../event/event.ts'
import type { FieldTable } from '../../event/field-table.ts'
import type { Matcher } from '../matcher.ts'
import type { ElementQuantifier, Elements } from '../predicate.ts'

/**
 * Creates a matcher over list elements: the elements of all rows become one batch for the inner matcher, and the number of
 * matching elements decides each row.
 */
export function matchElements({ field, quantifier }: Elements, inner: Matcher, innerFields: FieldTable): Matcher {
  return (batch, rows, count, out) => {
    const elements: NormalizedEvent[] = []
    const starts: number[] = []
    for (let i = 0; i < count; i++) {
      starts.push(elements.length)
      elements.push(...toElementEvents(batch.events[rows[i]!]!, field))
    }
    starts.push(elements.length)
    const passed = new Uint8Array(elements.length)
    const all = Uint32Array.from(elements.keys())
    const passedCount = inner(new Batch(elements, innerFields), all, all.length, all)
    for (let i = 0; i < passedCount; i++) passed[all[i]!] = 1
    let kept = 0
    for (let i = 0; i < count; i++) {
      if (satisfiesQuantifier(quantifier, passed.subarray(starts[i], starts[i + 1]))) out[kept++] = rows[i]!
    }
    return kept
  }
}

/** Whether enough elements passed; `passed` is 1 for each element that did, else 0. */
export function satisfiesQuantifier(quantifier: ElementQuantifier, passed: ArrayLike<number>): boolean {
  if (typeof quantifier === 'number') return passed[quantifier] === 1
  let passedCount = 0
  for (let i = 0; i < passed.length; i++) passedCount += passed[i]!
  switch (quantifier) {
    case 'any':
      return passedCount > 0
    case 'all':
      return passedCount > 0 && passedCount === passed.length
    case 'all_or_empty':
      return passedCount === passed.length
    case 'none':
      return passedCount === 0
  }
}
