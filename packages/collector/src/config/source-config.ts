import { getErrorMessage } from '@tripline/common/error-message'
import { parseNetwork } from '@tripline/common/network'
import { syslogFramings } from '@tripline/formats/syslog/frame-reader'
import { parseBrokerAddress } from '@tripline/sources/broker/broker-address'
import { findTopicProblem, saslMechanisms } from '@tripline/sources/broker/kafka/kafka-settings'
import { findConsumerProblem, findSubjectProblem } from '@tripline/sources/broker/nats/nats-settings'
import { lineFormats } from '@tripline/sources/lines/decode-line'
import { collectedKinds, detectDialect, scannerDialects } from '@tripline/sources/scanner/scanner-settings'
import { syslogTransports } from '@tripline/sources/syslog/open-sockets'
import { z } from 'zod'

/** Formats of files that are read whole. */
const wholeFormats = ['evtx', 'csv', 'w3c', 'json_document'] as const

const text = z.string('must be a text').min(1, 'must not be empty')
const logsourceSchema = z.strictObject({ product: text.optional(), category: text.optional(), service: text.optional() })

const common = {
  /** Default: the name of the file. */
  name: text.max(100, 'must have at most 100 characters').optional(),
  enabled: z.boolean('must be true or false').default(true),
  /** Events that do not say themselves what they are get this log source. */
  log_source: logsourceSchema.optional(),
}

const port = z.int('must be a port').min(1, 'must be a port').max(65_535, 'must be a port')
const cidr = text.refine((value) => parseNetwork(value) !== undefined, 'must be a network, such as 10.0.0.0/8')

/** A text that a function finds no problem in. */
function checked(findProblem: (value: string) => string | undefined): z.ZodString {
  return text.check(({ value, issues }) => {
    const problem = findProblem(value)
    if (problem !== undefined) issues.push({ code: 'custom', message: problem, input: value })
  })
}

function brokerAddress(kind: Parameters<typeof parseBrokerAddress>[0]): z.ZodString {
  return checked((value) => {
    try {
      parseBrokerAddress(kind, value)
      return undefined
    } catch (error) {
      return getErrorMessage(error)
    }
  })
}

const wholeLogin = { message: 'username and password must be set together', path: ['password'] }

type Login = { readonly username?: string | undefined; readonly password?: string | undefined }

function hasWholeLogin({ username, password }: Login): boolean {
  return (username === undefined) === (password === undefined)
}

const fileSchema = z.strictObject({
  type: z.literal('file'), ...common,
  paths: z.array(text, 'must be a list of paths').min(1, 'must name a path'),
  format: z.enum([...lineFormats, ...wholeFormats]).default('auto'),
  start_at: z.enum(['beginning', 'end']).default('beginning'),
})
export type FileSourceConfig = z.output<typeof fileSchema>

const syslogSchema = z.strictObject({
  type: z.literal('syslog'), ...common,
  host: text.default('0.0.0.0'),
  port,
  transport: z.enum(syslogTransports).default('udp'),
  framing: z.enum(syslogFramings).default('auto'),
  allowed_cidrs: z.array(cidr).optional(),
  /** In PEM; `file:` reads it from a file. */
  tls_cert: text.optional(),
  tls_key: text.optional(),
}).refine(({ transport, tls_cert: cert, tls_key: key }) => transport !== 'tls' || (cert !== undefined && key !== undefined), {
  message: 'tls needs tls_cert and tls_key', path: ['transport'],
})
export type SyslogSourceConfig = z.output<typeof syslogSchema>

const journaldSchema = z.strictObject({
  type: z.literal('journald'), ...common,
  start_at: z.enum(['beginning', 'end']).default('end'),
  /** Units to follow; default: all. */
  units: z.array(text).optional(),
  /** The program that reads the journal. */
  journalctl: text.default('journalctl'),
})
export type JournaldSourceConfig = z.output<typeof journaldSchema>

const httpAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })
const jsonPath = text.regex(/^[^.]+(?:\.[^.]+){0,15}$/, 'must be up to 16 names joined by dots, such as meta.next')

