import { getErrorMessage } from '@tripline/common/error-message'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import type { Log } from '@tripline/common/log'
import { isLoopback } from '@tripline/common/network'
import type { Runtime } from '@tripline/common/runtime'
import { FairTurns } from '@tripline/detection/fairness/fair-turns'
import { topics } from '@tripline/detection/pipeline/topics'
import { onlyTenant } from '@tripline/model/tenant'
import { settingDefaults } from '@tripline/model/tenant-settings'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import { isCorruptionError } from '@tripline/state/check-database'
import { getStateFile, openDataDir, writeFirstPassword } from '@tripline/state/data-dir'
import { lockDataDir } from '@tripline/state/data-dir-lock'
import type { DataDirLock } from '@tripline/state/data-dir-lock'
import { openInstallationKeys } from '@tripline/state/installation-keys'
import { JobRunner } from '@tripline/state/jobs/job-runner'
import { NewerSchemaError } from '@tripline/state/migrations/migrate'
import { openState } from '@tripline/state/open-state'
import type { ScheduledJob } from '@tripline/state/ports/job-store'
import { openLocalBus } from '@tripline/storage/bus/local/local-bus'
import { measureSyncs, nodeFileSystem } from '@tripline/storage/disk/file-system'
import type { FileSystem } from '@tripline/storage/disk/file-system'
import { openSegmentEventStore } from '@tripline/storage/events/segment-store'
import { join } from 'node:path'
import { createHttp } from './http/http.ts'
import type { Readiness } from './http/health.ts'
import { createFirstAdmin } from './areas/users/first-admin.ts'
import type { FirstCredentials } from './areas/users/first-admin.ts'
import { adoptAlertNotices, legacyTopics } from './delivery/adopt-alert-notices.ts'
import { removeOldResponses, abandonRunningRequests } from './http/idempotent-requests.ts'
import { openApp } from './open-app.ts'
import type { AppOptions, Delivery, Detection } from './open-app.ts'
import { RetentionClock } from './areas/retention/retention-clock.ts'
import { createRetentionJob } from './areas/retention/run-retention.ts'
import { AuditAggregator } from './audit/audit-aggregator.ts'
import { startPeriodicTasks } from './periodic-tasks.ts'
import type { PeriodicTask } from './periodic-tasks.ts'
import { planConnections, readDescriptorLimit } from './descriptor-limit.ts'
import { HttpListener } from './http-listener.ts'
import { checkKeys } from './check-keys.ts'
import { openSettings, readFirstPassword } from './open-settings.ts'
import type { OpenedSettings } from './open-settings.ts'
import { exitOnError } from './runtime/exit-on-error.ts'
import { configurationError } from './runtime/configuration-error.ts'
import { limits } from './limits.ts'
import { createLog } from './runtime/log.ts'
import { runMetrics } from './metrics/run-metrics.ts'
import { ServerMonitor } from './metrics/server/server-monitor.ts'
import { printAddress } from './settings.ts'
import type { Config } from './settings.ts'
import { createTlsReloader } from './tls-files.ts'
import { createHostStatsReader, readDiskSpace } from './read-host-stats.ts'
import { createVerificationJobs, verifyInThread } from './scheduled-verification.ts'
import { findSiteFolder, openSite } from './site/open-site.ts'
import { serveSite } from './site/serve-site.ts'
import { monitorDiskSpace } from './disk-space-monitor.ts'
import type { DiskSpaceMonitor } from './disk-space-monitor.ts'

/** A running server. */
export type RunningServer = {
  readonly port: number
  /** The first admin's credentials; undefined if a tenant already exists. */
  readonly firstAdmin: FirstCredentials | undefined
  /** The file that holds the first admin's password, readable by the owner of the data directory alone. */
  readonly firstPasswordFile: string | undefined
  /**
   * Creates the token of a link that logs the first admin in once. Undefined unless this is the first start of a server with the
   * console that listens on loopback alone.
   */
  readonly createLoginLink: () => Promise<string | undefined>
  /** Resolves with the error that stopped the pipeline, such as a failed disk. The process must end then. */
  readonly failed: Promise<unknown>
  /** Resolves when all events accepted so far have been evaluated. */
  readonly untilIdle: () => Promise<void>
  /** Stops accepting connections, waits for running requests up to the configured grace period, then closes everything. */
  readonly close: () => Promise<void>
}

