import {
  assetAlertsSchema, assetBindingsSchema, assetFindingsSchema, assetListSchema, assetRisksSchema, assetTimelineSchema, findingListSchema,
} from '@tripline/contract'
import { findingWith, newAlertWith, sightingWith } from '@tripline/state/test/state-samples'
import { onlyTenant } from '@tripline/model/tenant'
import { beforeAll, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'

const dayMs = 86_400_000

let server: TestServer
let now: number
let id: string

/** An alert of a host, made before now. */
const alertOn = (alertId: string, host: string, ageMs: number) => newAlertWith({
  id: alertId, dedupKey: alertId, matchedAt: now - ageMs, event: { processName: '', commandLine: '', user: '', host, statedTime: '' },
})

const get = async (path: string, token?: string) => await server.call('GET', path, token === undefined ? {} : { token })

beforeAll(async () => {
  server = await openTestServer([])
  const { state } = server.app
  now = server.io.nowMs
  await state.assets.observe(onlyTenant, [
    sightingWith({ id: 'a', at: now - 3 * dayMs, facts: { hostname: 'web-1', ipAddresses: ['10.0.0.1'], lastLogAt: now - 3 * dayMs } }),
    sightingWith({ id: 'b', at: now - 1_000, facts: { hostname: 'web-1.corp.example', lastLogAt: now - 1_000 }, logons: new Map([['ann', 2]]) }),
    sightingWith({ id: 'c', at: now - 2 * dayMs, facts: { ipAddresses: ['10.0.0.9'], lastLogAt: now - 2 * dayMs } }),
  ], { at: now })
  await state.alerts.insert(onlyTenant, [
    alertOn('short', 'web-1', 2 * dayMs), alertOn('loud', 'WEB-1.corp.example', dayMs), alertOn('other', 'web-10', dayMs), alertOn('ip', '10.0.0.9', dayMs),
  ])
  const { assets } = assetListSchema.parse((await get('/v1/assets?q=web-1')).body)
  id = assets[0]!.id
})

test('alerts are those of its names of now and before, in any letters', async () => {
  const { alerts } = assetAlertsSchema.parse((await get(`/v1/assets/${id}/alerts`)).body)
  expect(alerts.map((alert) => alert.id)).toEqual(['loud', 'short'])
  const { assets: [nameless] } = assetListSchema.parse((await get('/v1/assets?ip=10.0.0.9')).body)
  expect(assetAlertsSchema.parse((await get(`/v1/assets/${nameless!.id}/alerts`)).body).alerts.map((alert) => alert.id)).toEqual(['ip'])
})

test.for<[title: string, query: string, entries: string[]]>([
  ['all', '', ['logon ann', 'alert Whoami', 'alert Whoami']],
  ['of a kind', 'kind=logon', ['logon ann']],
  ['of an interval', 'from={-1.5}', ['logon ann', 'alert Whoami']],
  ['oldest first, one', 'sort=at:asc&limit=1', ['alert Whoami']],
  ['with a text', 'q=whoa', ['alert Whoami', 'alert Whoami']],
])('the timeline, %s', async ([, query, entries]) => {
  const asked = query.replace(/\{(.*)\}/, (_, days: string) => new Date(now + Number(days) * dayMs).toISOString())
  const { timeline } = assetTimelineSchema.parse((await get(`/v1/assets/${id}/timeline?${asked}`)).body)
  expect(timeline.map(({ kind, title }) => `${kind} ${title}`)).toEqual(entries)
})

test('the timeline goes on from a cursor without repeating', async () => {
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await get(`/v1/assets/${id}/timeline?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`)
    const page = assetTimelineSchema.parse(body)
    seen.push(...page.timeline.map(({ ref, title }) => ref ?? title))
    cursor = page.pagination.next_cursor
  }
  expect(seen).toEqual(['ann', 'loud', 'short'])
})

test('blind spots are listed and filtered', async () => {
  const list = async (spot: string) =>
    assetListSchema.parse((await get(`/v1/assets?blind_spot=${spot}&sort=hostname`)).body).assets.map(({ hostname, blind_spots }) => [hostname, blind_spots])
  expect(await list('no_logs')).toEqual([['', ['no_logs', 'no_scan']]])
  expect(await list('no_scan')).toEqual([['', ['no_logs', 'no_scan']], ['web-1.corp.example', ['no_scan']]])
})

test('people say what an asset is, under the version that they saw', async () => {
  const { headers: { etag = '' } } = await get(`/v1/assets/${id}`)
  const patch = async (body: object, match = etag) => await server.call('PATCH', `/v1/assets/${id}`, { body, headers: { 'if-match': match } })
  expect(await patch({ owner: 'Ann', criticality: 'critical', tags: ['internet', 'internet'] })).toMatchObject({
    status: 200, body: { owner: 'Ann', criticality: 'critical', tags: ['internet'] },
  })
  expect(await patch({ owner: 'Bob' })).toMatchObject({ status: 412 })
  expect(await patch({ hostname: 'x' }, '*')).toMatchObject({ status: 400 })
  expect(await patch({}, '*')).toMatchObject({ status: 400 })
})

