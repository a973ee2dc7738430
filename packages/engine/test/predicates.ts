import { Batch } from '../src/event/batch.ts'
import { noAliases } from '../src/event/event.ts'
import type { EventObject } from '../src/event/event.ts'
import { FieldTable } from '../src/event/field-table.ts'
import { compilePredicate } from '../src/predicate/compile.ts'
import { parsePattern, printPattern } from '../src/predicate/pattern.ts'
import type { FieldRefTest, Group, Predicate, Test, ValueTest } from '../src/predicate/predicate.ts'

/** Creates a test without source information. */
export function createTest(field: string | undefined, value: ValueTest): Test {
  return { kind: 'test', field, value, written: { item: field ?? '', operator: 'eq' }, writtenValue: '' }
}

export function text(field: string | undefined, pattern: string, isCased = false): Test {
  return createTest(field, { kind: 'text', pattern: parsePattern(pattern), isCased })
}

export function number(field: string | undefined, value: number): Test {
  return createTest(field, { kind: 'number', value })
}

export function regex(field: string | undefined, source: string): Test {
  return createTest(field, { kind: 'regex', source, ignoresCase: false, isMultiline: false, dotMatchesNewline: false })
}

export function fieldRef(field: string, other: string, relation: FieldRefTest['relation'] = 'equals'): Test {
  return createTest(field, { kind: 'fieldRef', field: other, relation, isCased: false })
}

export function all(...of: readonly Predicate[]): Predicate {
  return { kind: 'and', of }
}

export function any(...of: readonly Predicate[]): Predicate {
  return { kind: 'or', of }
}

export function not(of: Predicate): Predicate {
  return { kind: 'not', of }
}

export function group(of: Predicate): Group {
  return { kind: 'group', name: 'selection', of }
}

/** Whether an event matches, with the batch matcher. */
export function isMatch(predicate: Predicate, event: EventObject): boolean {
  const fields = new FieldTable()
  const matcher = compilePredicate(predicate, fields)
  const batch = new Batch([{ fields: event, logsources: [], aliases: noAliases, ignoresNameCase: false }], fields)
  const rows = new Uint32Array(1)
  return matcher(batch, rows, 1, rows) === 1
}

/** Prints a predicate of one field on one line, without the field: `(foo* & !null)`. */
export function printPredicate(predicate: Predicate): string {
  switch (predicate.kind) {
    case 'constant':
      return String(predicate.value)
    case 'group':
      return printPredicate(predicate.of)
    case 'not':
      return `!${printPredicate(predicate.of)}`
    case 'and':
    case 'or':
      return `(${predicate.of.map(printPredicate).join(predicate.kind === 'and' ? ' & ' : ' | ')})`
    case 'elements':
      return `${predicate.quantifier} of (${printPredicate(predicate.of)})`
    case 'test':
      return printValueTest(predicate.value)
  }
}

function printValueTest(value: ValueTest): string {
  switch (value.kind) {
    case 'text':
      return printPattern(value.pattern) + (value.isCased ? ' cased' : '')
    case 'number':
      return value.text ?? String(value.value)
    case 'boolean':
      return String(value.value)
    case 'null':
      return 'null'
    case 'exists':
      return value.isPresent ? 'present' : 'absent'
    case 'compare':
      return `${value.operator} ${value.value}`
    case 'timePart':
      return `${value.part} ${value.operator} ${value.value}`
    case 'instant':
      return `instant ${value.operator} ${new Date(value.at).toISOString()}`
    case 'regex':
      return `/${value.source}/${value.ignoresCase ? 'i' : ''}`
    case 'cidr':
      return value.text
    case 'fieldRef':
      return `${value.relation} ${value.field}`
  }
}