/**
 * Starts a server: data directory, keys, state, bus, events, use cases with their pipeline, HTTP, in this order; closes in
 * reverse order. Resolves once it listens.
 *
 * @throws ExitError 70 if the data directory or its content cannot be used, 78 for an unreadable rule path or an unusable
 *   address.
 */
export async function startServer(config: Config, io: Runtime): Promise<RunningServer> {
  await checkKeys(config)
  await exitOnError(exitCodes.storage, `data directory '${config.dataDir}' cannot be used`, openDataDir(config.dataDir))
  const given = await openSettings(config, io)
  const held = await exitOnError(exitCodes.storage, `data directory '${config.dataDir}' cannot be used`, takeLock(config.dataDir))
  try {
    const server = await startLocked(config, given, io)
    return { ...server, close: () => server.close().finally(held.release) }
  } catch (error) {
    held.release()
    throw error
  }
}

/** Starts the server once the data directory is locked. */
async function startLocked(config: Config, { tls, ...given }: OpenedSettings, io: Runtime): Promise<RunningServer> {
  const log = createLog(io)
  const { connectionsMax, warning } = planConnections(config.listenConnectionsMax, await readDescriptorLimit())
  if (warning !== undefined) log.warn(warning)
  const readiness: Readiness = { state: 'starting' }
  const { promise: failed, resolve: onFailure } = Promise.withResolvers<unknown>()
  const monitor = new ServerMonitor(createHostStatsReader(config.dataDir))
  const room = monitorDiskSpace({ readiness, disk: nodeFileSystem(config.dataDir), readSpace: () => readDiskSpace(config.dataDir), log })
  const stores = await openStores(config, { monitor, io, log })
  const isFirstStart = (await stores.state.tenants.list()).length === 0
  const firstPassword = isFirstStart ? await readFirstPassword(config, io) : undefined
  const defaults = toSettingDefaults(config)
  const retentionClock = new RetentionClock(io, config.trustedTime === '' ? undefined : Date.parse(config.trustedTime))
  const isPublicOverTls = tls !== undefined || config.publicUrl.startsWith('https:')
  const trail = new AuditAggregator({ state: stores.state, clock: io, log })
  const app = await exitOnError(exitCodes.storage, 'the pipeline cannot resume', openApp({
    ...stores, ...given, publicUrl: config.publicUrl, isPublicOverTls, allowedOrigins: config.allowedOrigins,
    secondFactorPolicy: { isRequiredForOperators: config.requireOperatorMfa, isProvenByIssuer: config.trustIssuerMfa },
    settingDefaults: defaults, retentionClock, trail, readiness,
    pipeline: { onFailure, onDiskFull: room.onFull, hasSpace: room.hasSpace }, monitor, io, log,
  }))
  await abandonRunningRequests(stores)
  const site = config.console === 'on' ? await openSite(findSiteFolder()) : undefined
  if (config.console === 'on' && site === undefined) log.info('the console is not built; pnpm --filter @tripline/console build makes it')
  const { fetch } = createHttp(app.http, {
    io, log, allowedOrigins: app.delivery.push.allowedOrigins, isPublicOverTls,
    requiresSenderCertificate: config.tlsClientCa !== '',
    trustedProxies: config.trustedProxies, ...(site && { site: serveSite(site) }),
  })
  const backend: Backend = { stores, trail, detection: app.detection, outbox: app.delivery.outbox }
  const listener = new HttpListener(config, { fetch, websocket: app.delivery.push.websocket, monitor, connectionsMax, tls })
  monitor.connectionsMax = connectionsMax
  const { port, address } = await listener.listen(config.listen).catch(async (error: unknown) => {
    await closeBackend(backend, log)
    throw error
  })
  // Only now, so that a server that cannot listen creates no admin.
  const admins = { state: stores.state, identity: app.identity, clock: io, randomBytes: io.randomBytes }
  const firstAdmin = await createFirstAdmin(admins, firstPassword)
  // A given password is in a file already.
  const firstPasswordFile = firstAdmin && firstPassword === undefined
    ? await exitOnError(exitCodes.storage, 'the first password cannot be written', writeFirstPassword(config.dataDir, firstAdmin.password))
    : undefined
  listener.onError((error) => log.error('the HTTP listener failed', { error: getErrorMessage(error) }))
  const reloadTls = tls && createTlsReloader({ config, files: tls, io, log, use: (files) => listener.useTls(files) })
  // Without TLS there is nothing to read again, and a signal to do so must not end the server.
  const stopReloads = io.onReloadSignal?.(() => void reloadTls?.())
  await app.connectors.runner.start()
  await app.delivery.webhooks.sender.start()
  const stopMetrics = runMetrics(app.metrics, log)
  const jobs = new JobRunner({
    store: stores.state.jobs, clock: io, log, owner: Buffer.from(io.randomBytes(8)).toString('hex'),
    jobs: [
      createCleanupJob(stores.state, io),
      app.delivery.playbookRunner.createJob(),
      createRetentionJob({ ...stores, retentionClock, settingDefaults: defaults, metrics: app.metrics }, log),
      ...await createVerificationJobs({
        disk: nodeFileSystem(config.dataDir), everyMs: config.verifyHours * 3_600_000, events: stores.events, monitor, clock: io, log,
        verify: (signal) => verifyInThread(config.dataDir, signal),
      }),
    ],
    observer: {
      onKnown: (name, lastSuccessAt) => monitor.knowJob(name, lastSuccessAt),
      onEnded: (name, { at, hasFailed }) => monitor.endedJob(name, at, hasFailed),
    },
  })
  await jobs.open()
  const { certificateMs: everyMs } = limits.connections
  const stopTasks = startPeriodicTasks([
    ...createPeriodicTasks(backend, { room, jobs, io }),
    ...reloadTls === undefined ? [] : [{ everyMs, work: reloadTls, failure: 'the TLS certificate could not be read' }],
  ], log)
  readiness.state = 'ready'
  log.info('listening', { address: printAddress({ host: address, port }) })
  void failed.then(() => (readiness.state = 'failed'))
  return {
    port,
    firstAdmin,
    firstPasswordFile,
    createLoginLink: async () => {
      const isAlone = site !== undefined && tls === undefined && !config.behindProxy && isLoopback(address)
      const admin = firstAdmin && isAlone ? await stores.state.users.findByEmail(onlyTenant, firstAdmin.email) : undefined
      return admin && app.identity.loginLink.create({ tenant: onlyTenant, userId: admin.id })
    },
    failed,
    untilIdle: async () => {
      await app.detection.pipeline.untilIdle()
      await app.delivery.outbox.untilIdle()
    },
    close: async () => {
      readiness.state = 'closing'
      stopTasks()
      stopReloads?.()
      app.delivery.push.stop()
      await listener.close(config.shutdownGraceMs)
      await app.connectors.runner.stop()
      await app.delivery.webhooks.sender.stop()
      await jobs.stop()
      await app.delivery.playbookRunner.stop()
      await stopMetrics()
      await closeBackend(backend, log)
      log.info('closed')
    },
  }
}

