import { encodedPowerShell } from '@tripline/detection/test/rules'
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../../test/open-test-server.ts'
import type { TestServer } from '../../../../test/open-test-server.ts'

const rulesPath = '/v1/detection/rules'
const builtIn = `${rulesPath}/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001`
const retitled = encodedPowerShell.replace('title: Encoded PowerShell', 'title: Ours')

const enginePath = new URL('../../../../../engine/package.json', import.meta.url)
const { version: engineVersion } = JSON.parse(readFileSync(enginePath, 'utf8')) as { readonly version: string }

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([encodedPowerShell])
})

type Versions = { readonly versions: readonly { readonly version: number; readonly saved_by: string | null; readonly text_changed: boolean }[] }

async function listVersions(path: string): Promise<string[]> {
  const { versions } = (await server.call('GET', `${path}/versions`)).body as Versions
  return versions.map(({ version, saved_by: by, text_changed: isChanged }) => `${version} ${by ?? '-'}${isChanged ? ' changed' : ''}`)
}

describe('versions of a rule', () => {
  test('begin with the text that came with the server, and name who saved them', async () => {
    expect(await listVersions(builtIn)).toEqual(['1 - changed'])
    await server.call('PUT', builtIn, { body: { definition: retitled } })
    await server.call('PUT', builtIn, { body: { enabled: false } })
    const by = ((await server.call('GET', '/v1/people')).body as { readonly people: readonly { readonly email: string }[] }).people[0]?.email
    expect(await listVersions(builtIn)).toEqual([`3 ${by}`, `2 ${by} changed`, '1 - changed'])
    expect(await server.call('GET', `${builtIn}/versions/1`)).toMatchObject({ status: 200, body: { version: 1, definition: encodedPowerShell } })
    expect(await server.call('GET', `${builtIn}/versions/2`)).toMatchObject({ status: 200, body: { definition: retitled } })
  })

  test('a built-in rule that is only switched has its text under both versions', async () => {
    await server.call('PUT', builtIn, { body: { enabled: false } })
    expect(await listVersions(builtIn)).toEqual(['2 -', '1 - changed'])
    expect(await server.call('GET', `${builtIn}/versions/2`)).toMatchObject({ status: 200, body: { definition: encodedPowerShell } })
  })

  test.for<[asked: string, version: string]>([['an unknown one', '9'], ['no number', 'x'], ['a huge number', '99999999999999']])(
    '%s is not found', async ([, version]) => {
      expect(await server.call('GET', `${builtIn}/versions/${version}`)).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
    },
  )

  test('are restored as new versions, unless another change came first', async () => {
    await server.call('PUT', builtIn, { body: { definition: retitled, enabled: false } })
    const stale = await server.call('POST', `${builtIn}/versions/1/restore`, { headers: { 'if-match': '"1"' } })
    expect(stale).toMatchObject({ status: 412 })
    const restored = await server.call('POST', `${builtIn}/versions/1/restore`, { headers: { 'if-match': '"2"' } })
    expect(restored).toMatchObject({
      status: 200, body: { version: 3, title: 'Encoded PowerShell', origin: 'builtin', enabled: false }, headers: { etag: '"3"' },
    })
    expect(await server.call('POST', `${builtIn}/versions/2/restore`)).toMatchObject({ status: 200, body: { version: 4, title: 'Ours' } })
  })
})

describe('the context of a compilation', () => {
  const base = 'title: Failed login\nid: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0301\nname: failed\nlogsource: { product: app }\n' +
    'detection: { s: { action: fail }, condition: s }\n'
  const correlation = 'title: Many\nid: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0302\n' +
    'correlation: { type: event_count, rules: [failed], group-by: [user], timespan: 10m, condition: { gte: 3 } }\n'
  const exception = { detection: { here: { user: 'bob' }, condition: 'not here' }, reason: 'known', expires_at: '2026-11-21T10:00:00Z' }
  const getContext = async (query: string): Promise<unknown> => (await server.call('GET', `/v1/detection/compile-context?${query}`)).body

  test('is sent once, until a part of it changes', async () => {
    await server.call('POST', rulesPath, { body: { definition: base } })
    const path = '/v1/detection/compile-context?rule=0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0301'
    const { headers: { etag } } = await server.call('GET', path)
    const ask = async () => await server.call('GET', path, { headers: { 'if-none-match': String(etag) } })
    expect(await ask()).toMatchObject({ status: 304, body: undefined })
    await server.call('POST', `${rulesPath}/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0301/exceptions`, { body: exception })
    const changed = await ask()
    expect(changed).toMatchObject({ status: 200, body: { filters: [expect.anything()] } })
    expect(changed.headers['etag']).not.toBe(etag)
  })

  test('holds the rules that a correlation refers to, and the exceptions of all', async () => {
    await server.call('POST', rulesPath, { body: { definition: base } })
    await server.call('POST', rulesPath, { body: { definition: correlation } })
    await server.call('POST', `${rulesPath}/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0301/exceptions`, { body: exception })
    const rules = [{ id: '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0301', title: 'Failed login', text: base }]
    const filters = [{ path: expect.stringContaining('exception 0') as string, text: expect.stringContaining('"bob"') as string }]
    const none = { pipelines: [], placeholders: {}, engine_version: engineVersion }
    expect(await getContext('rule=0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0302')).toEqual({ ...none, filters, rules, unknown: [] })
    expect(await getContext('refers_to=failed,nothing')).toEqual({ ...none, filters, rules, unknown: ['nothing'] })
    expect(await getContext('rule=0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0301')).toEqual({ ...none, filters, rules: [], unknown: [] })
  })

  test('is applied when a text is tested in the place of the stored one', async () => {
    await server.call('POST', rulesPath, { body: { definition: base } })
    const path = `${rulesPath}/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0301`
    await server.call('POST', `${path}/exceptions`, { body: exception })
    const events = ['bob', 'eve'].map((user) => ({ _logsource: { product: 'app' }, action: 'fail', user }))
    const test = async (of: string): Promise<unknown> => {
      const { body } = await server.call('POST', `${of}/test`, { body: { events, definition: base } })
      return (body as { readonly results: readonly { readonly matched: boolean }[] }).results.map(({ matched }) => matched)
    }
    expect(await test(path)).toEqual([false, true])
    expect(await test(`${rulesPath}/new`)).toEqual([true, true])
  })

  test('of an unknown rule is not found, and of too many names refused', async () => {
    expect(await server.call('GET', '/v1/detection/compile-context?rule=nothing')).toMatchObject({ status: 404 })
    const names = Array.from({ length: 201 }, (_, i) => `r${i}`).join(',')
    expect(await server.call('GET', `/v1/detection/compile-context?refers_to=${names}`)).toMatchObject({ status: 400 })
  })
})

test('the schema of rules is there for editors, which log in nowhere', async () => {
  const { status, body } = await server.call('GET', '/v1/schema/sigma-rule.json', { token: null })
  expect({ status, body }).toMatchObject({ status: 200, body: { title: 'Sigma rule with tests', anyOf: expect.any(Array) as unknown } })
})
