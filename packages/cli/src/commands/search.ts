import { exitCodes } from '@tripline/common/exit-error'
import { QueryError, findQueryWarnings, formatQueryError } from '@tripline/query'
import type { EventSearchResult, StoredEvent } from '@tripline/server/events'
import { rangeOptions } from '../data-dir/read-range.ts'
import { readStoredRange, storeOptions, withStoredEvents } from '../data-dir/stored-events.ts'
import { usageError } from '../framework/command-error.ts'
import { defineCommand } from '../framework/command.ts'
import { escapeControl } from '../framework/escape-control.ts'
import { readNumber } from '../framework/parse-number.ts'
import { writeText } from '../framework/write-text.ts'
import { limits } from '../limits.ts'

/** Searches stored events. */
export const searchCommand = defineCommand({
  name: 'search',
  needsServer: true,
  summary: 'Searches stored events.',
  operands: { usage: '[<query>]', help: 'A query in the search language; without it, all events match.' },
  options: {
    ...storeOptions,
    ...rangeOptions,
    limit: {
      kind: 'text',
      value: '<number>',
      default: '100',
      help: `How many events to print, newest first; at most ${limits.searchLimitMax}.`,
    },
    histogram: { kind: 'flag', help: 'Also counts all matching events over time and by severity.' },
    json: { kind: 'flag', help: 'Prints one JSON object: {"query","total","total_relation","truncated","events","histogram"}.' },
  },
  notes: [
    'Without a query, every event is found. The language: user:alice AND NOT Image:*\\\\cmd.exe bytes:[1 TO 500] "two words" '
      + 'host:(a OR b) message:* path:/\\\\.exe$/i *:10.0.0.0/8 time:[now-1h TO now]. Without --json, '
      + 'an event is printed as it was stored, one a line.',
    'Exit codes: 0 searched; 2 wrong arguments, or a query that is none; 66 the data directory cannot be read.',
  ],
  async run({ options, operands }, context) {
    const { searchEvents } = await import('@tripline/server/events')
    const limit = readNumber('--limit', options.limit, { min: 1, max: limits.searchLimitMax, isWhole: true })
    const query = operands.join(' ')
    const { tenant } = options
    const { found, fields } = await withStoredEvents({ directory: options['data-dir'], creates: false }, context, async (store) => {
      const now = context.wallClock()
      const range = await readStoredRange(store, options, context)
      const extent = options.histogram ? 'histogram' : options.json ? 'total' : 'page'
      const result = await parseSearch(query, () => searchEvents(store, { tenant, query, ...range, now, limit, extent }))
      return { found: result, fields: await store.fieldNames(tenant) }
    })
    const warnings = findQueryWarnings(query, fields === undefined ? {} : { fields })
    for (const { message } of warnings) context.stderr.write(`tripline: ${escapeControl(message)}\n`)
    await writeText(context.stdout, options.json ? printJson(found) : printText(found))
    if (found.corruptedCount > 0) {
      context.stderr.write(`tripline: ${found.corruptedCount} blocks cannot be read and were left out; see 'tripline verify'\n`)
    }
    if (found.isTruncated) context.stderr.write('tripline: the search ended before it had looked everywhere\n')
    return exitCodes.ok
  },
})

/** Turns a query that is none into a wrong argument. */
async function parseSearch(query: string, search: () => Promise<EventSearchResult>): Promise<EventSearchResult> {
  try {
    return await search()
  } catch (error) {
    if (error instanceof QueryError) throw usageError(`the query is wrong: ${formatQueryError(query, error)}`)
    throw error
  }
}

const barWidth = 40

function printText({ events, histogram, total }: EventSearchResult): string {
  const lines = events.map(({ bytes }) => printField(bytes))
  if (histogram === undefined) return lines.map((line) => `${line}\n`).join('')
  const most = Math.max(1, ...histogram.buckets.map(({ count }) => count))
  const bars = histogram.buckets.filter(({ count }) => count > 0).map(({ startsAt, count, bySeverity }) => {
    const bar = '█'.repeat(Math.max(1, Math.round((count / most) * barWidth)))
    const severities = Object.entries(bySeverity).map(([severity, each]) => `${severity} ${each}`).join(', ')
    return `${new Date(startsAt).toISOString()}  ${String(count).padStart(9)}  ${bar}  ${escapeControl(severities)}`
  })
  return [...lines, ...bars, `${total.toLocaleString('en')} events match`].map((line) => `${line}\n`).join('')
}

function printJson({ canonicalQuery, total, isTotalExact, isTruncated, events, histogram }: EventSearchResult): string {
  const head = JSON.stringify({
    query: canonicalQuery,
    total,
    total_relation: isTotalExact ? 'eq' : 'gte',
    truncated: isTruncated,
    ...(histogram && { histogram: histogram.buckets.map(({ startsAt, count, bySeverity }) => {
      return { time: new Date(startsAt).toISOString(), count, breakdown: bySeverity }
    }) }),
  })
  return `${head.slice(0, -1)},"events":[${events.map(printEvent).join(',')}]}\n`
}

/** An event's own text keeps what parsing loses. */
function printEvent({ occurredAt, sequence, severity, bytes }: StoredEvent): string {
  const facts = JSON.stringify({ time: new Date(occurredAt).toISOString(), sequence, severity })
  return `${facts.slice(0, -1)},"event":${printField(bytes)}}`
}

function printField(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
