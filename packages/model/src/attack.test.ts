import { describe, expect, test } from 'vitest'
import { parseAttackTags, hasTactic, hasTechnique } from './attack.ts'

describe('tags', () => {
  test.for<[tags: string[], tactics: string[], techniques: string[]]>([
    [[], [], []],
    [['attack.execution', 'attack.t1059.001', 'attack.t1059'], ['execution'], ['T1059.001', 'T1059']],
    [['attack.credential_access', 'attack.credential-access'], ['credential-access'], []],
    [['attack.g0007', 'attack.s0002', 'attack.ds0009', 'cve.2021-44228', 'detection.dfir', 'tlp.red'], [], []],
    [['attack.t1059', 'attack.T1059'], [], ['T1059']],
    [['attack.ta0006'], ['credential-access'], []],
    [['attack.defense-evasion', 'attack.stealth', 'attack.defense-impairment'],
      ['defense-evasion', 'stealth', 'defense-impairment'], []],
  ])('%j', ([tags, tactics, techniques]) => {
    expect(parseAttackTags(tags)).toEqual({ tactics, techniques })
  })
})

const attack = parseAttackTags(['attack.credential-access', 'attack.defense-evasion', 'attack.t1059.001', 'attack.t1003'])

test.for<[word: string, answer: boolean]>([
  ['credential-access', true],
  ['credential_access', true],
  ['Credential Access', true],
  ['TA0006', true],
  ['ta0005', true],
  ['stealth', false],
  ['execution', false],
  ['nonsense', false],
])('the tactic %s', ([word, answer]) => {
  expect(hasTactic(attack, word)).toBe(answer)
})

test.for<[word: string, answer: boolean]>([
  ['T1059.001', true],
  ['t1059.001', true],
  ['T1059', true],
  ['T1059.002', false],
  ['T1003', true],
  ['T1003.001', false],
  ['T105', false],
])('the technique %s', ([word, answer]) => {
  expect(hasTechnique(attack, word)).toBe(answer)
})
