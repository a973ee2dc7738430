import { setImmediate as pause } from 'node:timers/promises'
import type { WebSocketServer } from 'ws'
import type { Io } from '../io.ts'
import { limits } from '../limits.ts'
import { PushHub } from './hub.ts'
import type { HubOptions } from './hub.ts'
import { Tickets } from './ticket.ts'
import { createWebSocketServer } from './wire.ts'

export type PushOptions = Omit<HubOptions, 'io' | 'pause'> & { readonly io: Pick<Io, 'now' | 'elapsedMs' | 'randomBytes'> }

/** Live push as it runs: the hub, its tickets, and what the listener speaks WebSocket with. */
export type Push = {
  readonly hub: PushHub
  readonly tickets: Tickets
  readonly sockets: WebSocketServer
  /** Ends all connections; the listener's end waits for them, so this comes before it. */
  readonly stop: () => void
}

/** Starts live push; `createAdaptorServer({ fetch, websocket: { server: push.sockets } })` serves it. */
export function startPush(options: PushOptions): Push {
  const hub = new PushHub({ ...options, pause })
  const ticking = setInterval(() => hub.tick(), limits.push.tickMs)
  return {
    hub,
    tickets: new Tickets(options.io),
    sockets: createWebSocketServer(),
    stop: () => {
      clearInterval(ticking)
      hub.stop()
    },
  }
}
