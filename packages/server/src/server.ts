import { getErrorMessage } from '@tripline/common/error-message'
import { exitCodes } from '@tripline/common/exit-error'
import type { Log } from '@tripline/common/log'
import { isLoopback } from '@tripline/common/network'
import type { Runtime } from '@tripline/common/runtime'
import { onlyTenant } from '@tripline/model/tenant'
import { settingDefaults } from '@tripline/model/tenant-settings'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import { openDataDir, writeFirstPassword } from '@tripline/state/data-dir'
import { lockDataDir } from '@tripline/state/data-dir-lock'
import type { DataDirLock } from '@tripline/state/data-dir-lock'
import { JobRunner } from '@tripline/state/jobs/job-runner'
import type { ScheduledJob } from '@tripline/state/ports/job-store'
import { nodeFileSystem } from '@tripline/storage/disk/file-system'
import { createHttp } from './http/http.ts'
import type { Readiness } from './http/health.ts'
import { createKeyRotationJobs } from './areas/sessions/rotate-signing-key.ts'
import { systemPrincipal } from './areas/shared/admin-deps.ts'
import { createFirstAdmin } from './areas/users/first-admin.ts'
import type { FirstCredentials } from './areas/users/first-admin.ts'
import { removeOldResponses, abandonRunningRequests } from './http/idempotent-requests.ts'
import { openApp } from './open-app.ts'
import { isPortIn } from './config/read-setting.ts'
import type { SyslogPlaces } from './ingestion/syslog/syslog-listeners.ts'
import type { App, Delivery, Detection } from './app.ts'
import { openStores } from './open-stores.ts'
import type { OpenStores, OwnStores } from './open-stores.ts'
import { SigningKeyWatch } from './access/tokens/stored-signing-keys.ts'
import { ExpiryWatch, expiryCheckMs } from './expiry/expiry-watch.ts'
import { listExpiries } from './expiry/list-expiries.ts'
import { openRetentionClock } from './retention/retention.ts'
import { createBackupJobs } from './backup/backup-job.ts'
import { createRetentionJob } from './retention/run-retention.ts'
import { AuditAggregator } from './audit/audit-aggregator.ts'
import { runTask, startPeriodicTasks } from './runtime/periodic-tasks.ts'
import type { PeriodicTask } from './runtime/periodic-tasks.ts'
import { planConnections, readDescriptorLimit } from './host/descriptor-limit.ts'
import type { HttpListenerOptions } from './listener/http-listener.ts'
import { openListeners } from './listener/open-listeners.ts'
import { checkKeys } from './config/check-keys.ts'
import { openSettings, readFirstPassword } from './config/open-settings.ts'
import type { OpenedSettings } from './config/open-settings.ts'
import { exitOnError } from './runtime/exit-on-error.ts'
import { limits } from './limits.ts'
import { createLog } from './runtime/log.ts'
import { runMetrics } from './metrics/run-metrics.ts'
import { ServerMonitor } from './metrics/server/server-monitor.ts'
import type { Config } from './config/settings.ts'
import type { TlsFiles } from './config/tls-files.ts'
import { createTlsReloader } from './config/tls-files.ts'
import { createHostStatsReader, readDiskSpace } from './host/read-host-stats.ts'
import { createVerificationJobs, verifyInThread } from './verification/scheduled-verification.ts'
import { findSiteFolder, openSite } from './site/open-site.ts'
import { serveSite } from './site/serve-site.ts'
import { monitorDiskSpace } from './host/disk-space-monitor.ts'
import type { DiskSpaceMonitor } from './host/disk-space-monitor.ts'

/** A server behind whatever receives its requests. */
export type OpenServer<Entrance> = {
  readonly entrance: Entrance
  /** The first admin's credentials; undefined if a tenant already exists. */
  readonly firstAdmin: FirstCredentials | undefined
  /** The file that holds the first admin's password, readable by the owner of the data directory alone. */
  readonly firstPasswordFile: string | undefined
  /** Creates the token of a login link for the first admin; undefined unless on a first start, with the console, on loopback alone. */
  readonly createLoginLink: () => Promise<string | undefined>
  /** Starts the thread for costly rule tests, which is otherwise started by the first of them. */
  readonly prepareRuleTests: () => void
  /** Resolves with the error that stopped the pipeline, such as a failed disk. The process must end then. */
  readonly failed: Promise<unknown>
  /** Resolves when all events accepted so far have been evaluated. */
  readonly untilIdle: () => Promise<void>
  /** Stops accepting requests, waits for running ones up to the configured grace period, then closes everything. */
  readonly close: () => Promise<void>
}

