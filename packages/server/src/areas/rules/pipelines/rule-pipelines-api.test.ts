import { alertListSchema } from '@tripline/contract'
import {
  changedRulePipelineSchema, rulePipelineListSchema, rulePipelineSchema, rulePipelineTestResultSchema,
} from '@tripline/contract/console/rules/rule-pipeline'
import type { ChangedRulePipelineBody, RulePipelineListBody } from '@tripline/contract/console/rules/rule-pipeline'
import { anySshLogin, encodedPowerShell, whoami as quietWhoami } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openTestServer } from '../../../../test/open-test-server.ts'
import type { TestServer } from '../../../../test/open-test-server.ts'

const path = '/v1/detection/rule-pipelines'
const whoami = quietWhoami.replace('level: informational', 'level: high')
const id = (number: number): string => `0198f1c0-7a10-4c3e-9b1e-2f6a3a1f000${number}`

/** Own names of fields, as events of the tenant have them. */
const ownNames = `name: Own names
priority: 20
transformations:
  - type: field_name_mapping
    mapping: { Image: proc.path }
    rule_conditions: [{ type: logsource, category: process_creation }]
`
const ownEvent = { _logsource: { category: 'process_creation', product: 'windows' }, proc: { path: 'C:\\Windows\\whoami.exe' } }
const usualEvent = { _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\Windows\\whoami.exe' }
const many = `title: Many
id: ${id(9)}
correlation:
  type: event_count
  rules: [${id(3)}]
  group-by: [Image, host]
  aliases: { p: { ${id(3)}: Image } }
  timespan: 1m
  condition: { gte: 2 }
`
const refusing = 'transformations:\n  - { type: rule_failure, message: not here, rule_conditions: [{ type: logsource, product: linux }] }\n'

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([encodedPowerShell, anySshLogin, whoami])
})

type Answer = Awaited<ReturnType<TestServer['call']>>

const create = (body: object, token?: string): Promise<Answer> => server.call('POST', path, { body, ...(token && { token }) })

async function createOwnNames(): Promise<ChangedRulePipelineBody> {
  return changedRulePipelineSchema.parse((await create({ name: 'Own names', text: ownNames })).body)
}

async function list(token?: string): Promise<RulePipelineListBody> {
  return rulePipelineListSchema.parse((await server.call('GET', path, { ...(token && { token }) })).body)
}

/** The titles of the rules that match an event that comes now. */
async function detect(event: object, token?: string): Promise<readonly string[]> {
  const read = async () => alertListSchema.parse((await server.call('GET', '/v1/alerts', { ...(token && { token }) })).body).alerts
  const before = new Set((await read()).map((alert) => alert.id))
  await server.call('POST', '/ingest/v1/events', { body: { ...event, host: `h${before.size}` }, ...(token && { token }) })
  await server.app.pipeline.untilIdle()
  return (await read()).filter((alert) => !before.has(alert.id)).map((alert) => alert.rule_title)
}

const messageOf = ({ body }: Answer): string => (body as { readonly error: { readonly message: string } }).error.message

