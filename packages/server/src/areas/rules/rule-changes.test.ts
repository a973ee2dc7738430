import { changedRuleSchema } from '@tripline/contract/console/rule-change'
import { ruleBulkResultSchema } from '@tripline/contract/console/rules/rule-bulk'
import { encoded, encodedPowerShell, unsupported, whoami } from '@tripline/detection/test/rules'
import { toRuleId } from '@tripline/engine'
import type { Rule } from '@tripline/model/rule'
import { onlyTenant } from '@tripline/model/tenant'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'

const id = (number: number): string => `0198f1c0-7a10-4c3e-9b1e-2f6a3a1f000${number}`
const pathOf = (ruleId: string): string => `/v1/detection/rules/${ruleId}`
const path = pathOf(id(1))

/** Events of the logsource of the first rule: one that it matches, one of another program. */
const cmd = { ...encoded, Image: 'C:\\Windows\\cmd.exe', CommandLine: 'cmd /c dir' }

const deprecated = `title: Old
id: ${id(5)}
status: deprecated
logsource: { category: process_creation }
detection: { s: { Image|endswith: 'cmd.exe' }, condition: s }
`
const looksForCmd = { selection: { 'Image|endswith': '\\cmd.exe' }, condition: 'selection' }

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([encodedPowerShell, whoami, unsupported, deprecated])
})

/** How often a rule matched so far. */
async function matchCount(ruleId: string): Promise<number> {
  return (await server.app.activity.of(onlyTenant)).totalsOf(ruleId).matches
}

/** Which of the two events a rule matches now. */
async function matched(ruleId: string): Promise<string> {
  const found: string[] = []
  for (const [name, event] of Object.entries({ powershell: encoded, cmd })) {
    const before = await matchCount(ruleId)
    await server.call('POST', '/ingest/v1/events', { body: event })
    if ((await matchCount(ruleId)) > before) found.push(name)
  }
  return found.join(' ')
}

const stored = (ruleId: string): Promise<Rule | undefined> => server.app.state.rules.get(onlyTenant, ruleId)