/** What lies behind the listener and is closed after it. */
type Backend = {
  readonly stores: OpenStores
  readonly trail: AuditAggregator
  readonly detection: Detection
  readonly outbox: Delivery['outbox']
}

/** Removes responses to idempotent requests that are a day old. */
function createCleanupJob(state: OpenStores['state'], clock: Runtime): ScheduledJob {
  return {
    name: 'idempotent-responses', everyMs: limits.lists.forgetMs, afterStartMs: 0, run: () => removeOldResponses({ state, clock }),
    failure: 'old idempotent responses could not be removed',
  }
}

/** Work on what this process holds in memory: it is lost with the process, so timers are enough. */
function createPeriodicTasks(
  { trail, detection: { pipeline, ruleBooks, enricher } }: Backend,
  { room, jobs, io }: { readonly room: DiskSpaceMonitor; readonly jobs: JobRunner; readonly io: Runtime },
): readonly PeriodicTask[] {
  const { tickMs } = limits.correlation
  return [
    { everyMs: tickMs, work: () => pipeline.tick(io.now()), failure: 'correlation windows could not be closed' },
    { everyMs: tickMs, work: () => ruleBooks.expireExceptions(), failure: 'expired rule exceptions could not be removed' },
    { everyMs: tickMs, work: () => enricher.flush(), failure: 'indicator hits could not be saved' },
    { everyMs: limits.audit.windowMs, work: () => trail.flush(), failure: 'repeated actions could not be recorded in the audit trail' },
    { everyMs: tickMs, work: () => room.check(), failure: 'free disk space could not be checked' },
    { everyMs: limits.jobs.tickMs, work: () => jobs.tick(), failure: 'jobs could not be started' },
  ]
}

