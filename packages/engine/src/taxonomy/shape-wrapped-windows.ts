import type { EventObject } from '../event/event.ts'
import { isObject } from '../event/value.ts'
import { readOwnObject, readOwnValue, readPath } from './read-own-value.ts'
import { addData, addRemainingFields, buildHeaderFields } from './windows-fields.ts'
import type { Fields } from './windows-fields.ts'

/** The products that wrap Windows events in events of their own. */
const wrappers = [
  { shape: 'Windows event of OpenTelemetry', read: readOpenTelemetryShape },
  { shape: 'Windows event of Wazuh', read: readWazuhShape },
  { shape: 'Windows event of Vector', read: readVectorShape },
] as const

/** Reads a Windows event that a product wraps in an event of its own; undefined for other shapes. */
export function readWrappedWindowsShape(event: EventObject): { readonly fields: Fields; readonly shape: string } | undefined {
  for (const { shape, read } of wrappers) {
    const fields = read(event)
    if (fields !== undefined) return { fields, shape }
  }
  return undefined
}

/** The Windows Event Log receiver of the OpenTelemetry Collector: the body is a map, also of records that came by OTLP. */
function readOpenTelemetryShape(event: EventObject): Fields | undefined {
  const body = readOwnObject(event, 'body')
  if (body === undefined || !Object.hasOwn(body, 'channel') || !Object.hasOwn(body, 'event_id')) return undefined
  const eventId = readOwnValue(body, 'event_id')
  const fields = buildHeaderFields({
    timestamp: readOwnValue(body, 'system_time'),
    eventId: isObject(eventId) ? readOwnValue(eventId, 'id') : eventId,
    channel: readOwnValue(body, 'channel'),
    provider: readPath(body, ['provider', 'name']),
    computer: readOwnValue(body, 'computer'),
    recordId: readOwnValue(body, 'record_id'),
    processId: readPath(body, ['execution', 'process_id']),
    threadId: readPath(body, ['execution', 'thread_id']),
    userId: readPath(body, ['security', 'user_id']),
  })
  addEventData(fields, readOwnValue(body, 'event_data'))
  const message = readOwnValue(body, 'message')
  if (typeof message === 'string') fields['Message'] = message
  addRemainingFields(fields, event, ['body'])
  return fields
}

/** `event_data` has the data as fields, or as a list `data` of objects with one field each. */
function addEventData(fields: Fields, eventData: unknown): void {
  if (!isObject(eventData)) return
  const list = readOwnValue(eventData, 'data')
  const parts: readonly unknown[] = Array.isArray(list) ? list : [eventData]
  for (const part of parts) {
    if (isObject(part)) for (const name of Object.keys(part)) addData(fields, name, readOwnValue(part, name))
    else addData(fields, 'Data', part)
  }
}

/** Alerts and archived events of Wazuh: `data.win`, whose names begin with a small letter. */
function readWazuhShape(event: EventObject): Fields | undefined {
  const win = readPath(event, ['data', 'win']) ?? readOwnValue(event, 'win')
  if (!isObject(win)) return undefined
  const system = readOwnObject(win, 'system')
  if (system === undefined || !Object.hasOwn(system, 'eventID')) return undefined
  const fields = buildHeaderFields({
    timestamp: readOwnValue(system, 'systemTime'),
    eventId: readOwnValue(system, 'eventID'),
    channel: readOwnValue(system, 'channel'),
    provider: readOwnValue(system, 'providerName'),
    computer: readOwnValue(system, 'computer'),
    recordId: readOwnValue(system, 'eventRecordID'),
    level: readOwnValue(system, 'level'),
    task: readOwnValue(system, 'task'),
    opcode: readOwnValue(system, 'opcode'),
    version: readOwnValue(system, 'version'),
    keywords: readOwnValue(system, 'keywords'),
    processId: readOwnValue(system, 'processID'),
    threadId: readOwnValue(system, 'threadID'),
  })
  const data = readOwnObject(win, 'eventdata')
  for (const name of Object.keys(data ?? {})) {
    addData(fields, `${name.charAt(0).toUpperCase()}${name.slice(1)}`, data === undefined ? undefined : readOwnValue(data, name))
  }
  const message = readOwnValue(system, 'message')
  if (typeof message === 'string') fields['Message'] = message
  addRemainingFields(fields, event, ['data', 'win'])
  return fields
}

/** The source `windows_event_log` of Vector. */
function readVectorShape(event: EventObject): Fields | undefined {
  if (readOwnValue(event, 'source_type') !== 'windows_event_log' || !Object.hasOwn(event, 'event_id')) return undefined
  const fields = buildHeaderFields({
    timestamp: readOwnValue(event, 'timestamp'),
    eventId: readOwnValue(event, 'event_id'),
    channel: readOwnValue(event, 'channel'),
    provider: readOwnValue(event, 'provider_name'),
    computer: readOwnValue(event, 'computer'),
    recordId: readOwnValue(event, 'record_id'),
    level: readOwnValue(event, 'level_value'),
    version: readOwnValue(event, 'version'),
    userId: readOwnValue(event, 'user_id'),
  })
  for (const name of ['event_data', 'user_data']) addEventData(fields, readOwnValue(event, name))
  const message = readOwnValue(event, 'message')
  if (typeof message === 'string') fields['Message'] = message
  addRemainingFields(fields, event, ['event_data', 'user_data', 'message', 'timestamp'])
  return fields
}
