import type { EventObject } from '../event/event.ts'
import { isObject } from '../event/value.ts'
import { readOwnObject, readOwnText, readOwnValue, readPath } from './read-own-value.ts'
import { addRemainingFields, createFields } from './windows-fields.ts'
import type { Fields } from './windows-fields.ts'

/**
 * Adds the field names of rules to an event of macOS Endpoint Security. Returns an event with `Image` unchanged,
 * because its collector already added them.
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

/** Adds the new process of an `exec`; the process that called it becomes the parent, as on other systems. */
function addProcess(fields: Fields, exec: EventObject, actor: unknown): void {
  setText(fields, 'Image', readPath(exec, ['target', 'executable', 'path']))
  setText(fields, 'ParentImage', actor)
  setText(fields, 'CurrentDirectory', readPath(exec, ['cwd', 'path']))
  const processId = readPath(exec, ['target', 'audit_token', 'pid'])
  if (typeof processId === 'number') fields['ProcessId'] = processId
  const words = readOwnValue(exec, 'args')
  if (Array.isArray(words)) setText(fields, 'CommandLine', words.filter((word) => typeof word === 'string').join(' '))
}

/** Reads the file that an event created, renamed or deleted. */
function readTarget(event: EventObject): unknown {
  const made = readPath(event, ['event', 'create', 'destination']) ?? readPath(event, ['event', 'rename', 'destination'])
  return isObject(made) ? readDestination(made) : readPath(event, ['event', 'unlink', 'target', 'path'])
}

/** Reads a destination: an existing file, or a name in a directory. */
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
