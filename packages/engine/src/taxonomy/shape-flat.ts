import type { EventObject } from '../event/event.ts'
import { readOwnText, readOwnValue } from './read-own-value.ts'
import { addRemainingFields, createFields, buildHeaderFields, toInteger, removeBlanks } from './windows-fields.ts'
import type { Fields } from './windows-fields.ts'

/** Whether an event is flat with a header that names its fields as rules do, or as collectors do. */
export function isFlatShape(event: EventObject): boolean {
  if (!Object.hasOwn(event, 'EventID')) return false
  return sourceNames.some((name) => readOwnText(event, name) !== undefined)
}

/** A flat event of Windows says where it is from in one of these. */
const sourceNames = ['Channel', 'Provider_Name', 'SourceName'] as const

/** Whether a flat event is of NXLog or Export-WinEvents, which name provider and computer differently. */
export function isCollectorShape(event: EventObject): boolean {
  const namesSource = readOwnText(event, 'SourceName') !== undefined && !Object.hasOwn(event, 'Provider_Name')
  return namesSource || (readOwnText(event, 'Hostname') !== undefined && !Object.hasOwn(event, 'Computer'))
}

/** Gives a flat event back as it is, or without the blanks in its names where there are any. */
export function readFlatShape(event: EventObject): EventObject {
  const names = Object.keys(event)
  if (!names.some((name) => name.includes(' '))) return event
  const fields = createFields()
  for (const name of names) {
    const bare = removeBlanks(name)
    // A name that needs no change is the field that rules mean; the other one may not hide it.
    if (bare === name || !Object.hasOwn(event, bare)) fields[bare] = event[name]
  }
  return fields
}

/** Reads a flat event of NXLog or Export-WinEvents: rules' names for the header, everything else as it is. */
export function readCollectorShape(event: EventObject): Fields {
  const fields = buildHeaderFields({
    timestamp: readOwnValue(event, '@timestamp') ?? readOwnValue(event, 'TimeCreated'),
    eventId: readOwnValue(event, 'EventID'),
    channel: readOwnValue(event, 'Channel'),
    provider: readOwnValue(event, 'SourceName'),
    computer: readOwnValue(event, 'Hostname'),
    recordId: readOwnValue(event, 'RecordNumber'),
    level: readOwnValue(event, 'Level'),
    task: readOwnValue(event, 'Task'),
    opcode: toInteger(readOwnValue(event, 'OpcodeValue')) ?? readOwnValue(event, 'Opcode'),
    version: readOwnValue(event, 'Version'),
    keywords: readOwnValue(event, 'Keywords'),
    processId: readOwnValue(event, 'ExecutionProcessID'),
    threadId: readOwnValue(event, 'ThreadID'),
    userId: readOwnValue(event, 'UserID'),
  })
  const isSeverity = nxlogEventTypes.has(readOwnValue(event, 'EventType'))
  addRemainingFields(fields, readFlatShape(event), isSeverity ? ['EventType'] : [])
  const eventType = fields['EventType'] === undefined ? readMessageEventType(event) : undefined
  if (eventType !== undefined) fields['EventType'] = eventType
  return fields
}

/** What NXLog calls `EventType` is the severity of the event; Sysmon's field of that name is in the message only. */
const nxlogEventTypes: ReadonlySet<unknown> = new Set([
  'CRITICAL', 'ERROR', 'WARNING', 'INFO', 'VERBOSE', 'DEBUG', 'AUDIT_SUCCESS', 'AUDIT_FAILURE',
])

/** Finds the field that tells keys made from keys deleted in Sysmon's message, where it stands near the beginning. */
function readMessageEventType(event: EventObject): string | undefined {
  const beginning = readOwnText(event, 'Message')?.slice(0, 512) ?? ''
  return /^Registry [^\n]*\n(?:RuleName: [^\n]*\n)?EventType: (\w+)/.exec(beginning)?.[1]
}
