/** A message of a host's sshd; each is another one, because what comes again is recognised. */
export type Message = { readonly at: number; readonly host: string; readonly text: string }

export function createMessages(count: number, round: string): Message[] {
  const startsAt = Date.now()
  return Array.from({ length: count }, (_, n) => ({
    at: startsAt + n, host: `web-${n % 50}`,
    text: `Failed password for invalid user u${n} from 203.0.113.${n % 250} port ${1_024 + (n % 60_000)} ssh2 ${round}-${n}`,
  }))
}

/** A protocol over HTTP: the type of its connectors, and how it sends messages. */
type HttpProtocol = {
  readonly name: string
  readonly type: string
  readonly path: string
  readonly contentType: string
  readonly authorize: (token: string) => string
  readonly encode: (messages: readonly Message[]) => Buffer
}

const bearer = (token: string): string => `Bearer ${token}`
const printLines = (lines: readonly object[]): Buffer => Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
const toFields = ({ at, host, text }: Message): object =>
  ({ '@timestamp': new Date(at).toISOString(), host: { name: host }, message: text })

/** The protocols, the one to compare with first. All carry the same messages. */
export const httpProtocols: readonly HttpProtocol[] = [
  {
    name: 'NDJSON', type: 'http_ndjson', path: '/ingest/v1/events', contentType: 'application/x-ndjson', authorize: bearer,
    encode: (messages) => printLines(messages.map(toFields)),
  },
  {
    name: 'Elastic bulk', type: 'elastic_bulk', path: '/_bulk', contentType: 'application/x-ndjson', authorize: bearer,
    encode: (messages) => printLines(messages.flatMap((message) => [{ create: { _index: 'logs' } }, toFields(message)])),
  },
  {
    name: 'Splunk HEC', type: 'splunk_hec', path: '/services/collector/event', contentType: 'application/json',
    authorize: (token) => `Splunk ${token}`,
    encode: (messages) => printLines(messages.map(({ at, host, text: event }) => {
      return { time: at / 1_000, host, sourcetype: 'linux_secure', event }
    })),
  },
  {
    name: 'OTLP in JSON', type: 'otlp_http', path: '/ingest/otlp/v1/logs', contentType: 'application/json', authorize: bearer,
    encode: (messages) => Buffer.from(JSON.stringify({ resourceLogs: groupByHost(messages).map(([host, of]) => ({
      resource: { attributes: [{ key: 'host.name', value: { stringValue: host } }] },
      scopeLogs: [{ logRecords: of.map(({ at, text }) => ({ timeUnixNano: `${at}000000`, body: { stringValue: text } })) }],
    })) })),
  },
  {
    name: 'OTLP in protobuf', type: 'otlp_http', path: '/ingest/otlp/v1/logs', contentType: 'application/x-protobuf', authorize: bearer,
    encode: (messages) => Buffer.concat(groupByHost(messages).map(([host, of]) => field(1, [
      field(1, [field(1, [text(1, 'host.name'), field(2, [text(1, host)])])]),
      field(2, of.map(({ at, text: body }) => field(2, [fixed64(1, BigInt(at) * 1_000_000n), field(5, [text(1, body)])]))),
    ]))),
  },
]

/** A message as rsyslog sends it: RFC 5424. */
export function printSyslog({ at, host, text }: Message): string {
  return `<38>1 ${new Date(at).toISOString()} ${host} sshd 7 - - ${text}`
}

function groupByHost(messages: readonly Message[]): [host: string, messages: Message[]][] {
  return [...Map.groupBy(messages, ({ host }) => host)]
}

/** A field of protobuf with a length: a message or a text. */
function field(number: number, parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(length)]), ...parts])
}

function text(number: number, value: string): Buffer {
  return field(number, [Buffer.from(value)])
}

function fixed64(number: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(9)
  bytes[0] = (number << 3) | 1
  bytes.writeBigUInt64LE(value, 1)
  return bytes
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]
}
