import type { EventObject } from '@tripline/engine'

/** Fields that hold the path of a program, as Windows, Sysmon, ECS and the console call them. */
const programFields = new Set([
  'Image', 'ParentImage', 'SourceImage', 'TargetImage', 'NewProcessName', 'ParentProcessName', 'executable', 'process_name',
])

/** A program without a folder, such as `powershell.exe`. */
const bareProgram = /^[^\\/:]{1,255}\.[a-z]{2,4}$/i

/**
 * Adds a path to each program of an event that has none, and names the first such field; undefined if there is none. Rules
 * compare with the ends of paths (`\powershell.exe`), so that an event that is typed by hand without a path does not match.
 */
export function addProcessPaths(event: EventObject): { readonly event: EventObject; readonly field: string } | undefined {
  let field: string | undefined
  const addPaths = (fields: EventObject): EventObject => Object.fromEntries(Object.entries(fields).map(([name, value]) => {
    if (isObject(value)) return [name, addPaths(value)]
    const [last = ''] = name.split('.').slice(-1)
    if (!programFields.has(last) || typeof value !== 'string' || !bareProgram.test(value)) return [name, value]
    field ??= name
    return [name, `C:\\Windows\\${value}`]
  }))
  const changed = addPaths(event)
  return field === undefined ? undefined : { event: changed, field }
}

/** The hint for an event that matches only with a path. */
export function describePathHint(field: string): string {
  return `'${field}' names a program without its folder; the event matches if it is a path such as C:\\Windows\\System32\\powershell.exe`
}

function isObject(value: unknown): value is EventObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
