import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { fixRules } from './fix-rules.ts'
import { lintRules } from './lint-rules.ts'
import type { LintOptions } from './lint-options.ts'

const rule = `title: Shell Started
id: 5013cbb1-6a3a-4f4e-9a5c-6a1d1b2a0c11
status: test
description: Services have no use for a shell.
author: Tripline
date: 2024-03-07
logsource:
  category: process_creation
  product: windows
detection:
  selection:
    Image|endswith: 'cmd.exe'
    User|contains: '*bob*'
  condition: selection
level: High
`

function print(text: string, options: LintOptions = {}): string[] {
  return lintRules([{ path: 'rules/shell_started.yml', text }], options)
    .flatMap(({ findings }) => findings.map(({ line, column, level, code }) => `${line}:${column} ${level} ${code}`))
}

const all = ['12:21 problem PROGRAM_WITHOUT_BACKSLASH', '13:20 style WILDCARD_REDUNDANT', '15:8 style LEVEL_CASE']

describe('lintRules', () => {
  test('sorts findings by line', () => {
    expect(print(rule)).toEqual(all)
  })

  test.for<[title: string, options: LintOptions, left: number[]]>([
    ['a code', { check: ['LEVEL_CASE'] }, [2]],
    ['several codes', { check: ['LEVEL_CASE', 'WILDCARD_REDUNDANT'] }, [1, 2]],
    ['all codes except one', { ignore: ['LEVEL_CASE'] }, [0, 1]],
    ['a minimum level', { level: 'advice' }, [0]],
    ['nothing but errors', { level: 'error' }, []],
  ])('reports %s', ([, options, left]) => {
    expect(print(rule, options)).toEqual(left.map((i) => all[i]))
  })

  test.for<[title: string, text: string, left: number[]]>([
    ['at the end of its line', rule.replace("'cmd.exe'", "'cmd.exe' # tripline-lint: ignore PROGRAM_WITHOUT_BACKSLASH"), [1, 2]],
    ['of another code', rule.replace("'cmd.exe'", "'cmd.exe' # tripline-lint: ignore LEVEL_CASE"), [0, 1, 2]],
    ['of several codes', rule.replace('level: High', 'level: High # tripline-lint: ignore TITLE_DOT, LEVEL_CASE'), [0, 1]],
  ])('a comment suppresses a check %s', ([, text, left]) => {
    expect(print(text)).toEqual(left.map((i) => all[i]))
  })

  test('a comment alone on the line above suppresses a check', () => {
    expect(print(rule.replace('level:', '# tripline-lint: ignore LEVEL_CASE\nlevel:'))).toEqual(all.slice(0, 2))
    expect(print(rule.replace('level:', '# tripline-lint: ignore LEVEL_CASE\n\nlevel:'))).toHaveLength(3)
  })

  test('a comment does not suppress errors', () => {
    const broken = rule.replace('condition: selection', 'condition: selction # tripline-lint: ignore UNKNOWN_SELECTION')
    expect(print(broken, { check: ['LEVEL_CASE'] })).toEqual(['14:14 error UNKNOWN_SELECTION', '15:8 style LEVEL_CASE'])
    expect(print('a: [')).toEqual(['1:4 error YAML'])
  })

  test('does not report placeholders, which are a matter of configuration', () => {
    expect(print(rule.replace("User|contains: '*bob*'", "User|expand: '%users%'"), { level: 'problem' })).toEqual(all.slice(0, 1))
  })

  test('reports a finding in an aliased node once', () => {
    const text = rule.replace('selection:\n', 'selection: &it\n').replace('  condition: selection', '  second: *it\n  condition: selection or second')
    expect(print(text).filter((line) => line.includes('WILDCARD_REDUNDANT'))).toHaveLength(1)
  })

  test('distinguishes sources with the same path', () => {
    const reports = lintRules([{ text: rule }, { text: rule.replace('High', 'high').replace('5013', '6013') }])
    expect(reports.map(({ findings }) => findings.some(({ code }) => code === 'LEVEL_CASE'))).toEqual([true, false])
  })

  test(`keeps at most ${limits.lintFindingsMax} findings of a source and counts the rest`, () => {
    const values = Array.from({ length: limits.lintFindingsMax + 5 }, (_, i) => `      - 'x${i}**y'`).join('\n')
    const findings = print(rule.replace(" '*bob*'", `\n${values}`), { check: ['WILDCARD_DOUBLE'] })
    expect(findings).toHaveLength(limits.lintFindingsMax + 1)
    expect(findings.at(-1)).toBe('1:1 advice LIMIT_EXCEEDED')
  })
})

describe('fixRules', () => {
  test('applies only safe fixes and keeps the rest of the text', () => {
    const { text, fixed } = fixRules({ text: `# A comment.\n${rule}` })
    expect(fixed.map(({ code }) => code)).toEqual(['WILDCARD_REDUNDANT', 'LEVEL_CASE'])
    expect(text).toBe(`# A comment.\n${rule.replace('*bob*', 'bob').replace('High', 'high')}`)
  })

  test('fixes what earlier fixes leave', () => {
    const twice = rule.replace("User|contains: '*bob*'", "User|contains: '**bob'")
    expect(fixRules({ text: twice }).text).toContain("User|contains: 'bob'")
  })

  test('fixes compiler diagnostics in texts with carriage returns', () => {
    const text = rule.replace("User|contains: '*bob*'", 'User|contains|all: bob').replace('level: High', 'level: high').replaceAll('\n', '\r\n')
    expect(fixRules({ text }, { check: ['ALL_ON_ONE_VALUE'] }).text).toBe(text.replace('|all', ''))
  })

  test('drops a fix when the rules cannot be proven equivalent', () => {
    const unconfigured = rule.replace("    User|contains: '*bob*'", "    User|contains: '*bob*'\n    ParentUser|expand: '%users%'")
    expect(fixRules({ text: unconfigured }).fixed.map(({ code }) => code)).toEqual(['LEVEL_CASE'])
    expect(fixRules({ text: unconfigured }, { placeholders: { users: ['a'] } }).fixed).toHaveLength(2)
  })

  test('does not change an invalid text', () => {
    expect(fixRules({ text: 'a: [  \n' })).toMatchObject({ text: 'a: [  \n', fixed: [] })
  })
})
