import type { Runtime } from '@tripline/common/runtime'
import { isPushTopic, pushTopics } from '@tripline/contract/push/push'
import type { PushData, PushId, PushMessageType, PushTopic } from '@tripline/contract/push/push'
import type { Principal } from '@tripline/model/access/principal'
import type { TokenPrincipal } from '../../access/tokens/token-principal.ts'
import { limits } from '../limits.ts'
import { closeCodes } from './close-codes.ts'
import type { CloseCode } from './close-codes.ts'
import { EventFeed } from './event-feed.ts'
import { printPushMessage } from './print-message.ts'
import { isEventTopic } from './replay.ts'
import { SendBuffer } from './send-buffer.ts'
import type { Socket } from './socket.ts'
import type { Tail } from './tail.ts'
import { WindowCounter } from './window-counter.ts'

type ConnectionOptions = {
  readonly principal: TokenPrincipal
  /** The request that opened it. */
  readonly circumstances: RequestInfo
  readonly socket: Socket
  readonly clock: Pick<Runtime, 'now' | 'elapsedMs'>
  /** Called once, when the connection has ended from either side. */
  readonly onEnd: (connection: Connection) => void
}

/** Where a connection came from, for the audit trail. */
export type RequestInfo = Partial<Pick<Principal, 'ip' | 'userAgent' | 'requestId'>>

/** A live tail of a connection, and its query. */
type OpenTail = { readonly tail: Tail; readonly query: string }

/** An authenticated client: its subscriptions, what it is sent, and whether it is still alive. */
export class Connection {
  readonly principal: TokenPrincipal
  readonly circumstances: RequestInfo
  readonly feed: EventFeed
  /** By the ids that the client chose. */
  readonly tails = new Map<PushId, OpenTail>()
  /** Messages, unreadable messages and replays of the client within the window. */
  readonly messages: WindowCounter
  readonly unreadable: WindowCounter
  readonly replays: WindowCounter
  readonly #options: ConnectionOptions
  readonly #sendBuffer: SendBuffer
  readonly #topics = new Set<PushTopic>()
  #pingDueMs: number
  #unansweredCount = 0
  #metricsDueMs = 0
  #tailsSentMs = Number.NEGATIVE_INFINITY
  #isWarned = false
  #isEnded = false

  constructor(options: ConnectionOptions) {
    const { elapsedMs } = options.clock
    this.#options = options
    this.principal = options.principal
    this.circumstances = options.circumstances
    this.#sendBuffer = new SendBuffer(options.socket, () => this.end(closeCodes.slow))
    this.#pingDueMs = elapsedMs() + limits.push.pingMs
    const { messagesMax, unreadableMessagesMax, replaysMax } = limits.push
    this.messages = new WindowCounter(messagesMax, elapsedMs)
    this.unreadable = new WindowCounter(unreadableMessagesMax, elapsedMs)
    this.replays = new WindowCounter(replaysMax, elapsedMs)
    this.feed = new EventFeed({
      send: ({ topic, bytes }) => this.#sendEvent(topic, bytes),
      hasCapacity: (byteCount) => this.#sendBuffer.hasCapacity(byteCount),
      sendGap: () => this.sendMessage('error', {
        code: 'GAP_TOO_LARGE',
        message: `more than ${limits.push.replayAlertsMax} changes were missed, or the starting point is unknown; read the lists again`,
      }),
    }, elapsedMs)
  }

  /** The topics of the client's subscriptions, in the order of the topic table. */
  get topics(): readonly PushTopic[] {
    return Object.keys(pushTopics).filter(isPushTopic).filter((topic) => this.isSubscribedTo(topic))
  }

  isSubscribedTo(topic: PushTopic): boolean {
    return topic === 'search' ? this.tails.size > 0 : this.#topics.has(topic)
  }

