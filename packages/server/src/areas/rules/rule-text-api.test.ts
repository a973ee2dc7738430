import { encodedPowerShell } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../../test/open-test-server.ts'
import { limits } from '../../limits.ts'

const rulesPath = '/v1/detection/rules'
const ruleId = '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'
const idOf = (number: number): string => `0198f1c0-7a10-4c3e-9b1e-2f6a3a1f020${number}`

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([encodedPowerShell])
})

/** Four lines: title, log source, detection, and one more attribute. */
function textWith(line = 'level: high', title = 'Ours'): string {
  return `title: ${title}\nlogsource: { product: app }\ndetection: { s: { action: fail }, condition: s }\n${line}\n`
}

const base = textWith('name: failed_login', 'Failed login')
const many = `title: Many failed logins
id: ${idOf(2)}
name: many_failed
correlation:
  type: event_count
  rules: [failed_login]
  group-by: [user]
  timespan: 10m
  condition: { gte: 3 }
`
const chain = `title: Often many
correlation: { type: event_count, rules: [many_failed], group-by: [user], timespan: 1h, condition: { gte: 2 } }
`

/** The places of an error, as `line:column path`. */
function placesOf({ body }: TestResponse): unknown {
  const { error: { details: { errors, failures } } } = body as {
    readonly error: { readonly details: { readonly errors?: readonly Place[]; readonly failures?: readonly Place[] } }
  }
  return (errors ?? failures ?? []).map(({ line, column, path }) => `${line}:${column}${path ? ` ${path}` : ''}`)
}
type Place = { readonly line?: number; readonly column?: number; readonly path?: string }

describe('an error of a definition names line and column, whichever request sent it', () => {
  const ways: readonly (readonly [method: string, path: string, rest: object])[] = [
    ['POST', rulesPath, {}],
    ['PUT', `${rulesPath}/${ruleId}`, {}],
    ['POST', `${rulesPath}/new/test`, { events: [] }],
    ['POST', `${rulesPath}/new/backtest`, {}],
  ]
  test.for<[title: string, definition: string, places: readonly string[]]>([
    ['no YAML', 'title: [', ['1:8']],
    ['no YAML on a later line', `${textWith()}a: b: c\n`, ['5:5']],
    ['a key twice', textWith('title: Again'), ['4:1']],
    ['a tab', '\ttitle: x', ['1:7']],
    ['a list', '- a\n', ['1:1']],
    ['a text', 'powershell.exe', ['1:1']],
    ['a taxonomy that is none', textWith('taxonomy: ecs'), ['4:11 taxonomy']],
    ['a taxonomy that is none, in braces', '{ title: x, logsource: { product: app }, detection: { s: { a: 1 }, condition: s }, taxonomy: ecs }', ['1:94 taxonomy']],
    ['two faults', textWith('taxonomy: ecs').replace('condition: s', 'condition: t'), ['3:46 detection.condition', '4:11 taxonomy']],
    ['an unknown modifier', textWith().replace('action:', 'action|b:'), ['3:19 detection.s.action|b']],
    ['a rule that is not there', many.replace(/^id: .*\n/m, ''), ['5:11 correlation.rules.0']],
    ['too much work', `title: ${',:'.repeat(100_000)}`, ['1:1 definition']],
    ['a filter rule', 'title: f\nlogsource: { product: app }\nfilter: { rules: any, s: { a: 1 }, condition: not s }\n', ['3:9 filter']],
    ['comments before it', `# one\n# two\n${textWith('taxonomy: ecs')}`, ['6:11 taxonomy']],
  ])('%s', async ([, definition, places]) => {
    for (const [method, path, rest] of ways) {
      const refused = await server.call(method, path, { body: { ...rest, definition } })
      expect(refused, `${method} ${path}`).toMatchObject({ status: 400, body: { error: { code: 'INVALID_RULE' } } })
      expect(placesOf(refused), `${method} ${path}`).toEqual(places)
    }
  })

  test.for<[title: string, method: string, path: string, body: object, code: string, places: readonly string[]]>([
    ['several rules for one', 'PUT', `${rulesPath}/${ruleId}`, { definition: `${base}---\n${chain}` }, 'INVALID_RULE', ['6:1']],
    ['several rules to backtest', 'POST', `${rulesPath}/new/backtest`, { definition: `${base}---\n${textWith()}` }, 'INVALID_RULE', ['6:1']],
    ['another id', 'PUT', `${rulesPath}/${ruleId}`, { definition: `id: ${idOf(1)}\n${base}` }, 'INVALID_RULE', ['1:5 id']],
    ['a test that fails', 'POST', rulesPath, { definition: textWith('tests: [{ event: { a: 1 }, match: true }]') }, 'RULE_TEST_FAILED', ['4:9']],
    ['a test that is none', 'POST', rulesPath, { definition: textWith('tests: [{ event: { a: 1 } }]') }, 'INVALID_RULE', ['4:9 tests.0']],
  ])('%s', async ([, method, path, body, code, places]) => {
    const refused = await server.call(method, path, { body })
    expect(refused).toMatchObject({ status: 400, body: { error: { code } } })
    expect(placesOf(refused)).toEqual(places)
  })

  test('a name that is taken', async () => {
    await server.call('POST', rulesPath, { body: { definition: base } })
    expect(placesOf(await server.call('POST', rulesPath, { body: { definition: base } }))).toEqual(['4:7 name'])
  })
})