describe('a rule after a change', () => {
  const definition = encodedPowerShell.replace('title: Encoded PowerShell', 'title: Text of ours').replace('powershell.exe', 'cmd.exe')
    .replace("' -enc'", "'dir'")
  test.for<[title: string, body: object, answered: object, kept: object, matches: string]>([
    ['disabled', { enabled: false }, { enabled: false, origin: 'builtin', title: 'Encoded PowerShell' },
      { isEnabled: false, origin: 'builtin', definition: '' }, ''],
    ['a text', { definition }, { title: 'Text of ours', origin: 'modified', definition }, { definition, origin: 'modified' }, 'cmd'],
    ['a title', { title: 'Ours' }, { title: 'Ours', origin: 'modified' },
      { definition: encodedPowerShell.replace('title: Encoded PowerShell', 'title: Ours') }, 'powershell'],
    ['a description', { description: 'x' }, { description: 'x' }, { description: 'x' }, 'powershell'],
    ['no description', { description: null }, { description: '' }, { description: '' }, 'powershell'],
    ['a level', { level: 'low' }, { level: 'low' }, { level: 'low' }, 'powershell'],
    ['a level that the console has no word for', { level: 'informational' }, { level: 'low', severity_raw: 'info' }, { level: 'informational' },
      'powershell'],
    ['a status', { status: 'test' }, { status: 'test' }, { maturity: 'test' }, 'powershell'],
    ['a detection', { detection: looksForCmd }, { required_fields: [{ field: 'Image', seen: false }] }, { origin: 'modified' }, 'cmd'],
    ['a logsource, as it is printed', { logsource: { category: 'image_load', product: 'windows', service: '' } },
      { logsource: { category: 'image_load', product: 'windows', service: '' } }, { logsource: { category: 'image_load', product: 'windows' } }, ''],
    ['tags', { tags: ['attack.t1033'] }, { tags: ['attack.t1033'], mitre: { tactics: [], techniques: ['T1033'] } }, {}, 'powershell'],
    ['false positives', { false_positives: ['Backups'] }, { false_positives: ['Backups'] }, { falsePositives: ['Backups'] }, 'powershell'],
    ['references', { references: ['https://example.org/x'] }, { references: ['https://example.org/x'] }, {}, 'powershell'],
    ['an author', { author: 'SOC' }, { author: 'SOC' }, { author: 'SOC' }, 'powershell'],
    ['tests that pass', { tests: [{ event: encoded, match: true }, { event: cmd, match: false }] },
      { tests: [{ event: encoded, match: true }, { event: cmd, match: false }] }, {}, 'powershell'],
    ['disabled and a draft', { enabled: false, lifecycle: 'draft' }, { enabled: false, lifecycle: 'draft' }, { lifecycle: 'draft' }, ''],
    ['a text and attributes in it', { definition, level: 'critical', detection: looksForCmd }, { level: 'critical', title: 'Text of ours' },
      { level: 'critical' }, 'cmd'],
    ['a text without an id', { definition: definition.replace(/^id: .*\n/m, '') }, { id: id(1), title: 'Text of ours' },
      { id: id(1), definition }, 'cmd'],
    ['a switch and an attribute', { enabled: false, title: 'Ours' }, { enabled: false, title: 'Ours' }, { isEnabled: false, title: 'Ours' }, ''],
  ])('%s', async ([, body, answered, kept, matches]) => {
    const { status, headers, body: changed } = await server.call('PUT', path, { body })
    expect({ status, changed }).toMatchObject({ status: 200, changed: { id: id(1), version: 2, etag: '"2"', warnings: [], ...answered } })
    expect(headers).toMatchObject({ etag: '"2"' })
    const { effective_from_offset: offset, warnings: _warnings, ...detail } = changedRuleSchema.parse(changed)
    expect(offset).toBe(0)
    expect((await server.call('GET', path)).body).toEqual(detail)
    expect(await stored(id(1))).toMatchObject({ id: id(1), version: 2, ...kept })
    expect(await matched(id(1))).toBe(matches)
    const [entry] = (await server.app.state.audit.list(onlyTenant, { limit: 1 })).entries
    expect(entry).toMatchObject({ action: 'rule.update', target: { type: 'rule', id: id(1) }, diff: { version: [1, 2] } })
  })

  test.for<[title: string, body: object]>([
    ['a switch', { enabled: true }],
    ['an attribute', { level: 'high' }],
    ['a text', { definition: encodedPowerShell }],
    ['all of it', { enabled: true, lifecycle: 'published', title: 'Encoded PowerShell', filters: [] }],
  ])('%s as it is changes nothing', async ([, body]) => {
    const answer = await server.call('PUT', path, { body })
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"1"' }, body: { version: 1, effective_from_offset: null } })
    expect(await stored(id(1))).toBeUndefined()
    expect((await server.app.state.audit.list(onlyTenant, { limit: 1 })).entries).toMatchObject([{ action: expect.not.stringMatching('rule') }].slice(1))
  })

  test('with its original text again, it is built in again', async () => {
    await server.call('PUT', path, { body: { level: 'low' } })
    expect(await server.call('PUT', path, { body: { definition: encodedPowerShell } })).toMatchObject({ body: { origin: 'builtin', version: 3, level: 'high' } })
  })
})

