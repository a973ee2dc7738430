import { ruleTestResultSchema } from '@tripline/contract'
import { anySshLogin, encoded, encodedBySystem, encodedPowerShell, sshLogin, unsupported } from '@tripline/detection/test/rules'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { openTestServer } from '../../../../test/open-test-server.ts'
import type { TestServer } from '../../../../test/open-test-server.ts'
import { limits } from '../../../limits.ts'

const stored = '/v1/detection/rules/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001/test'
const another = '/v1/detection/rules/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0004/test'
const unsaved = '/v1/detection/rules/new/test'
const matched = ['selection_img: Image|endswith=\\powershell.exe', 'selection_cli: CommandLine|contains= -enc']

let server: TestServer
beforeAll(async () => {
  server = await openTestServer([encodedPowerShell, unsupported])
})

describe('results', () => {
  test.for<[title: string, path: string, body: object, results: (string[] | null)[]]>([
    ['events that match and that do not', stored, { events: [encoded, encodedBySystem, {}] }, [matched, null, null]],
    ['no events', stored, { events: [] }, []],
    ['an event of unknown logsource', stored, { events: [{ Image: encoded.Image, CommandLine: encoded.CommandLine }] }, [matched]],
    ["the console's own field names", stored,
      { events: [{ process_name: 'C:\\powershell.exe', command_line: 'powershell -enc x' }] }, [matched]],
    ['an event known to be of another logsource', stored,
      { events: [{ ...encoded, Channel: undefined, EventID: undefined, _logsource: { product: 'linux' } }] }, [null]],
    ['a definition without a rule', unsaved, { events: [sshLogin], definition: anySshLogin }, [['keywords: *Accepted password* in message']]],
    ['a definition over a rule', stored, { events: [sshLogin, encoded], definition: anySshLogin },
      [['keywords: *Accepted password* in message'], null]],
    ['a rule that is not enabled', another, { events: [encoded] }, [['selection: Image=*']]],
  ])('%s', async ([, path, body, results]) => {
    const answer = await server.call('POST', path, { body })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      results: results.map((conditions, index) => ({ event_index: index, matched: conditions !== null, matched_conditions: conditions ?? [] })),
    })
  })

  test.for<[title: string, event: object, hint: string | undefined]>([
    ['a program without its folder', { ...encoded, Image: 'powershell.exe' }, 'Image'],
    ['a program of another shape', { process: { executable: 'powershell.exe', command_line: 'powershell -enc x' } }, 'executable'],
    ['a program without its folder that would not match', { ...encoded, Image: 'cmd.exe' }, undefined],
    ['a program with its folder', { ...encoded, Image: 'C:\\cmd.exe' }, undefined],
    ['an event that matches', encoded, undefined],
  ])('%s: the hint says what would match', async ([, event, field]) => {
    const { body } = await server.call('POST', stored, { body: { events: [event] } })
    const [result] = ruleTestResultSchema.parse(body).results
    expect(result?.hint).toEqual(field === undefined ? undefined : expect.stringMatching(new RegExp(`^'${field}' names a program without its folder`)))
  })

  test('a definition is subject to the server\'s filter rules, as when saved', async () => {
    const notBob = 'title: f\nlogsource: { category: process_creation }\nfilter: { rules: any, bob: { User: ACME\\bob }, condition: not bob }\n'
    const filtered = await openTestServer([encodedPowerShell, notBob])
    const body = { definition: encodedPowerShell, events: [encoded, { ...encoded, User: 'ACME\\bob' }] }
    for (const to of [stored, unsaved]) {
      expect(await filtered.call('POST', to, { body })).toMatchObject({ status: 200, body: { results: [{ matched: true }, { matched: false }] } })
    }
  })

  test('a test is not counted as an evaluation', async () => {
    await server.call('POST', stored, { body: { events: [encoded] } })
    expect(await server.call('GET', '/v1/detection/rules?level=high')).toMatchObject({
      body: { rules: [{ stats: { evaluations_total: 0, matches_total: 0 } }] },
    })
  })
})

