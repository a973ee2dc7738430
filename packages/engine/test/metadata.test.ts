import { describe, expect, test } from 'vitest'
import { Engine, compileRules, toRuleId } from '../src/index.ts'
import type { CompiledRule, RuleReport, RuleSource, Verdict } from '../src/index.ts'
import { detectionMatches } from './detection-matches.ts'
import { sharedPath, testWithShared } from './read-shared-data.ts'
import { readTar } from './read-tar.ts'
import { sigmaRules, sigmaRulesFile, activeFolders } from './sigma-rules.ts'

const ownId = '4b01554d-e64f-4b5f-9377-05ce72d5c6d8'
const body = 'logsource: { product: app }\ndetection: { s: { action: fail }, condition: s }\n'
const base = `title: Failed\nid: ${ownId}\n${body}`
const events = [{ action: 'fail' }, { action: 'ok' }, {}]

/** A fault of the metadata as YAML lines that replace those of the same attribute, and what the rule says afterwards. */
const rows: readonly (readonly [title: string, lines: string, read: Partial<CompiledRule['rule']>])[] = [
  ['a tag without a dot', 'tags: [attack.t1059, sysmon]', { tags: ['attack.t1059', 'sysmon'] }],
  ['a tag with spaces', 'tags: [attack.t1059 or so]', { tags: ['attack.t1059 or so'] }],
  ['a tag that is a map', 'tags: [attack.t1059, { attack: t1003 }]', { tags: ['attack.t1059', 'attack: t1003'] }],
  ['an id that is a number', 'id: 200101', { id: '200101' }],
  ['an id that is a word', 'id: Rule-7', { id: 'Rule-7' }],
  ['an id in braces', `id: '{${ownId.toUpperCase()}}'`, { id: `{${ownId.toUpperCase()}}` }],
  ['an id that is null', 'id: null', { id: undefined }],
  ['an id that is empty', "id: ''", { id: undefined }],
  ['an id that is a list', 'id: [a]', { id: undefined }],
  ['an empty description', "description: ''", { description: undefined }],
  ['a description without a value', 'description:', { description: undefined }],
  ['a description that is a number', 'description: 7', { description: '7' }],
  ['a description that is too long', `description: ${'x'.repeat(70_000)}`, { description: 'x'.repeat(65_535) }],
  ['several authors', 'author: [Alice, Bob]', { author: 'Alice, Bob' }],
  ['a title that is a number', 'title: 7', { title: '7' }],
  ['a title that is too long', `title: ${'x'.repeat(300)}`, { title: 'x'.repeat(256) }],
  ['an empty title', "title: ''", { title: 'Untitled rule' }],
  ['a title that is a map', 'title: { a: b }', { title: 'a: b' }],
  ['a name without a value', 'name:', { name: undefined }],
  ['a reference that YAML reads as a map', 'references: ["a", https: //example.org/b]', { references: ['a', 'https: //example.org/b'] }],
  ['references in a list of lists', 'references: [[a, b], [c]]', { references: ['a', 'b', 'c'] }],
  ['a reference without a value', 'references: [a, null]', { references: ['a'] }],
  ['references in a map', 'references: { one: a, two: [b, c] }', { references: ['one: a', 'two: b: c'] }],
  ['fields that are a map', 'fields: { a: b }', { fields: ['a: b'] }],
  ['an unknown status', 'status: production', { status: undefined }],
  ['an unknown level', 'level: severe', { level: undefined }],
  ['a level that is a list', 'level: [high]', { level: undefined }],
  ['a date with dots', 'date: 2021.3.4', { date: '2021-03-04' }],
  ['a date with a time', 'date: 2021-03-04T10:00:00Z', { date: '2021-03-04' }],
  ['a date without separators', 'date: 20210304', { date: '2021-03-04' }],
  ['a date with the day first', 'date: 04/03/2021', { date: undefined }],
  ['a date that is none', 'modified: 2021-02-30', { modified: undefined }],
  ['a date with more digits', 'date: 2021-03-041', { date: undefined }],
  ['a relation of an unknown type', 'related: [{ id: x, type: cousin }]', { related: [] }],
  ['relations that are a text', 'related: x', { related: [] }],
  ['an empty category', "logsource: { product: app, category: '' }", { logsource: { product: 'app' } }],
  ['a category in a list', 'logsource: { product: app, category: [Web Server] }', { logsource: { product: 'app', category: 'web_server' } }],
  ['several categories', 'logsource: { product: app, category: [a, b, A] }', { logsource: { product: 'app', anyOf: { category: ['a', 'b'] } } }],
  ['a definition that is a list', 'logsource: { product: app, definition: [a, b] }', { logsource: { product: 'app', definition: 'a b' } }],
]

