import { printValue } from '../../lib/visible-text.ts'

/** Names under which senders write the host and the user of an event, the most exact first. */
const names = {
  host: [
    'host.name', 'host.hostname', 'Computer', 'ComputerName', 'Hostname', 'hostname', 'host', 'node', 's-computername',
    'Event.System.Computer',
  ],
  user: [
    'user.name', 'User', 'TargetUserName', 'SubjectUserName', 'user', 'username', 'acct', 'Event.EventData.User',
    'Event.EventData.TargetUserName',
  ],
} as const

/** Values in the line of an event that has no message, and how deep it looks for them. */
const shownMax = 24
const depthMax = 4

/** What shippers add about themselves and the machine, which has a column of its own. */
const ofShippers: ReadonlySet<string> = new Set(['agent', 'ecs', 'beat', 'input', 'host', 'log'])

type Fields = { readonly [name: string]: unknown }

/** The host or the user of an event; undefined where it names none. */
export function findEntity(fields: Fields, kind: keyof typeof names): string | undefined {
  for (const name of names[kind]) {
    const value = readField(fields, name) ?? readPath(fields, ['winlog', 'event_data', name])
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** One line about an event: its message, or else its values. */
export function printEventLine({ message, fields }: { readonly message: string; readonly fields: Fields }): string {
  if (message !== '') return message
  return listValues(fields)
    .filter(([name]) => !/time|^_|^@/i.test(name))
    .slice(0, shownMax)
    .map(([name, value]) => `${name}=${printValue(value)}`)
    .join(' ')
}

/** The values of an event with the last part of their names: what holds others says nothing by itself, nor do attributes of XML. */
function listValues(fields: Fields, depth = 0): readonly (readonly [string, unknown])[] {
  return Object.entries(fields).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    if (name.startsWith('#') || (depth === 0 && ofShippers.has(name))) return []
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value) && depth < depthMax
    return isGroup ? listValues(value as Fields, depth + 1) : [[name, value]]
  })
}

/** The value of a field, whose name may be a path into nested ones. */
export function readField(fields: Fields, name: string): unknown {
  return fields[name] ?? readPath(fields, name.split('.'))
}

function readPath(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return readPath((value as Fields)[name], rest)
}
