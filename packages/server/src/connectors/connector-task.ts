import type { Connector, ConnectorCheck, ConnectorConfig } from '../domain/connector.ts'
import { messageOf } from '../domain/error-message.ts'
import type { SecretBox } from '../domain/secret-box.ts'
import type { TenantId } from '../domain/tenant.ts'
import { limits } from '../limits.ts'
import { changeHealth } from './update-health.ts'
import { checkSource, checksOfPoll } from './check-source.ts'
import type { DataFlow } from './check-source.ts'
import type { ConnectorRoom } from './connector-deps.ts'
import { openSettings } from './connector-settings.ts'
import { poll, retryDelayMs } from './poll.ts'
import { PollClient } from './poll-client.ts'
import { PollError } from './poll-error.ts'
import { parsePosition, printPosition } from './poll-position.ts'
import { pollTargetOf, secondsOf } from './poll-target.ts'
import { repeat } from './run-every.ts'
import { tenantEgress } from './tenant-egress.ts'

/** Runs one connector with the settings it was made with: polls it where that is its type, and checks it. */
export class ConnectorTask {
  readonly #room: ConnectorRoom
  readonly #tenant: TenantId
  readonly #connector: Connector
  readonly #ending = new AbortController()
  readonly #startedAt: number
  readonly #work: Promise<unknown>
  #client: PollClient | undefined
  /** Polls that failed one after the other. */
  #failureCount = 0
  /** How the last poll ended and when; before that instant the source wants to be left alone. */
  #lastPoll: { readonly at: number; readonly problem: PollError | undefined; readonly quietUntil: number } | undefined

  constructor(room: ConnectorRoom, tenant: TenantId, connector: Connector) {
    this.#room = room
    this.#tenant = tenant
    this.#connector = connector
    this.#startedAt = room.io.now()
    const polling = this.#repeat('polling a connector', () => this.#poll())
    const checking = this.#repeat('checking a connector', () => this.#check())
    this.#work = Promise.all([polling, checking])
  }

  /** Gives up what is under way and resolves when nothing of it is left. */
  async end(): Promise<void> {
    this.#ending.abort()
    await this.#work
  }

  #repeat(what: string, once: () => Promise<number | undefined>): Promise<void> {
    const { log, sleep } = this.#room
    return repeat(sleep, {
      signal: this.#ending.signal,
      afterFailureMs: limits.connector.checkEveryMs,
      onFailure: (error) => log.error(`${what} failed`, { connector: this.#connector.id, error: messageOf(error) }),
    }, once)
  }

  async #poll(): Promise<number | undefined> {
    const { state, take, traffic, turns, io } = this.#room
    const { id, type } = this.#connector
    if (type !== 'http_poll') return undefined
    const client = this.#pollClient()
    const { signal } = this.#ending
    try {
      await poll(client, {
        connectorId: id,
        position: parsePosition(await state.connectors.cursor(this.#tenant, id)),
        inTurn: (work) => turns.run(this.#tenant, signal, work),
        take: (events) => take(this.#tenant, id, events),
        note: (arrival) => traffic.note(this.#tenant, id, arrival),
        save: (position) => state.connectors.setCursor(this.#tenant, id, printPosition(position)),
        signal,
      })
      this.#failureCount = 0
      this.#lastPoll = { at: io.now(), problem: undefined, quietUntil: 0 }
      return client.target.intervalMs
    } catch (error) {
      if (signal.aborted) return undefined
      const delayMs = retryDelayMs(error, this.#failureCount++)
      if (!(error instanceof PollError)) {
        this.#room.log.warn('polled events could not be taken in', { connector: id, error: messageOf(error) })
        return delayMs
      }
      this.#lastPoll = { at: io.now(), problem: error, quietUntil: error.retryAfterMs === undefined ? 0 : io.now() + delayMs }
      return delayMs
    }
  }

  async #check(): Promise<number> {
    const { io, state, onTransition } = this.#room
    const { signal } = this.#ending
    const checks = await this.#look()
    if (!signal.aborted) {
      const place = { tenant: this.#tenant, connectorId: this.#connector.id, at: io.now() }
      const transition = await changeHealth(state, place, { kind: 'checked', at: place.at, checks })
      if (transition !== undefined) onTransition(transition)
    }
    return limits.connector.checkEveryMs
  }

  /** A poll that was answered just now is as good as a question; one that was told to wait asks nothing until then. */
  async #look(): Promise<readonly ConnectorCheck[]> {
    const { id, type } = this.#connector
    const now = this.#room.io.now()
    const last = this.#lastPoll
    if (last?.problem !== undefined && now < last.quietUntil) return checksOfPoll(last.problem, this.#flow())
    const isAnswered = last !== undefined && last.problem === undefined
    if (isAnswered && now - last.at < limits.connector.checkEveryMs) return checksOfPoll(undefined, this.#flow())
    try {
      const client = type === 'http_poll' ? this.#pollClient() : undefined
      const subject = { connectorId: id, type, client, flow: this.#flow() }
      return (await checkSource(subject, { sleep: this.#room.sleep, signal: this.#ending.signal })).checks
    } catch (error) {
      if (error instanceof PollError) return checksOfPoll(error, this.#flow())
      throw error
    }
  }

  #flow(): DataFlow {
    const { traffic, io } = this.#room
    const { eventsInLastMinute, lastEventAt } = traffic.of(this.#tenant, this.#connector.id)
    const quietForMs = io.now() - Math.max(lastEventAt ?? 0, this.#startedAt)
    return { eventsInLastMinute, quietForMs, quietAfterMs: secondsOf(this.#connector.config['quiet_after']) }
  }

  /** Its secrets are opened with the first use. @throws PollError where they were sealed under another key. */
  #pollClient(): PollClient {
    const { secrets, io } = this.#room
    const egress = tenantEgress(this.#room, this.#tenant)
    this.#client ??= new PollClient(pollTargetOf(this.#settings(secrets)), { egress, now: io.now })
    return this.#client
  }

  #settings(secrets: SecretBox): ConnectorConfig {
    try {
      return openSettings(secrets, this.#tenant, this.#connector)
    } catch {
      const message = 'the stored secrets cannot be opened with the key of this installation; send them again'
      throw new PollError('authentication', message)
    }
  }
}
