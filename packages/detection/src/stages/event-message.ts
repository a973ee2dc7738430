import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { isJsonObject } from '@tripline/common/json'
import type { EventObject } from '@tripline/engine'
import type { EventSource } from '@tripline/formats/event/event-arrival'
import type { EventRef } from '@tripline/formats/event/event-id'
import { eventSeverities } from '@tripline/formats/event/event-severity'
import type { TimeAndSeverity } from '@tripline/formats/event/extract-time-and-severity'
import { parseLogsource } from '@tripline/formats/event/parse-logsource'

/** The metadata that arrives with an event. */
export type EventOrigin = EventSource & {
  /** The id given by the sender: a repeated one is not evaluated again. */
  readonly id?: string
}

/** An event as it is handed to the pipeline. */
export type RawEvent = EventOrigin & {
  /** The JSON object as it arrived, without a trailing line feed. */
  readonly bytes: Uint8Array
  /** The time and severity, if the caller has parsed the event. */
  readonly reading?: TimeAndSeverity
}

/** The header of an event on the topic `raw-events`. */
type RawHeader = EventOrigin & {
  readonly receivedAt: number
  /** The time and severity read on ingest, so that the event is not parsed again for them. */
  readonly reading?: TimeAndSeverity
}

/** The header of an event on the topic `normalized-events`. */
export type EventHeader = EventOrigin & Required<TimeAndSeverity> & {
  readonly receivedAt: number
  /** Its offset on `raw-events`, by which stages recognise what they have handled. */
  readonly offset: number
}

/** The reference of an event: every stage knows it before the event is stored. */
export function getAcceptedEventRef({ occurredAt, offset }: Pick<EventHeader, 'occurredAt' | 'offset'>): EventRef {
  return { occurredAt, by: 'offset', number: offset }
}

/** A message on `normalized-events` that time has advanced without events. */
type Tick = { readonly tickAt: number }

export type RawMessage = { readonly head: RawHeader; readonly bytes: Uint8Array }
type NormalizedMessage = { readonly head: EventHeader; readonly bytes: Uint8Array } | Tick

const noBytes = new Uint8Array(0)

/** Encodes a message of the pipeline: its header as a line of JSON, then the event's bytes exactly as they arrived. */
export function printMessage(head: RawHeader | EventHeader | Tick, bytes: Uint8Array = noBytes): Uint8Array {
  const line = Buffer.from(`${JSON.stringify(head)}\n`, 'utf8')
  return bytes.length === 0 ? line : Buffer.concat([line, bytes])
}

/** Parses a message of `raw-events`; undefined if it is not one. */
export function parseRawMessage(message: Uint8Array): RawMessage | undefined {
  const { fields, bytes } = split(message)
  const head = fields === undefined ? undefined : parseOrigin(fields)
  if (head === undefined) return undefined
  const reading = parseTimeAndSeverity(fields?.['reading'])
  return { head: reading === undefined ? head : { ...head, reading }, bytes }
}

/** Parses a message of `normalized-events`; undefined if it is not one. */
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

const lineFeed = 0x0a

function split(message: Uint8Array): { readonly fields: EventObject | undefined; readonly bytes: Uint8Array } {
  const end = message.indexOf(lineFeed)
  if (end === -1) return { fields: undefined, bytes: noBytes }
  return { fields: parseHead(message.subarray(0, end)), bytes: message.subarray(end + 1) }
}

/** Headers are written by us and flat, so their depth need not be measured. */
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

function parseOrigin({ receivedAt, id, connectorId, ...stated }: EventObject): Omit<RawHeader, 'reading'> | undefined {
  if (typeof receivedAt !== 'number') return undefined
  const logsource = parseLogsource(stated['logsource'])
  return {
    receivedAt,
    ...(typeof id === 'string' && { id }),
    ...(typeof connectorId === 'string' && { connectorId }),
    ...(logsource && { logsource }),
  }
}