/** A running server. */
export type RunningServer = Omit<OpenServer<never>, 'entrance'> & { readonly port: number }

/** What receives requests: the server's own listener, or the HTTP server of a program that embeds it. */
type Entrance = {
  /** The address that it listens on, if it does so itself. */
  readonly address?: string
  readonly useTls: (files: TlsFiles) => void
  /** Ends after running requests, at the latest after a grace period. */
  readonly close: (graceMs: number) => Promise<void>
}

type OpenOptions<Kind extends Entrance> = {
  readonly io: Runtime
  /** Stores that a program opened itself. */
  readonly ownStores?: OwnStores
  readonly openEntrance: (options: HttpListenerOptions, log: Log) => Promise<Kind>
}

/**
 * Starts a server: data directory, keys, state, bus, events, use cases with their pipeline, HTTP, in this order; closes in
 * reverse order. Resolves once it listens.
 *
 * @throws ExitError 70 if the data directory or its content cannot be used, 78 for an unreadable rule path or an unusable
 *   address.
 */
export async function startServer(config: Config, io: Runtime): Promise<RunningServer> {
  const openEntrance = (options: HttpListenerOptions, log: Log) => openListeners(config, options, log)
  const { entrance: { port }, ...server } = await openServer(config, { io, openEntrance })
  return { ...server, port }
}

/**
 * Opens a server behind an entrance, as `startServer` does behind a listener.
 *
 * @throws ExitError as `startServer`.
 */
export async function openServer<Kind extends Entrance>(config: Config, options: OpenOptions<Kind>): Promise<OpenServer<Kind>> {
  await checkKeys(config)
  const given = await openSettings(config, options.io)
  await exitOnError(exitCodes.storage, `data directory '${config.dataDir}' cannot be used`, openDataDir(config.dataDir))
  const held = await exitOnError(exitCodes.storage, `data directory '${config.dataDir}' cannot be used`, takeLock(config.dataDir))
  try {
    const server = await openLocked(config, given, options)
    return { ...server, close: () => server.close().finally(held.release) }
  } catch (error) {
    held.release()
    throw error
  }
}

