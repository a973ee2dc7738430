import { controlListSchema, controlSchema, evidenceJobSchema, frameworkListSchema } from '@tripline/contract/console/response/compliance'
import { encodedPowerShell, whoami } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import {
  channelMessageWith, channelWith, collectorReport, collectorWith, dataSubjectRequestWith, evidenceJobWith, newAlertWith, statedAsset, webhookEventWith,
} from '@tripline/state/test/state-samples'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'

const path = '/v1/compliance'
const hourMs = 3_600_000
const dayMs = 24 * hourMs

let server: TestServer
beforeEach(async () => (server = await openTestServer([])))
afterEach(() => server.app.evidence.stop())

const list = async () => frameworkListSchema.parse((await server.call('GET', `${path}/frameworks`)).body).frameworks
const get = async (framework: string, id: string) => {
  const token = await server.tokenOf(['viewer'])
  return controlSchema.parse((await server.call('GET', `${path}/${framework}/controls/${id}`, { token })).body)
}
const collect = async (body: object = {}) => {
  const token = await server.tokenOf(['admin'])
  const { status, body: begun } = await server.call('POST', `${path}/evidence/collect`, { body, token })
  expect(status).toBe(202)
  await server.app.evidence.untilIdle()
  return evidenceJobSchema.parse((await server.call('GET', evidenceJobSchema.parse(begun).status_url, { token })).body)
}
const attest = (id: string, body: object = {}) => server.call('POST', `${path}/iso27001/controls/${id}/attestation`, {
  body: { status: 'compliant', expires_at: new Date(server.io.nowMs + dayMs).toISOString(), proof: { url: 'https://example.org/policy' }, ...body },
})
const addAssets = async (...assets: readonly Parameters<typeof statedAsset>[0][]) =>
  void await server.app.state.assets.upsert(onlyTenant, assets.map((asset, i) => statedAsset({ hostname: `h${i}`, ipAddresses: [`10.0.0.${i + 1}`], ...asset }, `a${i}`)), 1)

test('before the first assessment nothing is claimed', async () => {
  const frameworks = await list()
  expect(frameworks.map(({ id, total_controls: total }) => [id, total])).toEqual([
    ['ismsp', 101], ['iso27001', 93], ['soc2', 61], ['pcidss', 63], ['tisax', 80], ['cmmc', 110], ['gdpr', 39], ['ccpa', 11], ['nistcsf', 106],
  ])
  for (const { total_controls: total, not_assessed: open, score, assessed_share: share, assessed_at: at } of frameworks) {
    expect([open, score, share, at]).toEqual([total, 0, 0, null])
  }
})

test('a collection assesses what the platform measures, with evidence that leads to it', async () => {
  await addAssets({ owner: 'ann' }, { owner: 'ann', hostname: 'h2' })
  const job = await collect({ frameworks: ['ISO-27001'] })
  expect(job).toMatchObject({ status: 'succeeded', progress: 100, frameworks: ['iso27001'], error: null })
  expect(job.result).toMatchObject({ controls_assessed: 3 })
  expect(job.result?.changed).toContainEqual({ framework: 'iso27001', control: 'A.8.2', from: 'not_assessed', to: 'non_compliant' })
  const control = await get('iso27001', 'A.8.2')
  expect(control).toMatchObject({
    status: 'non_compliant', method: 'automatic', evidence_count: 1,
    reasons: [expect.stringMatching(/^S12 .*: 0 percent, target 100$/)],
    reason_texts: [{ en: expect.stringMatching(/^S12 .*: 0 percent, target 100$/), ko: expect.stringMatching(/^S12 .*: 0%, 목표 100$/) }],
    signals: [{ id: 'S12', unit_text: { en: 'percent', ko: '%' }, reason_text: null, value: 0, target: 100, status: 'fail', evidence: [{ ref: '/v1/users', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }] }],
  })
  const coverage = await server.call('GET', `${path}/iso27001/coverage`)
  expect(coverage.body).toMatchObject({ framework: 'iso27001', total_controls: 93, assessed_share: 3.2, assessed_at: '2026-11-20T10:00:00.000Z' })
  expect((await server.call('GET', `${path}/gdpr/coverage`)).body).toMatchObject({ assessed_at: null })
})