describe('a refused change has no effect', () => {
  const broken = encodedPowerShell.replace('selection_img and', 'selction_img and').replace('level: high', 'taxonomy: ecs')
  const repeated = (count: number) => Array.from({ length: count }, () => ({ sequence: [{ repeat: 9_999, event: encoded }], match: true }))
  test.for<[title: string, to: number, body: object, status: number, error: object]>([
    ['a text that does not compile', 1, { definition: broken }, 400, { code: 'INVALID_RULE', details: { errors: [
      { path: 'detection.condition', line: 23, column: 14, hint: "did you mean 'selection_img'?" },
      { path: 'taxonomy', line: 26, column: 11 },
    ] } }],
    ['an attribute that does not', 1, { level: 'hihg' }, 400, { code: 'INVALID_RULE', details: { errors: [{ path: 'level', line: 26 }] } }],
    ['no title', 1, { title: '' }, 400, { code: 'INVALID_RULE', details: { errors: [{ path: 'title' }] } }],
    ['an unknown modifier', 1, { detection: { s: { 'a|b': 1 }, condition: 's' } }, 400, { code: 'INVALID_RULE' }],
    ['no YAML', 1, { definition: 'title: [' }, 400, { code: 'INVALID_RULE' }],
    ['two rules', 1, { definition: `${encodedPowerShell}---\n${whoami}` }, 400, { code: 'INVALID_RULE' }],
    ['the id of another', 1, { definition: whoami }, 400, { code: 'INVALID_RULE', details: { errors: [{ path: 'id', hint: `use ${id(1)} or omit the id` }] } }],
    ['a filter rule', 1, { definition: `title: f\nlogsource: { product: windows }\nfilter: { rules: any, s: { a: 1 }, condition: not s }\n` }, 400,
      { code: 'INVALID_RULE' }],
    ['a test that fails', 1, { tests: [{ event: cmd, match: true, name: 'cmd' }] }, 400,
      { code: 'RULE_TEST_FAILED', details: { failures: [{ test: 'cmd', line: expect.any(Number), failure: expect.any(String) }] } }],
    ['a test that is none', 1, { tests: [{ event: cmd }] }, 400, { code: 'INVALID_RULE', details: { errors: [{ path: expect.stringMatching(/^tests/) }] } }],
    ['tests too large to be run', 1, { tests: repeated(100) }, 413, { code: 'PAYLOAD_TOO_LARGE' }],
    ['tests too large to be read', 1, { tests: repeated(900) }, 400,
      { code: 'INVALID_RULE', message: expect.stringMatching(/^the rule takes too much time or memory/) }],
    ['an unsupported rule enabled', 4, { enabled: true }, 409, { code: 'CONFLICT' }],
    ['an enabled rule unsupported', 1, { status: 'unsupported' }, 409, { code: 'CONFLICT' }],
    ['an enabled rule a draft', 1, { lifecycle: 'draft' }, 409, { code: 'CONFLICT', message: 'an enabled rule cannot become a draft; disable it first' }],
    ['nothing', 1, {}, 400, { code: 'INVALID_BODY' }],
    ['an unknown field', 1, { enbaled: true }, 400, { code: 'INVALID_BODY', message: "the body: unknown field 'enbaled'" }],
    ['a switch that is none', 1, { enabled: 'yes' }, 400, { code: 'INVALID_BODY' }],
    ['a detection that is none', 1, { detection: [] }, 400, { code: 'INVALID_BODY' }],
    ['a rule that is not there', 9, { enabled: true }, 404, { code: 'NOT_FOUND' }],
  ])('%s', async ([, number, body, status, error]) => {
    const before = (await server.call('GET', pathOf(id(number)))).body
    const entries = (await server.app.state.audit.list(onlyTenant, { limit: 100 })).entries
    expect(await server.call('PUT', pathOf(id(number)), { body })).toMatchObject({ status, body: { error } })
    const after = (await server.call('GET', pathOf(id(number)))).body
    if (status !== 404) expect(after).toEqual(before)
    expect(await stored(id(number))).toBeUndefined()
    expect((await server.app.state.audit.list(onlyTenant, { limit: 100 })).entries).toEqual(entries)
    expect(await matched(id(1))).toBe('powershell')
  })
})

describe('tests of a rule', () => {
  const failing = { tests: [{ event: cmd, match: true }] }

  test('can be skipped by force, with a warning', async () => {
    const answer = await server.call('PUT', `${path}?force=true`, { body: failing })
    expect(answer).toMatchObject({ status: 200, body: { version: 2, warnings: ['tests_failed:1'] } })
  })

  test('do not run for a change of state', async () => {
    await server.call('PUT', `${path}?force=true`, { body: failing })
    expect(await server.call('PUT', path, { body: { enabled: false } })).toMatchObject({ status: 200, body: { version: 3 } })
  })

  test('must pass before publishing, even by force', async () => {
    await server.call('PUT', `${path}?force=true`, { body: { ...failing, enabled: false, lifecycle: 'draft' } })
    expect(await server.call('PUT', path, { body: { enabled: true } })).toMatchObject({ status: 409 })
    expect(await server.call('PUT', `${path}?force=true`, { body: { lifecycle: 'published' } })).toMatchObject({
      status: 400, body: { error: { code: 'INVALID_RULE', details: { errors: [{ path: 'tests', line: expect.any(Number) }] } } },
    })
    const answer = await server.call('PUT', path, { body: { lifecycle: 'published', tests: null, enabled: true } })
    expect(answer).toMatchObject({ status: 200, body: { lifecycle: 'published', enabled: true, tests: [] } })
  })
})

test('a deprecated rule is enabled with a warning', async () => {
  await server.call('PUT', pathOf(id(5)), { body: { enabled: false } })
  expect(await server.call('PUT', pathOf(id(5)), { body: { enabled: true } })).toMatchObject({
    status: 200, body: { enabled: true, warnings: ['deprecated_rule_enabled'] },
  })
})

