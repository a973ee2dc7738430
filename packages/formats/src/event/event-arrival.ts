import type { Logsource } from '@tripline/engine'

/** What an event came from, as far as its sender states it. */
export type EventSource = {
  /** The connector that it came through. */
  readonly connectorId?: string
  /** The log source that the connector states for events that do not state one themselves. */
  readonly logsource?: Logsource
}

/** How an event arrived: when it was accepted, as which, and from where. */
export type EventArrival = EventSource & {
  /** Its offset among the accepted events of all tenants. */
  readonly offset: number
  readonly receivedAt: number
}
