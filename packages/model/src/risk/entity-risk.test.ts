import type { Level } from '@tripline/engine'
import { expect, test } from 'vitest'
import { RiskSums } from './entity-risk.ts'

const day = 86_400_000
const now = 100 * day
const alert = (level: Level, ageDays: number, facts: { readonly host?: string; readonly user?: string; readonly sourceIp?: string }) => ({
  id: 'm1', level, ruleTitle: 'Whoami', attack: { tactics: [], techniques: [] }, createdAt: now - ageDays * day, firstEventAt: 0, lastEventAt: 0,
  event: { statedTime: '', host: facts.host ?? '', user: facts.user ?? '', processName: '', commandLine: '' }, sourceIp: facts.sourceIp ?? '',
})

/** The risks of some alerts, as texts. */
function assess(...alerts: ReturnType<typeof alert>[]): readonly string[] {
  const sums = new RiskSums(now, ['10.0.0.0/8'])
  alerts.forEach((each) => sums.add(each))
  return sums.list().map(({ kind, value, score, band, factors }) => `${kind} ${value}: ${score} ${band} (${factors.join(', ')})`)
}

test.for<[title: string, alerts: ReturnType<typeof alert>[], risks: string[]]>([
  ['no alert', [], []],
  ['one high alert', [alert('high', 0, { host: 'Web-1' })], ['host web-1: 33 medium (1 high: 40 points)']],
  ['one that is a week old', [alert('high', 7, { host: 'web-1' })], ['host web-1: 18 low (1 high: 20 points)']],
  ['one of the future', [alert('high', -7, { host: 'web-1' })], ['host web-1: 33 medium (1 high: 40 points)']],
  ['several of an entity', [alert('critical', 0, { user: 'ann' }), alert('critical', 0, { user: 'ann' }), alert('low', 0, { user: 'ann' })],
    ['user ann: 81 critical (2 critical: 160 points, 1 low: 5 points)']],
  ['addresses inside and outside', [alert('low', 0, { sourceIp: '10.1.2.3' }), alert('low', 0, { sourceIp: '192.0.2.7' })],
    ['ip 192.0.2.7: 5 low (1 low: 5 points)']],
  ['accounts that every machine has', [alert('high', 0, { user: 'SYSTEM', host: 'localhost' })], []],
])('%s', ([, alerts, risks]) => {
  expect(assess(...alerts)).toEqual(risks)
})

test('no score exceeds 100', () => {
  expect(assess(...Array.from({ length: 500 }, () => alert('critical', 0, { host: 'web-1' })))).toEqual(['host web-1: 100 critical (500 critical: 40000 points)'])
})
