import { Batch } from './event/batch.ts'
import type { NormalizedEvent } from './event/event.ts'
import { FieldTable } from './event/field-table.ts'
import { parseEvent } from './event/parse-event.ts'
import { ValueView } from './event/value-view.ts'
import type { FieldValue } from './event/value.ts'
import './predicate/matchers/re2.ts'
import { compileCheck } from './predicate/check.ts'
import { compilePredicate } from './predicate/compile.ts'
import type { Predicate, Test } from './predicate/predicate.ts'
import { normalizeEvent } from './taxonomy/normalize.ts'

export { listTestRequirements } from './candidates/requirement.ts'
export type { Needle, Requirement } from './candidates/requirement.ts'
export { recognizeEvent } from './taxonomy/recognize-event.ts'
export type { EventRecognition } from './taxonomy/recognize-event.ts'
export { normalizeEvent } from './taxonomy/normalize.ts'
export { findEventTime } from './taxonomy/event-time.ts'
export { listObservables, findObservable, readPrimaryObservables } from './taxonomy/observables.ts'
export type { ObservableKind } from './taxonomy/observable-fields.ts'
export { foldCase } from './event/fold-case.ts'
export { collectLeafTexts } from './event/leaves.ts'
export { parseJson } from '@tripline/common/parse-json'
export { followPath, isObject, toFieldValue } from './event/value.ts'
export type { FieldValue, Scalar } from './event/value.ts'
export type { FieldAliases, NormalizedEvent } from './event/event.ts'
export { parseNumber } from './event/parse-number.ts'

/*
 * What a store of events needs to evaluate predicates exactly as rules do: checks of single values for columns, and the
 * matcher of whole events where columns are not enough.
 */

/** Compiles a comparison with a constant to a check of a field's value; undefined stands for an absent field. */
export function compileValueCheck(test: Test): (value: FieldValue) => boolean {
  const check = compileCheck(test)
  return (value) => check(new ValueView(value))
}

/** Compiles a predicate to a function that returns the row numbers of the matching events, ascending. */
export function compileEventCheck(predicate: Predicate): (events: readonly NormalizedEvent[]) => Uint32Array {
  const fields = new FieldTable()
  const matcher = compilePredicate(predicate, fields)
  return (events) => {
    const rows = Uint32Array.from(events.keys())
    return rows.subarray(0, matcher(new Batch(events, fields), rows, rows.length, rows))
  }
}

/** An event as rules see it. */
export type ReadEvent = {
  readonly event: NormalizedEvent
  /** Whether its fields are those of the text, not renamed by the taxonomy; false for a text that is no event. */
  readonly isOwnObject: boolean
}

/** Parses and normalizes an event; a text that is no event gives an event without fields. */
export function readEvent(text: string): ReadEvent {
  const parsed = parseEvent(text)
  if (!('event' in parsed)) return { event: normalizeEvent({}, 'auto'), isOwnObject: false }
  const event = normalizeEvent(parsed.event, 'auto')
  return { event, isOwnObject: event.fields === parsed.event }
}
