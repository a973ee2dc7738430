import { getErrorMessage } from '@tripline/common/error-message'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import { sleep } from '@tripline/common/sleep'
import { nodeFileSystem } from '@tripline/storage/disk/file-system'
import { arch, hostname, platform, release } from 'node:os'
import { readCredential } from './config/credential.ts'
import type { Credential } from './config/credential.ts'
import { readConfiguration } from './config/read-config.ts'
import type { Configuration } from './config/read-config.ts'
import { openControlServer } from './control/control-server.ts'
import type { ControlHandler } from './control/control-server.ts'
import type { LogBuffer } from './control/log-buffer.ts'
import { deliver } from './delivery/deliver.ts'
import type { DeliveryState } from './delivery/deliver.ts'
import { sendHeartbeats } from './delivery/heartbeat.ts'
import { EdgeDetector } from './detection/edge-detector.ts'
import { limits } from './limits.ts'
import { SourceTask } from './sources/source-task.ts'
import { Spool } from './spool/spool.ts'
import { readCollectorVersion } from './version.ts'

type CollectorDeps = Pick<Runtime, 'now' | 'elapsedMs' | 'randomBytes' | 'environment'> & { readonly logs: LogBuffer }

/** A running collector: sources fill the spool, delivery empties it. */
export class RunningCollector {
  readonly #deps: CollectorDeps
  readonly #log: Log
  readonly #path: string
  readonly #spool: Spool
  readonly #credential: Credential
  readonly #ending = new AbortController()
  readonly #delivery: DeliveryState = { sentCount: 0, refusedCount: 0, lastError: null }
  readonly #heartbeat: { lastError: string | null } = { lastError: null }
  readonly #startedMs: number
  #config: Configuration
  #detector: EdgeDetector | undefined
  #tasks: SourceTask[] = []
  #lastCpu = process.cpuUsage()
  #lastCpuMs: number
  #work: Promise<unknown> = Promise.resolve()
  #control: { readonly close: () => Promise<void> } | undefined

  private constructor(deps: CollectorDeps, path: string, config: Configuration, spool: Spool, credential: Credential) {
    this.#deps = deps
    this.#log = deps.logs.log
    this.#path = path
    this.#config = config
    this.#spool = spool
    this.#credential = credential
    this.#useRules(config)
    this.#startedMs = this.#lastCpuMs = deps.elapsedMs()
  }

  /** Reads the configuration and starts all sources. @throws ExitError if it is invalid or the collector is not enrolled. */
  static async start(deps: CollectorDeps, path: string): Promise<RunningCollector> {
    const config = await readConfiguration(path, deps.environment)
    const { data_dir: dataDir, buffer: { max_bytes: capacityBytes } } = config.collector
    const credential = await readCredential(dataDir)
    if (credential === undefined) {
      throw new ExitError(exitCodes.configuration, 'the collector is not enrolled; run tripline-collector enroll --token TOKEN first')
    }
    const { now, randomBytes } = deps
    const createId = (): string => Buffer.from(randomBytes(12)).toString('hex')
    const spool = await Spool.open(nodeFileSystem(dataDir), { capacityBytes, now, createId })
    const collector = new RunningCollector(deps, path, config, spool, credential)
    collector.#control = await openControlServer(config.controlSocket, collector.#handle)
    collector.#startTasks(config.sources.map((source) => collector.#createTask(source)))
    collector.#startDelivery()
    return collector
  }