describe('several rules in one request', () => {
  const create = (definition: string, rest: object = {}): Promise<TestResponse> => server.call('POST', rulesPath, { body: { definition, ...rest } })
  const storedTitles = async (): Promise<readonly string[]> => (await server.app.state.rules.list(onlyTenant)).map(({ title }) => title)
  const auditedTitles = async (): Promise<readonly string[]> => {
    const entries = (await server.app.state.audit.list(onlyTenant, { limit: 100 })).entries
    return entries.filter(({ action }) => action === 'rule.create').map(({ diff }) => JSON.stringify(diff?.['title'])).toSorted()
  }

  test.for<[title: string, documents: readonly string[]]>([
    ['a rule and its correlation', [base, many]],
    ['the correlation first', [many, base]],
    ['a correlation of a correlation, in no order', [chain, base, many]],
    ['a marker at the start, and a comment', [`---\n# the base\n${base}`, many]],
    ['rules that have nothing to do with each other', [textWith('level: low', 'One'), textWith('level: low', 'Two')]],
  ])('%s are created in the order of the text', async ([, documents]) => {
    const created = await create(documents.join('---\n'))
    const titles = documents.map((text) => /title: (.*)/.exec(text)?.[1])
    expect(created).toMatchObject({
      status: 201,
      body: { rules: titles.map((title) => ({ title, origin: 'custom', enabled: true, version: 1, effective_from_offset: 0, warnings: [] })) },
    })
    expect(created.headers).not.toHaveProperty('location')
    const { rules } = created.body as { readonly rules: readonly { readonly id: string; readonly definition: string }[] }
    for (const { id, definition } of rules) {
      expect(await server.call('GET', `${rulesPath}/${id}`)).toMatchObject({ status: 200, body: { id, definition } })
      expect(definition).toContain(`id: ${id}`)
      expect(definition).not.toContain('---')
    }
    expect(await auditedTitles()).toEqual(titles.map((title) => JSON.stringify([null, title])).toSorted())
  })

  test('run at once: the correlation matches', async () => {
    await create(`${base}---\n${many}`)
    const at = (second: number): string => new Date(server.io.nowMs + second * 1_000).toISOString()
    const failures = [0, 1, 2].map((second) => ({ _logsource: { product: 'app' }, '@timestamp': at(second), user: 'alice', action: 'fail' }))
    await server.call('POST', '/ingest/v1/events', { body: failures })
    server.io.nowMs += limits.pipeline.silenceMs + limits.correlation.allowedLatenessMs + 3_000
    await server.tick()
    expect(await server.call('GET', `${rulesPath}/${idOf(2)}/matches`)).toMatchObject({ body: { total_estimate: 1 } })
    const { body } = await server.call('GET', '/v1/alerts')
    const { alerts } = body as { readonly alerts: readonly { readonly id: string; readonly rule_id: string }[] }
    const raised = alerts.find(({ rule_id: id }) => id === idOf(2))
    expect(await server.call('GET', `/v1/alerts/${raised?.id}`)).toMatchObject({
      body: { correlation: { condition: expect.stringContaining('correlation: event_count 3>=3'), degraded: false, approximate: null } },
    })
  })

  test('take their state together', async () => {
    expect(await create(`${base}---\n${many}`, { enabled: false })).toMatchObject({ body: { rules: [{ enabled: false }, { enabled: false }] } })
  })

  test.for<[title: string, definition: string, rest: object, refusal: object, places: readonly string[] | undefined]>([
    ['a fault in the second', `${base}---\n${many.replace('10m', '10 minutes')}`, {}, { status: 400, body: { error: { code: 'INVALID_RULE' } } },
      ['13:13 correlation.timespan']],
    ['a fault in the second, which has no id', `${base}---\n${textWith('taxonomy: ecs')}`, {}, { status: 400 }, ['9:11 taxonomy']],
    ['an id that is taken', `${base}---\n${encodedPowerShell}`, {}, { status: 409, body: { error: { details: { id: ruleId } } } }, undefined],
    ['one id twice', `${many.replace('many_failed', 'other')}---\n${base}---\n${many}`, {}, { status: 409 }, undefined],
    ['one name twice', `${base}---\n${base}`, {}, { status: 400 }, ['9:7 name']],
    ['a test that fails in the second', `${base}---\n${textWith('tests: [{ event: { a: 1 }, match: true }]')}`, {}, { status: 400 }, ['9:9']],
    ['correlations in a circle', `${many}---\n${chain.replace('title', 'name: failed_login\ntitle')}`, {}, { status: 400 }, ['6:10 correlation.rules']],
    ['an action that affects others', `action: global\nlevel: high\n---\n${base}`, {}, { status: 400 }, ['1:1']],
    ['one too many', Array.from({ length: limits.rules.rulesAtOnceMax + 1 }, () => base).join('---\n'), {}, { status: 400 }, ['1:1']],
    ['exceptions, which belong to one', `${base}---\n${many}`, { filters: [] }, { status: 400, body: { error: { code: 'INVALID_BODY' } } }, undefined],
  ])('%s: none is created', async ([, definition, rest, refusal, places]) => {
    const refused = await create(definition, rest)
    expect(refused).toMatchObject(refusal)
    if (places !== undefined) expect(placesOf(refused)).toEqual(places)
    expect(await storedTitles()).toEqual([])
    expect(await auditedTitles()).toEqual([])
  })
})
