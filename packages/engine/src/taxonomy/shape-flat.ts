import type { EventObject } from '../event/event.ts'
import { readOwnText, readOwnValue } from './read-own-value.ts'
import { addRemainingFields, createFields, buildHeaderFields, toInteger, removeBlanks } from './windows-fields.ts'
import type { Fields } from './windows-fields.ts'

/** The fields of which a flat Windows event has at least one. */
const sourceNames = ['Channel', 'Provider_Name', 'SourceName'] as const

/** Whether an event is a flat Windows event, with header names of rules or of collectors. */
export function isFlatShape(event: EventObject): boolean {
  if (!Object.hasOwn(event, 'EventID')) return false
  return sourceNames.some((name) => readOwnText(event, name) !== undefined)
}

/** Whether a flat event comes from NXLog or Export-WinEvents, which have other names for provider and computer. */
export function isCollectorShape(event: EventObject): boolean {
  const namesSource = readOwnText(event, 'SourceName') !== undefined && !Object.hasOwn(event, 'Provider_Name')
  return namesSource || (readOwnText(event, 'Hostname') !== undefined && !Object.hasOwn(event, 'Computer'))
}

/** Returns a flat event unchanged, or a copy without the spaces in its names. */
export function readFlatShape(event: EventObject): EventObject {
  const names = Object.keys(event)
  if (!names.some((name) => name.includes(' '))) return event
  const fields = createFields()
  for (const name of names) {
    const bare = removeBlanks(name)
    // A field whose name has no spaces takes precedence.
    if (bare === name || !Object.hasOwn(event, bare)) fields[bare] = event[name]
  }
  return fields
}

/** The `EventType` of NXLog is the severity of the event; the Sysmon field of that name is only in the message. */
const nxlogEventTypes: ReadonlySet<unknown> = new Set([
  'CRITICAL', 'ERROR', 'WARNING', 'INFO', 'VERBOSE', 'DEBUG', 'AUDIT_SUCCESS', 'AUDIT_FAILURE',
])

/** Reads a flat event of NXLog or Export-WinEvents: renames the header fields and keeps all others. */
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

/** Reads `EventType`, which distinguishes created from deleted registry keys, from the start of a Sysmon message. */
function readMessageEventType(event: EventObject): string | undefined {
  const beginning = readOwnText(event, 'Message')?.slice(0, 512) ?? ''
  return /^Registry [^\n]*\n(?:RuleName: [^\n]*\n)?EventType: (\w+)/.exec(beginning)?.[1]
}
