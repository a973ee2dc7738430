import { compileRules } from '@tripline/engine'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { curlRule, placeholderRule, shellRule } from '../../test/sample-rules.ts'
import { changeLiteral, synthesizeRules } from './synthesize-rules.ts'

const rule = (selection: string): string => `title: T
id: 6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0005
logsource: { product: linux }
detection:
  selection:
    ${selection}
  condition: selection
`

/** The selection of the first clone. */
function cloneOf(selection: string): string {
  const [, clone] = synthesizeRules([{ text: rule(selection) }], 2)
  return clone?.text.split('\n')[5]?.trim() ?? ''
}

test.for<[selection: string, clone: RegExp]>([
  [`Image: abcd`, /^Image: (?!abcd)[a-z]{4}$/],
  [`Image: 'Ab-1 {}'`, /^Image: '[A-Z][a-z]-[02-9] {}'$/],
  [`Image|endswith: '\\cmd.exe'`, /^Image\|endswith: '\\[a-z]{3}\.[a-z]{3}'$/],
  [`Image|contains|all: [ 'a*c?d', "say hello" ]`, /^Image\|contains\|all: \[ '[a-z]\*[a-z]\?[a-z]', "[a-z]{3} [a-z]{5}" \]$/],
  [`Image: 'it''s no more'`, /^Image: 'it''s no more'$/],
  [`Image: '\\\\\\\\host\\\\?\\*x'`, /^Image: '\\\\\\\\[a-z]{4}\\\\\?\\\*[a-z]'$/],
  [`CommandLine|base64offset|contains: 'hello'`, /^CommandLine\|base64offset\|contains: '[a-z]{5}'$/],
  [`Image: abc`, /^Image: abc$/],
  [`EventID: 4688`, /^EventID: 4688$/],
  [`EventID: '4688'`, /^EventID: '4688'$/],
  [`Elevated: true`, /^Elevated: true$/],
  [`Image|re: '.*abcd'`, /^Image\|re: '\.\*abcd'$/],
  [`Address|cidr: 'fe80::/10'`, /^Address\|cidr: 'fe80::\/10'$/],
  [`User|expand: '%admins%'`, /^User\|expand: '%admins%'$/],
  [`User|fieldref: Target`, /^User\|fieldref: Target$/],
])('%s', ([selection, clone]) => {
  expect(cloneOf(selection)).toMatch(clone)
})

test('the rules stand first as they are, then every clone of them', () => {
  const sources = [{ path: 'a.yml', text: curlRule }, { path: 'b.yml', text: shellRule }]
  const multiplied = synthesizeRules(sources, 3)
  expect(multiplied.slice(0, 2)).toEqual(sources)
  expect(multiplied.map(({ path }) => path)).toEqual(['a.yml', 'b.yml', 'a.yml#1', 'b.yml#1', 'a.yml#2', 'b.yml#2'])
  expect(synthesizeRules(sources, 3)).toEqual(multiplied)
})

test.for<[title: string, text: string, count: number]>([
  ['with an id', curlRule, 1],
  ['without id', shellRule, 1],
  ['without id and literals', rule('EventID: 1').replace(/^id: .*\n/m, ''), 1],
  ['with a name', `name: a_name\n${curlRule}`, 1],
  ['that needs a placeholder', placeholderRule, 0],
  ['of several documents', `${curlRule}---\n${shellRule}`, 2],
  ['of a global part and its rules', `action: global\nlogsource: { product: linux }\n---\n${curlRule}`, 1],
  ['with a literal behind an alias', rule('Image: &one abcd\n    Parent: *one'), 1],
  ['that is no YAML', 'a: [', 0],
])('a text %s has clones with the verdict of the original', ([, text, count]) => {
  const { ruleSet, reports } = compileRules(synthesizeRules([{ path: 'a.yml', text }], 4))
  expect(ruleSet.rules).toHaveLength(4 * count)
  expect(new Set(ruleSet.rules.map(({ id }) => id)).size).toBe(4 * count)
  const verdicts = reports.map(({ verdict }) => verdict)
  expect(verdicts).toEqual(Array.from({ length: 4 }, () => verdicts.slice(0, verdicts.length / 4)).flat())
})

const kinds = [/^[a-z]$/, /^[A-Z]$/, /^\d$/]

test('a changed literal has another character of the same kind for each letter and digit, and the rest as it was', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.nat(), (text, clone) => {
    const changed = changeLiteral(text, clone)
    expect(changed).toHaveLength(text.length)
    expect(changeLiteral(text, clone)).toBe(changed)
    if (changed === text) return
    for (let i = 0; i < text.length; i++) {
      const kind = kinds.find((pattern) => pattern.test(text[i]!))
      if (kind === undefined) expect(changed[i]).toBe(text[i])
      else expect(changed[i] !== text[i] && kind.test(changed[i]!)).toBe(true)
    }
  }))
})

test('an unquoted literal never becomes a number or a word of YAML', () => {
  const changed = Array.from({ length: 20_000 }, (_, clone) => changeLiteral('1a23', clone))
  expect(new Set(changed).size).toBeGreaterThan(1_000)
  expect(changed.filter((text) => !Number.isNaN(Number(text)))).toEqual([])
})
