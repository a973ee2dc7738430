import type { Connector } from '../domain/connector.ts'
import { getErrorMessage } from '../domain/error-message.ts'
import { SerialQueue } from '../domain/serial-queue.ts'
import type { TenantId } from '../domain/tenant.ts'
import { limits } from '../limits.ts'
import type { ConnectorDeps } from './connector-deps.ts'
import { ConnectorTask } from './connector-task.ts'
import { runEvery } from './run-every.ts'

/** Runs the connectors that are enabled, each by a task of its own, and keeps what they bring. */
export class ConnectorRunner {
  readonly #deps: ConnectorDeps
  readonly #tasks = new Map<string, ConnectorTask>()
  /** The tenants that were active when they were last looked at. */
  readonly #active = new Set<TenantId>()
  readonly #ending = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #queue = new SerialQueue()
  #isRunning = false
  #maintenance: Promise<void> = Promise.resolve()

  constructor(room: ConnectorDeps) {
    this.#deps = room
  }

  /** Starts all that are enabled, of all tenants that are active. What is taken up before that only counts from here on. */
  start(): Promise<void> {
    return this.#queue.run(() => this.#startAll())
  }

  /**
   * Takes up a connector as it is stored now: starts it, ends it, or puts a task with its new settings in the place
   * of the old one, which finishes nothing that it has begun. One after the other, so that the last call counts.
   */
  apply(tenant: TenantId, connectorId: string): Promise<void> {
    return this.#queue.run(async () => {
      const runs = this.#isRunning && !this.#stopping.signal.aborted
      if (runs) await this.#syncTenants()
      this.#endTask(keyOf(tenant, connectorId))
      const connector = await this.#deps.state.connectors.get(tenant, connectorId)
      if (connector === undefined) this.#deps.traffic.forget(tenant, connectorId)
      else if (runs && this.#active.has(tenant)) this.#startTask(tenant, connector)
    }).catch((error: unknown) => {
      this.#deps.log.error('a connector could not be taken up', { connector: connectorId, error: getErrorMessage(error) })
    })
  }

  /**
   * Takes up what became of tenants: those that were switched on since have their connectors run, those that were switched
   * off have none. Done now and then by itself, for who switches in another process.
   */
  syncTenants(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#isRunning && !this.#stopping.signal.aborted) await this.#syncTenants()
    }).catch((error: unknown) => {
      this.#deps.log.error('it could not be seen which tenants are switched on', { error: getErrorMessage(error) })
    })
  }

  /** Ends all tasks, waits for what they have in hand, and keeps what came in. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#queue.done()
    for (const key of this.#tasks.keys()) this.#endTask(key)
    await Promise.all([...this.#ending, this.#maintenance])
    await this.#deps.traffic.save(this.#deps.state.connectors)
  }

  async #startAll(): Promise<void> {
    await this.#syncTenants()
    this.#isRunning = true
    this.#maintenance = this.#runMaintenance()
  }

  async #syncTenants(): Promise<void> {
    const { state } = this.#deps
    for (const { id, isActive } of await state.tenants.list()) {
      if (isActive === this.#active.has(id)) continue
      if (isActive) this.#active.add(id)
      else this.#active.delete(id)
      for (const connector of await state.connectors.list(id)) {
        if (isActive) this.#startTask(id, connector)
        else this.#endTask(keyOf(id, connector.id))
      }
    }
  }

  #startTask(tenant: TenantId, connector: Connector): void {
    if (connector.isEnabled) this.#tasks.set(keyOf(tenant, connector.id), new ConnectorTask(this.#deps, tenant, connector))
  }

  #endTask(key: string): void {
    const task = this.#tasks.get(key)
    if (task === undefined) return
    this.#tasks.delete(key)
    const ended = task.end().then(() => void this.#ending.delete(ended))
    this.#ending.add(ended)
  }

  /** Keeps totals every few seconds, and forgets old history now and then. */
  #runMaintenance(): Promise<void> {
    const { state, traffic, sleep, io, log } = this.#deps
    const { totalsEveryMs, historyKeptMs } = limits.connector
    let cleanedAt = Number.NEGATIVE_INFINITY
    return runEvery(sleep, {
      signal: this.#stopping.signal,
      afterFailureMs: totalsEveryMs,
      onFailure: (error) => log.error('what came in through connectors could not be kept', { error: getErrorMessage(error) }),
    }, async () => {
      await traffic.save(state.connectors)
      await this.syncTenants()
      if (io.now() - cleanedAt < cleanEveryMs) return totalsEveryMs
      const before = io.now() - historyKeptMs
      for (const { id } of await state.tenants.list()) await state.connectors.removeOldHistory(id, before)
      cleanedAt = io.now()
      return totalsEveryMs
    })
  }
}

const cleanEveryMs = 3_600_000

function keyOf(tenant: TenantId, connectorId: string): string {
  return JSON.stringify([tenant, connectorId])
}
