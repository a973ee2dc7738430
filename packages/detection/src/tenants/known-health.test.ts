import type { HealthState, RuleHealth } from '@tripline/engine'
import { expect, test } from 'vitest'
import { addLastDay } from './known-health.ts'

test.for<[title: string, state: HealthState, counted: { evaluations: number; matches: number }, shown: HealthState]>([
  ['matched in the last day, before a restart', 'never_routed', { evaluations: 9, matches: 1 }, 'matched'],
  ['met events in the last day', 'never_routed', { evaluations: 9, matches: 0 }, 'never_matched'],
  ['met none', 'never_routed', { evaluations: 0, matches: 0 }, 'never_routed'],
  ['what the engine saw itself stays', 'field_never_seen', { evaluations: 9, matches: 0 }, 'field_never_seen'],
  ['a match is a match', 'matched', { evaluations: 0, matches: 0 }, 'matched'],
])('%s', ([, state, counted, shown]) => {
  const health: RuleHealth = { id: 'a', title: 'A', path: 'a.yml', state, missingFields: ['Image'], metEvents: 0, candidates: 0, confirmed: 0 }
  const known = addLastDay(new Map([['a', health]]), () => counted).get('a')
  expect([known?.state, known?.missingFields]).toEqual([shown, shown === 'matched' && state !== 'matched' ? [] : ['Image']])
})
