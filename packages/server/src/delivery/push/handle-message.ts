import { isPushTopic, pushTopics } from '@tripline/contract/push/push'
import type { ClientMessage, PushData, PushErrorCode, PushId } from '@tripline/contract/push/push'
import type { TenantId } from '@tripline/model/tenant'
import { QueryError } from '@tripline/query'
import { limits } from '../limits.ts'
import { closeCodes } from './close-codes.ts'
import type { Connection } from './connection.ts'
import type { MetricsUpdateCache } from './metrics-update-cache.ts'
import { readMessage } from './read-message.ts'
import { isEventTopic, parseReplayStart } from './replay.ts'
import type { ReplayStart } from './replay.ts'
import type { TailQueries } from './tail-queries.ts'
import { Tail } from './tail.ts'

/** A live tail that began, ended or was refused. */
export type TailChange = {
  readonly connection: Pick<Connection, 'principal' | 'circumstances'>
  readonly kind: 'begin' | 'end'
  readonly query: string
  /** The error code of a refused tail. */
  readonly refusal?: PushErrorCode
}

export type OnTail = (change: TailChange) => void

/** Dependencies of handling client messages. */
type MessageContext = {
  readonly tailQueries: TailQueries
  readonly metricsUpdates: MetricsUpdateCache
  /** Called when a live tail begins, ends or is refused. */
  readonly onTail: OnTail
  readonly getLastEventId: (tenant: TenantId) => string
  /** Starts a replay of missed messages. */
  readonly replay: (connection: Connection, since: ReplayStart) => void
}

/**
 * Handles a message of a client and answers it: known topics take effect, unknown ones are listed in one error. An
 * unreadable message is answered with an error, and too many within a minute end the connection
 * (docs/reference/console-api.md#live-push).
 */
export function handleMessage(context: MessageContext, connection: Connection, text: string | undefined): void {
  if (!connection.messages.tryAdd()) return connection.end(closeCodes.flooding)
  const read = text === undefined ? { problem: 'the message is binary; send JSON as text' } : readMessage(text)
  if ('problem' in read) return rejectMessage(connection, read.problem)
  const { message } = read
  if (message.action === 'subscribe') subscribe(context, connection, message)
  else unsubscribe(context, connection, message)
  if (message.id !== undefined) {
    const last_event_id = context.getLastEventId(connection.principal.tenant)
    connection.sendMessage('subscribed', { id: message.id, topics: [...connection.topics], last_event_id })
  }
  reportUnknownTopics(connection, message)
  connection.pushMetrics(() => context.metricsUpdates.getMessage(connection.principal.tenant))
}

function rejectMessage(connection: Connection, message: string): void {
  if (!connection.unreadable.tryAdd()) return connection.end(closeCodes.unreadable)
  connection.sendMessage('error', { code: 'INVALID_MESSAGE', message })
}

function subscribe(context: MessageContext, connection: Connection, { topics, id, since, params }: ClientMessage): void {
  for (const topic of new Set(topics.filter(isPushTopic))) {
    if (topic !== 'search') connection.subscribe(topic)
    else if (id !== undefined) openTail(context, connection, { id, query: '', sample: limits.push.tailEventsMax, ...params })
  }
  if (since === undefined) return
  const start = parseReplayStart(since)
  if (!topics.filter(isPushTopic).some((topic) => ('eventId' in start ? isEventTopic(topic) : topic === 'alerts'))) return
  if (connection.replays.tryAdd()) return context.replay(connection, start)
  const message = `the limit is ${limits.push.replaysMax} replays a minute; retry later`
  connection.sendMessage('error', { code: 'RATE_LIMITED', message, ...toIdField(id) })
}

function unsubscribe(context: MessageContext, connection: Connection, { topics, id }: ClientMessage): void {
  for (const topic of topics.filter(isPushTopic)) {
    if (topic !== 'search') connection.unsubscribe(topic)
    else closeTails(context, connection, id)
  }
}

type TailRequest = { readonly id: PushId; readonly query: string; readonly sample: number }

/** Opens a live tail, replacing one with the same id. */
function openTail(context: MessageContext, connection: Connection, { id, query, sample }: TailRequest): void {
  const { tailsMax, tailQueriesMax } = limits.push
  const text = query.trim()
  const refuse = (data: PushData<'error'> & { readonly code: PushErrorCode }): void => {
    context.onTail({ connection, kind: 'begin', query: text, refusal: data.code })
    connection.sendMessage('error', data)
  }
  if (!connection.tails.has(id) && connection.tails.size >= tailsMax) {
    const message = `a connection has at most ${tailsMax} live tails; close one first`
    return refuse({ code: 'TOO_MANY_TAILS', message, id })
  }
  const tail = new Tail(id, sample)
  try {
    if (!context.tailQueries.add(connection.principal.tenant, text, tail)) {
      const message = `the tenant's live tails already have ${tailQueriesMax} different queries; retry later`
      return refuse({ code: 'TOO_MANY_TAILS', message, id })
    }
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    return refuse({ code: 'INVALID_QUERY', message: error.message, id, position: error.position })
  }
  closeTail(context, connection, id)
  connection.tails.set(id, { tail, query: text })
  context.onTail({ connection, kind: 'begin', query: text })
}

/** Closes the live tail of an id; without an id, all of them. */
export function closeTails(context: Pick<MessageContext, 'tailQueries' | 'onTail'>, connection: Connection, id?: PushId): void {
  for (const each of id === undefined ? [...connection.tails.keys()] : [id]) closeTail(context, connection, each)
}

function closeTail({ tailQueries, onTail }: Pick<MessageContext, 'tailQueries' | 'onTail'>, connection: Connection, id: PushId): void {
  const open = connection.tails.get(id)
  if (open === undefined) return
  tailQueries.remove(connection.principal.tenant, open.query, open.tail)
  connection.tails.delete(id)
  onTail({ connection, kind: 'end', query: open.query })
}

function reportUnknownTopics(connection: Connection, { topics, id }: ClientMessage): void {
  const unknown = topics.filter((topic) => !isPushTopic(topic))
  if (unknown.length === 0) return
  const { topicsListedMax, topicLengthMax } = limits.push
  const shown = unknown.slice(0, topicsListedMax).map((topic) => topic.slice(0, topicLengthMax))
  const message = `unknown topics; use ${Object.keys(pushTopics).join(', ')}`
  connection.sendMessage('error', { code: 'UNKNOWN_TOPIC', message, topics: shown, ...toIdField(id) })
}

function toIdField(id: PushId | undefined): Pick<PushData<'error'>, 'id'> {
  return id === undefined ? {} : { id }
}