/**
 * Closes everything behind the listener. After a disk failure one component may fail to close; the others are closed all the
 * same.
 */
async function closeBackend({ stores: { bus, events, state }, trail, detection, outbox }: Backend, log: Log): Promise<void> {
  const { pipeline, enricher, costlyRules: { ruleTests } } = detection
  const endings = [
    () => ruleTests.close(), () => pipeline.close(), () => outbox.close(), () => enricher.flush(), () => trail.flush(),
    () => bus.close(), () => events.close(), () => state.close(),
  ]
  for (const end of endings) {
    await end().catch((error: unknown) => log.error('a component failed to close', { error: getErrorMessage(error) }))
  }
}

function toSettingDefaults({ retentionEventsDays, retentionAlertsDays, retentionAuditDays }: Config): TenantSettings {
  return {
    ...settingDefaults,
    eventsRetentionDays: retentionEventsDays, alertsRetentionDays: retentionAlertsDays, auditRetentionDays: retentionAuditDays,
  }
}

async function takeLock(dataDir: string): Promise<DataDirLock> {
  return lockDataDir(dataDir)
}

type OpenStores = Pick<AppOptions, 'keys' | 'state' | 'bus' | 'events' | 'turns'>

/** Opens the stores below the data directory. */
async function openStores(
  { dataDir }: Config, { monitor, io, log }: { readonly monitor: ServerMonitor; readonly io: Runtime; readonly log: Log },
): Promise<OpenStores> {
  const openDisk = (store: string): FileSystem =>
    measureSyncs(nodeFileSystem(join(dataDir, store)), io.elapsedMs, (durationMs) => monitor.synced(store, durationMs))
  const { storage } = exitCodes
  const keys = await exitOnError(storage, 'the keys of the installation cannot be read', openInstallationKeys(dataDir, io))
  const state = await openState({
    path: getStateFile(dataDir),
    auditKey: keys.audit,
    onDamagedRow: (table) => log.error('a row of the state database is corrupted and is not used', { table }),
  }).catch((error: unknown) => {
    throw createStateExit(error, dataDir)
  })
  const disk = openDisk('bus')
  const isUpgraded = (await exitOnError(storage, 'the bus cannot be opened', disk.list('topics'))).includes('alerts')
  const busTopics = { ...topics, ...(isUpgraded && legacyTopics) }
  const bus = await exitOnError(storage, 'the bus cannot be opened', openLocalBus({ disk, topics: busTopics }))
  const adoptedCount = isUpgraded ? await adoptAlertNotices(bus, state.domainEvents) : 0
  if (adoptedCount > 0) log.info('alerts that waited to be announced are domain events now', { count: adoptedCount })
  const turns = new FairTurns()
  const eventsOpening = openSegmentEventStore({
    disk: openDisk('events'),
    elapsedMs: io.elapsedMs,
    takeTurn: (tenant, work) => turns.next(work === 'store' ? `store ${tenant}` : tenant, [tenant]),
    onDamage: ({ kind, tenant, file, offset, eventCount, problem }) => {
      const message = kind === 'lost' ? 'stored events are lost: their block is corrupted' : 'a corrupted block of events was repaired'
      log.error(message, { tenant, file: `events/${file}`, offset, events: eventCount, problem })
    },
    onProblem: (problem) => log.error(problem),
  })
  const events = await exitOnError(storage, 'the events cannot be opened', eventsOpening)
  return { keys, state, bus, events, turns }
}

/** The end for a state that cannot be opened: a newer one needs another program, a corrupted one a backup. */
function createStateExit(error: unknown, dataDir: string): ExitError {
  const sentence = `the state cannot be opened: ${getErrorMessage(error)}`
  if (error instanceof NewerSchemaError) return configurationError(sentence, { cause: error })
  const file = getStateFile(dataDir)
  const remedy = `${file} is corrupted. Run 'tripline verify --data-dir ${dataDir}' to see what is affected, and restore the file ` +
    `from a backup; without one, 'sqlite3 ${file} .recover' saves what can be read`
  return new ExitError(exitCodes.storage, isCorruptionError(error) ? `${sentence}; ${remedy}` : sentence, { cause: error })
}
