// Loggers and clients of npm that ship events as their applications would, all in one process. Started by
// `library-processes.ts`; the packages are those of `tools/test-shippers`, and TRIPLINE_TEST_SHIPPERS names where they are installed.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** What a process of libraries is to send, and where: an argument of its command line. */
type Orders = {
  readonly url: string
  readonly count: number
  readonly batch: number
  readonly tokens: { readonly [shipper: string]: string }
}

const { url, count, batch, tokens } = JSON.parse(process.argv[2] ?? '') as Orders
const load = createRequire(join(process.env['TRIPLINE_TEST_SHIPPERS'] ?? '', 'package.json'))

/** Milliseconds after which a library sends a batch that is not full. */
const flushMs = 200

/** How many events may be sent by now; each line of the input raises it. */
let allowed = 0
const waiting: (() => void)[] = []
createInterface({ input: process.stdin }).on('line', (line) => {
  allowed = Number(line)
  for (const goOn of waiting.splice(0)) goOn()
})

async function* nextNumbers(): AsyncGenerator<number> {
  for (let number = 0; number < count; number++) {
    while (number >= allowed) await new Promise<void>((resolve) => void waiting.push(resolve))
    yield number
  }
}

const printMessage = (shipper: string, number: number): string => `Accepted password for ${shipper} from 203.0.113.9 port ${number} ssh2`

const readNumbers = (text: string): readonly number[] => [...text.matchAll(/ port (\d+) ssh2/g)].map(([, number]) => Number(number))

/** Tells which of the messages in a text were acknowledged. */
function acknowledge(shipper: string, text: string): void {
  process.stdout.write(`${JSON.stringify({ shipper, acknowledged: readNumbers(text) })}\n`)
}

function complain(shipper: string): (problem: unknown) => void {
  return (problem) => void process.stderr.write(`${shipper}: ${problem instanceof Error ? problem.message : JSON.stringify(problem)}\n`)
}

type ElasticRequest = { readonly path: string; readonly body?: string | Buffer }
type ElasticReceipt = { readonly items: readonly { readonly [action: string]: { readonly status: number } }[] }
type ElasticAnswer = { readonly statusCode: number; readonly body: string }
type ElasticConnection = new (...args: readonly never[]) => { request(params: ElasticRequest, options: unknown): Promise<ElasticAnswer> }
type ElasticClient = { readonly helpers: { bulk(options: object): Promise<unknown> } }
type ElasticPackage = { readonly Client: new (options: object) => ElasticClient; readonly UndiciConnection: ElasticConnection }

/** The connection of a client, which reads which documents of a bulk request were answered as created. */
function readAnswers(
  shipper: string, { UndiciConnection }: ElasticPackage, onAcknowledged: (text: string) => void = () => {},
): ElasticConnection {
  return class extends UndiciConnection {
    override async request(params: ElasticRequest, options: unknown): Promise<ElasticAnswer> {
      const answer = await super.request(params, options)
      if (params.path.endsWith('/_bulk') && answer.statusCode === 200) {
        const lines = String(params.body).split('\n')
        const { items } = JSON.parse(answer.body) as ElasticReceipt
        const created = items.map((item) => Object.values(item).every(({ status }) => status === 201))
        const text = lines.filter((_, line) => line % 2 === 1 && created[(line - 1) / 2] === true).join('\n')
        acknowledge(shipper, text)
        onAcknowledged(text)
      }
      return answer
    }
  }
}

/** The bulk helper of the client of Elasticsearch, with an id for each document. */
async function shipByBulkHelper(shipper: string, token: string, packageName: string): Promise<void> {
  const elastic = load(packageName) as ElasticPackage
  const client = new elastic.Client({
    node: `${url}/ingest/elastic`, auth: { apiKey: token }, maxRetries: 1_000, Connection: readAnswers(shipper, elastic),
  })
  async function* documents(): AsyncGenerator<object> {
    for await (const number of nextNumbers()) {
      yield {
        '@timestamp': new Date().toISOString(), host: { name: shipper }, log: { syslog: { appname: 'sshd' } },
        message: printMessage(shipper, number), number,
      }
    }
  }
  await client.helpers.bulk({
    datasource: documents(), flushBytes: batch * 200, flushInterval: flushMs, onDrop: complain(shipper),
    onDocument: ({ number }: { readonly number: number }) => ({ create: { _index: 'logs', _id: `${shipper}-${number}` } }),
  })
}

type Stream = { write(line: string): void }
type Emitter = { on(event: string, listener: (value: unknown) => void): unknown }

async function shipByWinston(shipper: string, token: string): Promise<void> {
  const { createLogger } = load('winston') as { readonly createLogger: (options: object) => { info(message: string, meta: object): void } }
  const { ElasticsearchTransport } = load('winston-elasticsearch') as { readonly ElasticsearchTransport: new (options: object) => Emitter }
  const Connection = readAnswers(shipper, load('@elastic/elasticsearch') as ElasticPackage)
  const transport = new ElasticsearchTransport({
    flushInterval: flushMs, clientOpts: { node: `${url}/ingest/elastic`, auth: { apiKey: token }, Connection },
  })
  for (const event of ['warning', 'error']) transport.on(event, complain(shipper))
  const logger = createLogger({ transports: [transport] })
  for await (const number of nextNumbers()) logger.info(printMessage(shipper, number), { program: 'sshd' })
}