describe('a pipeline of a tenant', () => {
  test('rewrites rules for live detection from the next event on, until it is switched off', async () => {
    expect(await detect(ownEvent)).toEqual([])
    const { pipeline, ...effect } = await createOwnNames()
    expect(pipeline).toMatchObject({ name: 'Own names', priority: 20, enabled: true, revision: 1, problem: null })
    expect(effect).toEqual({ rules_changed: 2, rules_refused: 0, effective_from_offset: 1 })
    expect(await detect(ownEvent)).toEqual(['Whoami'])
    expect(await detect(usualEvent)).toEqual([])
    await server.call('PATCH', `${path}/${pipeline.id}`, { body: { enabled: false } })
    expect(await detect(usualEvent)).toEqual(['Whoami'])
    expect(await detect(ownEvent)).toEqual([])
  })

  test.for<[title: string, call: () => Promise<Answer>, found: object]>([
    ['a rule test', () => server.call('POST', `/v1/detection/rules/${id(3)}/test`, { body: { events: [ownEvent, usualEvent] } }),
      { results: [{ matched: true }, { matched: false }] }],
    ['a test of a text', () => server.call('POST', '/v1/detection/rules/new/test', { body: { definition: whoami, events: [ownEvent, usualEvent] } }),
      { results: [{ matched: true }, { matched: false }] }],
    ['a backtest', () => server.call('POST', `/v1/detection/rules/${id(3)}/backtest`, { body: {} }), { matches_total: 1, events_evaluated: 1 }],
    ['a backtest of a text', () => server.call('POST', `/v1/detection/rules/${id(3)}/backtest`, { body: { definition: whoami } }), { matches_total: 1 }],
    ['what an editor compiles with', () => server.call('GET', '/v1/detection/compile-context'), { pipelines: [ownNames], placeholders: {} }],
  ])('counts for %s', async ([, call, found]) => {
    await createOwnNames()
    await detect(ownEvent)
    await detect(usualEvent)
    server.io.nowMs += 60_000
    expect((await call()).body).toMatchObject(found)
  })

  test('rewrites own rules, also those that were there before, and their exceptions', async () => {
    const definition = whoami.replace(id(3), id(8)).replace('Whoami', 'Ours')
    await server.call('POST', '/v1/detection/rules', { body: { definition } })
    const { pipeline } = await createOwnNames()
    expect(await detect(ownEvent)).toEqual(expect.arrayContaining(['Whoami', 'Ours']))
    await server.call('POST', '/v1/detection/rules', { body: { definition: definition.replace(id(8), id(9)).replace('Ours', 'Later') } })
    const exception = {
      title: 'Known', reason: 'A test.', owner: 'ann@example.org', expires_at: new Date(server.io.now() + 3_600_000).toISOString(),
      detection: { known: { Image: 'C:\\Windows\\whoami.exe' }, condition: 'not known' },
    }
    expect((await server.call('POST', `/v1/detection/rules/${id(8)}/exceptions`, { body: exception })).status).toBe(201)
    expect((await detect(ownEvent)).toSorted()).toEqual(['Later', 'Whoami'])
    await server.call('DELETE', `${path}/${pipeline.id}`)
    expect((await detect(usualEvent)).toSorted()).toEqual(['Later', 'Whoami'])
  })

  test('runs in the order of its priority, whatever its text says', async () => {
    await create({ name: 'Second', priority: 30, text: 'priority: 1\ntransformations: [{ type: field_name_mapping, mapping: { path: proc.path } }]' })
    await create({ name: 'First', priority: 10, text: 'priority: 99\ntransformations: [{ type: field_name_mapping, mapping: { Image: path } }]' })
    expect((await list()).pipelines.map(({ name }) => name)).toEqual(['First', 'Second'])
    expect(await detect(ownEvent)).toEqual(['Whoami'])
  })

  test('that refuses a rule leaves it listed with the reason, and the others run', async () => {
    expect(changedRulePipelineSchema.parse((await create({ name: 'No Linux', text: refusing })).body)).toMatchObject({ rules_changed: 0, rules_refused: 1 })
    const { body } = await server.call('GET', `/v1/detection/rules/${id(2)}`)
    expect(body).toMatchObject({ title: 'Any SSH login', health: { state: 'broken', problem: 'not here' } })
    expect(await detect({ _logsource: { product: 'linux', service: 'sshd' }, message: 'Accepted password' })).toEqual([])
    expect(await detect(usualEvent)).toEqual(['Whoami'])
  })

  test('is of one tenant', async () => {
    const { pipeline } = await createOwnNames()
    const token = await server.tokenOf(['engineer'], 'other')
    expect(await list(token)).toEqual({ pipelines: [], rules_changed: 0, rules_refused: 0 })
    for (const [method, body] of [['GET'], ['PATCH', { enabled: false }], ['DELETE']] as const) {
      expect((await server.call(method, `${path}/${pipeline.id}`, { token, ...(body && { body }) })).status).toBe(404)
    }
    expect(await detect(usualEvent, token)).toEqual(['Whoami'])
    // Its name is free there.
    expect((await create({ name: 'Own names', text: refusing }, token)).status).toBe(201)
  })

  test('is loaded with the rules of the tenant after a start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tripline-pipelines-'))
    const open = (startedAt: number) => openTestServer([encodedPowerShell, anySshLogin, whoami], { statePath: join(folder, 'state.db'), startedAt })
    const first = await open(server.io.nowMs)
    await first.call('POST', path, { body: { name: 'Own names', text: ownNames } })
    await first.app.state.close()
    const again = await open(server.io.nowMs + 60_000)
    onTestFinished(async () => {
      await again.app.state.close()
      rmSync(folder, { recursive: true })
    })
    const { body } = await again.call('POST', `/v1/detection/rules/${id(3)}/test`, { body: { events: [ownEvent] } })
    expect(body).toMatchObject({ results: [{ matched: true }] })
  })
})

