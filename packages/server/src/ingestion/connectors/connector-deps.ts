import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import type { SecretBox } from '@tripline/model/access/secret-box'
import type { TenantId } from '@tripline/model/tenant'
import type { PolledEvent } from '@tripline/sources/polling/read-page'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { Egress } from '../../egress/egress.ts'
import type { SyslogListeners } from '../syslog/syslog-listeners.ts'
import type { ConnectorCounters } from './connector-counters.ts'
import type { FeedDeps } from './feeds/store-items.ts'
import type { KeyedSemaphore } from './keyed-semaphore.ts'
import type { ScannerDeps } from './scanner/scanner-deps.ts'

/** Dependencies of running connectors. */
export type ConnectorDeps = {
  readonly state: StateStore
  readonly secrets: SecretBox
  readonly egress: Egress
  readonly counters: ConnectorCounters
  /** Limits how many pages of a tenant are read at once. */
  readonly semaphore: KeyedSemaphore
  /** Ingests polled events; resolves when they are durable. Repeated events are recognised by their ids. */
  readonly ingest: (tenant: TenantId, connectorId: string, events: readonly PolledEvent[]) => Promise<void>
  readonly scanner: ScannerDeps
  readonly feeds: FeedDeps
  /** Opens the ports of connectors that listen; undefined for a server that opens none. */
  readonly listeners?: SyslogListeners
  /** Waits, and rejects as soon as the signal aborts. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>
  readonly io: Pick<Runtime, 'now' | 'elapsedMs'>
  readonly log: Log
}