  /** Subscribes to a topic other than `search`, which has tails instead. Repeating it changes nothing. */
  subscribe(topic: Exclude<PushTopic, 'search'>): void {
    if (this.#topics.has(topic)) return
    this.#topics.add(topic)
    if (isEventTopic(topic)) this.feed.open()
    if (topic === 'metrics') this.#metricsDueMs = Number.NEGATIVE_INFINITY
  }

  unsubscribe(topic: Exclude<PushTopic, 'search'>): void {
    this.#topics.delete(topic)
    if (!this.topics.some(isEventTopic)) this.feed.close()
  }

  /** Sends a message about a change if the client is still subscribed to its topic. */
  #sendEvent(topic: PushTopic, message: Uint8Array): void {
    if (!this.#isEnded && this.#topics.has(topic)) this.#sendBuffer.send(message)
  }

  /** Sends a message to this client alone. */
  sendMessage<Type extends PushMessageType>(type: Type, data: PushData<Type>): void {
    if (!this.#isEnded) this.#sendBuffer.send(printPushMessage(type, this.#options.clock.now(), data))
  }

  /**
   * Sends the metrics if they are due: right after subscribing, then every `limits.push.metricsMs`. Returns whether it
   * sent them.
   */
  pushMetrics(printed: () => Uint8Array): boolean {
    const elapsedMs = this.#options.clock.elapsedMs()
    if (this.#isEnded || !this.#topics.has('metrics') || elapsedMs < this.#metricsDueMs) return false
    const isFirst = this.#metricsDueMs === Number.NEGATIVE_INFINITY
    this.#metricsDueMs = (isFirst ? elapsedMs : this.#metricsDueMs) + limits.push.metricsMs
    // Updates missed during a long pause are skipped.
    if (this.#metricsDueMs <= elapsedMs) this.#metricsDueMs = elapsedMs + limits.push.metricsMs
    this.#sendBuffer.sendMetrics(printed())
    return true
  }

  /** Sends the events of one tail if it is due; tails take turns. Returns whether it sent any. */
  pushTails(): boolean {
    const { now, elapsedMs } = this.#options.clock
    if (this.#isEnded || elapsedMs() - this.#tailsSentMs < limits.push.tailMs) return false
    for (const [id, open] of this.tails) {
      if (open.tail.isEmpty) continue
      const { bytes, eventCount, droppedCount } = open.tail.print(now(), elapsedMs())
      if (!this.#sendBuffer.sendTail(bytes)) open.tail.drop(eventCount + droppedCount)
      this.#tailsSentMs = elapsedMs()
      this.tails.delete(id)
      this.tails.set(id, open)
      return true
    }
    return false
  }

  /** Sends what was deferred, if there is space. */
  flush(): void {
    if (!this.#isEnded) this.#sendBuffer.flush()
  }

  /** Ends the connection if its token has expired or the client is silent, and warns of the first. */
  check(): void {
    const { now, elapsedMs } = this.#options.clock
    if (now() >= this.principal.expiresAt) this.end(closeCodes.unauthorized)
    this.#warnOfEnd(now())
    if (this.#isEnded || elapsedMs() < this.#pingDueMs) return
    if (this.#unansweredCount >= limits.push.unansweredPingsMax) return this.end(closeCodes.unanswered)
    this.#unansweredCount++
    this.#pingDueMs = elapsedMs() + limits.push.pingMs
    this.#options.socket.ping()
  }

  /** Tells the client once that its token is about to expire, if it has subscribed to something. */
  #warnOfEnd(nowMs: number): void {
    const { expiresAt } = this.principal
    if (this.#isWarned || nowMs < expiresAt - limits.push.endingNoticeMs || this.topics.length === 0) return
    this.#isWarned = true
    this.sendMessage('session_ending', { ends_at: new Date(expiresAt).toISOString() })
  }

  /** The client answered a ping. */
  handlePong(): void {
    this.#unansweredCount = 0
  }

  /** The client sent a ping: the WebSocket library answers it, but it counts as a message. */
  handlePing(): void {
    if (!this.messages.tryAdd()) this.end(closeCodes.flooding)
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Ends the connection once; nothing is sent afterwards. */
  end(closing: CloseCode): void {
    if (this.#isEnded) return
    this.handleEnd()
    this.#options.socket.close(closing)
  }

  /** The client ended the connection, or it was lost. */
  handleEnd(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.feed.close()
    this.#options.onEnd(this)
  }
}