async function shipByPino(shipper: string, token: string): Promise<void> {
  const pino = load('pino') as (options: object, stream: Stream) => { info(fields: object, message: string): void }
  const openStream = load('pino-elasticsearch') as (options: object) => Stream & Emitter
  /** Lines that are not acknowledged, by their numbers. */
  const waiting = new Map<number, string>()
  const Connection = readAnswers(shipper, load('@elastic/elasticsearch') as ElasticPackage, (text) => {
    for (const number of readNumbers(text)) waiting.delete(number)
  })
  const options = {
    node: `${url}/ingest/elastic`, auth: { apiKey: token }, esVersion: 8, opType: 'create', Connection,
    flushBytes: batch * 200, flushInterval: flushMs,
  }
  // A stream gives up after three retries of a few seconds and sends nothing more. An application that must not lose lines keeps
  // them, opens another stream and writes them again.
  const streams: Stream[] = []
  const open = (): void => {
    const stream = openStream(options)
    streams.unshift(stream)
    stream.on('insertError', complain(shipper))
    stream.on('error', (problem) => {
      complain(shipper)(problem)
      open()
    })
    for (const line of waiting.values()) stream.write(line)
  }
  open()
  const write = (line: string): void => {
    for (const number of readNumbers(line)) waiting.set(number, line)
    streams[0]?.write(line)
  }
  const logger = pino({ base: { hostname: shipper } }, { write })
  for await (const number of nextNumbers()) logger.info({ program: 'sshd' }, printMessage(shipper, number))
}

type SplunkAnswer = { readonly code?: number } | undefined
type SplunkLogger = {
  error: (problem: unknown) => void
  send(context: object, done: (error: Error | null, response: unknown, answer: SplunkAnswer) => void): void
}

async function shipBySplunkLogging(shipper: string, token: string): Promise<void> {
  const { Logger } = load('splunk-logging') as { readonly Logger: new (options: object) => SplunkLogger }
  const logger = new Logger({ token, url, maxRetries: 1_000, maxBatchCount: batch })
  logger.error = complain(shipper)
  let messages: string[] = []
  for await (const number of nextNumbers()) {
    messages.push(printMessage(shipper, number))
    const sent = messages
    // Only the call that fills a batch is answered, for all of it.
    logger.send({ message: { program: 'sshd', text: printMessage(shipper, number) }, metadata: { host: shipper } }, (_, __, answer) => {
      if (answer?.code === 0) acknowledge(shipper, sent.join('\n'))
    })
    if (messages.length === batch) messages = []
  }
}

type LogRecord = { readonly body?: unknown }
type Exporter = { export(records: readonly LogRecord[], done: (result: { readonly code: number; readonly error?: Error }) => void): void }
type OtelLogger = { emit(record: object): void }
type OtelSdk = {
  readonly LoggerProvider: new (options: object) => { getLogger(name: string): OtelLogger }
  readonly BatchLogRecordProcessor: new (options: object) => object
}

async function shipByOpenTelemetry(shipper: string, token: string, exporterPackage: string): Promise<void> {
  const { LoggerProvider, BatchLogRecordProcessor } = load('@opentelemetry/sdk-logs') as OtelSdk
  const { OTLPLogExporter } = load(exporterPackage) as { readonly OTLPLogExporter: new (options: object) => Exporter }
  const exporter = new OTLPLogExporter({
    url: `${url}/ingest/otlp/v1/logs`, headers: { authorization: `Bearer ${token}` }, timeoutMillis: 60_000, compression: 'gzip',
  })
  const send = exporter.export.bind(exporter)
  exporter.export = (records, done) => send(records, (result) => {
    if (result.code === 0) acknowledge(shipper, records.map(({ body }) => String(body)).join('\n'))
    else complain(shipper)(result.error)
    done(result)
  })
  const processor = new BatchLogRecordProcessor({
    exporter, maxExportBatchSize: batch, maxQueueSize: count, scheduledDelayMillis: flushMs, exportTimeoutMillis: 120_000,
  })
  const logger = new LoggerProvider({ processors: [processor] }).getLogger('sshd')
  for await (const number of nextNumbers()) logger.emit({ body: printMessage(shipper, number), attributes: { 'host.name': shipper } })
}

const shippers: { readonly [shipper: string]: (shipper: string, token: string) => Promise<void> } = {
  'elasticsearch-8': (shipper, token) => shipByBulkHelper(shipper, token, 'elasticsearch-8'),
  'elasticsearch-9': (shipper, token) => shipByBulkHelper(shipper, token, 'elasticsearch-9'),
  'winston-elasticsearch': shipByWinston,
  'pino-elasticsearch': shipByPino,
  'splunk-logging': shipBySplunkLogging,
  'opentelemetry-js-json': (shipper, token) => shipByOpenTelemetry(shipper, token, '@opentelemetry/exporter-logs-otlp-http'),
  'opentelemetry-js-protobuf': (shipper, token) => shipByOpenTelemetry(shipper, token, '@opentelemetry/exporter-logs-otlp-proto'),
}
for (const [shipper, token] of Object.entries(tokens)) void shippers[shipper]?.(shipper, token).catch(complain(shipper))
