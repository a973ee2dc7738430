import { reportContentSchema, reportListSchema, reportSchema } from '@tripline/contract/console/response/report'
import { encodedPowerShell } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import { assessmentWith, newAlertWith, reportWith, statedAsset } from '@tripline/state/test/state-samples'
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPng } from '../../../test/create-png.ts'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'

const reportPath = '/v1/compliance/iso27001/report'

let server: TestServer
beforeEach(async () => (server = await openTestServer([])))
afterEach(() => server.app.reports.maker.stop())

const assess = (at: number, sha256: string) =>
  server.app.state.compliance.saveAssessment(onlyTenant, assessmentWith({ jobId: `job-${at}`, at: server.io.nowMs + at, sha256 }))
const list = async () => reportListSchema.parse((await server.call('GET', '/v1/reports')).body).reports
const create = (body: object = {}) => server.call('POST', '/v1/reports', { body: { kind: 'compliance', framework: 'ISO 27001', ...body } })
const make = async (body: object = {}) => {
  const { status, body: begun } = await create(body)
  expect(status, JSON.stringify(begun)).toBe(202)
  await server.app.reports.maker.untilIdle()
  return reportSchema.parse((await server.call('GET', reportSchema.parse(begun).status_url)).body)
}

test('the report of a framework is the newest assessment of the range, under its hash', async () => {
  await assess(-2_000, '0a')
  await assess(-1_000, '0b')
  const first = await server.call('GET', reportPath)
  expect(first).toMatchObject({ status: 200, body: expect.stringMatching(/^%PDF/), headers: {
    'content-type': 'application/pdf', 'etag': '"0b"', 'content-disposition': 'attachment; filename="iso27001-2026-11-20.pdf"',
  } })
  expect((await server.call('GET', reportPath, { headers: { 'if-none-match': '"0b"' } })).status).toBe(304)
  const before = encodeURIComponent(new Date(server.io.nowMs - 1_000).toISOString())
  expect((await server.call('GET', `${reportPath}?to=${before}&format=csv&lang=ko`)).headers).toMatchObject({ 'etag': '"0a"', 'content-type': 'text/csv; charset=utf-8' })
  const { entries } = await server.app.state.audit.list(onlyTenant, { limit: 1 })
  expect(entries).toMatchObject([{ action: 'report.download', target: { type: 'framework', id: 'iso27001' }, diff: { format: 'csv', sha256: '0a' } }])
})

test.for([
  ['before the first assessment', reportPath, 409], ['in a range without one', `${reportPath}?from=2026-11-20T11:00:00Z`, 409],
  ['of an unknown framework', '/v1/compliance/hipaa/report', 404], ['in an unknown language', `${reportPath}?lang=fr`, 400],
  ['of an empty range', `${reportPath}?from=2026-11-20&to=2026-11-20`, 400],
] as const)('a report %s', async ([, path, status]) => {
  const answer = await server.call('GET', path)
  expect(answer.status).toBe(status)
  if (status === 409) expect(answer.body).toMatchObject({ error: { message: expect.stringContaining('collect evidence first') } })
})

test('a report of the history keeps its file, and gives the same bytes when it is printed again', async () => {
  await assess(-1_000, '0b')
  const report = await make()
  expect(report).toMatchObject({ status: 'succeeded', framework: 'iso27001', title: 'Compliance report: ISO/IEC 27001 2022', error: null })
  await assess(-500, '0c')
  const { definition, file } = await server.app.state.reports.getContent(onlyTenant, report.id) ?? { definition: '', file: Buffer.alloc(0) }
  expect([createHash('sha256').update(file).digest('hex'), file.length]).toEqual([report.sha256, report.size])
  expect(await server.app.reports.printer.print(onlyTenant, JSON.parse(definition), 'pdf')).toEqual(Buffer.from(file))
  expect((await server.call('GET', `${report.file_url}`)).headers).toMatchObject({ etag: `"${report.sha256}"`, 'content-type': 'application/pdf' })
  expect((await server.call('GET', `${report.file_url}?format=csv`)).body).toContain('A.8.17')
  expect((await server.page(`${report.preview_url}`)).headers.get('www-authenticate')).toBe('Bearer')
  const preview = await server.call('GET', `${report.preview_url}`)
  expect(preview.body).toContain('<h1>Compliance report: ISO/IEC 27001 2022</h1>')
  expect(preview.headers['content-security-policy']).toContain('sandbox')
  const shown = await server.call('GET', `${report.preview_url}?format=json`)
  expect(reportContentSchema.parse(shown.body).sections.flatMap(({ blocks }) => blocks)).toContainEqual(expect.objectContaining({ kind: 'table' }))
  expect((await server.call('GET', `${report.preview_url}?format=pdf`)).status).toBe(400)
})