describe('costly tests run in a thread', () => {
  // A long description makes a test costly enough.
  const long = `description: "${'a, '.repeat(3_000)}"`
  const storedId = '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'
  const listTwice = (rule: string): string => `title: Twice\n${long}\ncorrelation:
  { type: event_count, rules: [${rule}], group-by: [Image], timespan: 1m, condition: { gte: 2 }, generate: false }\n`
  const ownRule = encodedPowerShell.replace('title:', 'name: own\ntitle:').replace(/^id:.*\n/m, '')
  const withLong = encodedPowerShell.replace(/^description:.*\n/m, '')
  test.for<[title: string, path: string, body: { definition?: string; events: readonly object[] }, matched: readonly boolean[]]>([
    ['a definition', unsaved, { definition: `${withLong}${long}\n`, events: [encoded, {}] }, [true, false]],
    ['a correlation of a stored rule', unsaved, { definition: listTwice(storedId), events: [encoded, encoded] }, [false, true]],
    ['a correlation of a rule of its text', unsaved, { definition: `${ownRule}---\n${listTwice('own')}`, events: [encoded, encoded] },
      [false, true]],
    ['not a stored rule of small cost', stored, { events: Array(1_000).fill(encoded) }, Array<boolean>(1_000).fill(true)],
  ])('%s', async ([, path, body, matched]) => {
    const run = vi.spyOn(server.app.costlyRules.ruleTests, 'run')
    const answer = await server.call('POST', path, { body: { ...body, explain: true } })
    const isInThread = run.mock.calls.length > 0
    run.mockRestore()
    expect(answer).toMatchObject({ status: 200 })
    expect(isInThread).toBe(path === unsaved)
    expect(ruleTestResultSchema.parse(answer.body).results.map((result) => result.matched)).toEqual(matched)
  })
})

describe('explanations', () => {
  const events = [{ Image: 'C:\\Windows\\cmd.exe', CommandLine: 'cmd -enc x' }]
  const explain = {
    node: 'and',
    result: false,
    children: [
      { node: 'selection_img', result: false, children: [
        { field: 'Image', op: 'endswith', pattern: '\\powershell.exe', actual: 'C:\\Windows\\cmd.exe', result: false, reason: 'value_mismatch' },
      ] },
      { node: 'selection_cli', result: true, children: [
        { field: 'CommandLine', op: 'contains', pattern: ' -enc', actual: 'cmd -enc x', result: true, reason: 'matched' },
      ] },
      { node: 'not filter', result: true, children: [
        { field: 'User', op: 'eq', pattern: 'SYSTEM', actual: null, result: false, reason: 'field_absent' },
      ] },
    ],
  }

  test.for<[title: string, path: string, body: object, explain: object | undefined]>([
    ['asked for in the body', stored, { events, explain: true }, explain],
    ['asked for in the query', `${stored}?explain=true`, { events }, explain],
    ['not asked for', stored, { events }, undefined],
    ['refused in the body', `${stored}?explain=true`, { events, explain: false }, undefined],
  ])('%s', async ([, path, body, expected]) => {
    const answer = await server.call('POST', path, { body })
    const [result] = ruleTestResultSchema.parse(answer.body).results
    expect(result).toEqual({ event_index: 0, matched: false, matched_conditions: [], ...(expected ? { explain: expected } : {}) })
  })

  test('stop at the limit of nodes', async () => {
    const values = Array.from({ length: 400 }, (_, number) => `      - v${number}`).join('\n')
    const definition = whereImage(`contains:\n${values}`)
    const answer = await server.call('POST', unsaved, { body: { events: Array(200).fill({ Image: 'v1' }), definition, explain: true } })
    const { results } = ruleTestResultSchema.parse(answer.body)
    const explained = results.filter(({ explain: tree }) => tree !== null)
    expect(results.every((result) => result.matched)).toBe(true)
    expect(explained.length).toBe(Math.ceil(limits.ruleTest.explanationNodesMax / 402))
    expect(results.slice(explained.length).every(({ explain: tree }) => tree === null)).toBe(true)
  })
})

