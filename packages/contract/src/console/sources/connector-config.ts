import { z } from 'zod'
import { limits } from '../../limits.ts'

const { textLengthMax, listMax, quietSecondsMax, quietSecondsDefault } = limits.connector
const { pollingSecondsMin, pollingSecondsMax, pollingSecondsDefault, scannerSecondsMin, scannerSecondsDefault } = limits.connector
const { feedSecondsMin, feedSecondsDefault, feedDaysMax } = limits.connector

const text = z.string({ error: ({ input }) => (input === undefined ? 'is missing' : 'must be a string') })
  .min(1, 'must not be empty').max(textLengthMax, `must have at most ${textLengthMax} characters`)
const texts = z.array(text, 'must be an array of strings').min(1, 'must name at least one')
  .max(listMax, `must have at most ${listMax} entries`)
const cidr = z.union([z.cidrv4(), z.cidrv6()], 'must be a CIDR range such as 10.0.0.0/8')
const cidrs = z.array(cidr, 'must be an array of CIDR ranges').max(listMax, `must have at most ${listMax} entries`)
const port = z.int('must be a port from 1 to 65535').min(1, 'must be a port from 1 to 65535').max(65_535, 'must be a port from 1 to 65535')

/** Seconds as `60s`. */
function seconds(min: number, max: number) {
  const sentence = `must be seconds such as '60s', from ${min}s to ${max}s`
  const isWithin = (duration: string): boolean => Number.parseInt(duration, 10) >= min && Number.parseInt(duration, 10) <= max
  return z.string(sentence).regex(/^\d{1,9}s$/, sentence).refine(isWithin, sentence)
}

const polling = seconds(pollingSecondsMin, pollingSecondsMax).default(`${pollingSecondsDefault}s`)
/** Silence after which the connector counts as degraded; `0s` for never. */
const quiet = { quiet_after: seconds(0, quietSecondsMax).default(`${quietSecondsDefault}s`) }

const connections = z.int('must be a whole number').min(1, 'must be at least 1').max(10_240, 'must be at most 10240')

const push = {
  ...quiet,
  log_source: z.strictObject({ product: text.optional(), category: text.optional(), service: text.optional() }).optional(),
  allowed_cidrs: cidrs.optional(),
  max_eps: z.int('must be a whole number').min(1, 'must be at least 1').max(1_000_000, 'must be at most 1000000').optional(),
}

const pem = z.string('must be PEM').max(limits.request.bodyBytesMax)
/** What messages are; `auto` recognises JSON and audit records, and reads all else as syslog or text. */
const messageFormats = ['auto', 'json', 'syslog', 'auditd', 'text'] as const
const stream = {
  ...quiet,
  group: text.optional(),
  username: text.optional(),
  password: text.optional(),
  tls_ca: pem.optional(),
  start_at: z.enum(['beginning', 'end'], 'must be beginning or end').default('beginning'),
  format: z.enum(messageFormats, `must be one of ${messageFormats.join(', ')}`).default('auto'),
  log_source: z.strictObject({ product: text.optional(), category: text.optional(), service: text.optional() }).optional(),
}

const keyHeader = 'must be the name of a header for keys, such as X-API-Key'
/** What feeds of indicators have in common. A feed may be silent for long, so silence counts only where it is asked for. */
const feed = {
  quiet_after: seconds(0, quietSecondsMax).default('0s'),
  api_root: text,
  username: text.optional(),
  password: text.optional(),
  /** The header that takes the password as a key, such as `X-OTX-API-KEY`. */
  auth_header: z.string('must be the name of a header').max(64).regex(/^[\w-]*(?:key|token|auth|secret)[\w-]*$/i, keyHeader).optional(),
  polling_interval: seconds(feedSecondsMin, pollingSecondsMax).default(`${feedSecondsDefault}s`),
  expire_after_days: z.int('must be a whole number of days').min(1, 'must be at least 1')
    .max(feedDaysMax, `must be at most ${feedDaysMax}`).optional(),
  confidence: z.int('must be a whole number').min(0, 'must be at least 0').max(100, 'must be at most 100').optional(),
}
const indicatorTypes = ['auto', 'ip', 'cidr', 'domain', 'url', 'hash', 'email'] as const
const delimiters = ['auto', 'comma', 'semicolon', 'tab', 'none'] as const

