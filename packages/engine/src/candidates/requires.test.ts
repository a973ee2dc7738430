import { describe, expect, test } from 'vitest'
import { compileRules } from '../compile-rules.ts'
import { printRequirement, requirementOf } from './requires.ts'

function requirementOfRule(selection: string, condition = 'selection'): string {
  const text = `title: T\nlogsource: {product: p}\ndetection:\n  selection: ${selection}\n  other: {x: y}\n  condition: ${condition}\n`
  const { ruleSet, reports } = compileRules([{ text }])
  const [rule] = ruleSet.rules
  if (rule === undefined) throw new Error(JSON.stringify(reports))
  return printRequirement(requirementOf(rule.predicate))
}

describe('requirementOf', () => {
  test.for<[string, string, string?]>([
    ['{a: Foo}', 'a foo'],
    ['{a|startswith: Foo}', 'a foo...'],
    ['{a|endswith: \\Cmd.exe}', 'a ...\\cmd.exe'],
    ['{a|contains: foo}', 'a ...foo...'],
    ['{a: "x*longer*y"}', 'a ...longer...'],
    ['{a: "x?longer"}', 'a ...longer'],
    ['{a|windash|contains: " -enc"}', 'a ... -enc... | a ... /enc... | a ... –enc... | a ... —enc... | a ... ―enc...'],
    ['{a|contains: [foo, bar]}', 'a ...foo... | a ...bar...'],
    ['{a|contains|all: [ab, longest, cd]}', 'a ...longest...'],
    ['{a: 1, b|contains: xyz}', 'a 1'],
    ['{a: true}', 'a true'],
    ['{a: "*"}', 'anything'],
    ['{a: ""}', 'a '],
    ['{a: null}', 'anything'],
    ['{a|exists: true}', 'anything'],
    ['{a|re: "foo.*Bazzz"}', 'a ...bazzz...'],
    ['{a|re: "foo|bar"}', 'a ...foo... | a ...bar...'],
    ['{a|neq: foo}', 'anything'],
    ['{a: null, b: foo}', 'b foo'],
    ['[{a: foo}, {b: null}]', 'anything'],
    ['[mimikatz, sekurlsa]', '* ...mimikatz... | * ...sekurlsa...'],
    ['{a: foo}', 'anything', 'not selection'],
    ['{a: foo}', 'a foo', 'selection and not other'],
    ['{a: foo}', 'anything', 'selection or not other'],
    ['{a: foo}', 'a foo | x y', 'selection or other'],
    ['{a: foo}', 'a foo', 'selection and 1 of *'],
  ])('of %s is %s', ([selection, want, condition]) => {
    expect(requirementOfRule(selection, condition)).toBe(want)
  })
})