describe('a custom rule', () => {
  const own = 'title: Ours\nlogsource: { category: process_creation }\ndetection: { s: { Image|endswith: cmd.exe }, condition: s }\n'
  const create = (body: object) => server.call('POST', '/v1/detection/rules', { body })

  test('is created, runs, is changed and deleted', async () => {
    const created = await create({ definition: own })
    const { id: ownId, definition } = changedRuleSchema.parse(created.body)
    expect(created).toMatchObject({
      status: 201, headers: { location: pathOf(ownId), etag: '"1"' },
      body: { origin: 'custom', enabled: true, lifecycle: 'published', version: 1, effective_from_offset: 0 },
    })
    expect(definition).toBe(own.replace('title: Ours\n', `title: Ours\nid: ${ownId}\n`))
    expect(await matched(ownId)).toBe('cmd')
    expect(await server.call('PUT', pathOf(ownId), { body: { title: 'Still ours' } })).toMatchObject({ body: { version: 2, origin: 'custom' } })
    expect(await server.call('POST', `${pathOf(ownId)}/reset`)).toMatchObject({ status: 409 })
    expect(await server.call('DELETE', pathOf(ownId), { headers: { 'if-match': '"1"' } })).toMatchObject({ status: 412 })
    expect(await server.call('DELETE', pathOf(ownId))).toMatchObject({ status: 204, body: undefined })
    expect(await server.call('GET', pathOf(ownId))).toMatchObject({ status: 404 })
    expect(await server.call('DELETE', pathOf(ownId))).toMatchObject({ status: 404 })
    expect((await server.app.state.audit.list(onlyTenant, { limit: 3 })).entries.map(({ action }) => action)).toEqual(['rule.delete', 'rule.update', 'rule.create'])
  })

  test.for<[title: string, body: object, answered: object]>([
    ['an id of its own', { definition: `id: ${id(7)}\n${own}` }, { status: 201, body: { id: id(7) } }],
    ['a draft', { definition: own, lifecycle: 'draft' }, { status: 201, body: { lifecycle: 'draft', enabled: false, effective_from_offset: null } }],
    ['disabled', { definition: own, enabled: false }, { status: 201, body: { enabled: false, lifecycle: 'published' } }],
    ['unsupported', { definition: `${own}status: unsupported\n` }, { status: 201, body: { enabled: false } }],
    ['a draft that is enabled', { definition: own, lifecycle: 'draft', enabled: true }, { status: 409 }],
    ['an id that is taken', { definition: encodedPowerShell }, { status: 409, body: { error: { code: 'CONFLICT', details: { id: id(1) } } } }],
    ['an id that is no UUID', { definition: `id: new\n${own}` }, { status: 201, body: { id: toRuleId('new'), warnings: ['invalid_attribute:id'] } }],
    ['an id that is null', { definition: `id: null\n${own}` }, { status: 201, body: { warnings: [] } }],
    ['metadata of strangers', { definition: `${own.replace('title: Ours\n', '')}tags: [sysmon, a b]\nlevel: severe\nstatus: production\ndescription: ''\n` },
      { status: 201, body: { level: 'medium', tags: ['sysmon', 'a b'],
        warnings: ['missing_attribute:title', 'invalid_attribute:tags', 'invalid_attribute:level', 'invalid_attribute:status', 'invalid_attribute:description'] } }],
    ['no definition', {}, { status: 400, body: { error: { code: 'INVALID_BODY' } } }],
    ['an attribute', { definition: own, title: 'x' }, { status: 400, body: { error: { code: 'INVALID_BODY' } } }],
  ])('%s', async ([, body, answered]) => {
    expect(await create(body)).toMatchObject(answered)
  })

  test('a built-in rule cannot be deleted', async () => {
    expect(await server.call('DELETE', path)).toMatchObject({ status: 409 })
    await server.call('PUT', path, { body: { level: 'low' } })
    expect(await server.call('DELETE', path)).toMatchObject({ status: 409 })
  })
})

test('a reset restores the original text and keeps the state', async () => {
  await server.call('PUT', path, { body: { detection: looksForCmd, enabled: false } })
  const reset = await server.call('POST', `${path}/reset`)
  expect(reset).toMatchObject({ status: 200, body: { origin: 'builtin', enabled: false, version: 3, definition: encodedPowerShell } })
  await server.call('PUT', path, { body: { enabled: true } })
  expect(await matched(id(1))).toBe('powershell')
  expect(await server.call('POST', `${path}/reset`)).toMatchObject({ status: 200, body: { version: 4, effective_from_offset: null } })
})

