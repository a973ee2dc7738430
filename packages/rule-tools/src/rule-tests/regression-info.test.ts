import { describe, expect, test } from 'vitest'
import { parseRegressionInfo } from './regression-info.ts'
import type { Expectation } from './rule-test.ts'

const head = `id: 5c2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0001
description: N/A
date: 2026-11-21
rule_metadata:
  - id: 6F2D1C1E-0F5B-4B7E-9D3A-0D7D3C8F0001
    title: Whoami
`
const info = (...tests: string[]): string => `${head}regression_tests_info:\n${tests.map((line) => `  - ${line}\n`).join('')}`
const atLeast = (count: number): Expectation => ({ kind: 'count', count, isMinimum: true })

describe('the info of regression data', () => {
  test('has a rule and its tests', () => {
    const text = info('{ name: Positive, type: evtx, provider: Sysmon, match_count: 3, path: a/b.evtx }', '{ type: JSON, path: a/b.json }')
    expect(parseRegressionInfo(text, 'info.yml')).toEqual({
      path: 'info.yml',
      ruleId: '6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0001',
      title: 'Whoami',
      tests: [
        { name: 'Positive', line: 8, column: 5, type: 'evtx', file: 'a/b.evtx', expected: atLeast(3) },
        { name: 'test 2', line: 9, column: 5, type: 'json', file: 'a/b.json', expected: atLeast(1) },
      ],
      diagnostics: [],
    })
  })

  test('can expect no match', () => {
    const { tests } = parseRegressionInfo(info('{ type: json, path: a.json, match_count: 0 }'), '')
    expect(tests.map(({ expected }) => expected)).toEqual([{ kind: 'match', isMatch: false }])
  })

  test.for<[problem: string, text: string]>([
    ["1:1 the file must be a map with 'rule_metadata' and 'regression_tests_info'", '- 1\n'],
    ["1:1 the file must be a map with 'rule_metadata' and 'regression_tests_info'", ''],
    ["1:1 'rule_metadata' must name the 'id' of a rule", 'regression_tests_info: []\n'],
    ["1:16 'rule_metadata' must name the 'id' of a rule", 'rule_metadata: []\nregression_tests_info: []\n'],
    ["1:1 'regression_tests_info' must be a list of tests", head],
    ["8:5 an entry of 'regression_tests_info' must be a map with 'type' and 'path'", info('{ type: json }')],
    ["8:13 'type' must be one of evtx, json, ndjson, jsonl", info('{ type: jsn, path: a }')],
    ["8:41 'match_count' must be a whole number", info('{ type: json, path: a, match_count: many }')],
  ])('%s', ([problem, text]) => {
    const { tests, diagnostics } = parseRegressionInfo(text, '')
    expect(diagnostics.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([problem])
    expect(tests).toEqual([])
  })

  test('reports invalid YAML', () => {
    expect(parseRegressionInfo('a: [', '').diagnostics.map(({ code }) => code)).toEqual(['YAML'])
  })
})
