import type { EventObject } from '../event/event.ts'
import { isObject } from '../event/value.ts'
import { addElements, readAttribute } from './event-data.ts'
import type { TextKey } from './event-data.ts'
import { readOwnObject, readOwnValue } from './read-own-value.ts'
import { addRemainingFields, buildHeaderFields } from './windows-fields.ts'
import type { Fields } from './windows-fields.ts'

const dataSections = ['EventData', 'UserData'] as const

/** Keys whose content is converted to fields. */
const wrappers = ['Event', 'System', 'EventData', 'UserData'] as const

/**
 * Reads a Windows event converted from XML: `System` and `EventData` or `UserData`, mostly below `Event`. Attributes may
 * be marked (`#attributes` of evtx_dump, `@Name`) or look like elements. Undefined for other shapes.
 */
export function readEvtxShape(event: EventObject): Fields | undefined {
  const root = readOwnObject(event, 'Event') ?? event
  const system = readOwnObject(root, 'System')
  if (system === undefined || !Object.hasOwn(system, 'EventID') || !Object.hasOwn(system, 'Provider')) return undefined
  const fields = buildHeaderFields({
    timestamp: readAttribute(readOwnValue(system, 'TimeCreated'), 'SystemTime'),
    eventId: readElementText(readOwnValue(system, 'EventID')),
    channel: readElementText(readOwnValue(system, 'Channel')),
    provider: readAttribute(readOwnValue(system, 'Provider'), 'Name'),
    computer: readElementText(readOwnValue(system, 'Computer')),
    recordId: readElementText(readOwnValue(system, 'EventRecordID')),
    level: readElementText(readOwnValue(system, 'Level')),
    task: readElementText(readOwnValue(system, 'Task')),
    opcode: readElementText(readOwnValue(system, 'Opcode')),
    version: readElementText(readOwnValue(system, 'Version')),
    keywords: readElementText(readOwnValue(system, 'Keywords')),
    processId: readAttribute(readOwnValue(system, 'Execution'), 'ProcessID'),
    threadId: readAttribute(readOwnValue(system, 'Execution'), 'ThreadID'),
    userId: readAttribute(readOwnValue(system, 'Security'), 'UserID'),
  })
  const textKey = findTextKey(system)
  for (const section of dataSections) {
    const data = readOwnObject(root, section)
    if (data !== undefined) addElements(fields, data, textKey)
  }
  addRemainingFields(fields, event, wrappers)
  return fields
}

/** Keys under which converters store the text of an element with attributes. */
const textKeys = ['#text', 'text', 'Value'] as const

/** Reads the text of an element with or without attributes. */
function readElementText(element: unknown): unknown {
  if (!isObject(element)) return element
  for (const key of textKeys) {
    const text = readOwnValue(element, key)
    if (text !== undefined) return text
  }
  return undefined
}

/** Finds the notation of attributes by `Provider`, which has an attribute in every event. */
function findTextKey(system: EventObject): TextKey {
  const provider = readOwnObject(system, 'Provider')
  return provider !== undefined && Object.hasOwn(provider, 'Name') ? 'text' : '#text'
}