describe('a change', () => {
  test('counts revisions, checks the one that was seen, and is on the audit trail with its author', async () => {
    const { pipeline } = await createOwnNames()
    const one = `${path}/${pipeline.id}`
    const changed = await server.call('PATCH', one, { body: { priority: 5 }, headers: { 'if-match': '"1"' } })
    expect(changed).toMatchObject({ status: 200, body: { pipeline: { revision: 2, priority: 5 }, effective_from_offset: null } })
    expect((await server.call('PATCH', one, { body: { enabled: false }, headers: { 'if-match': '"1"' } })).status).toBe(412)
    expect((await server.call('DELETE', one, { headers: { 'if-match': '"1"' } })).status).toBe(412)
    const read = await server.call('GET', one)
    expect(rulePipelineSchema.parse(read.body)).toMatchObject({ revision: 2, updated_by: pipeline.created_by })
    expect(read.headers['etag']).toBe('"2"')
    expect((await server.call('DELETE', one, { headers: { 'if-match': '"2"' } })).status).toBe(204)
    expect((await server.call('DELETE', one)).status).toBe(404)
    const { entries } = await server.app.state.audit.list(onlyTenant, { limit: 3 })
    expect(entries.map(({ action, target, diff }) => ({ action, id: target?.id, diff }))).toEqual([
      { action: 'rule_pipeline.delete', id: pipeline.id, diff: expect.objectContaining({ name: ['Own names', null] }) },
      { action: 'rule_pipeline.update', id: pipeline.id, diff: { priority: [20, 5] } },
      { action: 'rule_pipeline.create', id: pipeline.id, diff: expect.objectContaining({ name: [null, 'Own names'], enabled: [null, true] }) },
    ])
  })

  test.for<[title: string, body: object, status: number, message: string]>([
    ['a text that is no YAML', { name: 'x', text: 'a: [' }, 400, "'text': line 1, column"],
    ['a step that does not exist', { name: 'x', text: 'transformations:\n  - type: nonsense' }, 400, "'text': line 2, column 5: transformations[0] has the type 'nonsense'"],
    ['a parameter of the wrong kind', { name: 'x', text: 'transformations:\n  - type: field_name_mapping\n    mapping: [a]' }, 400,
      "'text': line 3, column 5: 'mapping' of transformations[0] is no map"],
    ['a regular expression that does not run', { name: 'x', text: 'transformations:\n  - { type: replace_string, regex: "(?<=a)b", replacement: c }' }, 400, "'text': line 2"],
    ['a priority of the text that is none', { name: 'x', text: 'priority: 1.5\ntransformations: []' }, 400, "state 'priority'"],
    ['a long text', { name: 'x', text: '#'.repeat(65_537) }, 400, 'text: '],
    ['an empty name', { name: ' ', text: 'transformations: []' }, 400, 'name: '],
    ['a name that is taken', { name: 'Own names', text: 'transformations: []' }, 409, "a rule pipeline is named 'Own names' already"],
    // Each field becomes a thousand, and each of these a hundred.
    ['a text that takes too much work', { name: 'x', text: spread(1_000, 100) }, 400, 'work units'],
  ])('is refused for %s, and nothing changes', async ([, body, status, message]) => {
    await createOwnNames()
    const before = await list()
    const answer = await create(body)
    expect([answer.status, messageOf(answer)]).toEqual([status, expect.stringContaining(message)])
    expect(await list()).toEqual(before)
    expect(await detect(ownEvent)).toEqual(['Whoami'])
  })

  test('is refused at the limits of number and length', async () => {
    const long = `# ${'x'.repeat(65_000)}\ntransformations: []`
    for (const name of ['1', '2', '3', '4']) expect((await create({ name, text: long, enabled: false })).status).toBe(201)
    expect(messageOf(await create({ name: '5', text: long, enabled: false }))).toContain('at most 262144 characters together')
    for (let i = 5; i <= 16; i++) expect((await create({ name: String(i), text: 'transformations: []', enabled: false })).status).toBe(201)
    expect(messageOf(await create({ name: '17', text: 'transformations: []', enabled: false }))).toContain('16 rule pipelines')
  })

  test('gives placeholders their values, which editors get, until it is switched off', async () => {
    const text = 'vars: { admins: [root, 7], other: x }\ntransformations: [{ type: value_placeholders, include: [admins] }]\n'
    const definition = 'title: Admins\nlevel: high\nlogsource: { product: app }\ndetection: { s: { User|expand: "%admins%" }, condition: s }\n'
    const events = ['root', 'alice'].map((User) => ({ _logsource: { product: 'app' }, User }))
    const run = async (): Promise<unknown> => (await server.call('POST', '/v1/detection/rules/new/test', { body: { definition, events } })).body
    const tell = async (token?: string): Promise<unknown> => {
      return (await server.call('GET', '/v1/detection/compile-context', { ...(token && { token }) })).body
    }
    expect(await run()).toMatchObject({ error: { code: 'INVALID_RULE', message: expect.stringContaining('%admins%') as string } })
    const { body } = await create({ name: 'Values', text })
    expect(await tell()).toMatchObject({ placeholders: { admins: ['root', '7'] } })
    expect(await run()).toMatchObject({ results: [{ matched: true }, { matched: false }] })
    const other = await server.tokenOf(['engineer'], 'other')
    expect(await tell(other)).toMatchObject({ pipelines: [], placeholders: {} })
    await server.call('PATCH', `${path}/${changedRulePipelineSchema.parse(body).pipeline.id}`, { body: { enabled: false } })
    expect(await tell()).toMatchObject({ pipelines: [], placeholders: {} })
  })

  test('is for those who may edit rules', async () => {
    const token = await server.tokenOf(['analyst'])
    expect((await create({ name: 'x', text: ownNames }, token)).status).toBe(403)
    expect((await list(token)).pipelines).toEqual([])
  })
})

