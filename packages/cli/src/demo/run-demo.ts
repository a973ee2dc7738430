import { getErrorCode } from '@tripline/common/error-code'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config, RunningServer, ServeArguments } from '@tripline/server'
import type { IngestReceiptBody } from '@tripline/contract'
import type { Context } from '../framework/context.ts'
import { writeText } from '../framework/write-text.ts'
import { createApiClient, openClientSession } from './demo-client.ts'
import type { ApiClient, DemoCredentials } from './demo-client.ts'
import { moveToNow, readSampleEvents } from './demo-samples.ts'
import { openSyslog } from './open-syslog.ts'
import { printTour } from './print-demo-tour.ts'
import { createRefusalPrinter } from './print-refusals.ts'

const fixtures = fileURLToPath(new URL('../../../../fixtures', import.meta.url))

/** Milliseconds between two of the events that are there when the demo starts: they fill the last half hour. */
const spacingMs = 24_000

/**
 * Runs `tripline serve --demo` until Ctrl-C: a server with the sample rules of a clone that was fed its sample events, receives
 * more of them all the time, and prints what to try. The console says that it is a demo, and which connector brings the samples.
 * Its settings are those of `serve` without variables, so that it is the same on every machine; of its log it prints errors only.
 * Without --data-dir it stores nothing.
 *
 * @throws ExitError with the exit code of `serve` for a setting or a directory that cannot be used.
 */
export async function runDemo(args: ServeArguments, context: Context): Promise<number> {
  const samples = readSampleEvents(join(fixtures, 'events'))
  // From here on a signal ends the demo in order, so that it leaves no folder behind.
  const interrupted = context.interrupted().then(() => undefined)
  const temporary = await mkdtemp(join(tmpdir(), 'tripline-demo-'))
  try {
    const { server, now } = await startDemoServer(args, temporary, context)
    try {
      const { origin, credentials } = readFirstAdmin(server)
      const call = await openClientSession(origin, credentials)
      const { id, token } = await createSampleConnector(call)
      const sender = createApiClient(origin, token)
      const fedCount = await sendSamples(sender, samples, now())
      await markAsDemo(call, id)
      await server.untilIdle()
      const loginLink = await server.createLoginLink()
      const shown = { origin, credentials, loginLink, fedCount, rsyslogLines: await openSyslog(call), commandLine: context }
      await writeText(context.stdout, await printTour(call, shown))
      const onError = createRefusalPrinter((line) => void context.stderr.write(line))
      const replay = startReplay({ samples, call: sender, now, onError })
      const end = await Promise.race([interrupted, server.failed.then((error) => ({ error }))])
      await replay.stop()
      if (end !== undefined) throw new Error('the server cannot go on', { cause: end.error })
    } finally {
      await server.close()
    }
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
  return exitCodes.ok
}

async function startDemoServer(
  args: ServeArguments, temporary: string, context: Context,
): Promise<{ readonly server: RunningServer; readonly now: () => number }> {
  // Loaded only here: the other commands start faster without the server.
  const { processRuntime, readConfig, startServer } = await import('@tripline/server')
  const environment = { TRIPLINE_DATA_DIR: temporary, TRIPLINE_RULES: join(fixtures, 'rules') }
  const io = { ...processRuntime(), environment, logLine: (line: string) => showErrorLine(line, context) }
  const start = async (config: Config): Promise<RunningServer> => await startServer(config, io)
  const config = await readConfig(args, io)
  const isAnyPort = args.settings.listen === undefined
  const server = await start(config).catch(async (error: unknown) => {
    const isTaken = error instanceof Error && getErrorCode(error.cause) === 'EADDRINUSE'
    if (!isTaken || !isAnyPort) throw error
    return await start({ ...config, listen: { ...config.listen, port: 0 } })
  })
  await writeText(context.stdout, `${JSON.stringify({ event: 'ready', port: server.port, pid: io.processId })}\n\n`)
  return { server, now: io.now }
}

/** The administrator of the first start; a data directory that has users already has none. */
function readFirstAdmin({ port, firstAdmin }: RunningServer): { readonly origin: string; readonly credentials: DemoCredentials } {
  if (firstAdmin !== undefined) return { origin: `http://127.0.0.1:${port}`, credentials: firstAdmin }
  const problem = '--demo needs a new data directory: this one already has users; choose another with --data-dir'
  throw new ExitError(exitCodes.configuration, problem)
}

/** Sends all samples as events of the last half hour, and returns how many the server accepted. */
async function sendSamples(call: ApiClient, samples: readonly string[], now: number): Promise<number> {
  const begin = now - samples.length * spacingMs
  const events = samples.map((sample, i) => moveToNow(sample, { at: begin + i * spacingMs, round: 0 }))
  return (await call<IngestReceiptBody>('/ingest/v1/events', { body: events.join('\n') })).accepted
}

/** Creates the connector that brings the samples: the pages name it as their source, and who switches it off sees own events alone. */
async function createSampleConnector(call: ApiClient): Promise<{ readonly id: string; readonly token: string }> {
  const body = JSON.stringify({ name: 'Sample events', type: 'http_ndjson', config: {} })
  type Created = { readonly id: string; readonly ingest: { readonly token: string } }
  const { id, ingest } = await call<Created>('/v1/connectors', { body })
  return { id, token: ingest.token }
}

/** Has the Dashboard of the administrator say that this is a demo, until it is hidden. */
async function markAsDemo(call: ApiClient, connectorId: string): Promise<void> {
  const body = JSON.stringify({ preferences: { demo: { connector: connectorId } } })
  await call('/v1/me/preferences', { method: 'PUT', body })
}

function showErrorLine(line: string, { stderr }: Context): void {
  const { level } = JSON.parse(line) as { readonly level: string }
  if (level === 'error') stderr.write(`${line}\n`)
}

/** Milliseconds between two sample events: two a second move the live numbers, and leave the log readable. */
const pauseMs = 500

type ReplayOptions = {
  readonly samples: readonly string[]
  readonly call: ApiClient
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Told what went wrong with an event; the next is sent all the same. */
  readonly onError: (error: unknown) => void
}

/** Sends sample events one by one, over and over, until it is stopped; that resolves when the last one is answered. */
function startReplay({ samples, call, now, onError }: ReplayOptions): { readonly stop: () => Promise<void> } {
  let sentCount = 0
  let sending = Promise.resolve()
  const timer = setInterval(() => {
    const sample = samples[sentCount % samples.length] ?? '[]'
    const round = 1 + Math.floor(sentCount / samples.length)
    sentCount++
    const body = moveToNow(sample, { at: now(), round })
    sending = sending.then(() => call('/ingest/v1/events', { body })).then(() => {}, onError)
  }, pauseMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await sending
    },
  }
}