describe('invalid metadata', () => {
  test.for(rows)('%s is advice, and an error with strict', ([, lines, read]) => {
    const text = withLines(lines)
    const { ruleSet, reports } = compileRules(text)
    expect(reports.map(({ verdict, diagnostics }) => [verdict, ...new Set(diagnostics.map(({ kind, code }) => `${kind} ${code}`))]))
      .toEqual([['compiled', 'lint INVALID_ATTRIBUTE']])
    expect(ruleSet.rules[0]?.rule).toMatchObject(read)
    expect(reports[0]?.id).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(verdictsOf(text, true)).toEqual(['invalid'])
  })

  test.for(rows)('%s does not change what the rule matches', ([, lines]) => {
    const plain = compileRules(base).ruleSet
    const odd = compileRules(withLines(lines)).ruleSet
    expect(odd.rules.map(({ predicate }) => predicate)).toEqual(plain.rules.map(({ predicate }) => predicate))
    const matchedRows = [plain, odd].map((rules) => detectionMatches(new Engine(rules, { lenient: true }).push(events)).map(({ row }) => row))
    expect(matchedRows).toEqual([[0], [0]])
  })

  test('all at once are advice', () => {
    const lines = rows.filter(([, line], at) => rows.findIndex(([, other]) => keyOf(other) === keyOf(line)) === at)
    expect(verdictsOf(lines.map(([, line]) => line).join('\n') + '\ndetection: { s: { action: fail }, condition: s }\n')).toEqual(['compiled'])
  })

  test('a rule without a title has one to show', () => {
    expect(compileRules(body).ruleSet.rules.map(({ title }) => title)).toEqual(['Untitled rule'])
    expect(verdictsOf(body, true)).toEqual(['invalid'])
  })

  test.for<[title: string, lines: string, verdict: Verdict]>([
    ['a category that is a map', 'logsource: { product: app, category: { a: b } }', 'invalid'],
    ['an empty list of categories', 'logsource: { product: app, category: [] }', 'invalid'],
    ['a list of categories with an empty one', 'logsource: { product: app, category: [a, null] }', 'invalid'],
    ['a logsource of empty texts', "logsource: { product: '', category: ' ' }", 'invalid'],
    ['another taxonomy', 'taxonomy: acme', 'unsupported'],
  ])('%s still prevents the rule from running', ([, lines, verdict]) => {
    expect(verdictsOf(withLines(lines))).toEqual([verdict])
  })
})

describe('an id that is no UUID', () => {
  const count = (rule: string) => `title: Many\ncorrelation: { type: event_count, rules: [${rule}], timespan: 1m, condition: { gte: 2 } }\n`
  const excluding = (rule: string) =>
    `title: Not\nlogsource: { product: app }\nfilter: { rules: [${rule}], t: { user: bob }, condition: not t }\n`

  test.for(['200101', 'Rule-7', `'{${ownId}}'`])('%s names the rule for correlations and filters', (id) => {
    const texts = [withLines(`id: ${id}`), count(id), excluding(id)]
    const { ruleSet, reports } = compileRules(texts)
    expect(reports.flatMap(({ verdict, diagnostics }) => [verdict, ...diagnostics.map(({ code }) => code)]))
      .toEqual(['compiled', 'INVALID_ATTRIBUTE', 'compiled', 'compiled'])
    expect(ruleSet.correlations[0]?.members.map(({ ruleId }) => ruleId)).toEqual([toRuleId(id.replaceAll("'", ''))])
    const matches = detectionMatches(new Engine(ruleSet, { lenient: true, correlation: false }).push([{ action: 'fail' }, { action: 'fail', user: 'bob' }]))
    expect(matches.map(({ row }) => row)).toEqual([0])
  })

  test('stays the same when the rule is edited, and differs for another', () => {
    const idOf = (text: string) => compileRules(text).reports[0]?.id
    const edited = withLines('id: 200101').replace('fail', 'failed')
    expect(idOf(edited)).toBe(idOf(withLines('id: 200101')))
    expect(idOf(withLines('id: 200102'))).not.toBe(idOf(edited))
    expect(toRuleId(ownId.toUpperCase())).toBe(ownId)
    expect(toRuleId(`urn:uuid:${ownId}`)).toBe(ownId)
  })

  test('of two rules with the same one, both run', () => {
    const texts = [withLines('id: 7'), withLines("id: '7'").replace('fail', 'ok')]
    expect(verdictsOf(texts)).toEqual(['compiled', 'compiled'])
    expect(verdictsOf(texts, true)).toEqual(['invalid', 'invalid'])
  })
})

