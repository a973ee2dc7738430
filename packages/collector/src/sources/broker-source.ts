import type { BrokerConsumer, BrokerMessage, BrokerOutside } from '@tripline/sources/broker/broker'
import { splitMessage } from '@tripline/formats/json/find-page'
import { decodeLine } from '@tripline/sources/lines/decode-line'
import { lookup } from 'node:dns/promises'
import type { BrokerSourceConfig } from '../config/source-config.ts'
import { limits } from '../limits.ts'
import type { RunSource, SourceContext } from './source.ts'

/**
 * Consumes the messages of a broker. A message is acknowledged when it is in the spool; its name is there too, so that what the broker
 * gives again after a crash in between is not collected twice.
 */
export function createBrokerSource(config: BrokerSourceConfig): RunSource {
  return async (context, signal) => {
    // Names of messages that are in the spool and may not be acknowledged.
    let unacknowledged = readUnacknowledged(context.position)
    let last: readonly string[] = []
    const take = async (messages: readonly BrokerMessage[]): Promise<void> => {
      const ids = messages.map(({ id }) => id)
      const fresh = messages.filter(({ id }) => !unacknowledged.has(id))
      // A session gives the next batch when the last one is acknowledged.
      const acknowledged = new Set(last)
      const kept = new Set([...unacknowledged].filter((id) => !acknowledged.has(id)).concat(ids).slice(-limits.broker.unacknowledgedMax))
      if (fresh.length > 0) {
        await context.waitForRoom(signal)
        signal.throwIfAborted()
        await context.append(decodeMessages(fresh, config, context), { unacknowledged: [...kept] })
      }
      unacknowledged = kept
      last = ids
    }
    await runSession(config, { take, onConnected: context.reportHealthy }, signal)
  }
}

function decodeMessages(
  messages: readonly BrokerMessage[], config: BrokerSourceConfig, { countDropped }: SourceContext,
): readonly Uint8Array[] {
  const { format, log_source: logsource } = config
  const decoded = messages.flatMap(({ bytes, storedAt }) => (
    splitMessage(bytes).map((piece) => decodeLine(piece, { format, logsource, receivedAt: storedAt, hostname: undefined }))
  ))
  const lines = decoded.flatMap((one) => ('bytes' in one ? [one.bytes] : []))
  const refused = decoded.find((one) => 'problem' in one)
  if (refused !== undefined && 'problem' in refused) countDropped(decoded.length - lines.length, refused.problem)
  return lines
}

function readUnacknowledged(position: SourceContext['position']): ReadonlySet<string> {
  const ids = position?.['unacknowledged']
  return new Set(Array.isArray(ids) ? ids.map(String) : [])
}

const outside: BrokerOutside = {
  resolve: async ({ host }) => (await lookup(host, { all: true })).map(({ address }) => address),
}

/** The client of a kind of broker is loaded by its first source. */
async function runSession(config: BrokerSourceConfig, consumer: BrokerConsumer, signal: AbortSignal): Promise<void> {
  const { name, username, password, tls_ca: tlsCa, group = `tripline-${toGroupName(name ?? 'collector')}`, start_at: startAt } = config
  const common = { group, startAt, username, password, tlsCa }
  if (config.type === 'kafka') {
    const { runKafka } = await import('@tripline/sources/broker/kafka/run-kafka')
    const { brokers, topic, tls: usesTls, sasl_mechanism: mechanism } = config
    await runKafka({ ...common, brokers, topic, usesTls, mechanism }, consumer, outside, signal)
    return
  }
  const { runNats } = await import('@tripline/sources/broker/nats/run-nats')
  const { servers, subject, token, credentials } = config
  await runNats({ ...common, servers, subject, token, credentials }, consumer, outside, signal)
}

/** A name with the characters that brokers allow in names of groups. */
function toGroupName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '-').slice(0, 100)
}
