import { getPath } from './get-path.ts'

/** What a match shows of its event; empty where the event says nothing. */
export type MatchEvent = {
  readonly processName: string
  readonly commandLine: string
  readonly user: string
  readonly host: string
  /** The time that the event itself states, as it states it. */
  readonly statedTime: string
}

/**
 * Where events of different products keep what a match shows; the first field that holds something counts.
 * Sysmon and the console's own names first, then Windows Security, ECS, auditd and cloud audit.
 */
const matchEventFields: { readonly [name in keyof MatchEvent]: readonly string[] } = {
  processName: [
    'process_name', 'Image', 'NewProcessName', 'ProcessName', 'process.name', 'process.executable', 'exe', 'program',
  ],
  commandLine: ['command_line', 'CommandLine', 'ProcessCommandLine', 'process.command_line', 'cmdline', 'command'],
  user: ['user', 'User', 'TargetUserName', 'SubjectUserName', 'user.name', 'username', 'userIdentity.userName', 'acct'],
  host: ['host', 'Computer', 'Hostname', 'hostname', 'host.name', 'winlog.computer_name', 'ComputerName', 'cs-host'],
  statedTime: ['@timestamp', 'timestamp', 'UtcTime', 'TimeCreated', 'eventTime', 'time'],
}

/**
 * Picks what a match shows out of an event. Dotted names are looked up as they stand, then level by level.
 * A process is shown by its name without the folders; every text is cut at `lengthMax` characters.
 */
export function extractMatchEvent(event: { readonly [field: string]: unknown }, lengthMax: number): MatchEvent {
  const find = (name: keyof MatchEvent): string => findFirstText(event, matchEventFields[name])
  return {
    processName: cut(removeFolders(find('processName')), lengthMax),
    commandLine: cut(find('commandLine'), lengthMax),
    user: cut(find('user'), lengthMax),
    host: cut(find('host'), lengthMax),
    statedTime: cut(find('statedTime'), lengthMax),
  }
}

function findFirstText(event: { readonly [field: string]: unknown }, fields: readonly string[]): string {
  for (const field of fields) {
    const value = getPath(event, field)
    if (typeof value === 'string' && value !== '') return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  }
  return ''
}

/** Cuts through a copy: a slice would keep the whole text, up to a whole event, in memory behind it. */
function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : Buffer.from(text.slice(0, lengthMax), 'utf16le').toString('utf16le')
}

function removeFolders(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('\\'), path.lastIndexOf('/')) + 1)
}