/** A pipeline that gives one field many names, and each of them more. */
function spread(first: number, second: number): string {
  const names = Array.from({ length: first }, (_, i) => `f${i}`)
  const others = Array.from({ length: second }, (_, i) => `g${i}`)
  return JSON.stringify({ transformations: [
    { type: 'field_name_mapping', mapping: { Image: names } },
    { type: 'field_name_prefix_mapping', mapping: { f: others } },
  ] })
}

describe('a test of pipelines', () => {
  const ask = (body: object, token?: string): Promise<Answer> => server.call('POST', `${path}/test`, { body, ...(token && { token }) })

  test('shows what changes of a rule, and what it matches then', async () => {
    const answer = await ask({ definition: whoami, pipelines: [ownNames, 'transformations: [{ type: add_condition, name: kind, conditions: { tier: gold } }]'], events: [ownEvent, { ...ownEvent, tier: 'gold' }] })
    expect(rulePipelineTestResultSchema.parse(answer.body)).toEqual({
      problem: null,
      changes: [
        { part: 'detection.selection', before: "Image|endswith: '\\whoami.exe'", after: "proc.path|endswith: '\\whoami.exe'" },
        { part: 'detection.condition', before: 'selection', after: 'kind and (selection)' },
        { part: 'detection.kind', before: null, after: "tier: 'gold'" },
      ],
      results: [
        { event_index: 0, matched: false, matched_conditions: [] },
        { event_index: 1, matched: true, matched_conditions: ['kind: tier=gold', 'selection: proc.path|endswith=\\whoami.exe'] },
      ],
    })
    expect((await list()).pipelines).toEqual([])
  })

  test('takes the pipelines that run where it names none', async () => {
    await createOwnNames()
    expect((await ask({ definition: whoami })).body).toMatchObject({ changes: [{ part: 'detection.selection' }], results: [] })
    expect((await ask({ definition: whoami, pipelines: [] })).body).toMatchObject({ changes: [] })
  })

  test.for<[title: string, body: object, answer: object]>([
    ['why a rule is refused', { definition: anySshLogin, pipelines: [refusing], events: [{}] },
      { status: 200, body: { problem: 'not here', changes: [], results: [] } }],
    ['where a pipeline is wrong', { definition: whoami, pipelines: [ownNames, 'transformations: 1'] },
      { status: 400, body: { error: { code: 'INVALID_PARAMETER', message: "'pipelines[1]': line 1, column 1: 'transformations' is no list", details: { line: 1, column: 1 } } } }],
    ['where a rule is wrong', { definition: 'title: x\ndetection: 1\n', pipelines: [] }, { status: 400, body: { error: { code: 'INVALID_RULE' } } }],
    ['what becomes of a correlation', { definition: many, pipelines: [ownNames] }, { status: 200, body: { problem: null, changes: [
      { part: 'correlation.group-by', before: 'Image\nhost', after: 'proc.path\nhost' },
      { part: 'correlation.aliases', before: `p:\n  ${id(3)}: Image`, after: `p:\n  ${id(3)}: proc.path` },
    ] } }],
    ['that it takes one rule', { definition: `${many}---\n${whoami}`, pipelines: [] }, { status: 400, body: { error: { code: 'INVALID_RULE' } } }],
    ['that the work is bounded', { definition: whoami, pipelines: [spread(1_000, 1_000)] }, { status: 200, body: { problem: expect.stringContaining('work units') } }],
  ])('tells %s', async ([, body, answer]) => {
    expect(await ask(body)).toMatchObject(answer)
  })

  test('is for those who may test rules', async () => {
    expect((await ask({ definition: whoami }, await server.tokenOf(['auditor']))).status).toBe(403)
    expect((await ask({ definition: whoami }, await server.tokenOf(['viewer']))).status).toBe(200)
  })
})
