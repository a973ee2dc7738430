import { encoded } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import fc from 'fast-check'
import type { Profile } from '@tripline/contract/public/profile'
import { getPublicInfo } from '../../src/http/public/public-docs.ts'
import { toProfileRoute } from '../../src/http/public/public-handler.ts'
import { toOperationId } from '../../src/http/openapi.ts'
import type { Route } from '../../src/http/route.ts'
import { scrapeToken } from '../open-test-server.ts'
import type { KnownValues } from './arbitrary-json.ts'
import { DocumentedApi, object } from './documented.ts'
import type { Operation } from './documented.ts'
import { createRequests } from './fuzz-requests.ts'
import type { FuzzPrincipal, FuzzRequest } from './fuzz-requests.ts'
import { openSampleWorld } from './sample-world.ts'
import type { SampleWorld } from './sample-world.ts'
import { sampleRuleId, samples } from './samples.ts'

/** What generated requests were answered with. */
export type FuzzReport = {
  readonly requestCount: number
  /** How often each operation answered with each status, as `<operation id> <status>`. */
  readonly statuses: ReadonlyMap<string, number>
  /** The error codes that occurred. */
  readonly codes: ReadonlySet<string>
  /** Requests with an answer that the document does not describe, or with a 5xx. */
  readonly failures: readonly string[]
}

export type FuzzOptions = {
  readonly seed: number
  readonly requestsPerOperation: number
  /** The profile of the public API whose document is used; default: the console's document. */
  readonly profile?: Profile
  readonly onOperation?: (id: string) => void
}

/** Operations that share a server; one that deletes is the last of its server. */
const operationsPerServer = 6

/**
 * Sends generated requests for every operation of the OpenAPI document to a server of this process, and judges each answer by
 * the document. The same seed sends the same requests.
 */
export async function fuzzConsole({ seed, requestsPerOperation, profile, onOperation = () => {} }: FuzzOptions): Promise<FuzzReport> {
  const statuses = new Map<string, number>()
  const codes = new Set<string>()
  const failures: string[] = []
  let requestCount = 0
  let session = await FuzzSession.open(profile)
  for (const [index, operation] of session.api.operations.entries()) {
    onOperation(operation.id)
    const isSpent = index % operationsPerServer === 0 || session.api.operations[index - 1]?.method === 'DELETE'
    if (isSpent && index > 0) session = await session.reopen()
    const seen = new Set<string>()
    for (const request of session.generate(operation, { seed: seed + index, numRuns: requestsPerOperation })) {
      requestCount++
      const { status, code, problems } = await session.send(request)
      const key = `${operation.id} ${status}`
      statuses.set(key, (statuses.get(key) ?? 0) + 1)
      if (code !== undefined) codes.add(code)
      const problem = problems.join('; ')
      if (problem === '' || seen.has(problem.slice(0, 60))) continue
      // The same problem again tells nothing new.
      seen.add(problem.slice(0, 60))
      failures.push(`${operation.id} (seed ${seed}): ${problem} for ${describe(request)}`)
    }
  }
  await session.close()
  return { requestCount, statuses, codes, failures }
}

/** Who sends a request to the public API, in the place of a console's principal that it refuses anyway: mostly a key. */
const publicPrincipals: { readonly [principal in FuzzPrincipal]?: FuzzPrincipal } = {
  'read-only key': 'read-only key', viewer: 'read-only key', nobody: 'nobody', 'foreign admin': 'foreign admin',
}

type Judgement = { readonly status: number; readonly code: string | undefined; readonly problems: readonly string[] }

/** A server with one of everything, and the tokens of all principals. */
class FuzzSession {
  readonly api: DocumentedApi
  readonly #world: SampleWorld
  readonly #tokens = new Map<FuzzPrincipal, string | null>([['monitoring', scrapeToken], ['nobody', null], ['garbage', 'x.y.z']])

  readonly #profile: Profile | undefined

  private constructor(world: SampleWorld, profile: Profile | undefined) {
    this.#world = world
    this.#profile = profile
    this.api = profile === undefined
      ? new DocumentedApi(world.server.routes)
      : new DocumentedApi(world.server.app.http.publicApi.routes.map((route) => toProfileRoute(route, profile)), getPublicInfo(profile))
  }

  static async open(profile?: Profile): Promise<FuzzSession> {
    return new FuzzSession(await openSampleWorld(), profile)
  }

