import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { parseEvent } from '@tripline/engine'
import type { EventObject, MalformedLine } from '@tripline/engine'
import type { Context } from '../framework/context.ts'
import type { LinePlace } from '../framework/line-place.ts'
import { limits } from '../limits.ts'
import { parseLogsourceOption } from './add-logsource.ts'
import { findInputPaths } from './find-input-paths.ts'
import { readEventMapping } from './map-events.ts'
import { openEvents } from './open-events.ts'
import type { InputFormat } from './open-events.ts'
import type { InputOptions } from './open-inputs.ts'
import { MalformedLineReporter } from './report-malformed-lines.ts'

type PlacedEvent = { readonly place: LinePlace; readonly event: EventObject }

/**
 * Reads the events of small files or of stdin at once: each holds one JSON object, which may span lines, or NDJSON.
 *
 * @throws ExitError (66) when one cannot be read or is too large, (65) when one holds no event.
 */
export async function readAllEvents(options: InputOptions, context: Context): Promise<PlacedEvent[]> {
  const { input: given, 'input-format': format, logsource, mapping } = options
  const mapEvent = readEventMapping(mapping, { cwd: context.cwd, now: context.wallClock() }) ?? ((event: EventObject) => event)
  const added = logsource === undefined ? {} : { _logsource: parseLogsourceOption(logsource) }
  const events: PlacedEvent[] = []
  const paths = await findInputPaths(given, context)
  for (const path of paths) {
    const shownPath = paths.length === 1 ? undefined : path
    for (const { line, event } of await readEvents({ path, shownPath, format }, context)) {
      events.push({ place: { line: line + 1, path: shownPath }, event: { ...added, ...mapEvent(event) } })
    }
  }
  return events
}

/** An event and its line, counted from 0. */
type NumberedEvent = { readonly line: number; readonly event: EventObject }

type NamedFile = { readonly path: string; readonly shownPath: string | undefined; readonly format: InputFormat }

async function readEvents({ path, shownPath, format }: NamedFile, context: Context): Promise<NumberedEvent[]> {
  const { bytes, problems } = await readAllBytes(path, format, context)
  const text = bytes.toString('utf8')
  // Trimming takes carriage returns and a byte order mark as well.
  const whole = parseEvent(text.trim())
  if ('event' in whole && problems.length === 0) return [{ line: 0, event: whole.event }]

  const events: NumberedEvent[] = []
  const malformed: MalformedLine[] = [...problems]
  for (const [line, part] of text.split('\n').entries()) {
    const trimmed = part.trim()
    if (trimmed === '') continue
    const parsed = parseEvent(trimmed)
    if ('event' in parsed) events.push({ line, event: parsed.event })
    else malformed.push({ line, reason: parsed.reason })
  }
  if (events.length === 0) {
    const reason = 'reason' in whole ? whole.reason : malformed[0]?.reason
    throw new ExitError(exitCodes.noData, `no event in '${path}': ${problems[0]?.reason ?? reason}`)
  }
  const reporter = new MalformedLineReporter(context.stderr)
  reporter.report(malformed.map(({ line, reason }) => ({ line: line + 1, path: shownPath, reason })))
  reporter.reportTotal()
  return events
}

type FileBytes = { readonly bytes: Buffer; readonly problems: readonly MalformedLine[] }

async function readAllBytes(path: string, format: InputFormat, context: Context): Promise<FileBytes> {
  const input = await openEvents(path, format, context)
  const pieces: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of input.chunks) {
      pieces.push(Buffer.from(chunk))
      length += chunk.length
      if (length > limits.explainedBytesMax) {
        const most = limits.explainedBytesMax.toLocaleString('en')
        const hint = `'tripline detect --explain' takes any number`
        throw new ExitError(exitCodes.unreadable, `the events in '${path}' are longer than ${most} bytes; ${hint}`)
      }
    }
  } finally {
    input.close()
  }
  return { bytes: Buffer.concat(pieces), problems: input.takeProblems() }
}
