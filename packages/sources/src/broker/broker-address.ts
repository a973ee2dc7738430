import { limits } from '../limits.ts'
import type { BrokerTarget } from './broker.ts'

type AddressForm = { readonly example: string; readonly defaultPort: number | undefined; readonly schemes: readonly string[] }

const forms = {
  kafka: { example: 'kafka-1.example.com:9092', defaultPort: undefined, schemes: [] },
  nats: { example: 'tls://nats.example.com:4222', defaultPort: 4_222, schemes: ['nats', 'tls'] },
} as const satisfies { readonly [kind: string]: AddressForm }

const hostAndPort = /^(?:\[(?<literal>[0-9A-Fa-f:.]+)\]|(?<name>[A-Za-z0-9._-]+))(?::(?<port>\d{1,5}))?$/

/**
 * Parses a server as it is configured: `host:port`, and for NATS also `nats://host` and `tls://host`. An address of IPv6 stands in
 * brackets.
 *
 * @throws Error with the reason.
 */
export function parseBrokerAddress(kind: keyof typeof forms, text: string): BrokerTarget {
  const form: AddressForm = forms[kind]
  if (text.length > limits.broker.serverLengthMax) throw new Error(`must have at most ${limits.broker.serverLengthMax} characters`)
  const scheme = /^([a-z]+):\/\//.exec(text)?.[1]
  if (scheme !== undefined && !form.schemes.includes(scheme)) throw new Error(`must be like ${form.example}`)
  const place = scheme === undefined ? text : text.slice(scheme.length + '://'.length)
  const { literal, name, port = form.defaultPort } = hostAndPort.exec(place)?.groups ?? {}
  const host = literal ?? name
  const number = Number(port)
  if (host === undefined || !(number >= 1 && number <= 65_535)) throw new Error(`must be like ${form.example}`)
  return { host, port: number, isSecure: scheme === 'tls' }
}

/** The place of a server in messages. */
export function printTarget({ host, port }: BrokerTarget): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