describe('rules of different sources with one id', () => {
  const other = base.replace('fail', 'ok')
  const named = (name: string) => withLines(`name: ${name}`)
  const source = (path: string, text: string) => ({ path, text })
  const codesOf = (reports: readonly RuleReport[]) => reports.map(({ verdict, diagnostics }) => [verdict, ...diagnostics.map(({ code }) => code)])

  test('both run, under ids that stay the same', () => {
    const sources = [source('a.yml', base), source('b.yml', other)]
    const { ruleSet, reports } = compileRules(sources)
    expect(codesOf(reports)).toEqual([['compiled'], ['compiled', 'DUPLICATE_ID']])
    const [first, second] = reports
    expect(first?.id).toBe(ownId)
    expect(second?.diagnostics[0]?.message).toBe(`the id ${ownId} belongs to another rule, in a.yml; the engine calls this one ${second?.id}`)
    expect(ruleSet.rules.map(({ id, path }) => [id, path])).toEqual([[ownId, 'a.yml'], [second?.id, 'b.yml']])
    expect(detectionMatches(new Engine(ruleSet, { lenient: true }).push(events)).map(({ rule, row }) => [rule.path, row])).toEqual([['a.yml', 0], ['b.yml', 1]])
    // An edit of the second rule does not rename it.
    expect(compileRules([sources[0]!, source('b.yml', `${other}level: low\n`)]).reports[1]?.id).toBe(second?.id)
    expect(verdictsOf([base, other], true)).toEqual(['compiled', 'invalid'])
  })

  test.for<[title: string, copy: string]>([
    ['a copy', base],
    ['a copy with comments and other quotes', `# copied\n${base.replace('Failed', "'Failed'")}`],
    ['a copy with tests', `${base}tests: [{ event: { action: fail }, match: true }]\n`],
    ['a copy with its id in capitals', base.replace(ownId, ownId.toUpperCase())],
  ])('%s runs once', ([, copy]) => {
    const { ruleSet, reports } = compileRules([source('a.yml', base), source('b.yml', other), source('c.yml', copy), source('d.yml', other)])
    expect(ruleSet.rules.map(({ path }) => path)).toEqual(['a.yml', 'b.yml'])
    expect(reports.map(({ id }) => id)).toEqual([ownId, reports[1]?.id, ownId, reports[1]?.id])
    expect(reports[3]?.diagnostics.map(({ message }) => message)).toEqual(['the rule is the same as another rule, in b.yml; it runs once'])
  })

  test('a copy of a rule without an id, of a correlation and of a filter are one rule', () => {
    const plain = withLines('id:')
    const count = `title: Many\ncorrelation: { type: event_count, rules: [${ownId}], timespan: 1m, condition: { gte: 2 } }\n`
    const filter = `title: Not\nlogsource: { product: app }\nfilter: { rules: any, t: { user: bob }, condition: not t }\n`
    const folder = [base, plain, count, filter]
    const { ruleSet, reports } = compileRules([...folder, ...folder])
    expect(reports.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 8 }, () => 'compiled'))
    expect([ruleSet.rules.length, ruleSet.correlations.length, ruleSet.filters.length]).toEqual([2, 1, 1])
  })

  test('correlations and filters mean the first by the id and by the name', () => {
    const count = (rule: string) => `title: Many\ncorrelation: { type: event_count, rules: [${rule}], timespan: 1m, condition: { gte: 2 } }\n`
    const texts = [named('failed'), named('failed').replace('fail', 'ok'), count(ownId), count('failed')]
    const { ruleSet, reports } = compileRules(texts)
    expect(codesOf(reports)).toEqual([['compiled'], ['compiled', 'DUPLICATE_ID', 'DUPLICATE_NAME'], ['compiled'], ['compiled']])
    expect(ruleSet.correlations.map(({ members }) => members.map(({ ruleId }) => ruleId))).toEqual([[ownId], [ownId]])
  })

  test('a correlation with the id or the name of a detection does not take it over', () => {
    const like = `title: Many\nid: ${ownId}\nname: failed\ncorrelation: { type: event_count, rules: [failed], timespan: 1m, condition: { gte: 2 } }\n`
    const { ruleSet, reports } = compileRules([named('failed'), like])
    expect(codesOf(reports)).toEqual([['compiled'], ['compiled', 'DUPLICATE_ID', 'DUPLICATE_NAME']])
    expect(ruleSet.correlations.map(({ id, members }) => [id === ownId, members.map(({ ruleId }) => ruleId)])).toEqual([[false, [ownId]]])
  })

  test('an invalid rule has no id to keep from another', () => {
    const { reports } = compileRules([base.replace('condition: s', 'condition: t'), other])
    expect(reports.map(({ id, verdict }) => [id, verdict])).toEqual([[ownId, 'invalid'], [ownId, 'compiled']])
  })

  test('two aggregations count their own events', () => {
    const many = (action: string) => `title: Many\nid: ${ownId}\nlogsource: { product: app }\n` +
      `detection: { s: { action: ${action} }, condition: 's | count() > 1', timeframe: 1m }\n`
    const { ruleSet } = compileRules([many('fail'), many('ok')])
    expect(new Set(ruleSet.rules.map(({ id }) => id)).size).toBe(2)
    expect(ruleSet.correlations.map(({ members }) => members.map(({ ruleId }) => ruleSet.get(ruleId)?.predicate)))
      .toEqual(ruleSet.rules.map(({ predicate }) => [predicate]))
  })
})

