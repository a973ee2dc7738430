import type { EventObject } from '../event/event.ts'
import { limits } from '../limits.ts'
import { addElements } from './event-data.ts'
import { ownObject, ownText, ownValue, valueAt } from './read-own-value.ts'
import { addRest, fieldsOfHeader, integerOf } from './windows-fields.ts'
import type { Fields } from './windows-fields.ts'

/**
 * Reads an event of Winlogbeat 7 and later, where all that Windows said is below `winlog`. The original keys
 * stay beside the fields, so that `winlog.event_data.Image` and `process.executable` can be read as well.
 */
export function readWinlogbeatShape(event: EventObject): Fields | undefined {
  const winlog = ownObject(event, 'winlog')
  const channel = winlog === undefined ? undefined : ownText(winlog, 'channel')
  if (winlog === undefined || channel === undefined) return undefined
  const fields = fieldsOfHeader({
    timestamp: ownValue(event, '@timestamp'),
    eventId: integerOf(ownValue(winlog, 'event_id')) ?? valueAt(event, ['event', 'code']),
    channel,
    provider: ownValue(winlog, 'provider_name') ?? valueAt(event, ['event', 'provider']),
    computer: ownValue(winlog, 'computer_name') ?? valueAt(event, ['host', 'name']),
    recordId: ownValue(winlog, 'record_id'),
    level: levelNumber(valueAt(event, ['log', 'level']), channel),
    task: ownValue(winlog, 'task'),
    opcode: ownValue(winlog, 'opcode'),
    version: ownValue(winlog, 'version'),
    keywords: auditMask(ownValue(winlog, 'keywords')),
    processId: valueAt(winlog, ['process', 'pid']),
    threadId: valueAt(winlog, ['process', 'thread', 'id']),
    userId: valueAt(winlog, ['user', 'identifier']),
  })
  addWinlogbeatData(fields, winlog)
  addRest(fields, event)
  return fields
}

/** Reads an event of Winlogbeat 6 and earlier, where the header stands on the top level beside `event_data`. */
export function readOldWinlogbeatShape(event: EventObject): Fields | undefined {
  const channel = ownText(event, 'log_name')
  if (channel === undefined || !Object.hasOwn(event, 'event_id')) return undefined
  const fields = fieldsOfHeader({
    timestamp: ownValue(event, '@timestamp'),
    eventId: ownValue(event, 'event_id'),
    channel,
    provider: ownValue(event, 'source_name'),
    computer: ownValue(event, 'computer_name'),
    recordId: ownValue(event, 'record_number'),
    level: levelNumber(ownValue(event, 'level'), channel),
    task: ownValue(event, 'task'),
    opcode: ownValue(event, 'opcode'),
    version: ownValue(event, 'version'),
    keywords: auditMask(ownValue(event, 'keywords')),
    processId: ownValue(event, 'process_id'),
    threadId: ownValue(event, 'thread_id'),
    userId: valueAt(event, ['user', 'identifier']),
  })
  addWinlogbeatData(fields, event)
  addRest(fields, event)
  return fields
}

function addWinlogbeatData(fields: Fields, holder: EventObject): void {
  for (const section of ['event_data', 'user_data']) {
    const data = ownObject(holder, section)
    if (data !== undefined) addElements(fields, data, '#text')
  }
  addUnnamedData(fields)
}

/**
 * Winlogbeat numbers the unnamed data of classic events `param1`, `param2` ...; rules read them as `Data`.
 * A few providers have named their data so themselves, for them `Data` is one more way to the same values.
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

/** The number of a level by its English name. In the channel Security it is open: 0 and 4 have one name. */
function levelNumber(level: unknown, channel: unknown): number | undefined {
  const name = typeof level === 'string' ? level.toLowerCase() : undefined
  return name === 'information' && channel === 'Security' ? undefined : levels.get(name)
}

const auditMasks: ReadonlyMap<unknown, string> = new Map([
  ['Audit Failure', '0x8010000000000000'], ['Audit Success', '0x8020000000000000'],
])

/** The mask of the two keywords that rules ask for by number. */
function auditMask(keywords: unknown): unknown {
  const keyword: unknown = Array.isArray(keywords) ? keywords.find((name) => auditMasks.has(name)) : undefined
  return keyword === undefined ? keywords : auditMasks.get(keyword)
}