test('a name and a logo stand at the head of the reports that are made from then on', async () => {
  await assess(-1_000, '0b')
  const path = '/v1/settings/branding'
  const put = (body: object, version?: string) =>
    server.call('PUT', path, { body, ...(version !== undefined && { headers: { 'if-match': version } }) })
  const png = createPng({ width: 30, height: 10 }).toString('base64')
  const before = await make()
  expect(await server.call('GET', path)).toMatchObject({ status: 200, headers: { etag: '"0"' }, body: { name: '', logo: null } })
  expect(await put({ name: ' Acme SOC ', logo: png }, '"0"')).toMatchObject({
    status: 200, headers: { etag: '"1"' }, body: { name: 'Acme SOC', logo: { png, width: 30, height: 10 } },
  })
  expect((await put({ name: 'late' }, '"0"')).status).toBe(412)
  // Customers see it at the head of their pages, and change nothing.
  const token = await server.tokenOf(['viewer'])
  expect(await server.call('GET', path, { token })).toMatchObject({ status: 200, body: { name: 'Acme SOC' } })
  expect((await server.call('PUT', path, { token, body: { name: 'Mine' } })).status).toBe(403)
  const branded = await server.call('GET', reportPath)
  expect(branded.headers['etag']).toMatch(/^"[0-9a-f]{64}"$/)
  const html = await server.call('GET', `${reportPath}?format=html`)
  expect(html.body).toContain(`<img src="data:image/png;base64,${png}" alt="Acme SOC" width="30" height="10">`)
  const after = await make()
  expect((await server.call('GET', `${after.preview_url}`)).headers['content-security-policy']).toContain('img-src data:')
  const shown = await server.call('GET', `${after.preview_url}?format=json`)
  expect(reportContentSchema.parse(shown.body).brand).toEqual({ name: 'Acme SOC' })
  expect((await server.call('GET', `${before.preview_url}`)).body).not.toContain('Acme SOC')
  // A logo that is left out is kept; null removes it.
  expect((await put({ name: 'Acme' })).body).toMatchObject({ name: 'Acme', logo: { width: 30 } })
  expect((await put({ name: 'Acme', logo: null })).body).toEqual({ name: 'Acme', logo: null })
  expect((await put({ name: '' })).body).toEqual({ name: '', logo: null })
  expect((await server.call('GET', reportPath)).headers['etag']).toBe('"0b"')
  const { entries } = await server.app.state.audit.list(onlyTenant, { limit: 50 })
  expect(entries.filter(({ action }) => action === 'branding.update').at(-1)?.diff).toEqual({
    name: ['', 'Acme SOC'], logo: [null, expect.stringMatching(/^30 x 10, sha256 [0-9a-f]{64}$/)],
  })
})

test.for([
  ['an SVG', { name: 'Acme', logo: Buffer.from('<svg/>').toString('base64') }, 'it is no PNG'],
  ['no name', { name: '', logo: createPng({ width: 1, height: 1 }).toString('base64') }, 'a logo needs a name'],
  ['too many bytes', { name: 'Acme', logo: createPng({ width: 1, height: 1, extra: { tEXt: Buffer.alloc(131_000, 65) } }).toString('base64') }, 'at most 131072'],
  ['no base64', { name: 'Acme', logo: 'picture!' }, 'base64'],
] as const)('a logo with %s is refused', async ([, body, message]) => {
  expect(await server.call('PUT', '/v1/settings/branding', { body })).toMatchObject({
    status: 400, body: { error: { message: expect.stringContaining(message) } },
  })
  expect((await server.call('GET', '/v1/settings/branding')).body).toEqual({ name: '', logo: null })
})

test('the list has the newest first, and another tenant finds nothing', async () => {
  await assess(-1_000, '0b')
  const first = await make()
  server.io.nowMs += 1_000
  const second = await make({ format: 'json', lang: 'ko' })
  expect((await list()).map(({ id }) => id)).toEqual([second.id, first.id])
  const token = await server.tokenOf(['admin'], 'other')
  expect(await server.call('GET', '/v1/reports', { token })).toMatchObject({ body: { reports: [] } })
  for (const below of ['', '/file', '/preview']) expect((await server.call('GET', `/v1/reports/${first.id}${below}`, { token })).status).toBe(404)
  expect((await server.call('DELETE', `/v1/reports/${first.id}`, { token })).status).toBe(404)
  expect((await server.call('DELETE', `/v1/reports/${first.id}`)).status).toBe(204)
  expect((await list()).map(({ id }) => id)).toEqual([second.id])
})

