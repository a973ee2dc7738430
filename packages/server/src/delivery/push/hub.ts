import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import type { PushTopic } from '@tripline/contract/push/push'
import { isAllowed } from '@tripline/model/access/permission'
import type { TenantId } from '@tripline/model/tenant'
import type { TokenPrincipal } from '../../access/tokens/token-principal.ts'
import { limits } from '../../limits.ts'
import { Broadcast } from './broadcast.ts'
import { closeCodes } from './close-codes.ts'
import type { CloseCode } from './close-codes.ts'
import { ConnectionTable } from './connection-table.ts'
import { Connection } from './connection.ts'
import type { RequestInfo } from './connection.ts'
import { closeTails, handleMessage } from './handle-message.ts'
import type { OnTail } from './handle-message.ts'
import { MetricsUpdateCache } from './metrics-update-cache.ts'
import type { ReadMetrics } from './metrics-update-cache.ts'
import type { EventMessage } from './event-feed.ts'
import { RecentAlerts } from './recent-alerts.ts'
import { readMissedMessages } from './replay.ts'
import type { ReadAlertsSince, ReadEventsSince, ReplayStart } from './replay.ts'
import { checkSessions } from './session-check.ts'
import type { Socket } from './socket.ts'
import { TailQueries } from './tail-queries.ts'
import type { PassingEvent } from './tail-queries.ts'
import type { TailMatch } from './tail-matches.ts'

/** Dependencies of the hub. */
export type HubOptions = {
  readonly io: Pick<Runtime, 'now' | 'elapsedMs'>
  readonly log: Pick<Log, 'error'>
  /** Whether an accepted token is still valid. */
  readonly isSessionValid: (identity: TokenPrincipal) => Promise<boolean>
  readonly readAlertsSince: ReadAlertsSince
  readonly readEventsSince: ReadEventsSince
  /** The id of a tenant's last domain event that was pushed, or its position. */
  readonly getLastEventId: (tenant: TenantId) => string
  readonly readMetrics: ReadMetrics
  /** Called when a live tail begins, ends or is refused. */
  readonly onTail?: OnTail
  /** Yields to the event loop. */
  readonly pause: () => Promise<void>
}

/**
 * The publish/subscribe hub of live push: knows the connections and their subscriptions and delivers messages to them
 * (docs/reference/console-api.md#live-push). Each message is printed once for a tenant. Time advances by `tick` only.
 */
export class PushHub {
  readonly #options: HubOptions
  readonly #connections = new ConnectionTable()
  readonly #recentAlerts = new RecentAlerts()
  readonly #broadcast: Broadcast
  readonly #metricsUpdates: MetricsUpdateCache
  readonly #tailQueries: TailQueries
  readonly #onTail: OnTail
  /** The connection that the next tick starts with. */
  #firstServed = 0
  #isStopped = false
  #isChecking = false
  #checkedMs: number

  constructor(options: HubOptions) {
    this.#options = options
    this.#onTail = options.onTail ?? (() => undefined)
    this.#broadcast = new Broadcast(options.pause)
    this.#metricsUpdates = new MetricsUpdateCache(options.readMetrics, options.io)
    this.#tailQueries = new TailQueries(options.io)
    this.#checkedMs = options.io.elapsedMs()
  }

