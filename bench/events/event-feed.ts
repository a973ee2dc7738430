import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

/** An event to be stored. */
export type FeedEvent = { readonly occurredAt: number; readonly bytes: Buffer }

/** Many events of realistic shape: some that were recorded, again and again, later each time and on other hosts. */
export type EventFeed = {
  readonly name: 'shared' | 'fixtures'
  readonly count: number
  /** When the first occurs, and a time after the last. */
  readonly from: number
  readonly to: number
  /** A host that has few of the events. */
  readonly rareHost: string
  readonly batches: (size: number) => Generator<readonly FeedEvent[]>
}

const dayMs = 86_400_000
const defaultTimes = { startsAt: Date.UTC(2026, 9, 1), days: 30 }
/** Hosts that one recorded host becomes. */
const hostsPerRecordedHost = 500
const fixtures = fileURLToPath(new URL('../../fixtures/events/', import.meta.url))

/** When events begin, and over how many days they are spread. */
export type FeedTimes = { readonly startsAt: number; readonly days: number }

/** Spreads events over thirty days, or other ones; recorded ones come from the folder of shared data, else from the fixtures. */
export function openFeed(folder: string, count: number, { startsAt, days }: FeedTimes = defaultTimes): EventFeed {
  const isShared = existsSync(join(folder, 'events-windows-dev.ndjson.gz'))
  const recorded = (isShared ? readSharedLines(folder) : readFixtureLines()).map(createTemplate)
  const stepMs = (days * dayMs) / count
  return {
    name: isShared ? 'shared' : 'fixtures',
    count,
    from: startsAt,
    to: startsAt + days * dayMs,
    rareHost: findRareHost(recorded, count),
    * batches(size) {
      for (let from = 0; from < count; from += size) {
        yield Array.from({ length: Math.min(size, count - from) }, (_, i) => {
          const number = from + i
          const occurredAt = Math.floor(startsAt + number * stepMs)
          return { occurredAt, bytes: fillTemplate(recorded[number % recorded.length]!, occurredAt, number) }
        })
      }
    },
  }
}

/** A recorded event, cut where its time and its host stand. */
type EventTemplate = { readonly pieces: readonly string[]; readonly host: string | undefined }

function createTemplate(line: string): EventTemplate {
  const host = /"Computer":"([^"\\]+)"/.exec(line)?.[1]
  const pieces = line
    .replace(/"@timestamp":"[^"]*"/, '"@timestamp":"\u0000T\u0000"')
    .replace(/"Computer":"[^"]*"/, '"Computer":"\u0000H\u0000"')
    .split('\u0000')
  return { pieces, host }
}

function fillTemplate({ pieces, host = '' }: EventTemplate, occurredAt: number, number: number): Buffer {
  const text = pieces.map((piece) => {
    return piece === 'T' ? new Date(occurredAt).toISOString() : piece === 'H' ? createHostName(host,
      (number * 7_919) % hostsPerRecordedHost) : piece
  })
  return Buffer.from(text.join(''))
}

/** The host of an event in the middle. */
function findRareHost(recorded: readonly EventTemplate[], count: number): string {
  let number = count >> 1
  while (recorded[number % recorded.length]?.host === undefined && number > 0) number--
  return createHostName(recorded[number % recorded.length]?.host ?? '', (number * 7_919) % hostsPerRecordedHost)
}

function createHostName(host: string, number: number): string {
  return `${host.split('.')[0]}-${number}.example.com`
}

function readSharedLines(folder: string): string[] {
  const windows = sampleLines(gunzipSync(readFileSync(join(folder, 'events-windows-dev.ndjson.gz'))), 6)
  const others = sampleLines(gunzipSync(readFileSync(join(folder, 'events-other-dev.ndjson.gz'))), 2)
  // One in four is of another product, as they come.
  return windows.flatMap((line, i) => (i % 4 === 3 ? [line, others[i % others.length]!] : [line]))
}

function readFixtureLines(): string[] {
  return readdirSync(fixtures).filter((name) => name.endsWith('.ndjson')).sort()
    .flatMap((name) => sampleLines(readFileSync(join(fixtures, name)), 1))
}

/** Every so many lines of a buffer, which may be longer than the longest text. */
function sampleLines(bytes: Buffer, step: number): string[] {
  const lines: string[] = []
  let number = 0
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(10, start)
    const end = found === -1 ? bytes.length : found
    if (end > start && number++ % step === 0) lines.push(bytes.toString('utf8', start, end))
    start = end + 1
  }
  return lines
}
