import type { Runtime } from '@tripline/common/runtime'
import { openSecretBox } from '@tripline/model/access/secret-box'
import type { InstallationKeys } from '@tripline/state/installation-keys'
import { setTimeout as delay } from 'node:timers/promises'
import { limits } from '../limits.ts'
import { ConnectorCounters } from './connector-counters.ts'
import type { OnArrival } from './connector-counters.ts'
import type { ConnectorDeps } from './connector-deps.ts'
import { ConnectorRunner } from './connector-runner.ts'
import { KeyedSemaphore } from './keyed-semaphore.ts'

/** The components that run connectors. */
export type Connectors = { readonly deps: ConnectorDeps; readonly runner: ConnectorRunner; readonly traffic: ConnectorCounters }

type ConnectorsOptions = Pick<ConnectorDeps, 'state' | 'egress' | 'ingest' | 'log'> & {
  readonly keys: Pick<InstallationKeys, 'box'>
  readonly io: Pick<Runtime, 'now' | 'elapsedMs' | 'randomBytes'>
  readonly onArrival: OnArrival
  /** Sleeps; tests inject their own. */
  readonly sleep?: ConnectorDeps['sleep']
}

/** Builds the components that run connectors; none runs before `runner.start()`. */
export function openConnectors({ keys, io, onArrival, sleep = sleepFor, ...options }: ConnectorsOptions): Connectors {
  const counters = new ConnectorCounters(io, onArrival)
  const semaphore = new KeyedSemaphore(limits.connector.pagesAtOnceMax)
  const deps = { ...options, io, sleep, counters, semaphore, secrets: openSecretBox(keys.box, io.randomBytes) }
  return { deps, traffic: counters, runner: new ConnectorRunner(deps) }
}

async function sleepFor(delayMs: number, signal: AbortSignal): Promise<void> {
  await delay(delayMs, undefined, { signal })
}
