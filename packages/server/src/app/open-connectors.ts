import { setTimeout as delay } from 'node:timers/promises'
import { TrafficCounter } from '../connectors/connector-counters.ts'
import type { OnArrival } from '../connectors/connector-counters.ts'
import type { ConnectorRoom } from '../connectors/connector-deps.ts'
import { ConnectorRunner } from '../connectors/connector-runner.ts'
import { Turns } from '../connectors/keyed-semaphore.ts'
import { openSecretBox } from '../domain/secret-box.ts'
import { limits } from '../limits.ts'
import type { Io } from '../runtime.ts'
import type { InstallationKeys } from '../store/installation-keys.ts'

/** What connectors are looked after with. */
export type Connectors = { readonly room: ConnectorRoom; readonly runner: ConnectorRunner; readonly traffic: TrafficCounter }

export type ConnectorsOptions = Pick<ConnectorRoom, 'state' | 'egress' | 'take' | 'onTransition' | 'log'> & {
  readonly keys: Pick<InstallationKeys, 'box'>
  readonly io: Pick<Io, 'now' | 'elapsedMs' | 'randomBytes'>
  readonly onArrival: OnArrival
  /** Waits; tests have a clock of their own. */
  readonly sleep?: ConnectorRoom['sleep']
}

/** Builds what looks after connectors; none runs before `runner.start()`. */
export function openConnectors({ keys, io, onArrival, sleep = sleepOfProcess, ...options }: ConnectorsOptions): Connectors {
  const traffic = new TrafficCounter(io, onArrival)
  const turns = new Turns(limits.connector.pagesAtOnceMax)
  const room = { ...options, io, sleep, traffic, turns, secrets: openSecretBox(keys.box, io.randomBytes) }
  return { room, traffic, runner: new ConnectorRunner(room) }
}

async function sleepOfProcess(delayMs: number, signal: AbortSignal): Promise<void> {
  await delay(delayMs, undefined, { signal })
}
