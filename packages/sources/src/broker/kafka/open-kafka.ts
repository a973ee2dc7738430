import { getErrorMessage } from '@tripline/common/error-message'
import kafkajs from 'kafkajs'
import type { Kafka as KafkaClient, KafkaConfig } from 'kafkajs'
import type { LookupOptions } from 'node:dns'
import { connect, isIP } from 'node:net'
import type { LookupFunction, Socket } from 'node:net'
import { checkServerIdentity, connect as connectSecurely } from 'node:tls'
import { callbackify } from 'node:util'
import { limits } from '../../limits.ts'
import type { BrokerOutside } from '../broker.ts'
import { BrokerError } from '../broker-error.ts'
import { codecs, inflateWithin } from './inflate.ts'
import type { KafkaSettings } from './kafka-settings.ts'
import { ResponseGuard } from './response-guard.ts'

const {
  CompressionCodecs, CompressionTypes, Kafka, KafkaJSNumberOfRetriesExceeded, KafkaJSProtocolError, KafkaJSSASLAuthenticationError,
  logLevel,
} = kafkajs
const { GZIP, LZ4, Snappy, ZSTD } = CompressionTypes
for (const [type, inflate] of [[GZIP, codecs.gzip], [Snappy, codecs.snappy], [LZ4, codecs.lz4], [ZSTD, codecs.zstd]] as const) {
  const decompress = (compressed: Buffer): Promise<Buffer> => inflateWithin(inflate, compressed)
  CompressionCodecs[type] = () => ({ compress: refuseCompression, decompress })
}

/**
 * Makes a client of a cluster. Each connection, to a configured broker or to one that the cluster names, goes to addresses that were
 * checked for it.
 */
export function openKafka(settings: KafkaSettings, outside: BrokerOutside): KafkaClient {
  const { brokers, username, password, mechanism, usesTls, tlsCa: ca } = settings
  const config: KafkaConfig = {
    clientId: 'tripline', brokers: [...brokers], ssl: usesTls ? { ...(ca !== undefined && { ca }) } : false,
    connectionTimeout: limits.broker.connectMs, authenticationTimeout: limits.broker.connectMs, requestTimeout: limits.broker.requestMs,
    // The program connects again, with its own pauses.
    retry: { retries: 1, initialRetryTime: limits.broker.firstRetryMs }, logLevel: logLevel.NOTHING,
    socketFactory: ({ host, port, ssl, onConnect }) => openSocket({ host, port, ...(usesTls && { ssl }), onConnect }, outside),
  }
  const login = username === undefined || password === undefined ? undefined : { mechanism, username, password }
  return new Kafka(login === undefined ? config : { ...config, sasl: login as NonNullable<KafkaConfig['sasl']> })
}

type SocketRequest = {
  readonly host: string
  readonly port: number
  readonly ssl?: { readonly ca?: unknown }
  readonly onConnect: () => void
}

function openSocket({ host, port, ssl, onConnect }: SocketRequest, { resolve }: BrokerOutside): Socket {
  const lookup: LookupFunction = callbackify(async (_name: string, _options: LookupOptions) => {
    const addresses = await resolve({ host, port, isSecure: ssl !== undefined })
    if (addresses.length === 0) throw new Error(`'${host}' has no address`)
    return addresses.map((address) => ({ address, family: isIP(address) }))
  })
  // A name that is no address, so that addresses are looked up too: the policy decides on them in the same place.
  const place = { host: 'broker.invalid', port, lookup, autoSelectFamily: true }
  const socket = ssl === undefined
    ? connect(place, onConnect)
    : connectSecurely({
        ...place, ...(isIP(host) === 0 && { servername: host }), ...(typeof ssl.ca === 'string' && { ca: ssl.ca }),
        checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
      }, onConnect)
  socket.setKeepAlive(true, limits.broker.pollMs)
  const guard = new ResponseGuard()
  socket.on('data', (chunk: Buffer) => {
    if (!guard.accepts(chunk)) socket.destroy(new Error(`'${host}' announces a response that is too long`))
  })
  return socket
}

/** Disconnects; an error of it changes nothing, because how the session ended is known by then. */
export async function disconnect(client: { readonly disconnect: () => Promise<void> }): Promise<void> {
  await client.disconnect().catch(() => {})
}

/** What went wrong with a cluster, without what it says beyond the kind of error. */
export function toKafkaError(error: unknown, { brokers, topic, group }: KafkaSettings): BrokerError {
  if (error instanceof BrokerError) return error
  const cause = { cause: error }
  const inner = error instanceof KafkaJSNumberOfRetriesExceeded && error.cause !== undefined ? error.cause : error
  if (inner instanceof KafkaJSSASLAuthenticationError) {
    return new BrokerError('authentication', 'the cluster refuses the login: check username, password and sasl_mechanism', cause)
  }
  const type = inner instanceof KafkaJSProtocolError ? inner.type : ''
  if (type.endsWith('AUTHORIZATION_FAILED')) {
    const what = type.startsWith('GROUP') ? `the group '${group}'` : `the topic '${topic}'`
    return new BrokerError('authentication', `the login may not use ${what} (${type})`, cause)
  }
  if (type === 'UNKNOWN_TOPIC_OR_PARTITION') return new BrokerError('data_flow', `there is no topic '${topic}'`, cause)
  if (type !== '') return new BrokerError('data_flow', `the cluster answers ${type}`, cause)
  return new BrokerError('connectivity', `${brokers.join(', ').slice(0, 100)}: ${getErrorMessage(inner)}`.slice(0, 300), cause)
}

function refuseCompression(): Promise<never> {
  return Promise.reject(new Error('nothing is sent'))
}