  /**
   * Accepts a client, or closes its socket with the reason and returns undefined. Nothing is sent before it subscribes.
   */
  open(identity: TokenPrincipal, wire: Socket, circumstances: RequestInfo = {}): Connection | undefined {
    const refusal = this.#findRefusal(identity)
    if (refusal !== undefined) {
      wire.close(refusal)
      return undefined
    }
    const { io: clock } = this.#options
    const connection = new Connection({ principal: identity, circumstances, socket: wire, clock, onEnd: (ended) => this.#remove(ended) })
    this.#connections.add(connection)
    return connection
  }

  /** Handles a message of a client; undefined is a binary message. */
  receive(connection: Connection, text: string | undefined): void {
    if (connection.isEnded) return
    const replay = (to: Connection, since: ReplayStart): void => void this.#replay(to, since)
    const { getLastEventId } = this.#options
    const context = { tailQueries: this.#tailQueries, metricsUpdates: this.#metricsUpdates, onTail: this.#onTail, replay, getLastEventId }
    this.#guard(connection, () => handleMessage(context, connection, text))
  }

  /**
   * Announces a change, which is stored already, to a tenant's clients; resolves when it was sent to all. A recently
   * announced alert is skipped.
   */
  push(tenant: TenantId, message: EventMessage): Promise<void> {
    if (message.topic === 'alerts' && !this.#recentAlerts.add(tenant, message)) return Promise.resolve()
    return this.#send(this.#getSubscribers(tenant, message.topic), (connection) => connection.feed.push(message))
  }

  /** The number of a tenant's open connections. */
  connectionCount(tenant: TenantId): number {
    return this.#connections.getByTenant(tenant).size
  }

  /** Whether a client follows the tenant's events, so that they must be passed to `pushEvents`. */
  hasTails(tenant: TenantId): boolean {
    return this.#tailQueries.has(tenant)
  }

  /** Passes a tenant's events to its live tails, which send them with the next ticks. It never throws. */
  pushEvents(tenant: TenantId, events: readonly PassingEvent[]): void {
    try {
      this.#tailQueries.push(tenant, events)
    } catch (error) {
      this.#options.log.error('live tails missed events because of an error', { tenant, error: formatTrace(error) })
    }
  }

  /** Passes the matches of a tenant's rules to its live tails, which name those of their events. It never throws. */
  pushMatches(tenant: TenantId, matches: readonly TailMatch[]): void {
    try {
      this.#tailQueries.match(tenant, matches)
    } catch (error) {
      this.#options.log.error('live tails missed matches because of an error', { tenant, error: formatTrace(error) })
    }
  }

  /**
   * Does what is due; called each `limits.push.tickMs`. Beyond a slice of sends the rest is left to the next tick,
   * which continues there, so that every connection gets its turn.
   */
  tick(): void {
    const connections = this.#connections.all()
    for (const connection of connections) this.#guard(connection, () => connection.check())
    this.#serveSlice(connections)
    const elapsedMs = this.#options.io.elapsedMs()
    if (this.#isChecking || elapsedMs - this.#checkedMs < limits.auth.standingMs) return
    this.#checkedMs = elapsedMs
    void this.checkSessions()
  }

  /** Ends connections whose token was revoked. Runs every `limits.auth.standingMs`, or sooner after a revocation. */
  async checkSessions(): Promise<void> {
    this.#isChecking = true
    await checkSessions(this.#connections.all(), this.#options)
    this.#isChecking = false
  }

  /** Ends all connections because the server stops, and accepts no more. */
  stop(): void {
    this.#isStopped = true
    for (const connection of this.#connections.all()) connection.end(closeCodes.stopping)
  }

  #findRefusal(identity: TokenPrincipal): CloseCode | undefined {
    if (this.#isStopped) return closeCodes.stopping
    if (this.#options.io.now() >= identity.expiresAt) return closeCodes.unauthorized
    if (identity.isRestricted === true || !isAllowed(identity.roles, 'read')) return closeCodes.forbidden
    return this.#connections.findRefusal(identity)
  }

  #send(connections: readonly Connection[], send: (connection: Connection) => void): Promise<void> {
    return this.#broadcast.to(connections, (connection) => this.#guard(connection, () => send(connection)))
  }

  #getSubscribers(tenant: TenantId, topic: PushTopic): readonly Connection[] {
    return [...this.#connections.getByTenant(tenant)].filter((connection) => connection.isSubscribedTo(topic))
  }

  /** Replays recent alerts from memory, in the order of publishing; older ones and other changes from the store. */
  async #replay(connection: Connection, since: ReplayStart): Promise<void> {
    const { tenant } = connection.principal
    const turn = connection.feed.beginReplay()
    try {
      const recent = 'alertId' in since ? this.#recentAlerts.getAfter(tenant, since.alertId) : undefined
      const missed = recent ?? await readMissedMessages(this.#options, tenant, since)
      const isMeant = ({ topic }: EventMessage): boolean => connection.isSubscribedTo(topic)
      connection.feed.endReplay(turn, missed === 'tooMany' ? missed : missed.filter(isMeant))
    } catch (error) {
      this.#fail(connection, error)
    }
  }

  #serveSlice(connections: readonly Connection[]): void {
    let sentCount = 0
    let servedCount = 0
    for (; servedCount < connections.length && sentCount < limits.push.sliceMax; servedCount++) {
      const connection = connections[(this.#firstServed + servedCount) % connections.length]!
      this.#guard(connection, () => (sentCount += this.#serve(connection)))
    }
    this.#firstServed = connections.length === 0 ? 0 : (this.#firstServed + servedCount) % connections.length
  }

  /** Sends a connection what is due; returns the number of messages. */
  #serve(connection: Connection): number {
    const hadMetrics = connection.pushMetrics(() => this.#metricsUpdates.getMessage(connection.principal.tenant))
    const hadTails = connection.pushTails()
    connection.flush()
    return Number(hadMetrics) + Number(hadTails)
  }

  /** A bug ends the connection that met it, and no other. */
  #guard(connection: Connection, act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#fail(connection, error)
    }
  }

  #fail(connection: Connection, error: unknown): void {
    this.#options.log.error('a connection was closed after an error', { error: formatTrace(error) })
    connection.end(closeCodes.failed)
  }

  #remove(connection: Connection): void {
    this.#connections.remove(connection)
    closeTails({ tailQueries: this.#tailQueries, onTail: this.#onTail }, connection)
  }
}

function formatTrace(error: unknown): string {
  return String(error instanceof Error ? error.stack : error)
}