describe('refuses', () => {
  const deep = `{"events":[${'['.repeat(70)}${']'.repeat(70)}]}`
  test.for<[title: string, path: string, body: unknown, status: number, code: string, message: RegExp | string]>([
    ['a rule that is not there', '/v1/detection/rules/unknown/test', { events: [] }, 404, 'NOT_FOUND', 'there is no such rule'],
    ['a definition over a rule that is not there', '/v1/detection/rules/unknown/test', { events: [], definition: anySshLogin },
      404, 'NOT_FOUND', 'there is no such rule'],
    ['new without a definition', unsaved, { events: [] }, 400, 'INVALID_BODY', "'definition' is required for a rule that is not stored"],
    ['no events', stored, {}, 400, 'INVALID_BODY', 'events: must be an array of events'],
    ['events that are none', stored, { events: [{}, 1] }, 400, 'INVALID_BODY', 'events.1: must be an object'],
    ['a list for an event', stored, { events: [[]] }, 400, 'INVALID_BODY', 'events.0: must be an object'],
    ['an unknown field', stored, { events: [], explian: true }, 400, 'INVALID_BODY', "the body: unknown field 'explian'"],
    ['a flag that is none', stored, { events: [], explain: 'yes' }, 400, 'INVALID_BODY', 'explain: must be true or false'],
    ['a list that is too long', stored, { events: [{}, { a: Array(10_001).fill(0) }] }, 400, 'INVALID_BODY',
      'events.1: a list of the event has more than 10000 elements'],
    ['one event too many', stored, { events: Array(limits.ruleTest.eventsMax + 1).fill({}) }, 400, 'INVALID_BODY',
      `events: must have at most ${limits.ruleTest.eventsMax} events`],
    ['a flag in the query that is none', `${stored}?explain=1`, { events: [] }, 400, 'INVALID_PARAMETER', /^invalid explain '1'/],
    ['two rules', unsaved, { events: [], definition: `${anySshLogin}---\n${encodedPowerShell}` }, 400, 'INVALID_RULE',
      'a definition must hold one rule; this one holds 2'],
    ['a rule too large for its events', unsaved,
      { events: Array(600).fill({}), definition: whereImage(`contains: [${Array.from({ length: 400 }, (_, i) => `v${i}`).join(',')}]`) },
      413, 'PAYLOAD_TOO_LARGE', /takes more than 200000 comparisons/],
    ['20,000 regular expressions', unsaved, { events: [{}], definition: whereImage(listRegexes(20_000, 'a+b')) },
      400, 'INVALID_RULE', /^compiling the rule takes more than 300000 work units/],
    ['1,000 nested repetitions', unsaved, { events: [{}], definition: whereImage(listRegexes(1_000, '(?:(?:a{1,10}b){1,10}c){1,9}')) },
      400, 'INVALID_RULE', /^compiling the rule takes more than 300000 work units/],
    ['80,000 tags', unsaved, { events: [{}], definition: `${whereImage('contains: x')}tags: [${'a, '.repeat(80_000)}]` },
      400, 'INVALID_RULE', /^reading the rule takes more than 300000 work units/],
    ['a body that is too deep', stored, deep, 400, 'INVALID_BODY', 'the body nests deeper than 66 levels'],
    ['a body that is cut', stored, '{"events":[', 400, 'INVALID_BODY', 'the body is not a JSON object'],
    ['a body that is no JSON', stored, '{"events":}', 400, 'INVALID_BODY', /^the body is not valid JSON: /],
    ['a body that is no object', stored, '[]', 400, 'INVALID_BODY', 'the body is not a JSON object'],
    ['an empty body', stored, '', 400, 'INVALID_BODY', 'the body is not a JSON object'],
    ['one byte too much', stored, `{"events":[]}${' '.repeat(limits.ruleTest.bodyBytesMax)}`, 413, 'PAYLOAD_TOO_LARGE', /^the body has more than/],
    ['too many fields', stored, `{${Array.from({ length: 200_001 }, (_, i) => `"${i}":0`).join(',')}}`, 400, 'INVALID_BODY',
      'the body has more than 200000 fields'],
  ])('%s', async ([, path, body, status, code, message]) => {
    const answer = await server.call('POST', path, { body, headers: { 'content-type': 'application/json' } })
    const matching: unknown = typeof message === 'string' ? message : expect.stringMatching(message)
    expect(answer).toMatchObject({ status, body: { error: { code, message: matching } } })
  })

  test.for<[contentType: string, status: number]>([
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
    ['application/vnd.tripline+json', 200],
    ['APPLICATION/JSON', 200],
    ['text/plain', 415],
    ['application/jsonp', 415],
    ['', 415],
  ])('content type %j: %i', async ([contentType, status]) => {
    const answer = await server.call('POST', stored, { body: '{"events":[]}', headers: { 'content-type': contentType } })
    expect(answer.status).toBe(status)
  })

  test('a definition that does not compile, with the position of each problem', async () => {
    const definition = encodedPowerShell.replace('selection_img and', 'selction_img and').replace('level: high', 'taxonomy: ecs')
    const answer = await server.call('POST', unsaved, { body: { events: [], definition } })
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_RULE', message: expect.stringContaining('selction_img'), details: { errors: [
        { path: 'detection.condition', code: 'UNKNOWN_SELECTION', line: 23, column: 14, hint: "did you mean 'selection_img'?", message: expect.any(String) },
        { path: 'taxonomy', code: 'UNKNOWN_TAXONOMY', line: 26, column: 11, message: expect.any(String) },
      ] } } },
    })
  })
})

/** An item with different regular expressions. */
function listRegexes(count: number, source: string): string {
  return `re: [${Array.from({ length: count }, (_, i) => `'${source}${i}'`).join(', ')}]`
}

/** A rule that compares the field Image. */
function whereImage(item: string): string {
  return `title: Image\nlogsource: { category: process_creation }\ndetection:\n  selection:\n    Image|${item}\n  condition: selection\n`
}
