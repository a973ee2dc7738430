import { AppError } from '@tripline/contract/app-error'
import type { IngestCounts } from '@tripline/model/connector'
import { BrokerError } from '@tripline/sources/broker/broker-error'
import { PollError } from '@tripline/sources/polling/poll-error'
import type { PolledEvent } from '@tripline/sources/polling/read-page'
import type { Egress } from '../../../egress/egress.ts'
import { limits } from '../../limits.ts'
import { createBrokerOutside } from './message-source.ts'
import type { MessageSource } from './message-source.ts'
import { readMessages } from './read-messages.ts'

type BrokerSession = {
  readonly connectorId: string
  readonly egress: Egress
  /** Ingests events; resolves when they are durable. */
  readonly ingest: (events: readonly PolledEvent[]) => Promise<void>
  readonly record: (counts: IngestCounts) => void
  readonly onConnected: () => void
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

/**
 * Consumes the messages of a broker until the signal aborts. While the pipeline takes nothing, a batch waits and no more are asked
 * for; the broker learns of it only when the batch is durable.
 *
 * @throws PollError when the session ends otherwise.
 */
export async function consumeBroker(target: MessageSource, session: BrokerSession): Promise<void> {
  const { connectorId, egress, ingest, record, onConnected, sleep, signal } = session
  const take = async (messages: Parameters<typeof readMessages>[0]): Promise<void> => {
    const { events, ...counts } = readMessages(messages, { ...target, connectorId })
    for (;;) {
      signal.throwIfAborted()
      try {
        if (events.length > 0) await ingest(events)
        record({ receivedCount: events.length, ...counts })
        return
      } catch (error) {
        const isFull = error instanceof AppError && (error.code === 'RATE_LIMITED' || error.code === 'UNAVAILABLE')
        if (!isFull) throw error
        await sleep(limits.connector.brokerFullMs, signal)
      }
    }
  }
  try {
    await target.run({ take, onConnected }, createBrokerOutside(egress), signal)
  } catch (error) {
    throw toBrokerProblem(error)
  }
}

/** What went wrong with a broker, as a check tells it; other errors as they are. */
export function toBrokerProblem(error: unknown): unknown {
  return error instanceof BrokerError ? new PollError(error.stage, error.message) : error
}
