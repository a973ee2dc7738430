import { encoded, encodedPowerShell } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import {
  apiKeyWith, backtestWith, channelMessageWith, channelRouteWith, channelWith, assessmentWith, attestationWith, collectorReport, collectorWith, connectorWith, evidenceJobWith, reportScheduleWith, reportWith, rulePipelineWith, findingWith, newAlertWith, newDeliveryWith,
  newIncidentWith, playbookWith, savedViewWith, sightingWith, statedAsset,
  statedIndicator, statedPerson, statedSubdomain, dataSubjectRequestWith, erasureWith, userWith, webhookEventWith, webhookWith, provisionedGroupWith, provisioningTokenWith,
} from '@tripline/state/test/state-samples'
import { memoryEvents } from '@tripline/storage/test/events/memory-events'
import { hashToken } from '../../src/access/keys/connector-token.ts'
import { parseBase32 } from '../../src/access/login/base32.ts'
import { computeTotpCode } from '../../src/access/login/totp.ts'
import { openTestServer } from '../open-test-server.ts'
import type { Call, TestServer } from '../open-test-server.ts'
import { object } from './documented.ts'

/** A server that has one of everything, and accounts with passwords. */
export type SampleWorld = {
  readonly server: TestServer
  readonly alertId: string
  readonly eventId: string
  /** The credentials of an account, until the password is changed to the new one. */
  readonly login: { readonly email: string; readonly password: string }
  readonly newPassword: string
  readonly logIn: (email?: string) => Promise<{ readonly token: string; readonly cookie: string }>
  /** The session of an account that has a user in the tenant `acme` too. */
  readonly logInToBoth: () => Promise<{ readonly token: string; readonly cookie: string }>
  /** The token of a login link. */
  readonly createLink: () => string
  /** Changes the alert as one of many, and returns what takes that back. */
  readonly changeAlerts: () => Promise<{ readonly token: string; readonly undo: string }>
  /** The text of a token with which a collector enrols. */
  readonly createEnrolmentToken: () => Promise<string>
  /** The ids of the open sessions of a user. */
  readonly listSessions: (token: string) => Promise<readonly string[]>
  /** Calls that turn a second factor on, and off again. */
  readonly offerFactor: () => Promise<Call>
  readonly useFactor: () => Promise<Call>
}

const knownRuleId = '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'
const password = 'correct horse battery'
const codeMs = 30_000

/** The credential of the collector `known-1`. */
export const collectorCredential = `tl_known001_${'A'.repeat(43)}`

export async function openSampleWorld(): Promise<SampleWorld> {
  const server = await openTestServer([encodedPowerShell], { events: memoryEvents(), publicUrl: 'https://tripline.example' })
  await fillState(server)
  await server.call('POST', '/ingest/v1/events', { body: [{ ...encoded, SourceIp: '192.0.2.7' }] })
  const alertId = findId((await server.call('GET', '/v1/alerts?limit=1')).body, 'alerts')
  const eventId = findId((await server.call('GET', '/v1/search?limit=1')).body, 'data')
  const factor = { email: 'bob@example.org', token: '', secret: '' }
  const computeCode = (): string => {
    // Each code is good once.
    server.io.nowMs += codeMs
    return computeTotpCode(parseBase32(factor.secret) ?? Buffer.alloc(0), Math.floor(server.io.nowMs / codeMs))
  }
  const logIn: SampleWorld['logIn'] = async (email = 'ann@example.org') => {
    const { headers, body } = await server.call('POST', '/v1/auth/login', { token: null, body: { email, password } })
    return { token: String(object(body)['access_token']), cookie: /^[^;]+/.exec(headers['set-cookie'] ?? '')?.[0] ?? '' }
  }
  return {
    server, alertId, eventId, logIn,
    login: { email: 'ann@example.org', password },
    newPassword: 'another horse battery',
    async logInToBoth() {
      const { state, identity } = server.app
      const email = 'both@example.org'
      await state.users.insert(onlyTenant, userWith({ id: 'both', email }))
      await state.accounts.insert({ email, passwordHash: await identity.hasher.hash(password), totpSecret: undefined })
      const session = await logIn(email)
      await server.tokenOf(['viewer'], 'acme')
      await state.users.insert('acme', userWith({ id: 'both-there', email }))
      return session
    },
    createLink: () => server.app.identity.loginLink.create({ tenant: onlyTenant, userId: 'ann' }),
    async changeAlerts() {
      const token = await server.tokenOf(['analyst'])
      const { body } = await server.call('POST', '/v1/alerts/bulk', { token, body: { ids: [alertId], set: { verdict: 'benign' } } })
      return { token, undo: String(object(object(body)['undo'])['id']) }
    },
    async createEnrolmentToken() {
      const { body } = await server.call('POST', '/v1/collectors/enrolment-tokens', { token: await server.tokenOf(['engineer']), body: {} })
      return String(object(body)['token'])
    },
    async listSessions(token) {
      const { body } = await server.call('GET', '/v1/auth/sessions', { token })
      return list(object(body)['sessions']).map((session) => String(object(session)['id']))
    },
    async offerFactor() {
      factor.token = (await logIn(factor.email)).token
      const { body } = await server.call('POST', '/v1/auth/totp', { token: factor.token })
      factor.secret = String(object(body)['secret'])
      return { token: factor.token, body: { secret: factor.secret, code: computeCode(), password } }
    },
    async useFactor() {
      const credentials = { email: factor.email, password, totp: computeCode() }
      const { body } = await server.call('POST', '/v1/auth/login', { token: null, body: credentials })
      return { token: String(object(body)['access_token']), body: { code: computeCode(), password } }
    },
  }
}

