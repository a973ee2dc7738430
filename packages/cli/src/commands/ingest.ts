import type { MalformedLine } from '@tripline/engine'
import { exitCodes } from '@tripline/common/exit-error'
import type { EventStore, NewEvent } from '@tripline/server/events'
import { storeOptions, withStoredEvents } from '../data-dir/stored-events.ts'
import { unwritableError } from '../framework/command-error.ts'
import { defineCommand } from '../framework/command.ts'
import type { Context } from '../framework/context.ts'
import { inputOptions, malformedOptions } from '../framework/shared-options.ts'
import { writeText } from '../framework/write-text.ts'
import { chunkLines } from '../input/chunk-lines.ts'
import { openInputs } from '../input/open-inputs.ts'
import type { Inputs } from '../input/open-inputs.ts'
import { Progress } from '../input/progress.ts'
import { MalformedLineReporter, checkMalformedShare, parseAllowedShare } from '../input/report-malformed-lines.ts'
import { limits } from '../limits.ts'

/** Stores events, to be searched and hunted in. */
export const ingestCommand = defineCommand({
  name: 'ingest',
  needsServer: true,
  summary: 'Stores events for search and hunt.',
  options: {
    ...storeOptions,
    ...inputOptions,
    ...malformedOptions,
    json: { kind: 'flag', help: 'Prints one JSON object: {"stored","malformed","took_ms"}.' },
  },
  notes: [
    'What was stored is on disk when the command ends: events are synced group by group. The time of an event is what it '
      + 'states; one that states none happened now. Lines that hold no event are skipped, counted, and reported on stderr.',
    'Exit codes: 0 stored; 2 wrong arguments; 65 no line holds an event, or more are malformed than allowed; '
      + '66 the input cannot be read; 74 events cannot be stored.',
  ],
  async run({ options }, context) {
    const startedAt = context.now()
    const allowedShare = parseAllowedShare(options['allow-malformed'])
    const input = await openInputs(options, context)
    try {
      const stored = await withStoredEvents({ directory: options['data-dir'], creates: true }, context, (store) => {
        return storeAll(store, options.tenant, { input, context })
      })
      const tookMs = Math.round(context.now() - startedAt)
      const { eventCount, malformedCount } = stored
      await writeText(context.stdout, options.json
        ? JSON.stringify({ stored: eventCount, malformed: malformedCount, took_ms: tookMs }) + '\n'
        : `${eventCount.toLocaleString('en')} events stored in ${(tookMs / 1_000).toFixed(1)} s\n`)
      checkMalformedShare({ eventCount, malformedCount }, allowedShare)
      return exitCodes.ok
    } finally {
      input.close()
    }
  },
})

type IngestResult = { readonly eventCount: number; readonly malformedCount: number }

async function storeAll(
  store: EventStore, tenant: string, { input, context }: { input: Inputs; context: Context },
): Promise<IngestResult> {
  const { parseNewEvent } = await import('@tripline/server/events')
  const malformed = new MalformedLineReporter(context.stderr)
  const progress = new Progress(input, context)
  let lineCount = 0
  let eventCount = 0
  for await (const { bytes, endsWithLongLine } of chunkLines(input.chunks)) {
    const events: NewEvent[] = []
    const skipped: MalformedLine[] = []
    for (const line of splitLines(bytes)) {
      const text = trimLine(line)
      const read = text.length === 0 ? undefined : parseNewEvent(text, context.wallClock())
      if (read !== undefined && 'event' in read) events.push(read.event)
      else if (read !== undefined) skipped.push({ line: lineCount, reason: read.reason })
      lineCount++
    }
    if (endsWithLongLine) {
      const reason = `longer than ${limits.lineBytesMax.toLocaleString('en')} bytes`
      skipped.push({ line: lineCount - 1, reason })
    }
    skipped.push(...input.takeProblems())
    if (skipped.length > 0) progress.clear()
    malformed.report(skipped.map(({ line, reason }) => ({ reason, ...input.locate(line) })))
    await append(store, tenant, events)
    eventCount += events.length
    progress.draw(eventCount)
  }
  progress.clear()
  malformed.report(input.takeProblems().map(({ line, reason }) => ({ reason, ...input.locate(line) })))
  malformed.reportTotal()
  return { eventCount, malformedCount: malformed.count }
}

async function append(store: EventStore, tenant: string, events: readonly NewEvent[]): Promise<void> {
  try {
    for (let start = 0; start < events.length; start += limits.ingestBatchMax) {
      await store.append(tenant, events.slice(start, start + limits.ingestBatchMax))
    }
  } catch (error) {
    throw unwritableError(error)
  }
}

const lineFeed = 0x0a

function* splitLines(bytes: Uint8Array): Generator<Uint8Array> {
  let start = 0
  for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
    yield bytes.subarray(start, end)
    start = end + 1
  }
  if (start < bytes.length) yield bytes.subarray(start)
}

/** A line without blanks around it, and without a byte order mark. */
function trimLine(line: Uint8Array): Uint8Array {
  let [start, end] = [0, line.length]
  if (line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf) start = 3
  while (start < end && isBlankByte(line[start]!)) start++
  while (end > start && isBlankByte(line[end - 1]!)) end--
  return line.subarray(start, end)
}

function isBlankByte(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d
}