const httpPollSchema = z.strictObject({
  type: z.literal('http_poll'), ...common,
  url: httpAddress,
  /** Seconds. */
  poll_interval: z.int('must be a whole number of seconds').min(5, 'must be 5 or more').max(86_400, 'must be at most 86400').default(60),
  client_id: text.optional(),
  client_secret: text.optional(),
  /** Where id and secret are exchanged for a token; without it they are sent with each request. */
  token_url: httpAddress.optional(),
  /** Where in a response the list of events is, and the cursor of the next page. */
  items_path: jsonPath.optional(),
  cursor_path: jsonPath.optional(),
  /** Certificates in PEM that alone are trusted; `file:` reads them from a file. */
  tls_ca: text.optional(),
}).refine(({ client_id: id, client_secret: secret }) => (id === undefined) === (secret === undefined), {
  message: 'client_id and client_secret must be set together', path: ['client_secret'],
}).refine(({ token_url: url, client_id: id }) => url === undefined || id !== undefined, {
  message: 'token_url needs client_id and client_secret', path: ['token_url'],
})
export type HttpPollSourceConfig = z.output<typeof httpPollSchema>

/** What sources have that consume a broker of messages. */
const brokerKeys = {
  ...common,
  /** Collectors of one group share the messages; default: of this source alone. */
  group: text.optional(),
  username: text.optional(),
  password: text.optional(),
  /** Certificates in PEM that alone are trusted; `file:` reads them from a file. */
  tls_ca: text.optional(),
  /** Where a new group begins. */
  start_at: z.enum(['beginning', 'end']).default('beginning'),
  format: z.enum(lineFormats).default('auto'),
}

const kafkaSchema = z.strictObject({
  type: z.literal('kafka'), ...brokerKeys,
  brokers: z.array(brokerAddress('kafka'), 'must be a list of brokers')
    .min(1, 'must name a broker').max(32, 'must name at most 32 brokers'),
  topic: checked(findTopicProblem),
  tls: z.boolean('must be true or false').default(true),
  sasl_mechanism: z.enum(saslMechanisms).default('plain'),
}).refine(hasWholeLogin, wholeLogin)

const natsSchema = z.strictObject({
  type: z.literal('nats'), ...brokerKeys,
  servers: z.array(brokerAddress('nats'), 'must be a list of servers').min(1, 'must name a server').max(32, 'must name at most 32 servers'),
  subject: checked(findSubjectProblem),
  group: checked(findConsumerProblem).optional(),
  token: text.optional(),
  /** The text of a file of credentials; `file:` reads it. */
  credentials: text.optional(),
}).refine(hasWholeLogin, wholeLogin)
export type BrokerSourceConfig = z.output<typeof kafkaSchema> | z.output<typeof natsSchema>

const scannerSchema = z.strictObject({
  type: z.literal('vulnerability_scanner'), ...common,
  api_url: httpAddress,
  api_key: text,
  /** Seconds. */
  poll_interval: z.int('must be a whole number of seconds').min(300, 'must be 300 or more').default(3_600),
  verify_ssl: z.boolean('must be true or false').default(true),
  collect: z.array(z.enum(collectedKinds)).min(1, 'must name what to collect').default([...collectedKinds]),
  dialect: z.enum(scannerDialects).optional(),
  /** The second factor of a console's account. */
  token: text.optional(),
}).refine(({ api_url: url, dialect }) => dialect !== undefined || detectDialect(url) !== undefined, {
  message: `the address does not tell the dialect; set dialect to one of ${scannerDialects.join(', ')}`, path: ['api_url'],
})
export type ScannerSourceConfig = z.output<typeof scannerSchema>

const sourceSchemas = [fileSchema, syslogSchema, journaldSchema, httpPollSchema, kafkaSchema, natsSchema, scannerSchema] as const

/** One file of `sources.d`. */
export const sourceSchema = z.discriminatedUnion('type', sourceSchemas, {
  error: 'must be one of file, syslog, journald, http_poll, kafka, nats, vulnerability_scanner',
})
export type SourceConfig = z.output<typeof sourceSchema> & { readonly name: string }
