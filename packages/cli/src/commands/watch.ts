import { ExitError, exitCodes } from '@tripline/common/exit-error'
import type { PushData, PushEnvelope } from '@tripline/contract'
import { usageError } from '../framework/command-error.ts'
import { defineCommand } from '../framework/command.ts'
import { escapeControl } from '../framework/escape-control.ts'
import { readNumber } from '../framework/parse-number.ts'
import { writeText } from '../framework/write-text.ts'
import { limits } from '../limits.ts'

/** Prints the messages that a server pushes. */
export const watchCommand = defineCommand({
  name: 'watch',
  summary: 'Prints live alerts, metrics, or events that match a query.',
  options: {
    server: { kind: 'text', value: '<url>', default: 'http://127.0.0.1:8080', help: 'The address of the server.' },
    topics: {
      kind: 'text', value: '<name,...>', default: 'alerts',
      help: 'Topics to subscribe to: alerts, alert_updates, metrics, connector_health, incidents, jobs.',
    },
    since: { kind: 'text', value: '<alert|time>', help: 'First prints the alerts after this alert, or since this time.' },
    query: { kind: 'text', value: '<query>', help: 'Prints live events that match this query, in place of topics.' },
    count: { kind: 'text', value: '<number>', help: 'Ends after this many messages. Default: runs until Ctrl-C.' },
    json: { kind: 'flag', help: 'Prints each message unchanged: {"type","timestamp","data"}, one a line.' },
  },
  notes: [
    'Reads an access token from the variable TRIPLINE_TOKEN, so that no list of processes shows it.',
    "POST /v1/auth/login and 'tripline admin token create' issue tokens.",
    'Exit codes: 0 ended by Ctrl-C or --count; 1 the server closed the connection; 2 wrong arguments; '
      + '66 the server cannot be reached.',
  ],
  async run({ options }, context) {
    const { query, since } = options
    const isCounted = options.count !== undefined
    const count = isCounted ? readNumber('--count', options.count, { min: 1, max: limits.watchedMax, isWhole: true }) : Infinity
    const token = context.environment['TRIPLINE_TOKEN']
    if (token === undefined || token === '') throw usageError('the variable TRIPLINE_TOKEN is not set; set it to an access token')
    const subscription = query === undefined
      ? { action: 'subscribe', topics: options.topics.split(','), ...(since !== undefined && { since }) }
      : { action: 'subscribe', topics: ['search'], id: 'watch', params: { query } }
    const url = readServer(options.server)
    const client = await openPushClient({ url, token, subscription })
    void context.interrupted().then(() => client.close())
    let shown = 0
    for await (const text of client.messages) {
      const message = JSON.parse(text) as PushEnvelope
      if (message.type === 'subscribed') continue
      if (message.type === 'error') createRefusal(message.data as PushData<'error'>)
      await writeText(context.stdout, options.json ? `${text}\n` : printMessage(message))
      if (++shown >= count) break
    }
    client.close()
    return exitCodes.ok
  },
})

/** The WebSocket address of a server. @throws ExitError (2) for an invalid address. */
function readServer(text: string): URL {
  const url = URL.parse('/v1/ws/monitoring', text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw usageError(`option '--server' is '${text}'; it takes an address such as http://127.0.0.1:8080`)
  }
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url
}

/** Throws for an error about the arguments; other errors are printed like any message. */
function createRefusal({ code, message, position }: PushData<'error'>): void {
  if (code === 'INVALID_QUERY') throw usageError(`the query is wrong${position === undefined ? '' : ` at ${position}`}: ${message}`)
  if (code === 'UNKNOWN_TOPIC') throw usageError(`option '--topics': ${message}`)
}

/** One line for a message; an event is printed whole. */
function printMessage({ type, timestamp, data }: PushEnvelope): string {
  const fields = Object.entries(data as object)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  return `${escapeControl(`${timestamp}  ${type}  ${fields.join('  ')}`)}\n`
}

type PushClientOptions = {
  readonly url: URL
  readonly token: string
  /** Sent as soon as the connection is there. */
  readonly subscription: object
}

/** A connection to a server that pushes. */
type PushClient = {
  /** What the server says, in order; ends after `close`. @throws ExitError (1) where the server ends it. */
  readonly messages: AsyncIterable<string>
  readonly close: () => void
}

/** The code of an end that is as it should be. */
const normalClosure = 1000

/**
 * Connects with a token and subscribes. The token stands beside the protocol's name, where no log keeps it.
 *
 * @throws ExitError (66) if no server answers.
 */
async function openPushClient({ url, token, subscription }: PushClientOptions): Promise<PushClient> {
  const socket = new WebSocket(url, ['bearer', token])
  await new Promise<void>((resolve, reject) => {
    const refuse = (): void => reject(new ExitError(exitCodes.unreadable, `no server answers at ${url.host}; check --server`))
    socket.addEventListener('open', () => resolve(), { once: true })
    socket.addEventListener('error', refuse, { once: true })
  })
  let isDone = false
  const messages = new ReadableStream<string>({
    start(controller) {
      socket.addEventListener('message', ({ data }) => {
        if (!isDone) controller.enqueue(String(data))
      })
      socket.addEventListener('close', ({ code, reason }) => {
        if (isDone) return
        isDone = true
        if (code === normalClosure) controller.close()
        else controller.error(new ExitError(exitCodes.refused, `the server closed the connection: ${reason || `code ${code}`}`))
      })
    },
    cancel() {
      isDone = true
    },
  })
  socket.send(JSON.stringify(subscription))
  return { messages, close: () => socket.close(normalClosure) }
}