async function fillState({ app }: TestServer): Promise<void> {
  const { accounts, users, apiKeys, assets, connectors, directoryUsers, findings, indicators, views, webhooks, webhookDeliveries } = app.state
  const passwordHash = await app.identity.hasher.hash(password)
  for (const id of ['known-1', 'known-2', 'ann', 'bob']) {
    const email = `${id}@example.org`
    await accounts.insert({ email, passwordHash: id.startsWith('known') ? undefined : passwordHash, totpSecret: undefined })
    await users.insert(onlyTenant, userWith({ id, email }))
  }
  for (const publicId of ['known001', 'known002']) await apiKeys.insert(onlyTenant, apiKeyWith({ publicId }))
  await app.state.provisioning.insertToken(onlyTenant, provisioningTokenWith({ id: 'known-1' }))
  await app.state.provisioning.putGroup(onlyTenant, provisionedGroupWith({ id: 'known-1', memberIds: ['known-1'] }))
  for (const id of ['known-1', 'known-2']) await views.insert(onlyTenant, savedViewWith({ id, isShared: true }))
  for (const id of ['p1', 'p2']) {
    const connector = connectorWith({ id, name: id, type: 'http_ndjson', config: {}, sealedSecrets: {} })
    await connectors.insert(onlyTenant, connector, undefined)
  }
  for (const id of ['known-1', 'known-2']) {
    const collector = collectorWith({ id, lastSeenAt: Date.UTC(2026, 10, 20, 9, 59, 30), status: 'online', report: collectorReport })
    await app.state.collectors.insert(onlyTenant, collector, id === 'known-1' ? hashToken(collectorCredential) : id)
  }
  // Reserved for documentation: nothing can be reached there.
  for (const id of ['w1', 'w2']) await webhooks.insert(onlyTenant, webhookWith({ id, name: id, url: 'https://192.0.2.1/hook' }))
  const at = Date.UTC(2026, 10, 20, 9, 30)
  await webhookDeliveries.insert(onlyTenant, [webhookEventWith({ at })], [newDeliveryWith({ createdAt: at, dueAt: at })])
  for (const id of ['ch1', 'ch2']) {
    const place = { tenant: onlyTenant, owner: id, key: 'channel_secrets' }
    const sealedSecrets = app.channels.secrets.seal(place, JSON.stringify({ url: 'https://192.0.2.1/hook' }))
    await app.state.channels.insert(onlyTenant, channelWith({ id, name: `Known ${id}`, sealedSecrets }))
  }
  for (const id of ['cr1', 'cr2']) await app.state.channelRoutes.insert(onlyTenant, channelRouteWith({ id, name: `Known ${id}`, isEnabled: false }))
  for (const id of ['pl1', 'pl2']) await app.state.rulePipelines.insert(onlyTenant, rulePipelineWith({ id, name: `Known ${id}`, isEnabled: false }))
  for (const id of ['rs1', 'rs2']) {
    const named = { id, name: `Known ${id}`, recipients: [], nextRunAt: Date.UTC(2026, 10, 23, 8) }
    await app.state.reportSchedules.insert(onlyTenant, reportScheduleWith(named))
  }
  await app.state.channelMessages.insert(onlyTenant, channelMessageWith({ createdAt: at, scheduledAt: at }), { ...webhookEventWith({ at }), type: 'alert.created' })
  await assets.upsert(onlyTenant, [
    statedAsset({}, 'known-1'), statedAsset({ hostname: 'dc01', riskScore: 5_400, ipAddresses: ['192.0.2.20', '192.0.2.21'] }, 'known-2'),
    statedAsset({ hostname: 'dc01-old', ipAddresses: ['192.0.2.22'] }, 'known-3'),
  ], 1_000)
  const seen = sightingWith({ id: 'seen-1', at, facts: { hostname: 'dc01' }, logons: new Map([['ann', 2]]) })
  await assets.observe(onlyTenant, [seen], { at })
  await findings.record(onlyTenant, [{ assetId: 'known-2', isComplete: true, findings: [findingWith({})] }], { source: 'p1', at, runAt: at })
  await directoryUsers.upsert(onlyTenant, [statedPerson({}, 'known-1')], 1_000)
  await indicators.upsert(onlyTenant, [statedIndicator({}, 'known-1')], 1_000)
  await app.state.subdomains.upsert(onlyTenant, [statedSubdomain({}, 'known-1')], 1_000)
  for (const id of ['known-1', 'known-2']) await app.state.dataSubjectRequests.insert(onlyTenant, dataSubjectRequestWith({ id, type: 'erasure' }))
  await app.state.erasures.put(onlyTenant, erasureWith({ requestId: 'known-2', status: 'succeeded', sealedIdentifiers: '', finishedAt: 2_000 }))
  await fillIncidents(app)
  await fillBacktests(app)
  await fillCompliance(app)
  for (const id of ['known-1', 'known-2']) await app.state.playbooks.insert(onlyTenant, playbookWith({ id, name: `Known ${id}` }))
}