test('the hash of the results is on the audit trail', async () => {
  const { job_id: id } = await collect()
  const { entries } = await server.app.state.audit.list(onlyTenant, { limit: 10 })
  const { sha256 } = await server.app.state.compliance.getAssessment(onlyTenant, 'gdpr') ?? {}
  expect(entries).toContainEqual(expect.objectContaining({
    action: 'compliance.assess', target: { type: 'evidence_job', id }, diff: expect.objectContaining({ sha256: expect.objectContaining({ gdpr: sha256 }) }),
  }))
})

test('alerts answered in time pass, and those that are late do not', async () => {
  const { alerts } = server.app.state
  for (const id of ['in-time', 'late']) await alerts.insert(onlyTenant, [newAlertWith({ id, dedupKey: id, level: 'high', matchedAt: server.io.nowMs - 5 * hourMs })])
  await server.app.outbox.untilIdle()
  const read = async () => (await get('iso27001', 'A.5.25')).signals[0]
  await collect()
  expect(await read()).toMatchObject({ id: 'S8', value: 0, status: 'fail' })
  await alerts.update(onlyTenant, 'in-time', { status: 'in_progress', by: 'ann' }, { expectedVersion: undefined, at: server.io.nowMs - 4 * hourMs })
  await collect()
  expect(await read()).toMatchObject({ value: 50, status: 'fail' })
})

test('a test of a channel counts, as one of a webhook does', async () => {
  const { channels, channelMessages } = server.app.state
  const read = async () => (await get('ismsp', '2.11.1')).signals.find(({ id }) => id === 'S13')
  await collect({ frameworks: ['ismsp'] })
  expect(await read()).toMatchObject({ status: 'no_data', evidence: [{ ref: '/v1/notifications' }] })
  await channels.insert(onlyTenant, channelWith({}))
  const at = server.io.nowMs - 12 * dayMs
  await channelMessages.insert(onlyTenant, channelMessageWith({ routeId: '', reason: 'test', createdAt: at }), { ...webhookEventWith({}), type: 'channel.test' })
  await collect({ frameworks: ['ismsp'] })
  expect(await read()).toMatchObject({ status: 'no_data' })
  const last = { at, durationMs: 1, httpStatus: 200, error: '', snippet: '', retryAfterMs: undefined }
  await channelMessages.settle(onlyTenant, 'cm1', { status: 'delivered', attempt: 1, dueAt: undefined, last, isGone: false })
  await collect({ frameworks: ['ismsp'] })
  expect(await read()).toMatchObject({ value: 12, status: 'pass' })
})

test('requests of persons count once they fell due: in time only if closed before', async () => {
  const { dataSubjectRequests } = server.app.state
  const read = async () => (await get('gdpr', 'Art. 15')).signals[0]
  const add = (id: string, dueDays: number, closedDays?: number) => dataSubjectRequests.insert(onlyTenant, dataSubjectRequestWith({
    id, dueAt: server.io.nowMs + dueDays * dayMs, closedAt: closedDays === undefined ? undefined : server.io.nowMs + closedDays * dayMs,
    status: closedDays === undefined ? 'open' : 'completed',
  }))
  await add('not due', 1)
  await add('long ago', -366)
  await collect({ frameworks: ['gdpr'] })
  expect(await read()).toMatchObject({ id: 'S14', status: 'no_data' })
  await add('in time', -2, -3)
  await collect({ frameworks: ['gdpr'] })
  expect(await read()).toMatchObject({ value: 100, status: 'pass', evidence: [{ ref: '/v1/dsr' }] })
  await add('late', -2, -1)
  await add('open', -2)
  await collect({ frameworks: ['gdpr'] })
  expect(await read()).toMatchObject({ value: 33.3, status: 'fail' })
})

test('clocks are those of collectors that were heard within a day', async () => {
  const read = async () => (await get('ismsp', '2.9.6')).signals[0]
  const add = (id: string, clockSkewMs: number | null, lastSeenAt = server.io.nowMs - hourMs) =>
    server.app.state.collectors.insert(onlyTenant, collectorWith({ id, lastSeenAt, status: 'online', report: { ...collectorReport, clockSkewMs } }), id)
  await add('silent', 5_000, server.io.nowMs - 2 * dayMs)
  await add('unknown', null)
  await collect({ frameworks: ['ismsp'] })
  expect(await read()).toMatchObject({ id: 'S5', status: 'no_data' })
  await add('exact', -999)
  await collect({ frameworks: ['ismsp'] })
  expect(await read()).toMatchObject({ value: 100, status: 'pass', evidence: [{ ref: '/v1/collectors' }] })
  await add('late', 1_000)
  await collect({ frameworks: ['ismsp'] })
  expect(await read()).toMatchObject({ value: 50, status: 'fail' })
})