test('what a killed process left is made at the next start, and old reports are removed', async () => {
  await assess(-1_000, '0b')
  await server.app.state.reports.insert(onlyTenant, reportWith({ id: 'left', status: 'running', to: undefined, requestedAt: server.io.nowMs }))
  await server.app.state.reports.insert(onlyTenant, reportWith({ id: 'old', status: 'succeeded', requestedAt: 1 }))
  expect((await server.call('GET', '/v1/reports/left/file')).status).toBe(409)
  await server.app.reports.maker.createJob().run(new AbortController().signal)
  expect(await list()).toMatchObject([{ id: 'left', status: 'succeeded' }])
})

test('only some reports of a tenant wait at once', async () => {
  await assess(-1_000, '0b')
  for (const id of ['w1', 'w2', 'w3', 'w4']) await server.app.state.reports.insert(onlyTenant, reportWith({ id }))
  expect((await create()).status).toBe(429)
})

test.for<[title: string, body: object, status: number]>([
  ['without a framework', { framework: undefined }, 400], ['of an unknown one', { framework: 'hipaa' }, 404],
  ['of one that was not assessed', { framework: 'gdpr' }, 409], ['of an unknown kind', { kind: 'astrology' }, 400],
])('a report %s is refused', async ([, body, status]) => {
  await assess(-1_000, '0b')
  expect((await create(body)).status).toBe(status)
})

test.for([
  ['executive', 'Executive report', 'Alerts by severity'], ['soc_weekly', 'Weekly SOC report', 'Alerts by day'],
  ['assets', 'Assets and exposure', 'Assets by risk'],
] as const)('a report of kind %s shows what is stored, in both languages and of an empty tenant', async ([kind, title, block]) => {
  const empty = await make({ kind, framework: undefined, format: 'json' })
  expect(empty).toMatchObject({ status: 'succeeded', title, framework: null })
  expect((await server.call('GET', `${empty.file_url}`)).body).toMatchObject({ title, language: 'en' })
  const at = server.io.nowMs
  await server.app.state.alerts.insert(onlyTenant, ['a', 'b'].map((id) => newAlertWith({ id, dedupKey: id, level: 'high', ruleTitle: 'Planted rule', matchedAt: at - 60_000 })))
  await server.app.state.assets.upsert(onlyTenant, [statedAsset({ hostname: 'planted-host', owner: 'ann' }, 'a1')], at)
  server.io.nowMs += 1_000
  const made = await make({ kind, framework: undefined })
  expect(reportContentSchema.parse((await server.call('GET', `${made.preview_url}?format=json`)).body)).toMatchObject({ title })
  const csv = String((await server.call('GET', `${made.file_url}?format=csv`)).body)
  expect(csv).toContain(kind === 'assets' ? 'planted-host' : 'Planted rule,2')
  expect(csv.includes('ATT&CK coverage')).toBe(kind !== 'assets')
  expect(String((await server.call('GET', `${made.preview_url}`)).body)).toContain('<html lang="en">')
  const korean = await make({ kind, framework: undefined, lang: 'ko', format: 'json' })
  const shown = JSON.stringify((await server.call('GET', `${korean.file_url}`)).body)
  expect([shown.includes(block), /[\uAC00-\uD7A3]/.test(shown)]).toEqual([false, true])
})

test('a weekly report tells what the rules cover of ATT&CK', async () => {
  server = await openTestServer([encodedPowerShell])
  const { file_url: path } = await make({ kind: 'soc_weekly', framework: undefined, format: 'json' })
  const { sections } = reportContentSchema.parse((await server.call('GET', `${path}`)).body)
  const [figures, table] = sections.find(({ title }) => title === 'ATT&CK coverage')!.blocks
  expect(figures).toMatchObject({ figures: [
    { label: 'Techniques covered', value: expect.stringMatching(/^0 \/ \d{3}$/) }, { label: 'Enabled rules', value: '1 / 1' }, { label: 'Effective rules', value: '0 / 1' },
  ] })
  expect(table).toMatchObject({ kind: 'table', rows: expect.arrayContaining([['execution', expect.stringMatching(/^0 \/ \d+$/), '1', '0', '0', '0']]) })
})

test.for<[title: string, body: object]>([
  ['a range that ends in the future', { kind: 'executive', to: '2026-11-20T10:00:01Z' }], ['a range of two years', { kind: 'executive', from: '2024-11-20' }],
  ['an empty range', { kind: 'soc_weekly', from: '2026-11-20', to: '2026-11-20' }], ['a framework', { kind: 'executive', framework: 'gdpr' }],
  ['a range of assets', { kind: 'assets', from: '2026-11-01' }],
])('%s is refused', async ([, body]) => {
  expect(await create({ framework: undefined, ...body })).toMatchObject({ status: 400, body: { error: { code: 'INVALID_PARAMETER' } } })
})
