import type { EventObject } from '../event/event.ts'
import { isObject } from '../event/value.ts'
import { addElements, attributeOf } from './event-data.ts'
import type { TextKey } from './event-data.ts'
import { ownObject, ownValue } from './read-own-value.ts'
import { addRest, fieldsOfHeader } from './windows-fields.ts'
import type { Fields } from './windows-fields.ts'

/**
 * Reads an event that a converter made of Windows' XML: `System` and `EventData` or `UserData`, mostly below
 * `Event`. Attributes may be marked (`#attributes` of evtx_dump, `@Name`) or stand like elements.
 * Undefined when the event has no such shape.
 */
export function readEvtxShape(event: EventObject): Fields | undefined {
  const root = ownObject(event, 'Event') ?? event
  const system = ownObject(root, 'System')
  if (system === undefined || !Object.hasOwn(system, 'EventID') || !Object.hasOwn(system, 'Provider')) return undefined
  const fields = fieldsOfHeader({
    timestamp: attributeOf(ownValue(system, 'TimeCreated'), 'SystemTime'),
    eventId: textOf(ownValue(system, 'EventID')),
    channel: textOf(ownValue(system, 'Channel')),
    provider: attributeOf(ownValue(system, 'Provider'), 'Name'),
    computer: textOf(ownValue(system, 'Computer')),
    recordId: textOf(ownValue(system, 'EventRecordID')),
    level: textOf(ownValue(system, 'Level')),
    task: textOf(ownValue(system, 'Task')),
    opcode: textOf(ownValue(system, 'Opcode')),
    version: textOf(ownValue(system, 'Version')),
    keywords: textOf(ownValue(system, 'Keywords')),
    processId: attributeOf(ownValue(system, 'Execution'), 'ProcessID'),
    threadId: attributeOf(ownValue(system, 'Execution'), 'ThreadID'),
    userId: attributeOf(ownValue(system, 'Security'), 'UserID'),
  })
  const textKey = textKeyOf(system)
  for (const section of dataSections) {
    const data = ownObject(root, section)
    if (data !== undefined) addElements(fields, data, textKey)
  }
  addRest(fields, event, wrappers)
  return fields
}

const dataSections = ['EventData', 'UserData'] as const

/** Keys whose content became fields. */
const wrappers = ['Event', 'System', 'EventData', 'UserData'] as const

/** Keys under which converters keep the text of an element that has attributes. */
const textKeys = ['#text', 'text', 'Value'] as const

/** The text of an element, which stands alone unless the element has attributes. */
function textOf(element: unknown): unknown {
  if (!isObject(element)) return element
  for (const key of textKeys) {
    const text = ownValue(element, key)
    if (text !== undefined) return text
  }
  return undefined
}

/** Every event names its provider in an attribute, so that one shows how attributes are written. */
function textKeyOf(system: EventObject): TextKey {
  const provider = ownObject(system, 'Provider')
  return provider !== undefined && Object.hasOwn(provider, 'Name') ? 'text' : '#text'
}
