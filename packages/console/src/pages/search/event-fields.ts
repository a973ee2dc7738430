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

type Fields = { readonly [name: string]: unknown }

/** The host or the user of an event; undefined where it names none. */
export function findEntity(fields: Fields, kind: keyof typeof names): string | undefined {
  for (const name of names[kind]) {
    const value = readField(fields, name) ?? readPath(fields, ['winlog', 'event_data', name])
    // Windows writes `-` where it has no value.
    if (typeof value === 'string' && value !== '' && value !== '-') return value
  }
  return undefined
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
