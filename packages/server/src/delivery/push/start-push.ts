import type { WebSocketServerLike } from '@hono/node-server'
import type { Runtime } from '@tripline/common/runtime'
import { setImmediate as pause } from 'node:timers/promises'
import { startPeriodicTasks } from '../../runtime/periodic-tasks.ts'
import { limits } from '../limits.ts'
import { PushHub } from './hub.ts'
import type { HubOptions } from './hub.ts'
import { createSocketServer } from './socket.ts'
import { Tickets } from './ticket.ts'

type PushOptions = Omit<HubOptions, 'io' | 'pause'> & { readonly io: Pick<Runtime, 'now' | 'elapsedMs' | 'randomBytes'> }

/** Live push, running. */
export type Push = {
  readonly hub: PushHub
  readonly tickets: Tickets
  /** The WebSocket server, for the options of `createAdaptorServer`. */
  readonly websocket: { readonly server: WebSocketServerLike }
  /** Ends all connections. Call it before closing the listener, which waits for them. */
  readonly stop: () => void
}

/** Starts live push and its ticks. */
export function startPush(options: PushOptions): Push {
  const hub = new PushHub({ ...options, pause })
  const tick = { everyMs: limits.push.tickMs, work: async () => hub.tick(), failure: 'live push could not be updated' }
  const stopTicks = startPeriodicTasks([tick], options.log)
  return {
    hub,
    tickets: new Tickets(options.io),
    websocket: { server: createSocketServer() },
    stop: () => {
      stopTicks()
      hub.stop()
    },
  }
}
