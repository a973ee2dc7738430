import { expect, test } from 'vitest'
import { parseUrlState } from '../../lib/url-state.ts'
import { listRuleChips, ruleParameters, toRuleQuery } from './rule-url.ts'

test.for<{ readonly address: string; readonly query: Record<string, string>; readonly chips: readonly string[] }>([
  { address: '', query: {}, chips: [] },
  { address: 'level=high,critical&q=lsass', query: { level: 'critical,high', q: 'lsass' }, chips: [] },
  { address: 'enabled=false&origin=custom', query: { enabled: 'false', origin: 'custom' }, chips: ['origin'] },
  { address: 'tactic=execution&sort=cost:desc', query: { tactic: 'execution', sort: 'cost:desc' }, chips: ['tactic'] },
  { address: 'verdict=retire,tune', query: { verdict: 'tune,retire' }, chips: ['verdict'] },
  { address: 'layout=table&level=low', query: { level: 'low' }, chips: [] },
  { address: 'health=broken&rule=4dfa0620', query: { health: 'broken' }, chips: ['health'] },
  { address: 'level=unknown&enabled=perhaps&sort=author:asc', query: {}, chips: [] },
])('?$address', ({ address, query, chips }) => {
  const { state } = parseUrlState(ruleParameters, address)
  expect(toRuleQuery(state)).toEqual(query)
  expect(listRuleChips(state)).toEqual(chips)
})
