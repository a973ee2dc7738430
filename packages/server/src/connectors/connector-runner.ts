import type { Connector } from '../domain/connector.ts'
import { messageOf } from '../domain/error-message.ts'
import { OneByOne } from '../domain/serial-queue.ts'
import type { TenantId } from '../domain/tenant.ts'
import { limits } from '../limits.ts'
import type { ConnectorRoom } from './connector-deps.ts'
import { ConnectorTask } from './connector-task.ts'
import { repeat } from './run-every.ts'

/** Runs the connectors that are enabled, each by a task of its own, and keeps what they bring. */
export class ConnectorRunner {
  readonly #room: ConnectorRoom
  readonly #tasks = new Map<string, ConnectorTask>()
  /** The tenants that were active when they were last looked at. */
  readonly #active = new Set<TenantId>()
  readonly #ending = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #works = new OneByOne()
  #isRunning = false
  #house: Promise<void> = Promise.resolve()

  constructor(room: ConnectorRoom) {
    this.#room = room
  }

  /** Starts all that are enabled, of all tenants that are active. What is taken up before that only counts from here on. */
  start(): Promise<void> {
    return this.#works.run(() => this.#beginAll())
  }

  /**
   * Takes up a connector as it is stored now: starts it, ends it, or puts a task with its new settings in the place
   * of the old one, which finishes nothing that it has begun. One after the other, so that the last call counts.
   */
  apply(tenant: TenantId, connectorId: string): Promise<void> {
    return this.#works.run(async () => {
      const runs = this.#isRunning && !this.#stopping.signal.aborted
      if (runs) await this.#follow()
      this.#end(keyOf(tenant, connectorId))
      const connector = await this.#room.state.connectors.get(tenant, connectorId)
      if (connector === undefined) this.#room.traffic.forget(tenant, connectorId)
      else if (runs && this.#active.has(tenant)) this.#begin(tenant, connector)
    }).catch((error: unknown) => {
      this.#room.log.error('a connector could not be taken up', { connector: connectorId, error: messageOf(error) })
    })
  }

  /**
   * Takes up what became of tenants: those that were switched on since have their connectors run, those that were switched
   * off have none. Done now and then by itself, for who switches in another process.
   */
  followTenants(): Promise<void> {
    return this.#works.run(async () => {
      if (this.#isRunning && !this.#stopping.signal.aborted) await this.#follow()
    }).catch((error: unknown) => {
      this.#room.log.error('it could not be seen which tenants are switched on', { error: messageOf(error) })
    })
  }

  /** Ends all tasks, waits for what they have in hand, and keeps what came in. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#works.done()
    for (const key of this.#tasks.keys()) this.#end(key)
    await Promise.all([...this.#ending, this.#house])
    await this.#room.traffic.save(this.#room.state.connectors)
  }

  async #beginAll(): Promise<void> {
    await this.#follow()
    this.#isRunning = true
    this.#house = this.#keepHouse()
  }

  async #follow(): Promise<void> {
    const { state } = this.#room
    for (const { id, isActive } of await state.tenants.list()) {
      if (isActive === this.#active.has(id)) continue
      if (isActive) this.#active.add(id)
      else this.#active.delete(id)
      for (const connector of await state.connectors.list(id)) {
        if (isActive) this.#begin(id, connector)
        else this.#end(keyOf(id, connector.id))
      }
    }
  }

  #begin(tenant: TenantId, connector: Connector): void {
    if (connector.isEnabled) this.#tasks.set(keyOf(tenant, connector.id), new ConnectorTask(this.#room, tenant, connector))
  }

  #end(key: string): void {
    const task = this.#tasks.get(key)
    if (task === undefined) return
    this.#tasks.delete(key)
    const ended = task.end().then(() => void this.#ending.delete(ended))
    this.#ending.add(ended)
  }

  /** Keeps totals every few seconds, and forgets old history now and then. */
  #keepHouse(): Promise<void> {
    const { state, traffic, sleep, io, log } = this.#room
    const { totalsEveryMs, historyKeptMs } = limits.connector
    let cleanedAt = Number.NEGATIVE_INFINITY
    return repeat(sleep, {
      signal: this.#stopping.signal,
      afterFailureMs: totalsEveryMs,
      onFailure: (error) => log.error('what came in through connectors could not be kept', { error: messageOf(error) }),
    }, async () => {
      await traffic.save(state.connectors)
      await this.followTenants()
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
