import type { Runtime } from '@tripline/common/runtime'
import type { TenantId } from '@tripline/model/tenant'
import type { StoredEvent } from '@tripline/storage/events/event-store'
import { limits } from '../limits.ts'

type RecentEvent = Pick<StoredEvent, 'bytes' | 'arrival' | 'occurredAt'>

/**
 * The newest events of each connector, as they were stored, for the sample of its test. They are held in memory for
 * minutes: of each stored batch the last few, without those that are large.
 */
export class NewestEvents {
  readonly #now: Runtime['now']
  /** By tenant and connector; the one that got an event last is at the end. */
  readonly #events = new Map<string, { readonly tenant: TenantId; readonly events: readonly RecentEvent[] }>()

  constructor({ now }: Pick<Runtime, 'now'>) {
    this.#now = now
  }

  add(tenant: TenantId, stored: readonly RecentEvent[]): void {
    const { sampleEventsMax, sampleEventBytesMax, sampledAtOnceMax, sampledConnectorsMax } = limits.connector
    const found = new Map<string, RecentEvent[]>()
    for (const { arrival, occurredAt, bytes } of stored.slice(-sampledAtOnceMax).toReversed()) {
      if (arrival?.connectorId === undefined || bytes.length > sampleEventBytesMax) continue
      const ofConnector = found.get(arrival.connectorId) ?? []
      found.set(arrival.connectorId, ofConnector)
      // A copy, because the bytes are a part of a whole batch.
      if (ofConnector.length < sampleEventsMax) ofConnector.push({ arrival, occurredAt, bytes: bytes.slice() })
    }
    for (const [connectorId, events] of found) {
      const key = getKey(tenant, connectorId)
      const before = this.#events.get(key)?.events ?? []
      this.#events.delete(key)
      this.#events.set(key, { tenant, events: [...events, ...before].slice(0, sampleEventsMax) })
    }
    for (const key of this.#events.keys()) {
      if (this.#events.size <= sampledConnectorsMax) break
      this.#events.delete(key)
    }
  }

  /** Forgets the events of a tenant. */
  forget(tenant: TenantId): void {
    for (const [key, { tenant: owner }] of this.#events) if (owner === tenant) this.#events.delete(key)
  }

  /**
   * Milliseconds between the time that the newest of them states and its arrival, 0 where it states a later one; undefined without an
   * event of the last minutes, or where it states none.
   */
  getDelayMs(tenant: TenantId, connectorId: string): number | undefined {
    const [newest] = this.get(tenant, connectorId)
    if (newest?.arrival === undefined) return undefined
    const delayMs = newest.arrival.receivedAt - newest.occurredAt
    // An event without a time has that of its arrival.
    return delayMs === 0 ? undefined : Math.max(0, delayMs)
  }

  /** Those of the last minutes, newest first. */
  get(tenant: TenantId, connectorId: string): readonly RecentEvent[] {
    const since = this.#now() - limits.connector.sampledForMs
    const events = this.#events.get(getKey(tenant, connectorId))?.events ?? []
    return events.filter(({ arrival }) => (arrival?.receivedAt ?? 0) > since)
  }
}

function getKey(tenant: TenantId, connectorId: string): string {
  return JSON.stringify([tenant, connectorId])
}