describe('rules of one id that an action makes', () => {
  const global = `action: global\ntitle: All\nid: ${ownId}\nname: all\nlevel: low\n---\n`
  const part = (action: string, lines = '') => `${lines}logsource: { product: app }\ndetection: { s: { action: ${action} }, condition: s }\n`
  const repeat = (action: string, lines = '') => `action: repeat\n${lines}detection: { s: { action: ${action} } }\n`
  const other = '7a1c7b0e-0a4c-4c1e-9d30-8d2f6f0c5b11'

  test.for<[title: string, text: string, ids: readonly (string | undefined)[]]>([
    ['three under a global one', `${global}${part('a')}---\n${part('b')}---\n${part('c')}`, [ownId, undefined, undefined]],
    ['one with its own', `${global}${part('a')}---\n${part('b', `id: ${other}\n`)}`, [ownId, other]],
    ['one with the same again', `${global}${part('a')}---\n${part('b', `id: ${ownId}\nname: all\n`)}`, [ownId, undefined]],
    ['a repeated one', `${withLines('name: all')}---\n${repeat('b')}---\n${repeat('c', `id: ${other}\nname: c\n`)}`, [ownId, undefined, other]],
  ])('%s run under different ids', ([, text, ids]) => {
    const { ruleSet, reports } = compileRules(text)
    expect(reports.map(({ verdict }) => verdict)).toEqual(ids.map(() => 'compiled'))
    expect(reports.map(({ id }) => id === ownId || id === other ? id : undefined)).toEqual(ids)
    expect(new Set(ruleSet.rules.map(({ id }) => id)).size).toBe(ids.length)
    expect(compileRules(text).reports.map(({ id }) => id)).toEqual(reports.map(({ id }) => id))
    expect(new Engine(ruleSet, { lenient: true }).push([{ action: 'b' }]).map(({ rule }) => rule.id)).toEqual([reports[1]?.id])
    expect(verdictsOf(text, true).slice(0, 2)).toEqual(['compiled', 'invalid'])
  })
})

describe('public collections', () => {
  /** Codes of faults in YAML, log sources and detections, and of what needs configuration. */
  const allowed = new Set([
    'YAML', 'NOT_A_RULE', 'INVALID_LOGSOURCE', 'MISSING_ATTRIBUTE', 'UNSUPPORTED_AGGREGATION', 'UNRESOLVED_PLACEHOLDER',
  ])
  const publicFile = 'public-rules-dev.tar.gz'

  testWithShared([publicFile], 'are refused for YAML, log sources and detections only, fewer than one in a hundred', () => {
    const sources = readTar(sharedPath(publicFile)).filter(({ path }) => /\.ya?ml$/.test(path) && !path.includes('/scripts/'))
    const collections = Map.groupBy(sources, ({ path }) => path.split('/')[0])
    const refused = [...collections.values()].flatMap((files) => compileRules(files).reports.filter(({ kind, verdict }) => {
      return kind !== 'not-a-rule' && verdict !== 'compiled'
    }))
    const codes = refused.flatMap(({ diagnostics }) => diagnostics.filter(({ kind }) => kind !== 'lint').map(({ code }) => code))
    expect([...new Set(codes)].filter((code) => !allowed.has(code))).toEqual([])
    expect(sources.length).toBeGreaterThan(4_000)
    expect(refused.length / sources.length).toBeLessThan(0.01)
  })

  testWithShared([sigmaRulesFile], "SigmaHQ's active rules come to the same verdicts with invalid metadata added", () => {
    const plain = sigmaRules(activeFolders)
    const odd = plain.map(({ path = '', text }) => ({ path, text: `${text.replace(/^status: .*$/m, 'status: production')}\nscope: { a: b }\n` }))
    const verdictLines = (sources: readonly RuleSource[]) => compileRules(sources).reports.map(({ path, id, verdict }) => `${path} ${id} ${verdict}`)
    expect(verdictLines(odd)).toEqual(verdictLines(plain))
  })
})

/** The rule with some lines instead of those of the same attribute. */
function withLines(lines: string): string {
  return `${base.split('\n').filter((line) => keyOf(line) !== keyOf(lines)).join('\n')}${lines}\n`
}

function keyOf(line: string): string {
  return line.split(':', 1)[0] ?? ''
}

function verdictsOf(texts: string | readonly string[], strict = false): readonly Verdict[] {
  return compileRules(texts, { strict }).reports.map(({ verdict }) => verdict)
}
