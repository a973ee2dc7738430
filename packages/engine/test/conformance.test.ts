import { describe, expect, test } from 'vitest'
import { Engine, explain } from '../src/index.ts'
import type { EventObject, Verdict } from '../src/index.ts'
import { compileObjects } from './compile-objects.ts'
import { invalidConditions, conditionRows, conditionSelections } from './rows/rows-conditions.ts'
import { modifierRows, placeholders } from './rows/rows-modifiers.ts'
import { invalidSelections } from './rows/rows-invalid.ts'
import { valueRows } from './rows/rows-values.ts'
import type { Row } from './rows/rows-values.ts'

const engineOptions = { taxonomy: 'none', lenient: true } as const

/** The results of the engine and of its explanation; undefined when the detection does not compile. */
function verdicts(detection: object, event: EventObject): { matches: boolean; isExplained: boolean } | undefined {
  const { ruleSet } = compileObjects([{ detection }], { placeholders })
  const [rule] = ruleSet.rules
  if (rule === undefined) return undefined
  const matches = new Engine(ruleSet, engineOptions).push([event])
  return { matches: matches.length === 1, isExplained: explain(rule, event, engineOptions).matched }
}

describe('the engine', () => {
  test.for<Row>([...valueRows, ...modifierRows])('%s: %j on %j is %s', ([, sel, event, matches]) => {
    expect(verdicts({ sel, condition: 'sel' }, event)).toEqual({ matches, isExplained: matches })
  })

  test.for(conditionRows)('%j with %j is %s', ([condition, fields, matches]) => {
    const event = Object.fromEntries(fields.split(' ').map((field) => [field, 'x']))
    expect(verdicts({ ...conditionSelections, condition }, event)).toEqual({ matches, isExplained: matches })
  })

  test.for(invalidConditions)('rejects the condition %j', (condition) => {
    expect(verdictOf({ ...conditionSelections, condition })).toBe(condition.includes('|') ? 'unsupported' : 'invalid')
  })

  test.for(invalidSelections)('rejects %s: %j', ([, sel]) => {
    expect(verdictOf({ sel, condition: 'sel' })).toBe('invalid')
  })
})

function verdictOf(detection: object): Verdict | undefined {
  return compileObjects([{ detection }], { placeholders }).reports[0]?.verdict
}
