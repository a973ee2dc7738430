import { toElementEvents } from '../event/element-events.ts'
import type { NormalizedEvent } from '../event/event.ts'
import { satisfiesQuantifier } from './matchers/elements.ts'
import { findMatchingLeaf } from './matching-leaf.ts'
import type { Elements, Predicate, Test } from './predicate.ts'
import { runTest } from './single-test.ts'

/**
 * Lists the comparisons that make a predicate true of an event, as `selection: field|modifiers=pattern`, each once and in
 * the order of the rule; a keyword as `selection: keyword in path`, with the path of the value that it matches. Undefined if the
 * predicate is false. Negations add nothing, because they are true by the absence of
 * something, except the modifier `neq`.
 */
export function listMatchedConditions(predicate: Predicate, event: NormalizedEvent): readonly string[] | undefined {
  const held = matchParts(predicate, event, '')
  return held && [...new Set(held)]
}

function matchParts(predicate: Predicate, event: NormalizedEvent, selection: string): readonly string[] | undefined {
  switch (predicate.kind) {
    case 'constant':
      return predicate.value ? [] : undefined
    case 'test':
      return runTest(predicate, event).holds ? [printTest(predicate, selection, event)] : undefined
    case 'group':
      return matchParts(predicate.of, event, predicate.name)
    case 'not':
      if (isNeq(predicate.of)) return runTest(predicate.of, event).holds ? undefined : [printTest(predicate.of, selection, event)]
      return matchParts(predicate.of, event, selection) === undefined ? [] : undefined
    case 'and':
    case 'or': {
      const parts = predicate.of.map((part) => matchParts(part, event, selection))
      const held = parts.filter((part) => part !== undefined)
      const isHeld = predicate.kind === 'and' ? held.length === parts.length : held.length > 0
      return isHeld ? held.flat() : undefined
    }
    case 'elements':
      return matchElementParts(predicate, event, selection)
  }
}

function matchElementParts({ field, quantifier, of }: Elements, event: NormalizedEvent, selection: string): readonly string[] | undefined {
  const parts = toElementEvents(event, field).map((element) => matchParts(of, element, selection))
  if (!satisfiesQuantifier(quantifier, parts.map((part) => (part === undefined ? 0 : 1)))) return undefined
  const meant = typeof quantifier === 'number' ? [parts[quantifier]] : parts
  return meant.flatMap((part) => part ?? [])
}

/** Whether a negation is the modifier `neq` of the comparison below it, which then shows as one. */
export function isNeq(negated: Predicate): negated is Test {
  return negated.kind === 'test' && negated.written.operator.split('|').includes('neq')
}

function printTest(test: Test, selection: string, event: NormalizedEvent): string {
  const { field, written, writtenValue } = test
  const condition = field === undefined && written.operator === 'eq' ? writtenValue : `${written.item}=${writtenValue}`
  const leaf = field === undefined ? findMatchingLeaf(test, event) : undefined
  const located = leaf === undefined ? condition : `${condition} in ${leaf.path}`
  return selection === '' ? located : `${selection}: ${located}`
}
