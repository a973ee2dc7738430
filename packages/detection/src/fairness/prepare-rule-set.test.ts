import { compileRules, prepareRules } from '@tripline/engine'
import { expect, test } from 'vitest'
import { prepareRuleSet } from './prepare-rule-set.ts'

const texts = Array.from({ length: 300 }, (_, rule) => `
title: Rule ${rule}
logsource: { category: process_creation }
detection:
  a: { CommandLine|contains: [${Array.from({ length: 20 }, (_unused, i) => `'--value-${rule}-${i}'`).join(', ')}] }
  condition: a
`)

test('indexes are built in turns of their tenant, and are built once', async () => {
  const compile = () => compileRules(texts.map((text) => ({ text }))).ruleSet
  const stepCount = [...prepareRules(compile())].length
  expect(stepCount).toBeGreaterThan(100)

  // Each step takes 1 ms and a turn 3.
  const asked: unknown[] = []
  let nowMs = 0
  const turns = {
    elapsedMs: () => nowMs++,
    next: async (...request: readonly unknown[]) => {
      asked.push(request)
      return 3
    },
  }
  const ruleSet = compile()
  await prepareRuleSet(turns, 'acme', ruleSet)
  expect(asked.length).toBeGreaterThanOrEqual(Math.floor(stepCount / 4))
  expect(new Set(asked.map((request) => JSON.stringify(request)))).toEqual(new Set([JSON.stringify(['rules of acme', ['acme'], true])]))

  const askedBefore = asked.length
  await prepareRuleSet(turns, 'other', ruleSet)
  expect(asked).toHaveLength(askedBefore)
})
