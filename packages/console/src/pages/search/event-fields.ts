import { printValue } from '../../lib/visible-text.ts'

/** Names under which senders write the host and the user of an event, the most exact first. */
const names = {
  host: ['host.name', 'host.hostname', 'Computer', 'ComputerName', 'Hostname', 'hostname', 'host', 'node'],
  user: ['user.name', 'User', 'TargetUserName', 'SubjectUserName', 'user', 'username', 'acct'],
} as const

type Fields = { readonly [name: string]: unknown }

/** The host or the user of an event; undefined where it names none. */
export function findEntity(fields: Fields, kind: keyof typeof names): string | undefined {
  for (const name of names[kind]) {
    const value = fields[name] ?? readPath(fields, name.split('.')) ?? readPath(fields, ['winlog', 'event_data', name])
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** One line about an event: its message, or else its values. */
export function printEventLine({ message, fields }: { readonly message: string; readonly fields: Fields }): string {
  if (message !== '') return message
  return Object.entries(fields)
    .filter(([name]) => !/time|^_|^@/i.test(name))
    .slice(0, 12)
    .map(([name, value]) => `${name}=${printValue(value)}`)
    .join(' ')
}

function readPath(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return readPath((value as Fields)[name], rest)
}
