import { AckPolicy, DeliverPolicy, JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream'
import type { Consumer, JetStreamManager, JsMsg } from '@nats-io/jetstream'
import { getErrorMessage } from '@tripline/common/error-message'
import { setImmediate } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import { createMessageId } from '../broker.ts'
import type { BrokerConsumer, BrokerMessage, BrokerOutside } from '../broker.ts'
import { BrokerError } from '../broker-error.ts'
import { keepAlive } from '../keep-alive.ts'
import { findStream, isPermissionProblem } from './find-stream.ts'
import type { NatsSettings } from './nats-settings.ts'
import { openNats, toBrokerError } from './open-nats.ts'

const nanosPerMs = 1_000_000

/**
 * Consumes a stream of NATS JetStream through a durable consumer until the signal aborts. A message is acknowledged after it is
 * durable: one that was not is delivered again, to this consumer or to another of its group.
 *
 * @throws BrokerError when the session ends otherwise; the next one goes on where the consumer stands.
 */
export async function runNats(
  settings: NatsSettings, { take, onConnected }: BrokerConsumer, outside: BrokerOutside, signal: AbortSignal,
): Promise<void> {
  const { connection, target } = await openNats(settings, outside)
  const close = (): void => void connection.close()
  try {
    if (signal.aborted) return
    const { consumer, ackWaitMs } = await openConsumer(settings, await findStream(connection, settings.subject))
    const messages = await consumer.consume({
      max_bytes: limits.broker.batchBytesMax, expires: limits.broker.pollMs,
      abort_on_missing_resource: true,
    })
    signal.addEventListener('abort', () => messages.stop(), { once: true })
    // The iterator knows nothing of the connection.
    void connection.closed().then((error) => messages.stop(error instanceof Error ? error : new Error('the connection was closed')))
    onConnected()
    const aliveMs = Math.min(limits.broker.aliveMs, ackWaitMs / 3)
    for await (const batch of gather(messages)) {
      try {
        await keepAlive(() => batch.forEach((one) => one.working()), take(batch.map(readMessage)), aliveMs)
      } catch (error) {
        // Another of the group may take them at once.
        for (const one of batch) one.nak()
        throw error
      }
      for (const one of batch) one.ack()
      // A flush of a connection that closes meanwhile never ends.
      await Promise.race([connection.flush(), connection.closed()])
    }
    if (!signal.aborted) throw new BrokerError('connectivity', 'the session ended')
  } catch (error) {
    if (!signal.aborted) throw toBrokerError(error, target)
  } finally {
    close()
    await connection.closed()
  }
}

/** Messages that have arrived are made durable together; none waits for a later one. */
async function* gather(messages: AsyncIterable<JsMsg>): AsyncGenerator<readonly JsMsg[]> {
  const iterator = messages[Symbol.asyncIterator]()
  let next = iterator.next()
  for (;;) {
    const first = await next
    if (first.done === true) return
    const batch = [first.value]
    next = iterator.next()
    while (batch.length < limits.broker.batchMessagesMax) {
      const arrived = await Promise.race([next, setImmediate(undefined)])
      if (arrived === undefined || arrived.done === true) break
      batch.push(arrived.value)
      next = iterator.next()
    }
    // An end that comes while the batch is taken is found afterwards.
    next.catch(() => {})
    yield batch
  }
}

/** Opens the durable consumer, and makes it where there is none. */
async function openConsumer(
  { subject, group, startAt }: NatsSettings, { manager, stream }: { readonly manager: JetStreamManager; readonly stream: string },
): Promise<{ readonly consumer: Consumer; readonly ackWaitMs: number }> {
  try {
    const { config } = await manager.consumers.info(stream, group).catch(async (error: unknown) => {
      if (!(error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound)) throw error
      return await manager.consumers.add(stream, {
        durable_name: group, ack_policy: AckPolicy.Explicit, filter_subject: subject, ack_wait: limits.broker.ackWaitMs * nanosPerMs,
        deliver_policy: startAt === 'end' ? DeliverPolicy.New : DeliverPolicy.All,
      })
    })
    if (config.ack_policy !== AckPolicy.Explicit) {
      throw new BrokerError('data_flow', `the consumer '${group}' does not acknowledge each message; name another group`)
    }
    const consumer = await manager.jetstream().consumers.get(stream, group)
    return { consumer, ackWaitMs: Math.max(300, (config.ack_wait ?? 0) / nanosPerMs) }
  } catch (error) {
    if (error instanceof BrokerError) throw error
    if (isPermissionProblem(error)) {
      throw new BrokerError('authentication', `the login may not use the consumer '${group}' of the stream '${stream}'`, { cause: error })
    }
    throw new BrokerError('data_flow', `the consumer '${group}' of the stream '${stream}': ${getErrorMessage(error)}`, { cause: error })
  }
}

function readMessage({ data, info: { stream, streamSequence, timestampNanos } }: JsMsg): BrokerMessage {
  const id = createMessageId([stream, streamSequence, String(timestampNanos)], data)
  return { id, bytes: Buffer.from(data), storedAt: Math.floor(Number(timestampNanos) / nanosPerMs) }
}
