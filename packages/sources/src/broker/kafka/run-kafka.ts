import type { Consumer, ConsumerRunConfig, EachBatchPayload } from 'kafkajs'
import { randomUUID } from 'node:crypto'
import { limits } from '../../limits.ts'
import { createMessageId } from '../broker.ts'
import type { BrokerConsumer, BrokerMessage, BrokerOutside, BrokerProbe } from '../broker.ts'
import { BrokerError } from '../broker-error.ts'
import { keepAlive } from '../keep-alive.ts'
import { inflateBudget } from './inflate.ts'
import type { KafkaSettings } from './kafka-settings.ts'
import { disconnect, openKafka, toKafkaError } from './open-kafka.ts'

const bounds = {
  sessionTimeout: 30_000, heartbeatInterval: limits.broker.aliveMs, maxWaitTimeInMs: 1_000, maxBytes: limits.broker.fetchBytesMax,
  maxBytesPerPartition: limits.broker.partitionBytesMax, allowAutoTopicCreation: false,
  // A coordinator that has just started refuses groups for a moment; a session that failed is begun anew by the program.
  retry: { retries: 4, initialRetryTime: limits.broker.firstRetryMs, restartOnFailure: () => Promise.resolve(false) },
}

/**
 * Consumes a topic of Kafka as a member of a group until the signal aborts. An offset is committed when all before it is durable: what
 * was not is read again, by this member or another.
 *
 * @throws BrokerError when the session ends otherwise.
 */
export async function runKafka(
  settings: KafkaSettings, { take, onConnected }: BrokerConsumer, outside: BrokerOutside, signal: AbortSignal,
): Promise<void> {
  const { topic, group, startAt } = settings
  const client = openKafka(settings, outside)
  const consumer = client.consumer({ ...bounds, groupId: group })
  const failed = Promise.withResolvers<void>()
  // A crash while the consumer still connects is found when the promise is awaited.
  failed.promise.catch(() => {})
  const onAbort = (): void => failed.resolve()
  signal.addEventListener('abort', onAbort, { once: true })
  consumer.on(consumer.events.CRASH, ({ payload: { error } }) => failed.reject(error))
  consumer.on(consumer.events.GROUP_JOIN, () => onConnected())
  try {
    await consumer.connect()
    await consumer.subscribe({ topics: [topic], fromBeginning: startAt === 'beginning' })
    if (signal.aborted) return
    await runWithin(consumer, {
      autoCommit: false, eachBatchAutoResolve: false,
      eachBatch: (payload) => takeBatch(payload, take, consumer, signal).catch((error: unknown) => {
        failed.reject(error)
        throw error
      }),
    })
    await failed.promise
  } catch (error) {
    if (!signal.aborted) throw toKafkaError(error, settings)
  } finally {
    signal.removeEventListener('abort', onAbort)
    await disconnect(consumer)
  }
}

/** Runs a consumer whose answers inflate within their bound. */
async function runWithin(consumer: Consumer, config: ConsumerRunConfig): Promise<void> {
  const budget = { left: limits.broker.inflatedBytesMax }
  consumer.on(consumer.events.FETCH_START, () => void (budget.left = limits.broker.inflatedBytesMax))
  await inflateBudget.run(budget, () => consumer.run(config))
}

async function takeBatch(
  payload: EachBatchPayload, take: BrokerConsumer['take'], consumer: Consumer, signal: AbortSignal,
): Promise<void> {
  const { topic, partition, messages } = payload.batch
  for (let start = 0; start < messages.length; start += limits.broker.batchMessagesMax) {
    if (signal.aborted || !payload.isRunning() || payload.isStale()) return
    const part = messages.slice(start, start + limits.broker.batchMessagesMax)
    // A heartbeat that fails is found by the next request.
    const beat = (): void => void payload.heartbeat().catch(() => {})
    await keepAlive(beat, take(part.flatMap((message) => readMessage(topic, partition, message))))
    const last = part.at(-1)
    if (last === undefined) return
    payload.resolveOffset(last.offset)
    await consumer.commitOffsets([{ topic, partition, offset: String(BigInt(last.offset) + 1n) }])
  }
}

/** A message without a value marks a deleted key. */
function readMessage(
  topic: string, partition: number, { offset, timestamp, value }: EachBatchPayload['batch']['messages'][number],
): readonly BrokerMessage[] {
  if (value === null) return []
  return [{ id: createMessageId([topic, partition, offset, timestamp], value), bytes: value, storedAt: Number(timestamp) }]
}

/** Tries settings: connects, finds the topic, and reads its newest messages in a group of its own. @throws BrokerError. */
export async function probeKafka(settings: KafkaSettings, outside: BrokerOutside): Promise<BrokerProbe> {
  const { topic, group, username, usesTls } = settings
  const client = openKafka(settings, outside)
  const admin = client.admin({ retry: { retries: 2 } })
  const groupId = `${group}-test-${randomUUID().slice(0, 8)}`
  try {
    await admin.connect()
    if (!(await admin.listTopics()).includes(topic)) {
      throw new BrokerError('data_flow', `there is no topic '${topic}', or the login may not see it`)
    }
    const offsets = await admin.fetchTopicOffsets(topic)
    const connection = `${usesTls ? 'TLS' : 'no TLS'}, topic ${topic} with ${offsets.length} partitions`
    const authentication = username === undefined ? 'no login needed' : 'the login was accepted'
    const filled = offsets.filter(({ low, high }) => BigInt(high) > BigInt(low))
    if (filled.length === 0) return { connection, authentication, messages: [] }
    const starts = filled.map(({ partition, low, high }) => {
      const from = BigInt(high) - BigInt(limits.broker.sampleMax)
      return { topic, partition, offset: String(from > BigInt(low) ? from : BigInt(low)) }
    })
    const sample = await readSample(client.consumer({ ...bounds, groupId }), topic, starts)
    // A login may lack the right to; the cluster forgets an empty group by itself.
    await admin.deleteGroups([groupId]).catch(() => {})
    return { connection, authentication, ...sample }
  } catch (error) {
    throw toKafkaError(error, settings)
  } finally {
    await disconnect(admin)
  }
}

async function readSample(
  consumer: Consumer, topic: string, starts: readonly Parameters<Consumer['seek']>[0][],
): Promise<Pick<BrokerProbe, 'messages' | 'sampleProblem'>> {
  const messages: BrokerMessage[] = []
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const timer = setTimeout(() => resolve(messages.length > 0 ? undefined : 'the topic gave no message in time'), limits.broker.sampleMs)
  consumer.on(consumer.events.CRASH, ({ payload: { error } }) => resolve(`messages cannot be read: ${error.message}`.slice(0, 200)))
  try {
    await consumer.connect()
    await consumer.subscribe({ topics: [topic], fromBeginning: true })
    await runWithin(consumer, {
      autoCommit: false,
      eachMessage: ({ partition, message }) => {
        if (messages.length < limits.broker.sampleMax) messages.push(...readMessage(topic, partition, message))
        if (messages.length >= limits.broker.sampleMax) resolve(undefined)
        return Promise.resolve()
      },
    })
    for (const start of starts) consumer.seek(start)
    const sampleProblem = await promise
    return { messages, ...(sampleProblem !== undefined && { sampleProblem }) }
  } finally {
    clearTimeout(timer)
    await disconnect(consumer)
  }
}
