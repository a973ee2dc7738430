import { expect, test } from 'vitest'
import { compileObjects } from '../../test/compile-objects.ts'
import '../parts/provide-kernel.ts'
import { limits } from '../limits.ts'
import type { RuleSet } from '../rule-set.ts'
import { normalizeEvent } from '../taxonomy/normalize.ts'
import { RuleCounters } from './rule-counters.ts'
import { Runner } from './runner.ts'
import { ValueHost } from './value-host.ts'

// Whole engines find the same whether the kernel judges an event or not, so only here can be seen that it does.

type Rows = { readonly host: ValueHost; readonly decided: (readonly [row: number, rules: readonly number[]])[]; readonly slow: number[] }

function openHost(ruleSet: RuleSet): Rows {
  const options = { taxonomy: 'auto', isLenient: false, isPlain: false, now: undefined } as const
  const runner = new Runner(ruleSet, options, { counters: new RuleCounters(ruleSet.rules.length), excluded: new Set() })
  const decided: Rows['decided'] = []
  const slow: number[] = []
  const host = new ValueHost(runner, {
    onDecision: (row, _cache, { matched }) => decided.push([row, matched]),
    onSlowRow: (row) => slow.push(row),
  })
  return { host, decided, slow }
}

const ruleOn = (fields: object) => ({ detection: { selection: fields, condition: 'selection' } })
const newEvent = (fields: object) => normalizeEvent({ _logsource: { category: 'test' }, ...fields }, 'auto')
const { ruleSet } = compileObjects([ruleOn({ 'name|contains': 'a' }), ruleOn({ name: 'abc', size: 7 })])

test('decides in the kernel which rules hold on events', () => {
  const { host, decided, slow } = openHost(ruleSet)
  host.run(['abc', 'x', 'cab'].map((name) => newEvent({ name, size: 7 })))
  expect([decided.filter(([, rules]) => rules.length > 0), slow]).toEqual([[[0, [0, 1]], [2, [0]]], []])
})

test('compiles one program for all events of a route', () => {
  const { host, slow } = openHost(ruleSet)
  host.run(Array.from({ length: limits.kernelProgramsMax }, (_, size) => newEvent({ name: 'abc', size: size % 8 })))
  expect([host.isFull, slow]).toEqual([false, []])
})

test('leaves an event with a number that JSON does not have to others', () => {
  const { host, decided, slow } = openHost(ruleSet)
  host.run([newEvent({ name: 'abc', size: Number.POSITIVE_INFINITY })])
  expect([decided, slow]).toEqual([[], [0]])
})

test('leaves every event to others whose rules read more fields than the kernel has slots', () => {
  const names = Array.from({ length: limits.kernelSlotsMax }, (_, i) => `field-${i}`)
  const wide = compileObjects([ruleOn(Object.fromEntries(names.map((name) => [name, 'x'])))]).ruleSet
  const { host, decided, slow } = openHost(wide)
  host.run([newEvent({ 'field-0': 'x' }), newEvent({ 'field-1': 'x' })])
  expect([decided, slow]).toEqual([[], [0, 1]])
})
