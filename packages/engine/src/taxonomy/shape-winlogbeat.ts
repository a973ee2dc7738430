import type { EventObject } from '../event/event.ts'
import { limits } from '../limits.ts'
import { addElements } from './event-data.ts'
import { readOwnObject, readOwnText, readOwnValue, readPath } from './read-own-value.ts'
import { addRemainingFields, buildHeaderFields, toInteger } from './windows-fields.ts'
import type { Fields } from './windows-fields.ts'

/**
 * Reads an event of Winlogbeat 7 and later, which has the Windows data below `winlog`. Keeps the original keys, so that
 * rules can also read `winlog.event_data.Image` and `process.executable`.
 */
export function readWinlogbeatShape(event: EventObject): Fields | undefined {
  const winlog = readOwnObject(event, 'winlog')
  const channel = winlog === undefined ? undefined : readOwnText(winlog, 'channel')
  if (winlog === undefined || channel === undefined) return undefined
  const fields = buildHeaderFields({
    timestamp: readOwnValue(event, '@timestamp'),
    eventId: toInteger(readOwnValue(winlog, 'event_id')) ?? readPath(event, ['event', 'code']),
    channel,
    provider: readOwnValue(winlog, 'provider_name') ?? readPath(event, ['event', 'provider']),
    computer: readOwnValue(winlog, 'computer_name') ?? readPath(event, ['host', 'name']),
    recordId: readOwnValue(winlog, 'record_id'),
    level: toLevelNumber(readPath(event, ['log', 'level']), channel),
    task: readOwnValue(winlog, 'task'),
    opcode: readOwnValue(winlog, 'opcode'),
    version: readOwnValue(winlog, 'version'),
    keywords: toAuditMask(readOwnValue(winlog, 'keywords')),
    processId: readPath(winlog, ['process', 'pid']),
    threadId: readPath(winlog, ['process', 'thread', 'id']),
    userId: readPath(winlog, ['user', 'identifier']),
  })
  addWinlogbeatData(fields, winlog)
  addRemainingFields(fields, event)
  return fields
}

/** Reads an event of Winlogbeat 6 and earlier, which has the header on the top level, next to `event_data`. */
export function readOldWinlogbeatShape(event: EventObject): Fields | undefined {
  const channel = readOwnText(event, 'log_name')
  if (channel === undefined || !Object.hasOwn(event, 'event_id')) return undefined
  const fields = buildHeaderFields({
    timestamp: readOwnValue(event, '@timestamp'),
    eventId: readOwnValue(event, 'event_id'),
    channel,
    provider: readOwnValue(event, 'source_name'),
    computer: readOwnValue(event, 'computer_name'),
    recordId: readOwnValue(event, 'record_number'),
    level: toLevelNumber(readOwnValue(event, 'level'), channel),
    task: readOwnValue(event, 'task'),
    opcode: readOwnValue(event, 'opcode'),
    version: readOwnValue(event, 'version'),
    keywords: toAuditMask(readOwnValue(event, 'keywords')),
    processId: readOwnValue(event, 'process_id'),
    threadId: readOwnValue(event, 'thread_id'),
    userId: readPath(event, ['user', 'identifier']),
  })
  addWinlogbeatData(fields, event)
  addRemainingFields(fields, event)
  return fields
}

function addWinlogbeatData(fields: Fields, holder: EventObject): void {
  for (const section of ['event_data', 'user_data']) {
    const data = readOwnObject(holder, section)
    if (data !== undefined) addElements(fields, data, '#text')
  }
  addUnnamedData(fields)
}

/**
 * Adds `Data`, the field of rules for the unnamed data of classic events, which Winlogbeat numbers `param1`, `param2`
 * and so on. Providers that use these names themselves get an additional field.
 */
function addUnnamedData(fields: Fields): void {
  if (fields['Data'] !== undefined || fields['param1'] === undefined) return
  const values: unknown[] = []
  for (let i = 1; i <= limits.eventDataElementsMax; i++) {
    const value = fields[`param${i}`]
    if (value === undefined) break
    for (const item of Array.isArray(value) ? value : [value]) values.push(item)
  }
  fields['Data'] = values.length === 1 ? values[0] : values
}

const levels: ReadonlyMap<unknown, number> = new Map([
  ['critical', 1], ['error', 2], ['warning', 3], ['information', 4], ['verbose', 5],
])

/** Converts the English name of a level to its number. In the Security channel, `information` is ambiguous: 0 or 4. */
function toLevelNumber(level: unknown, channel: unknown): number | undefined {
  const name = typeof level === 'string' ? level.toLowerCase() : undefined
  return name === 'information' && channel === 'Security' ? undefined : levels.get(name)
}

const auditMasks: ReadonlyMap<unknown, string> = new Map([
  ['Audit Failure', '0x8010000000000000'], ['Audit Success', '0x8020000000000000'],
])

/** Converts the two keywords that rules compare by number to their masks. */
function toAuditMask(keywords: unknown): unknown {
  const keyword: unknown = Array.isArray(keywords) ? keywords.find((name) => auditMasks.has(name)) : undefined
  return keyword === undefined ? keywords : auditMasks.get(keyword)
}
