import { describe, expect, test } from 'vitest'
import { logsourceContains, referenceMatches } from './reference/reference.ts'
import { invalidConditions, conditionRows, conditionSelections } from './rows/rows-conditions.ts'
import { modifierRows, placeholders } from './rows/rows-modifiers.ts'
import { invalidSelections } from './rows/rows-invalid.ts'
import { valueRows } from './rows/rows-values.ts'
import type { Row } from './rows/rows-values.ts'

describe('the reference evaluator', () => {
  test.for<Row>([...valueRows, ...modifierRows])('%s: %j on %j is %s', ([, sel, event, matches]) => {
    expect(referenceMatches({ detection: { sel, condition: 'sel' } }, event, { placeholders })).toBe(matches)
  })

  test.for(conditionRows)('%j with %j is %s', ([condition, fields, holds]) => {
    const event = Object.fromEntries(fields.split(' ').map((field) => [field, 'x']))
    expect(referenceMatches({ detection: { ...conditionSelections, condition } }, event)).toBe(holds)
  })

  test.for(invalidConditions)('rejects the condition %j', (condition) => {
    expect(isRefused({ ...conditionSelections, condition })).toBe(true)
  })

  test.for(invalidSelections)('rejects %s: %j', ([, sel]) => {
    expect(isRefused({ sel, condition: 'sel' })).toBe(true)
  })

  test.for<[rule: object, event: object, contains: boolean]>([
    [{ product: 'windows' }, { product: 'windows', service: 'security' }, true],
    [{ product: 'windows' }, { product: 'linux' }, false],
    [{ product: 'windows', category: 'file_event' }, { product: 'windows' }, false],
    [{ category: 'file_event' }, { product: 'linux', category: 'file_event' }, true],
    [{}, {}, true],
  ])('logsource %j applies to %j: %s', ([rule, event, contains]) => {
    expect(logsourceContains(rule, event)).toBe(contains)
  })

  test('reads aliases and names of any case when enabled', () => {
    const rule = { detection: { sel: { Image: 'x' }, condition: 'sel' } }
    expect(referenceMatches(rule, { image: 'x' })).toBe(false)
    expect(referenceMatches(rule, { image: 'x' }, { ignoresNameCase: true })).toBe(true)
    expect(referenceMatches(rule, { image: 'x', Image: 'y' }, { ignoresNameCase: true })).toBe(false)
    const aliases = (field: string): string[] => (field === 'Image' ? ['process.name', 'NewProcessName'] : [])
    expect(referenceMatches(rule, { NewProcessName: 'x' }, { aliases })).toBe(true)
    expect(referenceMatches(rule, { NewProcessName: 'x', process: { name: 'y' } }, { aliases })).toBe(false)
    expect(referenceMatches(rule, { NewProcessName: 'x', Image: null }, { aliases })).toBe(false)
  })
})

function isRefused(detection: object): boolean {
  try {
    referenceMatches({ detection }, {})
    return false
  } catch (error) {
    if (error instanceof Error) return true
    throw error
  }
}
