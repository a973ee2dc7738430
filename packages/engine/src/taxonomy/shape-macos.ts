import type { EventObject } from '../event/event.ts'
import { isObject } from '../event/value.ts'
import { ownObject, ownText, ownValue, valueAt } from './read-own-value.ts'
import { addRest, emptyFields } from './windows-fields.ts'
import type { Fields } from './windows-fields.ts'

/**
 * Adds the names that rules use to an event of macOS Endpoint Security, beside its own. An event that has
 * `Image` comes from a collector that did so and is given back as it is.
 */
export function readEndpointSecurityShape(event: EventObject): EventObject {
  if (Object.hasOwn(event, 'Image')) return event
  const fields = emptyFields()
  const exec = valueAt(event, ['event', 'exec'])
  const actor = valueAt(event, ['process', 'executable', 'path'])
  if (isObject(exec)) addProcess(fields, exec, actor)
  else putText(fields, 'Image', actor)
  putText(fields, 'TargetFilename', targetOf(event))
  addRest(fields, event)
  return fields
}

/** The process that an `exec` becomes; the one that it was is the parent, as rules of other systems mean it. */
function addProcess(fields: Fields, exec: EventObject, actor: unknown): void {
  putText(fields, 'Image', valueAt(exec, ['target', 'executable', 'path']))
  putText(fields, 'ParentImage', actor)
  putText(fields, 'CurrentDirectory', valueAt(exec, ['cwd', 'path']))
  const processId = valueAt(exec, ['target', 'audit_token', 'pid'])
  if (typeof processId === 'number') fields['ProcessId'] = processId
  const words = ownValue(exec, 'args')
  if (Array.isArray(words)) putText(fields, 'CommandLine', words.filter((word) => typeof word === 'string').join(' '))
}

/** The file that an event is about: where one was made, moved to, or deleted. */
function targetOf(event: EventObject): unknown {
  const made = valueAt(event, ['event', 'create', 'destination']) ?? valueAt(event, ['event', 'rename', 'destination'])
  return isObject(made) ? destinationOf(made) : valueAt(event, ['event', 'unlink', 'target', 'path'])
}

/** A destination is a file that exists, or a name in a directory. */
function destinationOf(destination: EventObject): unknown {
  const made = ownObject(destination, 'new_path')
  if (made === undefined) return valueAt(destination, ['existing_file', 'path'])
  const directory = valueAt(made, ['dir', 'path'])
  const name = ownText(made, 'filename')
  return typeof directory === 'string' && name !== undefined ? `${directory}/${name}` : undefined
}

function putText(fields: Fields, name: string, value: unknown): void {
  if (typeof value === 'string') fields[name] = value
}