const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const

const syslogFormats = ['auto', 'rfc5424', 'rfc3164', 'cef', 'leef', 'json'] as const

/** What is collected of a scanner, and how it is talked to; by its address where that tells. */
const scanned = ['assets', 'vulnerabilities', 'risk_scores'] as const
const dialects = ['v3', 'v4', 'bulk'] as const

/** Connector settings by type; secrets are write-only. */
export const connectorConfigSchemas = {
  syslog: z.strictObject({
    ...quiet,
    port,
    transport: z.enum(['udp', 'tcp', 'tls'], 'must be udp, tcp or tls').default('udp'),
    framing: z.enum(['auto', 'octet_counted', 'newline'], 'must be auto, octet_counted or newline').default('auto'),
    format: z.enum(syslogFormats, `must be one of ${syslogFormats.join(', ')}`).default('auto'),
    allowed_cidrs: cidrs.optional(),
    connections_max: connections.optional(),
    connections_per_address_max: connections.optional(),
    tls_cert: z.string('must be PEM').max(limits.request.bodyBytesMax).optional(),
    tls_key: z.string('must be PEM').max(limits.request.bodyBytesMax).optional(),
  }),
  http_ndjson: z.strictObject(push),
  elastic_bulk: z.strictObject(push),
  splunk_hec: z.strictObject(push),
  otlp_http: z.strictObject(push),
  http_poll: z.strictObject({
    ...quiet,
    url: text.optional(),
    base_url: text.optional(),
    client_id: text.optional(),
    client_secret: text.optional(),
    token_url: text.optional(),
    polling_interval: polling,
    cursor_path: text.optional(),
    items_path: text.optional(),
  }),
  file: z.strictObject({
    ...quiet,
    paths: texts,
    format: text.optional(),
    start_at: z.enum(['beginning', 'end'], 'must be beginning or end').default('end'),
  }),
  journald: z.strictObject({ ...quiet }),
  kafka: z.strictObject({
    ...stream,
    brokers: texts,
    topic: text,
    tls: z.boolean('must be true or false').default(true),
    sasl_mechanism: z.enum(saslMechanisms, `must be one of ${saslMechanisms.join(', ')}`).default('plain'),
  }),
  nats: z.strictObject({
    ...stream, servers: texts, subject: text, token: text.optional(),
    credentials: z.string('must be the text of a file of credentials').max(limits.request.bodyBytesMax).optional(),
  }),
  vulnerability_scanner: z.strictObject({
    ...quiet,
    api_url: text,
    api_key: text,
    poll_interval: z.int('must be a whole number of seconds').min(scannerSecondsMin, `must be ${scannerSecondsMin} or more`)
      .max(pollingSecondsMax, `must be at most ${pollingSecondsMax}`).default(scannerSecondsDefault),
    verify_ssl: z.boolean('must be true or false').default(true),
    collect: z.array(z.enum(scanned, `must be one of ${scanned.join(', ')}`)).min(1, 'must name what to collect').default([...scanned]),
    dialect: z.enum(dialects, `must be one of ${dialects.join(', ')}`).optional(),
    token: text.optional(),
  }),
  taxii: z.strictObject({ ...feed, collection: text }),
  csv_feed: z.strictObject({
    ...feed,
    value_column: text.optional(),
    indicator_type: z.enum(indicatorTypes, `must be one of ${indicatorTypes.join(', ')}`).default('auto'),
    delimiter: z.enum(delimiters, `must be one of ${delimiters.join(', ')}`).default('auto'),
  }),
}

/** Replaces secrets in responses; sending it back keeps the stored secret. */
export const secretMask = '********'
