import type { JetStreamManager } from '@nats-io/jetstream'
import { limits } from '../../limits.ts'
import { createMessageId } from '../broker.ts'
import type { BrokerMessage, BrokerOutside, BrokerProbe } from '../broker.ts'
import { printTarget } from '../broker-address.ts'
import { findStream } from './find-stream.ts'
import type { NatsSettings } from './nats-settings.ts'
import { openNats, toBrokerError } from './open-nats.ts'

/** Tries settings: connects, finds the stream, and reads its newest messages without a consumer. @throws BrokerError. */
export async function probeNats(settings: NatsSettings, outside: BrokerOutside): Promise<BrokerProbe> {
  const { connection, target, isEncrypted } = await openNats(settings, outside)
  try {
    const { manager, stream } = await findStream(connection, settings.subject)
    const hasLogin = [settings.username, settings.token, settings.credentials].some((part) => part !== undefined)
    const messages = await readNewest(manager, stream, settings.subject)
    return {
      connection: `${isEncrypted ? 'TLS' : 'no TLS'}, ${printTarget(target)}, stream ${stream}`,
      authentication: hasLogin ? 'the login was accepted' : 'no login needed',
      messages,
    }
  } catch (error) {
    throw toBrokerError(error, target)
  } finally {
    await connection.close()
  }
}

/** How far behind the end messages of a subject are looked for, where others share its stream. */
const lookBack = [3, 100, 10_000]

async function readNewest(manager: JetStreamManager, stream: string, subject: string): Promise<readonly BrokerMessage[]> {
  const { state: { first_seq: first, last_seq: last } } = await manager.streams.info(stream)
  let messages: BrokerMessage[] = []
  for (const distance of lookBack) {
    messages = []
    for (let seq = Math.max(first, last - distance + 1); seq <= last && messages.length < limits.broker.sampleMax;) {
      const query = { seq, next_by_subj: subject }
      const found = await manager.streams.getMessage(stream, query)
      if (found === null) break
      const { data, time } = found
      messages.push({ id: createMessageId([stream, found.seq], data), bytes: Buffer.from(data), storedAt: time.getTime() })
      seq = found.seq + 1
    }
    if (messages.length >= limits.broker.sampleMax || last - distance < first) break
  }
  return messages
}
