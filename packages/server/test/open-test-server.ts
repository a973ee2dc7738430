import type { Runtime } from '@tripline/common/runtime'
import { profiles } from '@tripline/contract/public/profile'
import type { FairTurns } from '@tripline/detection/fairness/fair-turns'
import { topics } from '@tripline/detection/pipeline/topics'
import type { RuleSource } from '@tripline/engine'
import type { Role } from '@tripline/model/access/permission'
import type { User } from '@tripline/model/access/user'
import type { DomainEvent, DomainEventType } from '@tripline/model/delivery/domain-event'
import { createUuidV7 } from '@tripline/model/ids'
import { onlyTenant } from '@tripline/model/tenant'
import type { TenantId } from '@tripline/model/tenant'
import { newInstallationKeys } from '@tripline/state/installation-keys'
import { openState } from '@tripline/state/open-state'
import { openMemoryState } from '@tripline/state/test/open-memory-state'
import type { Bus } from '@tripline/storage/bus/bus'
import { defaultBusSizes } from '@tripline/storage/bus/bus-sizes'
import type { BusSizes } from '@tripline/storage/bus/bus-sizes'
import { openLocalBus } from '@tripline/storage/bus/local/local-bus'
import type { FileSystem } from '@tripline/storage/disk/file-system'
import type { EventStore } from '@tripline/storage/events/event-store'
import { openSegmentEventStore } from '@tripline/storage/events/segment-store'
import { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import { openSubFileSystem } from '@tripline/storage/test/sub-file-system'
import { gunzipSync } from 'node:zlib'
import { getPublicInfo } from '../src/http/public/public-docs.ts'
import { toProfileRoute } from '../src/http/public/public-handler.ts'
import { createHttp } from '../src/http/http.ts'
import type { Readiness } from '../src/http/health.ts'
import { RequestMemoryLimit } from '../src/http/request-memory-limit.ts'
import type { AdminDeps } from '../src/areas/shared/admin-deps.ts'
import { RetentionClock } from '../src/retention/retention-clock.ts'
import { AuditAggregator } from '../src/audit/audit-aggregator.ts'
import { openApp } from '../src/open-app.ts'
import type { App, AppOptions, Delivery, Detection } from '../src/app.ts'
import type { Route } from '../src/http/route.ts'
import type { ExternalIssuer } from '../src/access/tokens/external-issuer.ts'
import type { SecondFactorPolicy } from '../src/access/second-factor.ts'
import { openSession } from '../src/access/login/session.ts'
import { openEgress } from '../src/egress/egress.ts'
import { createLog } from '../src/runtime/log.ts'
import { ServerMonitor } from '../src/metrics/server/server-monitor.ts'
import type { HostStats } from '../src/metrics/server/host-stats.ts'
import { DocumentedApi } from './contract/documented.ts'

/** An answer as tests look at it. */
export type TestResponse = {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  /** The parsed body; undefined where there is none. */
  readonly body: unknown
}

export type Call = {
  readonly headers?: { readonly [name: string]: string }
  /** Texts, bytes and streams are sent as they are, anything else as JSON with its content type. */
  readonly body?: unknown
  /** Whose token is sent; without it that of an administrator of the first tenant, `null` sends none. */
  readonly token?: string | null
  /** The address of the connection; without it there is none. */
  readonly address?: string
  /** Aborts where the caller leaves before it has its answer. */
  readonly signal?: AbortSignal
}

/** What the server consists of, for tests to look into. */
export type TestApp = App & Detection & Delivery & Pick<AppOptions, 'state' | 'bus' | 'events' | 'keys'> & {
  readonly trail: AuditAggregator
  readonly retentionClock: RetentionClock
}

export type TestServer = {
  /** Where events were taken, all has been made of them that is when it resolves. Fails for what the document does not describe. */
  readonly call: (method: string, path: string, call?: Call) => Promise<TestResponse>
  /** A page as a browser gets it. */
  readonly page: (path: string) => Promise<{ readonly headers: Headers; readonly text: string }>
  /** Begins a request whose answer the test reads itself. */
  readonly open: (path: string, headers: { readonly [name: string]: string }) => Promise<Response>
  readonly io: TestRuntime
  readonly app: TestApp
  readonly routes: readonly Route[]
  readonly bodies: RequestMemoryLimit
  /** The domain events of the first tenant, of one type. */
  readonly published: (type: DomainEventType) => Promise<readonly DomainEvent[]>
  readonly readiness: Readiness
  /** Makes a user with a session, in a tenant that is made where it is not there, and gives a token of theirs. */
  readonly tokenOf: (roles: readonly Role[], tenant?: TenantId) => Promise<string>
  /** Looks at windows that end without events, as the server does every second; what comes of it is there then. */
  readonly tick: () => Promise<void>
}

/** What monitoring shows the server of tests. */
export const scrapeToken = 'a-secret-of-monitoring'

const hostDisk = { freeBytes: 400, sizeBytes: 1_000 }
/** What the host of the test server reports. */
export const testHost: HostStats = {
  version: '1.2.3', nodeVersion: 'v26.0.0', cpuSeconds: 2.5, residentBytes: 3_000, heapBytes: 2_000, startedAtSeconds: 1_000,
  openDescriptors: 20, descriptorsMax: 1_024, disk: hostDisk,
}

/** A world of its own: clocks that are moved by hand, random bytes that count, a log that is kept. */
export type TestRuntime = Omit<Runtime, 'randomBytes'> & {
  nowMs: number
  /** What `elapsedMs` says. */
  elapsedNowMs: number
  randomBytes: Runtime['randomBytes']
  readonly logLines: string[]
  readonly printedLines: string[]
}

export function createTestRuntime(): TestRuntime {
  let randomCount = 0
  const io: TestRuntime = {
    nowMs: Date.UTC(2026, 10, 20, 10),
    elapsedNowMs: 0,
    logLines: [],
    printedLines: [],
    printLine: (line) => void io.printedLines.push(line),
    logLine: (line) => void io.logLines.push(line),
    now: () => io.nowMs,
    elapsedMs: () => io.elapsedNowMs,
    // Different ones for longer than any test lasts.
    randomBytes: (count) => Buffer.alloc(count, `${randomCount++}.`),
    environment: {},
    readText: () => Promise.reject(new Error('a test server reads no file')),
    waitForStopSignal: () => new Promise(() => {}),
    processId: 1,
  }
  return io
}

/** What differs from a server that begins with nothing, keeps everything in memory and has all the room it wants. */
export type TestServerOptions = {
  /** Where state is kept for the next server that is opened with it, and with the disk. */
  readonly statePath?: string
  readonly disk?: FileSystem
  /** Events at rest, in the place of those on the disk. */
  readonly events?: EventStore
  readonly pipeline?: AppOptions['pipeline']
  readonly externalIssuer?: ExternalIssuer
  readonly secondFactorPolicy?: SecondFactorPolicy
  readonly sizes?: Partial<BusSizes>
  /** Leaves it to the test to wait until events are handled. */
  readonly isPatient?: false
  readonly allowedOrigins?: readonly string[]
  readonly publicUrl?: string
  /** Whether connectors may listen on any port of loopback. */
  readonly opensPorts?: true
  /** When it starts, in milliseconds since the epoch. */
  readonly startedAt?: number
  /** Shares the event loop; default: by the clock of the process. */
  readonly turns?: FairTurns
}

/** The documents of all servers of a process: made once, because they are the same for all. */
let documented: Judge | undefined

/** Judges a response by the document of the API that it is of; undefined for a path that no document lists. */
type Judge = (path: string, headers: TestResponse['headers']) => DocumentedApi | undefined

/** Paths of protocols that are not ours, which their vendors document. */
const foreignPath = /^.(?:$|_|services.collector|scim.|ingest.(?:elastic|otlp).|[^/]+.(?:_bulk|_doc|_create)\b)/

function createJudge({ routes, publicApi }: App['http']): Judge {
  const ofConsole = new DocumentedApi(routes.filter(({ isForeign }) => isForeign !== true))
  const [a, b] = profiles.map((profile) =>
    new DocumentedApi(publicApi.routes.map((route) => toProfileRoute(route, profile)), getPublicInfo(profile)))
  return (path, headers) => {
    if (foreignPath.test(path)) return undefined
    if (!/^(?:https?:..[^/]*)?.api.v1(?:[/?]|$)/.test(path)) return ofConsole
    if (/^.api.v1.(?:docs|openapi.json)/.test(path)) return undefined
    return headers['x-api-profile'] === 'A' ? a : b
  }
}

/** Opens everything but the socket: requests go straight into the HTTP face. */
export async function openTestServer(rules: readonly string[], options: TestServerOptions = {}): Promise<TestServer> {
  const { statePath, disk = new SimulatedDisk(), sizes, startedAt, isPatient = true } = options
  const { allowedOrigins = [], publicUrl = '', externalIssuer, secondFactorPolicy, turns } = options
  const failures: unknown[] = []
  const io = createTestRuntime()
  io.nowMs = startedAt ?? io.nowMs
  const log = createLog(io)
  const sources: RuleSource[] = rules.map((text, index) => ({ path: `rule-${index}.yml`, text }))
  const readiness: Readiness = { state: 'ready' }
  const keys = newInstallationKeys(io)
  const auditKey = keys.audit
  const state = await (statePath === undefined ? openMemoryState({ auditKey }) : openState({ path: statePath, auditKey }))
  const scrypt = { costLog2: 4, blockSize: 8, passes: 1 }
  const bus = await openLocalBus({ disk: openSubFileSystem(disk, 'bus'), topics, sizes: { ...defaultBusSizes, ...sizes } })
  const events = options.events ?? await openSegmentEventStore({ disk: openSubFileSystem(disk, 'events'), elapsedMs: io.elapsedMs })
  // The clock stands still, so checkpoints are made as often as they may be.
  const pipeline = { checkpointMs: 0, onFailure: (error: unknown) => void failures.push(error), ...options.pipeline }
  const egress = openEgress({ allowCidrs: ['127.0.0.0/8'], allowInsecure: false, dnsServers: [] }, io)
  // A deadline by the clock would make tests depend on the machine.
  const ruleTests = { wait: () => new Promise<void>(() => {}) }
  const monitor = new ServerMonitor(() => Promise.resolve(testHost))
  monitor.diskSpace = { ...hostDisk, level: 'enough' }
  const external = { ...(externalIssuer && { externalIssuer }), ...(secondFactorPolicy && { secondFactorPolicy }), ...(turns && { turns }) }
  const trail = new AuditAggregator({ state, clock: io, log })
  const retentionClock = new RetentionClock(io)
  const given = { ...external, readiness, trail, retentionClock, allowedOrigins, scrapeToken, scrypt, egress, pipeline, ruleTests, monitor }
  const syslog = options.opensPorts && { host: '127.0.0.1', isAllowedPort: () => true, allowedPorts: 'any', connectionsMax: 8 }
  const opened = await openApp({ ...(syslog && { syslog }), sources, state, bus, events, keys, publicUrl, ...given, io, log })
  const app = { ...opened, ...opened.detection, ...opened.delivery, state, bus, events, keys, trail, retentionClock }
  const tokenOf = (roles: readonly Role[], tenant: TenantId = onlyTenant) => issueTestToken({ state, identity: app.identity, clock: io }, roles, tenant)
  const adminToken = await tokenOf(['admin'])
  const bodies = new RequestMemoryLimit()
  const http = createHttp(opened.http, {
    io, log, allowedOrigins: opened.delivery.push.allowedOrigins, isPublicOverTls: publicUrl.startsWith('https:'), bodies,
  })
  const routes = opened.http.routes.filter(({ isForeign }) => isForeign !== true)
  documented ??= createJudge(opened.http)
  const judge = documented
  return {
    io,
    app,
    routes,
    bodies,
    async published(type) {
      const { events } = await state.domainEvents.read(onlyTenant, 0, 1_000)
      return events.filter((event) => event.type === type)
    },
    readiness,
    tokenOf,
    async page(path) {
      const response = await http.request(`http://127.0.0.1${path}`)
      return { headers: response.headers, text: await response.text() }
    },
    open: async (path, headers) => await http.request(`http://127.0.0.1${path}`, { headers }),
    async tick() {
      await app.pipeline.tick(io.now())
      await waitUntilIdle(bus, failures)
    },
    async call(method, path, { headers = {}, body, token = adminToken, address, signal } = {}) {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream
      const url = path.startsWith('http') ? path : `http://127.0.0.1${path}`
      const response = await http.request(url, {
        method,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(isRaw || body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(signal && { signal }),
        ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body), duplex: 'half' }),
      }, { incoming: { socket: { remoteAddress: address } } })
      if (response.status === 202 && isPatient) await waitUntilIdle(bus, failures)
      if (isPatient) await app.outbox.untilIdle()
      const text = await readText(response)
      const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
      const parsed: unknown = text === '' ? undefined : isJson ? JSON.parse(text) : text
      const received = { status: response.status, headers: Object.fromEntries(response.headers), body: parsed }
      const problems = judge(path, received.headers)?.findProblems(method, path, received) ?? []
      if (problems.length > 0) throw new Error(`${method} ${path} and the OpenAPI document: ${problems.join('; ')}`)
      return received
    },
  }
}

