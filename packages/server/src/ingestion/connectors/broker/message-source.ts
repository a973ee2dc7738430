import type { BrokerConsumer, BrokerOutside, BrokerProbe } from '@tripline/sources/broker/broker'
import { saslMechanisms } from '@tripline/sources/broker/kafka/kafka-settings'
import type { KafkaSettings } from '@tripline/sources/broker/kafka/kafka-settings'
import type { NatsSettings } from '@tripline/sources/broker/nats/nats-settings'
import { lineFormats } from '@tripline/sources/lines/decode-line'
import type { LineFormat, SourceLogsource } from '@tripline/sources/lines/decode-line'
import type { Connector, ConnectorConfig, ConnectorType } from '@tripline/model/connector'
import type { Egress } from '../../../egress/egress.ts'

/** A broker whose messages a connector consumes: how to run a session with it, and how to test its settings. */
export type MessageSource = {
  readonly format: LineFormat
  readonly logsource: SourceLogsource | undefined
  readonly run: (consumer: BrokerConsumer, outside: BrokerOutside, signal: AbortSignal) => Promise<void>
  readonly probe: (outside: BrokerOutside) => Promise<BrokerProbe>
}

const brokerTypes = ['kafka', 'nats'] as const
type BrokerType = (typeof brokerTypes)[number]

export function isBrokerType(type: ConnectorType): type is BrokerType {
  return brokerTypes.some((known) => known === type)
}

type Reader = (connector: { readonly id: string; readonly config: ConnectorConfig }) => Pick<MessageSource, 'run' | 'probe'>

const readers: { readonly [Type in BrokerType]: Reader } = {
  kafka: ({ id, config }) => {
    const settings: KafkaSettings = {
      ...readCommon(id, config), brokers: listTexts(config['brokers']), topic: String(config['topic']),
      usesTls: config['tls'] !== false, mechanism: saslMechanisms.find((name) => name === config['sasl_mechanism']) ?? 'plain',
    }
    return {
      run: async (...session) => await (await import('@tripline/sources/broker/kafka/run-kafka')).runKafka(settings, ...session),
      probe: async (outside) => await (await import('@tripline/sources/broker/kafka/run-kafka')).probeKafka(settings, outside),
    }
  },
  nats: ({ id, config }) => {
    const settings: NatsSettings = {
      ...readCommon(id, config), servers: listTexts(config['servers']), subject: String(config['subject']),
      token: readText(config, 'token'), credentials: readText(config, 'credentials'),
    }
    return {
      run: async (...session) => await (await import('@tripline/sources/broker/nats/run-nats')).runNats(settings, ...session),
      probe: async (outside) => await (await import('@tripline/sources/broker/nats/probe-nats')).probeNats(settings, outside),
    }
  },
}

/** Reads validated settings with their secrets. The client of a broker is loaded by its first connector. */
export function parseMessageSource({ id, type, config }: Pick<Connector, 'id' | 'config'> & { readonly type: BrokerType }): MessageSource {
  const { format, log_source: logsource } = config
  const read = readers[type]({ id, config })
  return {
    ...read, format: lineFormats.find((name) => name === format) ?? 'auto',
    logsource: typeof logsource === 'object' && logsource !== null ? logsource : undefined,
  }
}

function readCommon(id: string, config: ConnectorConfig): Pick<NatsSettings, 'group' | 'startAt' | 'username' | 'password' | 'tlsCa'> {
  return {
    group: readText(config, 'group') ?? `tripline-${id}`, startAt: config['start_at'] === 'end' ? 'end' : 'beginning',
    username: readText(config, 'username'), password: readText(config, 'password'), tlsCa: readText(config, 'tls_ca'),
  }
}

function readText(config: ConnectorConfig, key: string): string | undefined {
  const value = config[key]
  return typeof value === 'string' ? value : undefined
}

function listTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/** What sessions need of the server: addresses that its policy allows. */
export function createBrokerOutside({ resolveTarget }: Egress): BrokerOutside {
  return {
    resolve: async (target) => {
      if (resolveTarget === undefined) throw new Error('this server connects to no brokers')
      return await resolveTarget(target)
    },
  }
}
