import type { PushData, PushEnvelope, PushMessageType, TicketBody } from '@tripline/contract/push/push'
import { createStore } from '../lib/store.ts'
import { callApi } from './client.ts'
import { renewToken, session } from './session.ts'

/** The state of live updates, and what the last metrics stated: events per second, and alerts of the last minute. */
type LiveState = {
  readonly kind: 'off' | 'connecting' | 'on' | 'paused'
  readonly rate?: number | undefined
  readonly alertCount?: number | undefined
  /** When the last message came: what pages show is of then. */
  readonly at?: number | undefined
}

/** A message about something that happened, or `gap`: more happened than can be replayed, so lists must be read again. */
type LiveMessage = ServerMessage | { readonly type: 'gap' }

/** The beginning of a live tail, its events, or why there are none. */
type TailMessage = Extract<ServerMessage, { readonly type: 'subscribed' | 'tail_events' | 'error' }>

type ServerMessage = { [Type in PushMessageType]: { readonly type: Type; readonly data: PushData<Type> } }[PushMessageType]

export const live = createStore<LiveState>({ kind: 'off' })

const topics = ['metrics', 'alerts', 'alert_updates', 'connector_health', 'incidents', 'jobs']
const delaysMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000] as const

const listeners = new Set<(message: LiveMessage) => void>()
let socket: WebSocket | undefined
let lastId: string | undefined
let failureCount = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** The live tail that is open: it is opened again with each connection. */
let tail: { readonly id: string; readonly query: string } | undefined
let tailCount = 0

/** Calls a listener with each message; returns what ends that. */
export function onLive(listener: (message: LiveMessage) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Calls a listener once a query is followed, with the new events that match it, and with refusals; returns what ends that. */
export function followEvents(query: string, listener: (message: TailMessage) => void): () => void {
  const own = { id: `tail-${++tailCount}`, query }
  tail = own
  openTail()
  const stop = onLive((message) => {
    if (message.type !== 'tail_events' && message.type !== 'error' && message.type !== 'subscribed') return
    if (message.data.id === own.id) listener(message)
  })
  return () => {
    stop()
    if (tail === own) tail = undefined
    sendMessage({ action: 'unsubscribe', topics: ['search'], id: own.id })
  }
}

function openTail(): void {
  if (tail !== undefined) sendMessage({ action: 'subscribe', topics: ['search'], id: tail.id, params: { query: tail.query } })
}

/** Sends a message where there is a connection; a later one begins with all that is wanted then. */
function sendMessage(message: object): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
}

/** Connects, and again whenever the connection breaks, until `stopLive`. */
export function startLive(): void {
  if (live.get().kind !== 'off') return
  live.set({ kind: 'connecting' })
  void connect()
}

/** Ends live updates and forgets how far they came: the next session may be of another tenant. */
export function stopLive(): void {
  disconnect()
  lastId = undefined
  live.set({ kind: 'off' })
}

/** Stops live updates for now; resuming replays what was missed. */
export function togglePause(): void {
  const { kind } = live.get()
  if (kind === 'off') return
  disconnect()
  if (kind === 'paused') void connect()
  live.update(({ at }) => ({ kind: kind === 'paused' ? 'connecting' : 'paused', at }))
}

function disconnect(): void {
  clearTimeout(timer)
  const old = socket
  socket = undefined
  old?.close()
}

async function connect(): Promise<void> {
  let ticket: string
  try {
    ;({ ticket } = await callApi<TicketBody>('/v1/ws/ticket', { method: 'POST' }))
  } catch {
    // Whatever refused the ticket, such as a server that restarts, is tried again.
    reconnectLater()
    return
  }
  if (live.get().kind !== 'connecting') return
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
  const opened = new WebSocket(`${scheme}//${location.host}/v1/ws/monitoring?token=${encodeURIComponent(ticket)}`)
  socket = opened
  opened.addEventListener('open', () => {
    if (opened !== socket) return
    sendMessage({ action: 'subscribe', topics, id: 'page', ...(lastId !== undefined && { since: lastId }) })
    openTail()
  })
  opened.addEventListener('message', ({ data }: MessageEvent<string>) => {
    if (opened === socket) handleMessage(JSON.parse(data) as PushEnvelope)
  })
  opened.addEventListener('close', ({ code }) => {
    if (opened !== socket) return
    socket = undefined
    if (code === 4401) void renewToken().then(reconnectLater)
    else reconnectLater()
  })
}

function handleMessage({ type, id, data }: PushEnvelope): void {
  if (id !== undefined) lastId = id
  const message = { type, data } as ServerMessage
  if (message.type === 'subscribed') {
    failureCount = 0
    lastId ??= message.data.last_event_id
    live.update((state) => ({ ...state, kind: 'on', at: Date.now() }))
  } else if (message.type === 'metrics_update') {
    const { ingestion_rate: rate, alerts_last_minute: alertCount } = message.data
    live.update((state) => ({ ...state, rate, alertCount, at: Date.now() }))
  } else if (message.type === 'session_ending') {
    // The connection ends with the token that opened it: a new one replays from here.
    disconnect()
    live.update((state) => ({ ...state, kind: 'connecting' }))
    void renewToken().then(connect)
    return
  } else if (message.type === 'error' && message.data.code === 'GAP_TOO_LARGE') {
    lastId = undefined
    notifyListeners({ type: 'gap' })
    return
  }
  notifyListeners(message)
}

function notifyListeners(message: LiveMessage): void {
  for (const listener of listeners) listener(message)
}

/** Exponential back-off with jitter, so that the pages of a restarted server do not all come at once. */
function reconnectLater(): void {
  const { kind } = live.get()
  if (kind === 'off' || kind === 'paused') return
  live.update((state) => ({ ...state, kind: 'connecting' }))
  const delayMs = delaysMs[Math.min(failureCount, delaysMs.length - 1)] ?? 15_000
  failureCount++
  clearTimeout(timer)
  timer = setTimeout(
    () => {
      if (session.get().kind === 'open') void connect()
    },
    delayMs * (0.75 + Math.random() / 2),
  )
}