  /** A new server in the place of this one. */
  async reopen(): Promise<FuzzSession> {
    await this.close()
    return await FuzzSession.open(this.#profile)
  }

  generate(operation: Operation, { seed, numRuns }: { readonly seed: number; readonly numRuns: number }): readonly FuzzRequest[] {
    const schemas = object(object(this.api.document['components'])['schemas'])
    return fc.sample(createRequests(operation, schemas, listKnownValues(this.#world)), { seed, numRuns })
  }

  async send({ method, path, headers, body, principal }: FuzzRequest): Promise<Judgement> {
    const { server } = this.#world
    // The rate limits are another test's business.
    server.io.elapsedNowMs += 1_000
    server.io.logLines.length = 0
    const token = await this.#getToken(this.#profile === undefined ? principal : publicPrincipals[principal] ?? 'read-write key')
    // Nearly all are answered by address otherwise: in the public API requests without a key share a window.
    if (this.#profile !== undefined) server.io.nowMs += 1_000
    const profiled = this.#profile === undefined ? {} : { 'x-api-profile': this.#profile }
    const type = typeof body === 'string' ? { 'content-type': body.length % 2 === 0 ? 'application/json' : 'text/csv' } : {}
    try {
      const answered = await server.call(method, path, { headers: { ...type, ...profiled, ...headers }, token, ...(body === undefined ? {} : { body }) })
      if (answered.status === 401) this.#tokens.delete(principal)
      const error = server.io.logLines.find((line) => line.includes('request failed'))
      const problems = this.api.findSchemaProblems(method, path, answered)
      const { code = object(answered.body)['code'] } = object(object(answered.body)['error'])
      const isBroken = answered.status >= 500 || error !== undefined
      const isKnown = typeof code === 'string' && answered.status >= 400
      return { status: answered.status, code: isKnown ? code : undefined, problems: isBroken ? [...problems, `${answered.status} ${error}`] : problems }
    } catch (error) {
      return { status: 0, code: undefined, problems: [String(error)] }
    }
  }

  async close(): Promise<void> {
    await this.#world.server.app.connectors.runner.stop()
    await this.#world.server.app.state.close()
  }

  async #getToken(principal: FuzzPrincipal): Promise<string | null> {
    const known = this.#tokens.get(principal)
    if (known !== undefined) return known
    const token = await this.#issueToken(principal)
    this.#tokens.set(principal, token)
    return token
  }

  async #issueToken(principal: FuzzPrincipal): Promise<string | null> {
    const { server } = this.#world
    // With a fresh token: the clock moves.
    const create = async (path: string, body: object): Promise<object> =>
      object((await server.call('POST', path, { body, token: await server.tokenOf(['admin']) })).body)
    switch (principal) {
      case 'nobody':
        return null
      case 'garbage':
        return 'x.y.z'
      case 'monitoring':
        return scrapeToken
      case 'foreign admin':
        return await server.tokenOf(['admin'], 'other')
      case 'read-only key':
      case 'read-write key':
        return String(object(await create('/v1/api-keys', { name: principal, scope: principal.slice(0, -4) }))['key'])
      case 'connector': {
        const created = await create('/v1/connectors', { name: `Push ${server.io.elapsedNowMs}`, type: 'http_ndjson', config: {} })
        return String(object(object(created)['ingest'])['token'])
      }
      default:
        return await server.tokenOf([principal])
    }
  }
}

const rule = 'title: Ours\nlogsource: { product: app }\ndetection: { s: { a: 1 }, condition: s }\n'
const correlation = `title: Many
correlation: { type: event_count, rules: [${sampleRuleId}], group-by: [user], timespan: 10m, condition: { gte: 3 } }
`

/** Values that exist or are good, by the name of their field or the place of the id. */
function listKnownValues({ alertId, eventId, login }: SampleWorld): KnownValues {
  const known = ['known-1', 'known-2']
  const times = ['2026-11-20T09:00:00Z', '2026-11-20T10:00:00.000+01:00', '2026-11-21']
  return {
    'id of /v1/alerts/': [alertId],
    'id of /v1/events/': [eventId],
    'id of /v1/detection/rules/': [sampleRuleId, sampleRuleId, 'new'],
    'id of /v1/users/': known,
    'id of /v1/api-keys/': ['known001', 'known002'],
    'id of /v1/connectors/': ['p1', 'p2', 'new'],
    'id of /v1/tenants/': [onlyTenant, 'other'],
    'id of /v1/assets/': known,
    'id of /v1/identities/': known,
    'id of /v1/indicators/': known,
    'id of /v1/incidents/': known,
    'id of /v1/incidents/{id}/alerts/': ['known-a'],
    'id of /v1/playbooks/': known,
    'id of /v1/views/': known,
    'id of /v1/collectors/': known,
    'id of /v1/webhooks/': ['w1', 'w2'],
    'id of /v1/channels/': ['ch1', 'ch2'],
    'id of /v1/channel-routes/': ['cr1', 'cr2'],
    'id of /v1/subdomains/': known,
    'id of /v1/dsr/': known,
    'id of /v1/reports/': known,
    'id of /v1/detection/backtests/': known,
    'id of /v1/report-schedules/': ['rs1', 'rs2'],
    'id of /v1/detection/rule-pipelines/': ['pl1', 'pl2'],
    'id of /v1/compliance/': ['iso27001', 'pci_dss'],
    'id of /v1/compliance/{framework}/controls/': ['A.5.1', 'A.5.2', 'A.8.17'],
    'id of /v1/compliance/evidence/jobs/': known,
    'id of /v1/detection/rules/{id}/versions/': ['1'],
    'id of /api/v1/alerts/': [alertId],
    'id of /api/v1/incidents/': known,
    'id of /api/v1/assets/': known,
    'definition': [rule, `${rule}level: hihg\n`, correlation, `${rule}name: base\n---\n${correlation.replace(sampleRuleId, 'base')}`, 'title: ['],
    'detection': [{ s: { a: 1 }, condition: 's' }, { s: { 'a|re': '(' }, condition: 's' }],
    'logsource': [{ product: 'windows' }],
    'level': ['high', 'informational'],
    'tests': [[{ event: { a: 1 }, match: true }], []],
    'events': [[encoded], [encoded, {}], []],
    'config': [{}, { url: 'https://10.0.0.1/' }, { quiet_after: '60s' }],
    'q': ['user:alice', 'alice', 'a:('],
    'query': ['user:alice', 'NOT host:web-1', 'user:[a TO', '*'],
    'sort': [['timestamp:desc'], ['created_at']],
    'email': [login.email, 'none@example.org'],
    'password': [login.password],
    'current_password': [login.password],
    'new_password': ['another horse battery', 'short'],
    'assignee': [login.email],
    'timezone': ['Europe/Berlin', 'Mars/Olympus'],
    'from': times, 'to': times, 'expires_at': ['2026-11-21T10:00:00Z', '2027-06-01T00:00:00Z'],
    'allowed_cidrs': [['192.0.2.0/24'], ['x']],
    'egress_allow_cidrs': [[]],
    'claims': [{ groups: ['soc'] }],
    'role_mapping': [[{ claim: 'groups', op: 'contains', value: 'soc', role: 'analyst' }]],
    'mapping': ['mappings: [{ constants: { a: 1 } }]', 'mappings: [{ rename: 1 }]'],
    'source_id': [null, 'none'],
    'ip': [['192.0.2.7']],
    'ip_addresses': [['192.0.2.7']],
    'tactic': [['execution']], 'technique': [['T1059']], 'mitre': [['TA0002']],
    'value': ['192.0.2.7', 'example.org'],
    'overlap_seconds': [0, 60],
    'id': ['new-tenant'],
    ...Object.fromEntries(Object.entries(samples).flatMap(([route, sample]) => {
      const [method = '', path = ''] = route.split(' ')
      return typeof sample === 'function' || sample.body === undefined ? [] : [[`body of ${toBodyName({ method, path })}`, [sample.body]]]
    })),
    'body of postAuthLogin': [login],
    'body of putAlertsById': [{ status: 'resolved' }],
  }
}

function toBodyName({ method, path }: { readonly method: string; readonly path: string }): string {
  return toOperationId({ method: method as Route['method'], path })
}

function describe({ method, path, headers, body, principal }: FuzzRequest): string {
  const text = JSON.stringify({ headers, body }) ?? ''
  return `${method} ${path.slice(0, 300)} by ${principal} ${text.slice(0, 600)}`
}
