import type { EventObject } from '../event/event.ts'
import { isObject } from '../event/value.ts'
import { readOwnObject, readOwnText, readOwnValue, readPath } from './read-own-value.ts'
import { addRemainingFields, createFields } from './windows-fields.ts'
import type { Fields } from './windows-fields.ts'

/**
 * Adds the names that rules use to an event of macOS Endpoint Security, beside its own. An event that has
 * `Image` comes from a collector that did so and is given back as it is.
 */
export function readEndpointSecurityShape(event: EventObject): EventObject {
  if (Object.hasOwn(event, 'Image')) return event
  const fields = createFields()
  const exec = readPath(event, ['event', 'exec'])
  const actor = readPath(event, ['process', 'executable', 'path'])
  if (isObject(exec)) addProcess(fields, exec, actor)
  else setText(fields, 'Image', actor)
  setText(fields, 'TargetFilename', readTarget(event))
  addRemainingFields(fields, event)
  return fields
}

/** The process that an `exec` becomes; the one that it was is the parent, as rules of other systems mean it. */
function addProcess(fields: Fields, exec: EventObject, actor: unknown): void {
  setText(fields, 'Image', readPath(exec, ['target', 'executable', 'path']))
  setText(fields, 'ParentImage', actor)
  setText(fields, 'CurrentDirectory', readPath(exec, ['cwd', 'path']))
  const processId = readPath(exec, ['target', 'audit_token', 'pid'])
  if (typeof processId === 'number') fields['ProcessId'] = processId
  const words = readOwnValue(exec, 'args')
  if (Array.isArray(words)) setText(fields, 'CommandLine', words.filter((word) => typeof word === 'string').join(' '))
}

/** The file that an event is about: where one was made, moved to, or deleted. */
function readTarget(event: EventObject): unknown {
  const made = readPath(event, ['event', 'create', 'destination']) ?? readPath(event, ['event', 'rename', 'destination'])
  return isObject(made) ? readDestination(made) : readPath(event, ['event', 'unlink', 'target', 'path'])
}

/** A destination is a file that exists, or a name in a directory. */
function readDestination(destination: EventObject): unknown {
  const made = readOwnObject(destination, 'new_path')
  if (made === undefined) return readPath(destination, ['existing_file', 'path'])
  const directory = readPath(made, ['dir', 'path'])
  const name = readOwnText(made, 'filename')
  return typeof directory === 'string' && name !== undefined ? `${directory}/${name}` : undefined
}

function setText(fields: Fields, name: string, value: unknown): void {
  if (typeof value === 'string') fields[name] = value
}
