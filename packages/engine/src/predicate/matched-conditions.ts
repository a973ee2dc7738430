import { elementEvents } from '../event/element-events.ts'
import type { NormalizedEvent } from '../event/event.ts'
import { isEnough } from './matchers/elements.ts'
import type { Elements, Predicate, Test } from './predicate.ts'
import { runTest } from './single-test.ts'

/**
 * The comparisons that make a predicate hold on an event, each as `selection: field|modifiers=pattern`
 * (decisions D-16), each once, in the order of the rule; undefined where it does not hold. What made a
 * negation hold is the absence of something, so that negations add nothing, except a modifier `neq`.
 */
export function heldConditions(predicate: Predicate, event: NormalizedEvent): readonly string[] | undefined {
  const held = partsHeld(predicate, event, '')
  return held && [...new Set(held)]
}

function partsHeld(predicate: Predicate, event: NormalizedEvent, selection: string): readonly string[] | undefined {
  switch (predicate.kind) {
    case 'constant':
      return predicate.value ? [] : undefined
    case 'test':
      return runTest(predicate, event).holds ? [printTest(predicate, selection)] : undefined
    case 'group':
      return partsHeld(predicate.of, event, predicate.name)
    case 'not':
      if (isNeq(predicate.of)) return runTest(predicate.of, event).holds ? undefined : [printTest(predicate.of, selection)]
      return partsHeld(predicate.of, event, selection) === undefined ? [] : undefined
    case 'and':
    case 'or': {
      const parts = predicate.of.map((part) => partsHeld(part, event, selection))
      const held = parts.filter((part) => part !== undefined)
      const isHeld = predicate.kind === 'and' ? held.length === parts.length : held.length > 0
      return isHeld ? held.flat() : undefined
    }
    case 'elements':
      return heldByElements(predicate, event, selection)
  }
}

function heldByElements({ field, quantifier, of }: Elements, event: NormalizedEvent, selection: string): readonly string[] | undefined {
  const parts = elementEvents(event, field).map((element) => partsHeld(of, element, selection))
  if (!isEnough(quantifier, parts.map((part) => (part === undefined ? 0 : 1)))) return undefined
  const meant = typeof quantifier === 'number' ? [parts[quantifier]] : parts
  return meant.flatMap((part) => part ?? [])
}

/** Whether a negation is the modifier `neq` of the comparison below it, which then shows as one. */
export function isNeq(negated: Predicate): negated is Test {
  return negated.kind === 'test' && negated.written.operator.split('|').includes('neq')
}

function printTest({ field, written, writtenValue }: Test, selection: string): string {
  const condition = field === undefined && written.operator === 'eq' ? writtenValue : `${written.item}=${writtenValue}`
  return selection === '' ? condition : `${selection}: ${condition}`
}
