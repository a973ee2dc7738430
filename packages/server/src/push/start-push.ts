import { setImmediate as pause } from 'node:timers/promises'
import type { WebSocketServerLike } from '@hono/node-server'
import { limits } from '../limits.ts'
import type { Runtime } from '../runtime.ts'
import { PushHub } from './hub.ts'
import type { HubOptions } from './hub.ts'
import { createSocketServer } from './socket.ts'
import { Tickets } from './ticket.ts'

export type PushOptions = Omit<HubOptions, 'io' | 'pause'> & { readonly io: Pick<Runtime, 'now' | 'elapsedMs' | 'randomBytes'> }

/** Live push as it runs. */
export type Push = {
  readonly hub: PushHub
  readonly tickets: Tickets
  /** What the listener speaks WebSocket with: goes into the options of `createAdaptorServer`. */
  readonly websocket: { readonly server: WebSocketServerLike }
  /** Ends all connections; the listener's end waits for them, so this comes before it. */
  readonly stop: () => void
}

/** Starts live push: time goes on for its hub from now on. */
export function startPush(options: PushOptions): Push {
  const hub = new PushHub({ ...options, pause })
  // It keeps no process alive by itself.
  const ticking = setInterval(() => hub.tick(), limits.push.tickMs).unref()
  return {
    hub,
    tickets: new Tickets(options.io),
    websocket: { server: createSocketServer() },
    stop: () => {
      clearInterval(ticking)
      hub.stop()
    },
  }
}
