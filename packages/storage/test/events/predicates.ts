import type { Predicate, Test, ValueTest } from '@tripline/engine/predicate'

/** A comparison that appears in no rule. */
export function testOf(field: string | undefined, value: ValueTest): Test {
  return { kind: 'test', field, value, written: { item: field ?? '', operator: 'eq' }, writtenValue: '' }
}

/** A field, or any leaf, compared with a text in which `*` is any run and `?` any one character. */
export function text(field: string | undefined, pattern: string, isCased = false): Test {
  return testOf(field, { kind: 'text', pattern: patternOf(pattern), isCased })
}

export function number(field: string | undefined, value: number): Test {
  return testOf(field, { kind: 'number', value })
}

export function compare(field: string | undefined, operator: 'gt' | 'gte' | 'lt' | 'lte', value: number): Test {
  return testOf(field, { kind: 'compare', operator, value })
}

export function exists(field: string | undefined, isPresent = true): Test {
  return testOf(field, { kind: 'exists', isPresent })
}

export function regex(field: string | undefined, source: string): Test {
  return testOf(field, { kind: 'regex', source, ignoresCase: false, isMultiline: false, dotMatchesNewline: false })
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

export const everything: Predicate = { kind: 'constant', value: true }

type Pattern = Extract<ValueTest, { kind: 'text' }>['pattern']

function patternOf(pattern: string): Pattern {
  return pattern.split(/([*?])/).filter((part) => part !== '').map((part) => {
    return part === '*' ? { kind: 'any' } : part === '?' ? { kind: 'one' } : { kind: 'text', text: part }
  })
}