test('one collection runs at a time, and a killed one goes on at the next start', async () => {
  const { compliance } = server.app.state
  const begun = evidenceJobWith({ id: 'killed', status: 'running', frameworks: ['gdpr', 'iso27001'], requestedAt: server.io.nowMs })
  await compliance.begin(onlyTenant, begun)
  expect(await server.call('POST', `${path}/evidence/collect`, { body: {} })).toMatchObject({
    status: 409, body: { error: { code: 'CONFLICT', details: { job_id: 'killed' } } },
  })
  await server.app.evidence.createJob().run(new AbortController().signal)
  expect(await compliance.getJob(onlyTenant, 'killed')).toMatchObject({ status: 'succeeded', progress: 100 })
  expect(await compliance.listAssessments(onlyTenant, 'gdpr', 5)).toHaveLength(1)
})

test('every tenant is assessed once a day by itself', async () => {
  const job = server.app.evidence.createJob()
  const run = () => job.run(new AbortController().signal)
  const count = async () => (await server.app.state.compliance.listAssessments(onlyTenant, 'iso27001', 9)).length
  await run()
  await run()
  expect(await count()).toBe(1)
  server.io.nowMs += dayMs
  await run()
  expect(await count()).toBe(2)
  // A clock that goes back makes no storm of jobs.
  server.io.nowMs -= 2 * hourMs
  await run()
  expect(await count()).toBe(2)
  server.io.nowMs -= 9 * dayMs
  await run()
  await run()
  expect(await count()).toBe(3)
})

describe('an attestation', () => {
  test('answers a control that no signal measures, under the name of who attests, until it ends', async () => {
    expect(await attest('A.5.1')).toMatchObject({ status: 201, body: { status: 'compliant', by: expect.stringContaining('@') } })
    await collect()
    expect(await get('iso27001', 'A.5.1')).toMatchObject({ status: 'compliant', method: 'manual', evidence_count: 1, attestation: { note: '' } })
    server.io.nowMs += dayMs
    await collect()
    const expired = await get('iso27001', 'A.5.1')
    expect(expired).toMatchObject({ status: 'not_assessed', method: 'none', lost_since: '2026-11-21T10:00:00.000Z' })
    expect(expired.reasons[0]).toContain('lost')
  })

  test('is withdrawn once', async () => {
    await attest('A.5.1')
    const withdraw = () => server.call('DELETE', `${path}/iso27001/controls/A.5.1/attestation`)
    expect([(await withdraw()).status, (await withdraw()).status]).toEqual([204, 404])
  })

  test.for([
    ['an end in the past', { expires_at: '2026-11-20T09:59:59.000Z' }, 400], ['an end after 366 days', { expires_at: '2027-11-21T10:00:00.000Z' }, 400],
    ['no proof', { proof: undefined }, 400], ['a proof that is no URL', { proof: { url: 'the policy' } }, 400],
    ['a file with its hash', { proof: { file: 'policy.pdf', sha256: 'a'.repeat(64) } }, 201], ['a file without a hash', { proof: { file: 'policy.pdf' } }, 400],
    ['an unknown status', { status: 'not_assessed' }, 400],
  ] as const)('with %s', async ([, body, status]) => {
    expect((await attest('A.5.1', body)).status).toBe(status)
  })

  test.for([['viewer', 403], ['analyst', 403], ['engineer', 201], ['auditor', 201]] as const)('by %s', async ([role, status]) => {
    const token = await server.tokenOf([role])
    const body = { status: 'partial', expires_at: '2026-12-20T10:00:00.000Z', proof: { url: 'https://example.org/policy' } }
    expect((await server.call('POST', `${path}/iso27001/controls/A.5.1/attestation`, { token, body })).status).toBe(status)
  })
})

test('owner and note of a control have a version', async () => {
  const patch = (body: object, version?: string) => server.call('PATCH', `${path}/iso27001/controls/a.8.15`, {
    body, ...(version !== undefined && { headers: { 'if-match': version } }),
  })
  expect(await patch({ owner: 'ann' }, '"0"')).toMatchObject({ status: 200, body: { id: 'A.8.15', owner: 'ann', note: '' } })
  expect((await patch({ note: 'see the ticket' }, '"0"')).status).toBe(412)
  expect(await patch({ note: 'see the ticket' })).toMatchObject({ status: 200, headers: { etag: '"2"' }, body: { owner: 'ann' } })
})

