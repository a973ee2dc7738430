import type { PushData, PushEnvelope } from '@tripline/server/contract'
import { exitCodes, usageError } from './command-error.ts'
import { defineCommand } from './command.ts'
import { limits } from './limits.ts'
import { readNumber } from './parse-number.ts'
import { openPushClient } from './push-client.ts'
import { escapeControl } from './escape-control.ts'
import { writeText } from './write-text.ts'

/** Shows what a server pushes, as it comes. */
export const watchCommand = defineCommand({
  name: 'watch',
  summary: 'Shows the news of a server as they come: alerts, metrics, events that match a query.',
  options: {
    server: { kind: 'text', value: '<url>', default: 'http://127.0.0.1:8080', help: 'Where the server is.' },
    topics: {
      kind: 'text', value: '<name,...>', default: 'alerts',
      help: 'What to listen to: alerts, alert_updates, metrics, connector_health, incidents.',
    },
    since: { kind: 'text', value: '<alert|time>', help: 'First shows the alerts that were made after one, or since an instant.' },
    query: { kind: 'text', value: '<query>', help: 'Shows events that match, as they pass, instead of the topics.' },
    count: { kind: 'text', value: '<number>', help: 'Ends after so many messages; without it, Ctrl-C does.' },
    json: { kind: 'flag', help: 'Prints each message as it came: {"type","timestamp","data"}, one a line.' },
  },
  notes: [
    'Whoever asks shows a token: it is read from the variable TRIPLINE_TOKEN, so that no list of processes shows it.',
    "POST /v1/auth/login gives one, and so does 'tripline admin token create'.",
    'Exit codes: 0 ended by Ctrl-C or --count; 1 the server closed the connection; 2 wrong arguments; '
      + '66 the server is not to be reached.',
  ],
  async run({ options }, context) {
    const { query, since } = options
    const isCounted = options.count !== undefined
    const count = isCounted ? readNumber('--count', options.count, { min: 1, max: limits.watchedMax, isWhole: true }) : Infinity
    const token = context.environment['TRIPLINE_TOKEN']
    if (token === undefined || token === '') throw usageError('the variable TRIPLINE_TOKEN is not set; it holds the token to show')
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

/** The address of live push on a server. @throws CommandError (2) for what is no address of a server. */
function readServer(text: string): URL {
  const url = URL.parse('/v1/ws/monitoring', text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw usageError(`option '--server' is '${text}'; it takes an address such as http://127.0.0.1:8080`)
  }
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url
}

/** Ends with what is wrong with the arguments; an error that is not about them is shown as any message is. */
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
