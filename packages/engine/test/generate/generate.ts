import fc from 'fast-check'
import type { EventObject } from '../../src/event/event.ts'
import type { RuleObject } from '../reference/reference.ts'
import { families } from './generate-items.ts'
import { eventText, fieldValues, otherValues, ruleText } from './generate-stock.ts'

/*
 * Random rules and events that often match: each kind of value has its own few fields, and rules and events draw their
 * values from the same small set.
 */

/** Events as from JSON: flat, nested, and with own keys such as `__proto__`. */
export const events: fc.Arbitrary<EventObject> = fc
  .tuple(nested(), ...fieldValues.map(([field, value]) => memberOf(field, value)))
  .map((members) => objectOf(members.flat()))

/** Valid detection rules; `JSON.stringify` prints them, since JSON is YAML. */
export const rules: fc.Arbitrary<RuleObject> = fc.record({
  title: fc.constant('A generated rule'),
  logsource: fc.constant({ category: 'generated' }),
  detection: detections(),
})

/** A field with one or several values of its kind, with an unexpected value, or absent. */
function memberOf(field: string, expected: fc.Arbitrary<unknown>): fc.Arbitrary<[string, unknown][]> {
  const value = fc.oneof(
    { weight: 12, arbitrary: expected },
    { weight: 3, arbitrary: fc.array(expected, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(fc.array(expected, { maxLength: 2 }), { maxLength: 2 }) },
    { weight: 2, arbitrary: otherValues },
  )
  const isMostlyAbsent = field.includes('.')
  const absent = fc.constant<[string, unknown][]>([])
  return fc.oneof(
    { weight: isMostlyAbsent ? 1 : 4, arbitrary: value.map((present): [string, unknown][] => [[field, present]]) },
    { weight: isMostlyAbsent ? 6 : 1, arbitrary: absent },
  )
}

/** The objects of paths such as `a.b`. */
function nested(): fc.Arbitrary<[string, unknown][]> {
  const leaf = fc.oneof(eventText, eventText, otherValues, fc.array(eventText, { maxLength: 2 }))
  const inner = fc.array(fc.tuple(fc.constantFrom('b', 'n', 'c', '__proto__'), leaf), { maxLength: 3 }).map(objectOf)
  const outer = fc.oneof(inner, inner, inner, fc.array(fc.oneof(inner, leaf), { maxLength: 3 }), leaf)
  return fc.array(fc.tuple(fc.constantFrom('a', 'é', '__proto__'), outer), { maxLength: 2 })
}

function detections(): fc.Arbitrary<object> {
  const names = fc.constantFrom(
    'sel', 'sel_1', 'sel_2', 'filter', 'x-y', '1', 'nothing', 'android', 'them1', '_hidden', '__proto__', 'constructor')
  const named = fc.uniqueArray(
    fc.tuple(names, selections()), { minLength: 1, maxLength: 4, selector: ([name]) => name })
  const conditions = fc.oneof(
    { weight: 5, arbitrary: condition() },
    { weight: 1, arbitrary: fc.array(condition(), { minLength: 1, maxLength: 2 }) },
  )
  return fc.tuple(named, conditions).map(([entries, printers]) => {
    const defined = entries.map(([name]) => name)
    const texts = Array.isArray(printers) ? printers.map((print) => print(defined)) : printers(defined)
    return objectOf([...entries, ['condition', texts]])
  })
}

function selections(): fc.Arbitrary<unknown> {
  const map = fc.uniqueArray(items(), { minLength: 1, maxLength: 3, selector: ([key]) => key }).map(objectOf)
  const keywords = fc.oneof(ruleText, ruleText, fc.constantFrom(1, 4688, true))
  const part = fc.oneof({ weight: 4, arbitrary: map }, { weight: 1, arbitrary: keywords })
  return fc.oneof(
    { weight: 8, arbitrary: map },
    { weight: 2, arbitrary: listOf(map) },
    { weight: 1, arbitrary: ruleText },
    { weight: 1, arbitrary: listOf(keywords) },
    { weight: 1, arbitrary: listOf(fc.oneof(part, listOf(part))) },
  )
}

/** A detection item: mostly on a field with such values, sometimes on any field or the whole event. */
function items(): fc.Arbitrary<[key: string, value: unknown]> {
  const allFields = [...fieldValues.map(([field]) => field), 'absent', 'a', 'a.b.c', '__proto__.b', 'a.__proto__']
  return fc.oneof(...families.map(({ weight, fields, item, suitsKeywords }) => {
    const field = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...fields) },
      { weight: 2, arbitrary: fc.constantFrom(...allFields) },
      { weight: suitsKeywords ? 1 : 0, arbitrary: fc.constant('') },
    )
    const arbitrary = fc.tuple(field, item(allFields)).map(([name, [modifiers, value]]): [string, unknown] =>
      [name + modifiers === '' ? '|contains' : name + modifiers, value])
    return { weight, arbitrary }
  }))
}

type Printer = (names: readonly string[]) => string

/** A condition as a function of the selection names. */
function condition(): fc.Arbitrary<Printer> {
  const leaf = fc.tuple(fc.nat(3), fc.nat(7), fc.constantFrom('1', 'any', 'all')).map(
    ([which, form, quantifier]): Printer => (names) => {
      const name = names[which % names.length] ?? ''
      const pattern = patternOf(name, form, names)
      return pattern === undefined ? name : `${quantifier} of ${pattern}`
    })
  const tree = fc.letrec<{ node: Printer; not: Printer; pair: Printer }>((tie) => ({
    node: fc.oneof({ maxDepth: 3, withCrossShrink: true }, { weight: 3, arbitrary: leaf },
      { weight: 1, arbitrary: tie('not') }, { weight: 3, arbitrary: tie('pair') }),
    not: fc.tuple(tie('node'), fc.boolean()).map(([part, isWrapped]): Printer =>
      (names) => (isWrapped ? `not (${part(names)})` : `not ${part(names)}`)),
    pair: fc.tuple(tie('node'), fc.constantFrom('and', 'or'), tie('node'), fc.boolean()).map(
      ([left, link, right, isWrapped]): Printer => (names) => {
        const text = `${left(names)} ${link} ${right(names)}`
        return isWrapped ? `( ${text})` : text
      }),
  })).node
  const blanks = fc.constantFrom(...Array<string>(9).fill(' '), '\n', '\t ')
  return fc.tuple(tree, blanks).map(([print, blank]) => (names) => print(names).replaceAll(' ', blank))
}

/** Returns a pattern that matches at least one selection; undefined to use the selection itself. */
function patternOf(name: string, form: number, names: readonly string[]): string | undefined {
  const isHidden = name.startsWith('_')
  switch (form) {
    case 0: return names.every((other) => other.startsWith('_')) ? undefined : 'them'
    case 1: return isHidden ? '_*' : '*'
    case 2: return `${name.slice(0, Math.ceil(name.length / 2))}*`
    case 3: return isHidden ? name : `*${name.slice(1)}`
    case 4: return name
    default: return undefined
  }
}

function listOf<Part>(part: fc.Arbitrary<Part>): fc.Arbitrary<Part[]> {
  return fc.array(part, { minLength: 1, maxLength: 3 })
}

/** Creates an object with own properties of any name. */
function objectOf(members: readonly (readonly [string, unknown])[]): { readonly [name: string]: unknown } {
  return Object.fromEntries(members)
}