/** A collection of evidence that is done, its results, and an attestation. */
async function fillCompliance({ state: { compliance, reports } }: TestServer['app']): Promise<void> {
  const made = { status: 'succeeded', title: 'Compliance report: ISO/IEC 27001 2022', finishedAt: 2_000, size: 4, sha256: '0e' } as const
  const sections = [{ title: 'Summary', blocks: [{ kind: 'figures', figures: [{ label: 'Score', value: '94' }] }] }]
  const definition = JSON.stringify({ language: 'en', title: made.title, subtitle: ['Tenant: acme'], at: 1_000, sections })
  for (const id of ['known-1', 'known-2']) {
    await reports.insert(onlyTenant, reportWith({ id, ...made }))
    await reports.putContent(onlyTenant, id, { definition, file: Buffer.from('%PDF') })
  }
  const result = { controlsAssessed: 1, evidenceItems: 1, changed: [{ framework: 'iso27001', control: 'A.8.17', from: 'not_assessed', to: 'compliant' }] } as const
  await compliance.begin(onlyTenant, evidenceJobWith({ id: 'known-1', status: 'succeeded', progress: 100, finishedAt: 2_000, result }))
  await compliance.saveAssessment(onlyTenant, assessmentWith({ jobId: 'known-1' }))
  for (const control of ['A.5.1', 'A.5.2']) await compliance.putAttestation(onlyTenant, 'iso27001', attestationWith({ control }))
}

/** A backtest that found nothing, and one that failed. */
async function fillBacktests({ state: { backtests } }: TestServer['app']): Promise<void> {
  const range = { from: Date.UTC(2026, 10, 19), to: Date.UTC(2026, 10, 20), requestedAt: Date.UTC(2026, 10, 20, 9) }
  const made = { ruleIds: [knownRuleId], ...range, finishedAt: Date.UTC(2026, 10, 20, 9, 1) }
  const result = JSON.stringify({
    rule_id: knownRuleId, from: '2026-11-19T00:00:00Z', to: '2026-11-20T00:00:00Z', events_evaluated: 12, matches_total: 0, rules: [],
    histogram: [], users: [], hosts: [], processes: [], examples: [], comparison: null, truncated: false, took_ms: 2,
  })
  await backtests.insert(onlyTenant, backtestWith({ id: 'known-1', ...made, status: 'succeeded', result }))
  await backtests.insert(onlyTenant, backtestWith({ id: 'known-2', ...made, status: 'failed', error: 'the rule was deleted' }))
}

/** Two incidents, the first with two alerts, and an alert in none. */
async function fillIncidents({ state: { alerts, incidents } }: TestServer['app']): Promise<void> {
  const at = Date.UTC(2026, 10, 20, 9)
  const facts = { level: 'medium', ruleTitle: 'Known rule', ruleId: 'known-rule', matchedAt: at } as const
  await alerts.insert(onlyTenant, ['known-a', 'known-b', 'known-c'].map((id) => newAlertWith({ ...facts, id, dedupKey: id })))
  const found = await Promise.all(['known-a', 'known-b'].map((id) => alerts.get(onlyTenant, id)))
  const members = found.filter((alert) => alert !== undefined)
  const terms = { at, by: 'ann@example.org', expectedVersion: undefined }
  await incidents.insert(onlyTenant, newIncidentWith({ id: 'known-1' }), members, terms)
  await incidents.addComment(onlyTenant, 'known-1', { id: 'comment-1', text: 'seen before' }, terms)
  await incidents.insert(onlyTenant, newIncidentWith({ id: 'known-2' }), [], terms)
}

/** The id of the first entry of a list. */
function findId(body: unknown, name: string): string {
  return String(object(list(object(body)[name])[0])['id'])
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