describe('concurrent changes of one rule', () => {
  const bodies = Array.from({ length: 20 }, (_, i) => ({ title: `Title ${i}` }))

  test('all succeed one by one without If-Match', async () => {
    const answers = await Promise.all(bodies.map((body) => server.call('PUT', path, { body })))
    const versions = answers.map(({ body }) => changedRuleSchema.parse(body).version)
    expect(versions.toSorted((a, b) => a - b)).toEqual(bodies.map((_, i) => i + 2))
    const last = changedRuleSchema.parse(answers.find(({ body }) => changedRuleSchema.parse(body).version === 21)?.body)
    expect((await server.call('GET', path)).body).toMatchObject({ version: 21, title: last.title })
    expect(await stored(id(1))).toMatchObject({ version: 21, title: last.title })
    expect(await server.app.state.audit.verify(onlyTenant)).toMatchObject({ brokenAt: undefined })
  })

  test('one succeeds with the same If-Match, the others are refused', async () => {
    const answers = await Promise.all(bodies.map((body) => server.call('PUT', path, { body, headers: { 'if-match': '"1"' } })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(19).fill(412)])
    expect(answers.find(({ status }) => status === 412)).toMatchObject({
      body: { error: { code: 'PRECONDITION_FAILED', details: { version: 2 } } },
    })
    expect(await stored(id(1))).toMatchObject({ version: 2 })
  })

  test.for<[header: string, status: number]>([['"1"', 200], ['*', 200], ['"2"', 412], ['W/"1"', 412], ['1', 412], ['""', 412]])(
    'If-Match: %s is answered with %i', async ([header, status]) => {
      expect(await server.call('PUT', path, { body: { title: 'x' }, headers: { 'if-match': header } })).toMatchObject({ status })
    },
  )
})

test.for<[method: string, to: string, role: 'viewer' | 'analyst' | 'auditor']>([
  ['PUT', path, 'analyst'],
  ['POST', '/v1/detection/rules', 'analyst'],
  ['DELETE', path, 'analyst'],
  ['POST', `${path}/reset`, 'viewer'],
  ['POST', `${path}/backtest`, 'viewer'],
  ['POST', `${path}/test`, 'auditor'],
])('%s %s is not for a %s', async ([method, to, role]) => {
  const token = await server.tokenOf([role])
  expect(await server.call(method, to, { token, body: { enabled: false } })).toMatchObject({ status: 403 })
})

describe('a change of many rules', () => {
  const change = async (ids: readonly string[], enabled: boolean, token?: string) => {
    const { status, body } = await server.call('POST', '/v1/detection/rules/bulk', { body: { ids, set: { enabled } }, ...(token !== undefined && { token }) })
    return { status, body }
  }

  test('switches those that can be, once each, and names the others', async () => {
    const missing = id(9)
    const off = ruleBulkResultSchema.parse((await change([id(1), id(1).toUpperCase(), id(3), missing], false)).body)
    expect(off).toMatchObject({ matched: 3, changed: 2, unchanged: 0, failed: [{ id: missing, code: 'NOT_FOUND' }] })
    expect(await matched(id(1))).toBe('')
    expect(await stored(id(1))).toMatchObject({ isEnabled: false, origin: 'builtin', definition: '' })
    await server.app.trail.flush()
    const { entries } = await server.app.state.audit.list(onlyTenant, { limit: 2 })
    expect(entries.map(({ action, target }) => [action, target.id])).toEqual([['rule.update', id(3)], ['rule.update', id(1)]])
    const on = ruleBulkResultSchema.parse((await change([id(1), id(3), id(5)], true)).body)
    expect(on).toMatchObject({ matched: 3, changed: 2, unchanged: 1, failed: [] })
    expect(await change([id(1), id(3)], true)).toMatchObject({ body: { changed: 0, unchanged: 2, effective_from_offset: null } })
    expect(await matched(id(1))).toBe('powershell')
  })

  test('leaves out rules whose state forbids it, and those of another tenant', async () => {
    const { rules } = (await server.call('GET', '/v1/detection/rules?status=unsupported')).body as { readonly rules: readonly { readonly id: string }[] }
    const [{ id: refused } = { id: '' }] = rules
    expect(await change([refused], true)).toMatchObject({ status: 200, body: { changed: 0, failed: [{ id: refused, code: 'CONFLICT' }] } })
    const custom = encodedPowerShell.replace(id(1), id(8))
    expect(await server.call('POST', '/v1/detection/rules', { body: { definition: custom } })).toMatchObject({ status: 201 })
    const other = await server.tokenOf(['admin'], 'other')
    expect(await change([id(8), id(1)], false, other)).toMatchObject({ body: { changed: 1, failed: [{ id: id(8), code: 'NOT_FOUND' }] } })
    expect(await server.call('GET', path)).toMatchObject({ body: { enabled: true } })
    expect(await change([id(1)], false, await server.tokenOf(['analyst']))).toMatchObject({ status: 403 })
  })
})
