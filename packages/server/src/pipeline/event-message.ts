import type { EventObject, Logsource } from '@tripline/engine'
import { decodeUtf8 } from '../domain/decode-utf8.ts'
import { eventSeverities } from '../domain/event-severity.ts'
import { isJsonObject } from '../domain/json.ts'
import { parseLogsource } from '../domain/parse-logsource.ts'
import type { TimeAndSeverity } from './extract-time-and-severity.ts'

/** What is said of an event beside its own words. */
export type EventOrigin = {
  /** The id that its sender gave it: one that was seen before is not evaluated again. */
  readonly id?: string
  /** What it is, as its connector says, where it does not say so itself. */
  readonly logsource?: Logsource
}

/** An event as it is handed to the pipeline. */
export type RawEvent = EventOrigin & {
  /** The JSON object as it arrived, without a line feed at its end. */
  readonly bytes: Uint8Array
  /** What the caller has read in it, who has parsed it. */
  readonly reading?: TimeAndSeverity
}

/** An event on the topic `raw-events`. */
export type RawHeader = EventOrigin & {
  readonly receivedAt: number
  /** What whoever took the event has read in it, so that it is not parsed for this again. */
  readonly reading?: TimeAndSeverity
}

/** An event on the topic `normalized-events`. */
export type EventHeader = EventOrigin & Required<TimeAndSeverity> & {
  readonly receivedAt: number
  /** Its offset on `raw-events`, by which stages know what they have handled. */
  readonly offset: number
}

/** That time has come to an instant without events: on `normalized-events`, among these. */
export type Tick = { readonly tickAt: number }

export type RawMessage = { readonly head: RawHeader; readonly bytes: Uint8Array }
export type NormalizedMessage = { readonly head: EventHeader; readonly bytes: Uint8Array } | Tick

/** A message of the pipeline: a line of JSON that is its head, then the event's bytes exactly as they arrived. */
export function printMessage(head: RawHeader | EventHeader | Tick, bytes: Uint8Array = noBytes): Uint8Array {
  const line = Buffer.from(`${JSON.stringify(head)}\n`, 'utf8')
  return bytes.length === 0 ? line : Buffer.concat([line, bytes])
}

/** Reads a message of `raw-events`; undefined for bytes that are none. */
export function parseRawMessage(message: Uint8Array): RawMessage | undefined {
  const { fields, bytes } = split(message)
  const head = fields === undefined ? undefined : parseOrigin(fields)
  if (head === undefined) return undefined
  const reading = parseTimeAndSeverity(fields?.['reading'])
  return { head: reading === undefined ? head : { ...head, reading }, bytes }
}

/** Reads a message of `normalized-events`; undefined for bytes that are none. */
export function parseNormalizedMessage(message: Uint8Array): NormalizedMessage | undefined {
  const { fields, bytes } = split(message)
  if (fields === undefined) return undefined
  const { tickAt, offset } = fields
  if (typeof tickAt === 'number') return { tickAt }
  const head = parseOrigin(fields)
  const { severity, occurredAt } = parseTimeAndSeverity(fields) ?? {}
  if (head === undefined || severity === undefined) return undefined
  if (typeof offset !== 'number' || occurredAt === undefined) return undefined
  return { head: { ...head, offset, occurredAt, severity }, bytes }
}

function split(message: Uint8Array): { readonly fields: EventObject | undefined; readonly bytes: Uint8Array } {
  const end = message.indexOf(lineFeed)
  if (end === -1) return { fields: undefined, bytes: noBytes }
  return { fields: parseHead(message.subarray(0, end)), bytes: message.subarray(end + 1) }
}

/** Heads are ours and flat, so nothing has to be measured before they are parsed. */
function parseHead(line: Uint8Array): EventObject | undefined {
  try {
    const head: unknown = JSON.parse(decodeUtf8(line))
    return isJsonObject(head) ? head : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function parseTimeAndSeverity(value: unknown): TimeAndSeverity | undefined {
  if (!isJsonObject(value)) return undefined
  const { severity: name, occurredAt } = value
  const severity = eventSeverities.find((known) => known === name)
  if (severity === undefined) return undefined
  return typeof occurredAt === 'number' ? { severity, occurredAt } : { severity }
}

function parseOrigin({ receivedAt, id, ...stated }: EventObject): Omit<RawHeader, 'reading'> | undefined {
  if (typeof receivedAt !== 'number') return undefined
  const logsource = parseLogsource(stated['logsource'])
  return {
    receivedAt,
    ...(typeof id === 'string' && { id }),
    ...(logsource && { logsource }),
  }
}

const lineFeed = 0x0a
const noBytes = new Uint8Array(0)