test('assets are split and merged by people, and the trail tells', async () => {
  const part = { ip_addresses: ['10.0.0.1'] }
  expect(await server.call('POST', `/v1/assets/${id}/split`, { body: { ip_addresses: ['10.9.9.9'] } })).toMatchObject({ status: 400 })
  expect(await server.call('POST', `/v1/assets/${id}/split`, { body: { hostname: 'made-up' } })).toMatchObject({ status: 400 })
  const { status, headers: { location = '' } } = await server.call('POST', `/v1/assets/${id}/split`, { body: part })
  expect(status).toBe(201)
  const other = location.split('/').at(-1)!
  expect(await get(location)).toMatchObject({ body: { hostname: '', ip_addresses: ['10.0.0.1'] } })
  const merge = async (ids: string[]) => await server.call('POST', `/v1/assets/${id}/merge`, { body: { asset_ids: ids } })
  expect(await merge([id])).toMatchObject({ status: 400 })
  expect(await merge(['unknown'])).toMatchObject({ status: 404 })
  expect(await merge([other])).toMatchObject({ status: 200, body: { ip_addresses: ['10.0.0.1'] } })
  expect(await get(location)).toMatchObject({ status: 404 })
  const { bindings } = assetBindingsSchema.parse((await get(`/v1/assets/${id}/bindings`)).body)
  expect(bindings.map(({ kind, value }) => `${kind} ${value}`).toSorted()).toEqual(['ip 10.0.0.1', 'name web-1', 'name web-1.corp.example', 'user ann'])
  const { body } = await get('/v1/audit?sort=at:asc')
  expect(JSON.stringify(body)).toMatch(/asset\.update.*asset\.split.*asset\.merge/)
})

test('another tenant sees nothing of it', async () => {
  const token = await server.tokenOf(['admin'], 'other')
  for (const part of ['timeline', 'alerts', 'bindings', 'risks']) expect(await get(`/v1/assets/${id}/${part}`, token)).toMatchObject({ status: 404 })
})

test.for<[query: string, found: string[]]>([
  ['', ['v2', 'v1', 'v3']], ['severity=high', ['v1']], ['status=closed', ['v3']], ['exploitable=true', ['v2']], ['overdue=true', ['v2']],
  ['overdue=false&sort=title', ['v1', 'v3']], ['sort=due_at', ['v3', 'v2', 'v1']], ['q=v1', ['v1']],
  [`filters=${encodeURIComponent('{"field":"cve","op":"eq","value":"CVE-2026-1"}')}`, ['v2', 'v1', 'v3']],
])('findings by %s', async ([query, found]) => {
  const { state } = server.app
  const seen = (vulnerabilityId: string, ageDays: number, vulnerability: object) => {
    return findingWith({ firstFoundAt: now - ageDays * dayMs, vulnerability: { id: vulnerabilityId, title: vulnerabilityId, ...vulnerability } })
  }
  const first = [seen('v1', 1, {}), seen('v2', 1, { severity: 'critical', exploitCount: 1 }), seen('v3', 1, { severity: 'low' })]
  for (const findings of [first, first.slice(0, 2)]) {
    await state.findings.record(onlyTenant, [{ assetId: id, isComplete: true, findings }], { source: 'c1', at: now, runAt: now })
  }
  const ofAsset = assetFindingsSchema.parse((await get(`/v1/assets/${id}/findings?${query}`)).body)
  const all = findingListSchema.parse((await get(`/v1/findings?${query}`)).body)
  expect([ofAsset, all].map(({ findings }) => findings.map((finding) => finding.vulnerability_id))).toEqual([found, found])
  expect(new Set(all.findings.map((finding) => finding.asset_name))).toEqual(new Set(['web-1.corp.example']))
})

test('assets are listed by when the first of their findings is due', async () => {
  const list = async (query: string) =>
    assetListSchema.parse((await get(`/v1/assets?${query}`)).body).assets.map(({ hostname, findings_due_at: due }) => [hostname, due])
  // The critical one was due when it was found.
  const overdue = ['web-1.corp.example', new Date(now - dayMs).toISOString()]
  expect(await list('overdue=true')).toEqual([overdue])
  expect(await list('overdue=false')).toEqual([['', null]])
  expect(await list('sort=findings_due_at:desc')).toEqual([overdue, ['', null]])
})

test('the risk of an asset over time', async () => {
  const before = now - dayMs
  const { assets: [nameless] } = assetListSchema.parse((await get('/v1/assets?ip=10.0.0.9')).body)
  const rate = async (riskScore: number, at: number) =>
    await server.app.state.assets.update(onlyTenant, nameless!.id, { riskScore }, { expectedVersion: undefined, at })
  await rate(1_200, before)
  await rate(12_000, now)
  const read = async (query: string) =>
    assetRisksSchema.parse((await get(`/v1/assets/${nameless!.id}/risks${query}`)).body).risks.map(({ score, level }) => `${score} ${level}`)
  expect(await read('')).toEqual(['1200 medium', '12000 critical'])
  expect(await read(`?to=${new Date(now).toISOString()}`)).toEqual(['1200 medium'])
})
