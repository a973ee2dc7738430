import { describe, expect, test } from 'vitest'
import { compileRules } from '@tripline/engine'
import { draftRule } from './draft-rule.ts'
import { parseQuery } from './parse.ts'

const head = { title: `It's a search`, logsource: { category: 'process_creation', product: 'windows' }, level: 'high' } as const

/** The detection of a draft, without its first line. */
function detectionOf(query: string): string {
  const draft = draftRule(parseQuery(query), head)
  return 'yaml' in draft ? draft.yaml.slice(draft.yaml.indexOf('detection:\n') + 'detection:\n'.length) : draft.unsaid.join('; ')
}

test('a draft is a rule', () => {
  const draft = draftRule(parseQuery(String.raw`Image:*\powershell.exe AND NOT User:SYSTEM`), head)
  expect('yaml' in draft && draft.yaml).toBe(String.raw`title: 'It''s a search'
status: experimental
level: high
logsource:
  category: 'process_creation'
  product: 'windows'
detection:
  selection:
    Image|endswith: '\powershell.exe'
  filter:
    User: 'SYSTEM'
  condition: selection and not filter
`)
  const { reports } = compileRules([{ text: 'yaml' in draft ? draft.yaml : '' }])
  expect(reports).toMatchObject([{ verdict: 'compiled', title: `It's a search`, diagnostics: [] }])
})

describe('the detection of a draft', () => {
  test.for<[query: string, detection: string]>([
    ['a:x', `  selection:\n    a: 'x'\n  condition: selection\n`],
    ['a:x b:y*', `  selection:\n    a: 'x'\n    b|startswith: 'y'\n  condition: selection\n`],
    ['a:x a:y', `  selection:\n    a: 'x'\n  selection_2:\n    a: 'y'\n  condition: selection and selection_2\n`],
    ['a:x OR a:y', `  selection:\n    a:\n      - 'x'\n      - 'y'\n  condition: selection\n`],
    ['a:x OR b:y', `  selection:\n    a: 'x'\n  selection_2:\n    b: 'y'\n  condition: selection or selection_2\n`],
    ['a:x NOT (b:y OR b:z)', `  selection:\n    a: 'x'\n  filter:\n    b:\n      - 'y'\n      - 'z'\n  condition: selection and not filter\n`],
    ['NOT (a:x b:y OR c:z)', `  filter:\n    c: 'z'\n  filter_2:\n    a: 'x'\n    b: 'y'\n  condition: not (filter or filter_2)\n`],
    ['a:*x* b:z a:*y*', `  selection:\n    a|contains|all:\n      - 'x'\n      - 'y'\n    b: 'z'\n  condition: selection\n`],
    ['failed login', `  selection:\n    - 'failed'\n  selection_2:\n    - 'login'\n  condition: selection and selection_2\n`],
    ['a:x OR a:null OR a:y', `  selection:\n    a:\n      - 'x'\n      - 'y'\n  selection_2:\n    a: null\n  condition: selection or selection_2\n`],
    ['a:[1 TO 2] OR a:[4 TO 5]', `  selection:\n    a|gte: 1\n    a|lte: 2\n  selection_2:\n    a|gte: 4\n    a|lte: 5\n  condition: selection or selection_2\n`],
    ['word', `  selection:\n    - 'word'\n  condition: selection\n`],
    ['word*', `  selection:\n    - 'word'\n  condition: selection\n`],
    ['w*d', `  selection:\n    - 'w*d'\n  condition: selection\n`],
    ['a:5 b:null c:* d:**', `  selection:\n    a: 5\n    b: null\n    c|exists: true\n    d: '*'\n  condition: selection\n`],
    ['a:[1 TO 5}', `  selection:\n    a|gte: 1\n    a|lt: 5\n  condition: selection\n`],
    ['a:10.0.0.0/8', `  selection:\n    a|cidr: '10.0.0.0/8'\n  condition: selection\n`],
    ['"Threat Name":x', `  selection:\n    'Threat Name': 'x'\n  condition: selection\n`],
    ['process.executable:x', `  selection:\n    Image: 'x'\n  condition: selection\n`],
    ['process.executable.path:x', `  selection:\n    Image: 'x'\n  condition: selection\n`],
    ['file.path:x', `  selection:\n    file.path: 'x'\n  condition: selection\n`],
    ['a:x *', `  selection:\n    a: 'x'\n  condition: selection\n`],
    ['a:x*y', `  selection:\n    a: 'x*y'\n  condition: selection\n`],
    [String.raw`a:"*\*"`, String.raw`  selection:${'\n'}    a: '\*\\\*'${'\n'}  condition: selection${'\n'}`],
    ['a:"x\ty"', `  selection:\n    a: "x\\ty"\n  condition: selection\n`],
  ])('%j', ([query, detection]) => {
    expect(detectionOf(query)).toBe(detection)
  })

  test.for<[query: string, unsaid: string]>([
    ['*', 'a query that is every event, or none'],
    ['NOT *', 'a query that is every event, or none'],
    ['a:x OR *', 'a query that is every event, or none'],
    ['a:>2026-01-01', 'a comparison with a time'],
    ['"a|b":x', `a field that is called 'a|b'`],
    ['"":x', `a field that is called ''`],
    ['a:\ud83d', 'half of a surrogate pair'],
  ])('%j cannot be said: %s', ([query, unsaid]) => {
    expect(detectionOf(query)).toBe(unsaid)
  })
})
