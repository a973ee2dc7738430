import { getErrorMessage } from '@tripline/common/error-message'
import { SerialQueue } from '@tripline/common/serial-queue'
import type { Connector } from '@tripline/model/connector'
import type { TenantId } from '@tripline/model/tenant'
import { limits } from '../limits.ts'
import type { ConnectorDeps } from './connector-deps.ts'
import { ConnectorTask } from './connector-task.ts'
import { runEvery } from './run-every.ts'

const cleanEveryMs = 3_600_000

/** Runs the enabled connectors, each in its own task, and saves their counters. */
export class ConnectorRunner {
  readonly #deps: ConnectorDeps
  readonly #tasks = new Map<string, ConnectorTask>()
  /** The tenants that were active at the last look. */
  readonly #active = new Set<TenantId>()
  readonly #ending = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #queue = new SerialQueue()
  #isRunning = false
  #maintenance: Promise<void> = Promise.resolve()

  constructor(room: ConnectorDeps) {
    this.#deps = room
  }

  /** Starts the enabled connectors of all active tenants. `apply` starts nothing before this. */
  start(): Promise<void> {
    return this.#queue.run(() => this.#startAll())
  }

  /**
   * Applies the stored settings of a connector: starts it, stops it, or replaces its task. Calls run one after the
   * other, so the last one counts.
   */
  apply(tenant: TenantId, connectorId: string): Promise<void> {
    return this.#queue.run(async () => {
      const runs = this.#isRunning && !this.#stopping.signal.aborted
      if (runs) await this.#syncTenants()
      this.#endTask(keyOf(tenant, connectorId))
      const connector = await this.#deps.state.connectors.get(tenant, connectorId)
      if (connector === undefined) this.#deps.counters.forget(tenant, connectorId)
      else if (runs && this.#active.has(tenant)) this.#startTask(tenant, connector)
    }).catch((error: unknown) => {
      this.#deps.log.error('a connector could not be started or stopped', { connector: connectorId, error: getErrorMessage(error) })
    })
  }

  /**
   * Follows changes of tenants: starts the connectors of enabled tenants and stops those of disabled ones. Also runs
   * periodically, because another process may change tenants.
   */
  syncTenants(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#isRunning && !this.#stopping.signal.aborted) await this.#syncTenants()
    }).catch((error: unknown) => {
      this.#deps.log.error('the active tenants could not be read', { error: getErrorMessage(error) })
    })
  }

  /** Stops all tasks, waits for them, and saves the counters. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#queue.done()
    for (const key of this.#tasks.keys()) this.#endTask(key)
    await Promise.all([...this.#ending, this.#maintenance])
    await this.#deps.counters.save(this.#deps.state.connectors)
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

  /** Saves the counters every few seconds and removes old history once an hour. */
  #runMaintenance(): Promise<void> {
    const { state, counters, sleep, io, log } = this.#deps
    const { totalsEveryMs, historyKeptMs } = limits.connector
    let cleanedAt = Number.NEGATIVE_INFINITY
    return runEvery(sleep, {
      signal: this.#stopping.signal,
      afterFailureMs: totalsEveryMs,
      onFailure: (error) => log.error('connector totals could not be saved', { error: getErrorMessage(error) }),
    }, async () => {
      await counters.save(state.connectors)
      await this.syncTenants()
      if (io.now() - cleanedAt < cleanEveryMs) return totalsEveryMs
      const before = io.now() - historyKeptMs
      for (const { id } of await state.tenants.list()) await state.connectors.removeOldHistory(id, before)
      cleanedAt = io.now()
      return totalsEveryMs
    })
  }
}

function keyOf(tenant: TenantId, connectorId: string): string {
  return JSON.stringify([tenant, connectorId])
}
