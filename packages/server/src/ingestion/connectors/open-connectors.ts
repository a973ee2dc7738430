import type { Runtime } from '@tripline/common/runtime'
import { openSecretBox } from '@tripline/model/access/secret-box'
import type { InstallationKeys } from '@tripline/state/installation-keys'
import { setTimeout as delay } from 'node:timers/promises'
import { limits } from '../limits.ts'
import type { MessageQueueDeps } from '../syslog/message-queue.ts'
import { SyslogListeners } from '../syslog/syslog-listeners.ts'
import type { SyslogPlaces } from '../syslog/syslog-listeners.ts'
import { ConnectorCounters } from './connector-counters.ts'
import type { OnArrival } from './connector-counters.ts'
import type { ConnectorDeps } from './connector-deps.ts'
import { ConnectorRunner } from './connector-runner.ts'
import { KeyedSemaphore } from './keyed-semaphore.ts'
import type { NewestEvents } from './newest-events.ts'

/** The components that run connectors. */
export type Connectors = {
  readonly deps: ConnectorDeps
  readonly runner: ConnectorRunner
  readonly traffic: ConnectorCounters
  readonly recent: NewestEvents
}

type ConnectorsOptions = Pick<ConnectorDeps, 'state' | 'egress' | 'ingest' | 'scanner' | 'feeds' | 'log'> & {
  readonly keys: Pick<InstallationKeys, 'box'>
  readonly io: Pick<Runtime, 'now' | 'elapsedMs' | 'randomBytes'>
  readonly onArrival: OnArrival
  readonly recent: NewestEvents
  /** Where connectors may listen; undefined for a server that opens no ports for them. */
  readonly syslog?: SyslogPlaces
  readonly intake: Omit<MessageQueueDeps, 'now' | 'sleep' | 'log'>
  /** Sleeps; tests inject their own. */
  readonly sleep?: ConnectorDeps['sleep']
}

/** Builds the components that run connectors; none runs before `runner.start()`. */
export function openConnectors(
  { keys, io, onArrival, recent, syslog, intake, sleep = sleepFor, ...options }: ConnectorsOptions,
): Connectors {
  const counters = new ConnectorCounters(io, onArrival)
  const semaphore = new KeyedSemaphore(limits.connector.pagesAtOnceMax)
  const listeners = syslog && new SyslogListeners(syslog, { ...intake, now: io.now, sleep, log: options.log })
  const secrets = openSecretBox(keys.box, io.randomBytes)
  const deps = { ...options, ...(listeners && { listeners }), io, sleep, counters, semaphore, secrets }
  return { deps, recent, traffic: counters, runner: new ConnectorRunner(deps) }
}

async function sleepFor(delayMs: number, signal: AbortSignal): Promise<void> {
  await delay(delayMs, undefined, { signal })
}