  /** Rejects when the disk of the spool failed. */
  async watchFailure(signal: AbortSignal): Promise<never> {
    for (;;) {
      await sleep(1_000, signal)
      if (this.#spool.failure !== undefined) throw new ExitError(exitCodes.storage, this.#spool.failure.message)
      if (signal.aborted) return await new Promise<never>(() => {})
    }
  }

  /** Reads the files again. What did not change goes on; with any error all goes on as it was. @throws ExitError. */
  async reload(): Promise<string> {
    const next = await readConfiguration(this.#path, this.#deps.environment)
    const fixed = ['data_dir', 'control_socket'] as const
    const moved = fixed.find((key) => next.collector[key] !== this.#config.collector[key])
    if (moved !== undefined) throw new ExitError(exitCodes.configuration, `${moved} changes only with a restart`)
    if (next.collector.buffer.max_bytes !== this.#config.collector.buffer.max_bytes) {
      throw new ExitError(exitCodes.configuration, 'buffer.max_bytes changes only with a restart')
    }
    const isSame = (task: SourceTask): boolean => next.sources.some((source) => JSON.stringify(source) === JSON.stringify(task.config))
    const kept = this.#tasks.filter(isSame)
    const ended = this.#tasks.filter((task) => !kept.includes(task))
    const added = next.sources.filter((source) => !kept.some(({ config }) => config.name === source.name))
    const summary = `${added.length} sources started, ${ended.length} stopped, ${kept.length} unchanged`
    // A port is free only once the source that had it has ended.
    await Promise.all(ended.map((task) => task.stop()))
    for (const { config: { name } } of ended) if (!next.sources.some((source) => source.name === name)) this.#spool.forget(name)
    this.#config = next
    this.#useRules(next)
    this.#tasks = kept
    this.#startTasks(added.map((source) => this.#createTask(source)))
    this.#log.info('the configuration was read again', { summary, config_version: next.version })
    return summary
  }

  /** What `status` shows. */
  describe(): { readonly [name: string]: unknown } {
    const { events, bytes, capacityBytes, oldestAt } = this.#spool.stats
    return {
      collector_id: this.#credential.collectorId, version: readCollectorVersion(), server: this.#config.collector.server.url,
      uptime_seconds: Math.round((this.#deps.elapsedMs() - this.#startedMs) / 1_000), config_version: this.#config.version,
      connection: this.#delivery.lastError ?? this.#heartbeat.lastError ?? 'ok', events_sent: this.#delivery.sentCount,
      events_refused: this.#delivery.refusedCount,
      detect: this.#detector === undefined ? 'server' : {
        rules: this.#config.edgeRules?.ruleCount ?? 0, events: this.#detector.eventCount, alerts: this.#detector.alertCount,
      },
      buffer: { events, bytes, capacity_bytes: capacityBytes, oldest_event_at: printInstant(oldestAt), dropped_total: this.#droppedTotal },
      sources: this.#tasks.map((task) => task.describe()),
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#tasks.map((task) => task.stop()))
    this.#ending.abort()
    await this.#work
    await this.#control?.close()
    await this.#spool.close()
  }

  get #droppedTotal(): number {
    return this.#spool.stats.droppedTotal + this.#tasks.reduce((sum, { droppedCount }) => sum + droppedCount, 0)
  }

  /** Rules that are read again keep the windows of those that did not change. */
  #useRules({ edgeRules }: Configuration): void {
    if (edgeRules === undefined) {
      this.#detector = undefined
      return
    }
    const { problems, ruleCount } = edgeRules
    const { problemsLoggedMax } = limits.edge
    for (const problem of problems.slice(0, problemsLoggedMax)) this.#log.warn('a rule cannot run', { problem })
    this.#log.info('rules run in the collector', { rules: ruleCount, not_loaded: problems.length })
    if (this.#detector === undefined) this.#detector = new EdgeDetector(edgeRules, this.#deps.now)
    else this.#detector.useRules(edgeRules)
  }

  /** Has windows of correlations end that only time ends. */
  async #advanceWindows(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(limits.edge.advanceMs, signal)
      const alerts = this.#detector?.advance() ?? []
      if (alerts.length > 0) await this.#spool.append('', alerts)
    }
  }

  #createTask(config: Configuration['sources'][number]): SourceTask {
    const { now, elapsedMs } = this.#deps
    return new SourceTask(config, {
      now, elapsedMs, sleep, hostname: hostname(), log: this.#log, spool: this.#spool, getDetector: () => this.#detector,
    })
  }

  #startTasks(tasks: readonly SourceTask[]): void {
    this.#tasks.push(...tasks)
    for (const task of tasks) task.start()
  }

  #startDelivery(): void {
    const { signal } = this.#ending
    const credential = this.#credential
    const server = { url: this.#config.collector.server.url, ca: this.#config.ca }
    const log = this.#log
    this.#work = Promise.all([
      this.#advanceWindows(signal),
      deliver({ spool: this.#spool, server, credential, sleep, log }, this.#delivery, signal),
      sendHeartbeats({
        server, credential, sleep, log, describe: () => this.#describeHeartbeat(),
        onRefused: (refused) => {
          for (const task of this.#tasks) {
            const reason = refused.get(task.config.name)
            if (reason !== undefined) void task.refuse(reason)
          }
        },
      }, this.#heartbeat, signal),
    ]).catch((error: unknown) => log.error('delivery failed', { error: getErrorMessage(error) }))
  }

  #describeHeartbeat(): object {
    const nowMs = this.#deps.elapsedMs()
    const { user, system } = process.cpuUsage(this.#lastCpu)
    const cpuPercent = nowMs > this.#lastCpuMs ? (user + system) / 10 / (nowMs - this.#lastCpuMs) : 0
    this.#lastCpu = process.cpuUsage()
    this.#lastCpuMs = nowMs
    const { events, bytes, capacityBytes, oldestAt } = this.#spool.stats
    const sources = this.#tasks.map((task) => {
      const { name, type, status, events_per_second, last_event_at, last_error: error, ...counted } = task.describe()
      task.resetRate()
      return {
        name, type, status, events_per_second, last_event_at, last_error: error?.slice(0, limits.delivery.errorLengthMax) ?? null,
        counts: { events: counted.events_total, bytes: counted.bytes_total, dropped: counted.dropped_total },
      }
    })
    return {
      version: readCollectorVersion(), hostname: hostname(), os: `${platform()} ${release()} ${arch()}`, os_family: platform(),
      uptime_seconds: Math.round((nowMs - this.#startedMs) / 1_000), sent_at: new Date(this.#deps.now()).toISOString(),
      health: {
        cpu_percent: Math.round(cpuPercent * 10) / 10, memory_mb: Math.round(process.memoryUsage.rss() / 1_048_576),
        last_error: this.#delivery.lastError?.slice(0, limits.delivery.errorLengthMax) ?? null, config_version: this.#config.version,
      },
      sources,
      buffer: { events, bytes, capacity_bytes: capacityBytes, oldest_event_at: printInstant(oldestAt), dropped_total: this.#droppedTotal },
    }
  }

  readonly #handle: ControlHandler = async ({ command, ...options }, send, signal) => {
    switch (command) {
      case 'status': return send(this.describe())
      case 'reload': {
        try {
          return send({ ok: await this.reload() })
        } catch (error) {
          this.#log.error('the configuration was not read again; the old one goes on', { error: getErrorMessage(error) })
          throw error
        }
      }
      case 'logs': {
        const source = typeof options['source'] === 'string' ? options['source'] : undefined
        for (const entry of this.#deps.logs.last(Number(options['count'] ?? 50), source)) send(entry)
        if (options['follow'] === true) await this.#deps.logs.follow(source, send, signal)
        return
      }
      default: throw new Error(`the collector does not know the command '${command}'`)
    }
  }
}

function printInstant(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString()
}