test.for([
  ['GET', '/hipaa/coverage', undefined, 404], ['GET', '/iso27001/controls/A.9.9', undefined, 404],
  ['GET', '/evidence/jobs/none', undefined, 404], ['GET', '/NIST%20CSF/controls', undefined, 200],
  ['POST', '/evidence/collect', { frameworks: ['hipaa'] }, 400], ['POST', '/evidence/collect', { controls: ['Z.1'] }, 400],
  ['POST', '/evidence/collect', { from: '2026-11-20T09:00:00Z', to: '2026-11-20T08:00:00Z' }, 400],
  ['POST', '/evidence/collect', { to: '2026-11-21T10:00:00Z' }, 400], ['POST', '/evidence/collect', { from: '2024-11-20T09:00:00Z' }, 400],
] as const)('%s %s %j is answered with the right status', async ([method, below, body, status]) => {
  expect((await server.call(method, path + below, body === undefined ? {} : { body })).status).toBe(status)
})

test('counts of controls match those of the coverage, and rules are counted beside them', async () => {
  await collect()
  for (const { id, total_controls: total, compliant, partial, non_compliant: failed, not_assessed: open } of await list()) {
    const { controls } = controlListSchema.parse((await server.call('GET', `${path}/${id}/controls`)).body)
    const count = (status: string) => controls.filter((control) => control.status === status).length
    expect([controls.length, count('compliant'), count('partial'), count('non_compliant'), count('not_assessed')])
      .toEqual([total, compliant, partial, failed, open])
  }
})

test('a running rule is monitoring evidence for the subcategories that its technique is linked with, and turns none green', async () => {
  server = await openTestServer([encodedPowerShell, whoami])
  const read = async (framework: string, id: string) => {
    const { mapped_rules: count, monitoring_rules: rules, status } = await get(framework, id)
    return { count, rules, status }
  }
  const [id, title] = ['0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001', 'Encoded PowerShell']
  expect(await read('nistcsf', 'DE.CM-09')).toEqual({ count: 1, rules: [{ id, title, techniques: ['T1059.001'] }], status: 'not_assessed' })
  // Another sub-technique of T1059 is linked with this one.
  expect(await read('nistcsf', 'DE.CM-01')).toEqual({ count: 0, rules: [], status: 'not_assessed' })
  // Without links the rules are counted that name a technique at all.
  expect(await read('iso27001', 'A.8.16')).toEqual({ count: 2, rules: [], status: 'not_assessed' })
  const { controls } = controlListSchema.parse((await server.call('GET', `${path}/nistcsf/controls`)).body)
  expect(controls.find((control) => control.id === 'DE.CM-09')).toMatchObject({ mapped_rules: 1 })
  await server.call('PUT', `/v1/detection/rules/${id}`, { body: { enabled: false } })
  expect(await read('nistcsf', 'DE.CM-09')).toMatchObject({ count: 0, rules: [] })
})

test.each(['t1562.001', 't1685'])('links of earlier ids hold for the technique %s', async (technique) => {
  server = await openTestServer([encodedPowerShell.replaceAll('attack.t1059.001', `attack.${technique}`)])
  expect(await get('nistcsf', 'PR.AA-01')).toMatchObject({ mapped_rules: 1, monitoring_rules: [{ techniques: [technique.toUpperCase()] }] })
  expect(await get('nistcsf', 'PR.AA-03')).toMatchObject({ mapped_rules: 0 })
})

test('the controls of all frameworks are exported, as the list of controls shows them', async () => {
  await attest('A.5.1')
  await collect()
  const { body } = await server.call('GET', '/v1/exports/compliance-controls?format=json')
  const rows = z.array(z.object({ framework: z.string(), id: z.string(), status: z.string(), evidence_count: z.int() })).parse(body)
  expect(rows).toHaveLength(664)
  for (const framework of ['iso27001', 'nistcsf']) {
    const { controls } = controlListSchema.parse((await server.call('GET', `${path}/${framework}/controls`)).body)
    const shown = controls.map(({ id, status, evidence_count }) => ({ framework, id, status, evidence_count }))
    expect(rows.filter((row) => row.framework === framework).map(({ id, status, evidence_count }) => ({ framework, id, status, evidence_count })))
      .toEqual(expect.arrayContaining(shown))
  }
})
