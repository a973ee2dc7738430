import type { EventObject } from '../event/event.ts'
import { isObject } from '../event/value.ts'
import { readOwnText } from './read-own-value.ts'
import { createFields } from './windows-fields.ts'

/**
 * Reads the objects of Azure's REST API, `{ value, localizedValue }`, as their value: the field names of rules are those of
 * the exported log. The names below them, such as `operationName.value`, stay.
 */
export function readAzureRestShape(event: EventObject): EventObject {
  const fields = createFields()
  for (const [name, object] of Object.entries(event)) {
    if (!isLocalized(object)) continue
    fields[name] = object['value']
    for (const [member, part] of Object.entries(object)) fields[`${name}.${member}`] = part
  }
  // What the event states under such a name itself stays.
  for (const [name, value] of Object.entries(event)) if (!isLocalized(value)) fields[name] = value
  return fields
}

function isLocalized(value: unknown): value is EventObject {
  return isObject(value) && readOwnText(value, 'value') !== undefined && readOwnText(value, 'localizedValue') !== undefined
}