/** Opens the server once the data directory is locked. */
async function openLocked<Kind extends Entrance>(
  config: Config, { tls, ...given }: OpenedSettings, { io, ownStores = {}, openEntrance }: OpenOptions<Kind>,
): Promise<OpenServer<Kind>> {
  const log = createLog(io)
  const descriptorsMax = await readDescriptorLimit()
  const { connectionsMax, warning } = planConnections(config.listenConnectionsMax, descriptorsMax)
  if (warning !== undefined) log.warn(warning)
  const readiness: Readiness = { state: 'starting' }
  const { promise: failed, resolve: onFailure } = Promise.withResolvers<unknown>()
  const monitor = new ServerMonitor(createHostStatsReader(config.dataDir), io.countDroppedLogLines)
  const dataDisk = { disk: nodeFileSystem(config.dataDir), readSpace: () => readDiskSpace(config.dataDir) }
  const room = monitorDiskSpace({ ...dataDisk, readiness, log, onChecked: (space) => (monitor.diskSpace = space) })
  const { stores, closeStores } = await openStores(config, ownStores, { monitor, io, log })
  const isFirstStart = (await stores.state.tenants.list()).length === 0
  const firstPassword = isFirstStart ? await readFirstPassword(config, io) : undefined
  const defaults = toSettingDefaults(config)
  const trustedAt = config.trustedTime === '' ? undefined : Date.parse(config.trustedTime)
  const retentionClock = await openRetentionClock(io, trustedAt, stores, log)
  const isPublicOverTls = tls !== undefined || config.publicUrl.startsWith('https:')
  const trail = new AuditAggregator({ state: stores.state, clock: io, log })
  const app = await exitOnError(exitCodes.storage, 'the pipeline cannot resume', openApp({
    ...stores, ...given, publicUrl: config.publicUrl, isPublicOverTls, allowedOrigins: config.allowedOrigins,
    secondFactorPolicy: { isRequiredForOperators: config.requireOperatorMfa, isProvenByIssuer: config.trustIssuerMfa },
    settingDefaults: defaults, retentionClock, trail, readiness, syslog: planSyslog(config, connectionsMax, descriptorsMax),
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
  const backend: Backend = { closeStores, trail, detection: app.detection, outbox: app.delivery.outbox }
  const toEntrance = { fetch, websocket: app.delivery.push.websocket, monitor, connectionsMax, tls }
  const entrance = await openEntrance(toEntrance, log).catch(async (error: unknown) => {
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
  const signingKeys = new SigningKeyWatch({ dataDir: config.dataDir, records: stores.keys.signing, use: app.identity.useSigningKeys })
  let tlsInUse = tls
  const expiries = new ExpiryWatch({
    list: () => listExpiries({ state: stores.state, getTls: () => tlsInUse, issuer: given.externalIssuer }), monitor, clock: io, log,
  })
  const checkExpiries: PeriodicTask = { everyMs: expiryCheckMs, work: () => expiries.check(), failure: 'what expires could not be read' }
  const reloadTls = tls && createTlsReloader({
    config, files: tls, io, log,
    use: (files) => {
      tlsInUse = files
      entrance.useTls(files)
      void runTask(checkExpiries, log)
    },
  })
  // Without TLS there is nothing to read again, and a signal to do so must not end the server.
  const stopReloads = io.onReloadSignal?.(() => void reloadTls?.())
  await app.connectors.runner.start()
  await app.delivery.webhooks.sender.start()
  await app.delivery.channels.sender.start()
  const stopMetrics = runMetrics(app.metrics, log)
  const jobs = new JobRunner({
    store: stores.state.jobs, clock: io, log, owner: Buffer.from(io.randomBytes(8)).toString('hex'),
    jobs: [
      createCleanupJob(stores.state, io),
      app.delivery.playbookRunner.createJob(), app.delivery.evidence.createJob(), app.delivery.backtests.createJob(),
      app.delivery.reports.maker.createJob(), app.delivery.reports.schedules, app.delivery.erasures.createJob(),
      createRetentionJob({ ...stores, retentionClock, settingDefaults: defaults, metrics: app.metrics }, log),
      ...await createBackupJobs(config, log),
      ...createKeyRotationJobs({ ...admins, dataDir: config.dataDir }, {
        days: config.signingKeyDays, watch: signingKeys, caller: systemPrincipal(onlyTenant, 'schedule'),
      }),
      ...await createVerificationJobs({
        // What lies elsewhere is verified by the program that opened it.
        disk: nodeFileSystem(config.dataDir), everyMs: Object.keys(ownStores).length > 0 ? 0 : config.verifyHours * 3_600_000,
        events: stores.events, monitor, clock: io, log, verify: (signal) => verifyInThread(config.dataDir, signal),
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
    ...createPeriodicTasks(backend, { room, jobs, io }), ...createCollectorTasks(app.connectors.collectorWatch),
    checkExpiries,
    { everyMs: limits.auth.signingKeyCheckMs, work: () => signingKeys.check(), failure: 'the signing keys could not be read' },
    ...reloadTls === undefined ? [] : [{ everyMs, work: reloadTls, failure: 'the TLS certificate could not be read' }],
  ], log)
  void runTask(checkExpiries, log)
  readiness.state = 'ready'
  void failed.then(() => (readiness.state = 'failed'))
  return {
    entrance, firstAdmin, firstPasswordFile,
    createLoginLink: async () => {
      const { address } = entrance
      const isOfThisMachine = tls === undefined && !config.behindProxy && address !== undefined && isLoopback(address)
      const isAlone = site !== undefined && isOfThisMachine
      const admin = firstAdmin && isAlone ? await stores.state.users.findByEmail(onlyTenant, firstAdmin.email) : undefined
      return admin && app.identity.loginLink.create({ tenant: onlyTenant, userId: admin.id })
    },
    prepareRuleTests: () => app.detection.costlyRules.ruleTests.prepare(),
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
      await entrance.close(config.shutdownGraceMs)
      await app.connectors.runner.stop()
      await app.connectors.collectorWatch.save()
      await app.delivery.webhooks.sender.stop()
      await app.delivery.channels.sender.stop()
      await jobs.stop()
      await app.delivery.playbookRunner.stop()
      await app.delivery.evidence.stop()
      await app.delivery.reports.maker.stop()
      await Promise.all([app.delivery.erasures.stop(), app.delivery.backtests.stop()])
      await stopMetrics()
      await closeBackend(backend, log)
      log.info('closed')
    },
  }
}

/** What lies behind the listener and is closed after it. */
type Backend = {
  readonly closeStores: readonly (() => Promise<void>)[]
  readonly trail: AuditAggregator
  readonly detection: Detection
  readonly outbox: Delivery['outbox']
}

/** Watches collectors, and saves what they sent. */
function createCollectorTasks(watch: App['connectors']['collectorWatch']): readonly PeriodicTask[] {
  const { checkMs: everyMs } = limits.collectors
  return [
    { everyMs, work: () => watch.check(), failure: 'silent collectors could not be marked as offline' },
    { everyMs, work: () => watch.save(), failure: 'the totals of collectors could not be saved' },
  ]
}

/** Where connectors may listen, with the connections that are left of the descriptors of the process. */
function planSyslog({ listen, syslogPorts }: Config, httpConnectionsMax: number, descriptorsMax = Number.POSITIVE_INFINITY): SyslogPlaces {
  const left = descriptorsMax - httpConnectionsMax - limits.connections.descriptorsReserved
  return {
    host: listen.host, isAllowedPort: (port) => isPortIn(syslogPorts, port), allowedPorts: syslogPorts.join(', '),
    connectionsMax: Math.max(limits.connections.availableMin, Math.min(limits.syslog.connectionsMax, left)),
  }
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
  { trail, detection: { pipeline, ruleBooks, enricher, sightings, names, exposureWatch } }: Backend,
  { room, jobs, io }: { readonly room: DiskSpaceMonitor; readonly jobs: JobRunner; readonly io: Runtime },
): readonly PeriodicTask[] {
  const { tickMs } = limits.correlation
  return [
    { everyMs: tickMs, work: () => pipeline.tick(io.now()), failure: 'correlation windows could not be closed' },
    { everyMs: tickMs, work: () => ruleBooks.expireExceptions(), failure: 'expired rule exceptions could not be removed' },
    { everyMs: tickMs, work: () => enricher.flush(), failure: 'indicator hits could not be saved' },
    { everyMs: limits.assets.flushMs, work: () => sightings.flush(), failure: 'sightings of assets could not be saved' },
    { everyMs: limits.assets.flushMs, work: () => names.flush(), failure: 'users and host names of events could not be saved' },
    { everyMs: limits.exposures.checkMs, work: () => exposureWatch.check(), failure: 'exposures of assets could not be reported to rules' },
    { everyMs: limits.audit.windowMs, work: () => trail.flush(), failure: 'repeated actions could not be recorded in the audit trail' },
    { everyMs: tickMs, work: () => room.check(), failure: 'free disk space could not be checked' },
    { everyMs: limits.jobs.tickMs, work: () => jobs.tick(), failure: 'jobs could not be started' },
  ]
}

/**
 * Closes everything behind the listener. After a disk failure one component may fail to close; the others are closed all the
 * same.
 */
async function closeBackend({ closeStores, trail, detection, outbox }: Backend, log: Log): Promise<void> {
  const { pipeline, enricher, sightings, names, costlyRules: { ruleTests } } = detection
  const endings = [
    () => ruleTests.close(), () => pipeline.close(), () => outbox.close(), () => enricher.flush(), () => sightings.flush(),
    () => names.flush(), () => trail.flush(), ...closeStores,
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