/** The text of a body, decompressed where it says so. */
async function readText(response: Response): Promise<string> {
  if (response.headers.get('content-encoding') !== 'gzip') return await response.text()
  return gunzipSync(await response.arrayBuffer()).toString()
}

/** Waits until every stage has done and committed all that it is to do. */
async function waitUntilIdle(bus: Bus, failures: readonly unknown[]): Promise<void> {
  while (Object.keys(topics).some((topic) => bus.stats(topic).consumers.some(({ lag }) => lag.size > 0))) {
    if (failures.length > 0) throw failures[0]
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

let userCount = 0

async function issueTestToken(
  { state, identity, clock }: Omit<AdminDeps, 'randomBytes'> & Pick<App, 'identity'>, roles: readonly Role[], tenant: TenantId,
): Promise<string> {
  const at = clock.now()
  const number = userCount++
  const stamps = { version: 1, createdAt: at, updatedAt: at }
  await state.tenants.insert({ id: tenant, name: tenant, isActive: true, settings: {}, ...stamps })
  const id = createUuidV7(at, (count) => Buffer.alloc(count, number))
  const email = `${roles.join('-')}-${number}@example.org`
  const user: User = { id, email, name: roles.join(' and '), roles, interface: 'console', permissionsVersion: 1, isActive: true, ...stamps }
  await state.accounts.insert({ email, passwordHash: undefined, totpSecret: undefined })
  await state.users.insert(tenant, user)
  return (await openSession(identity, tenant, user, { client: { address: '192.0.2.7', browser: 'Firefox', system: 'Linux' } })).accessToken
}
