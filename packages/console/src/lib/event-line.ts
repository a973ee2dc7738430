import { isHeaderField } from '@tripline/contract/header-fields'
import { printValue } from './visible-text.ts'

/** Values in a line, characters of one of them where nothing else is asked for, and how deep they are looked for. */
const shownMax = 24
const valueLengthDefault = 200
const depthMax = 4
/** Characters of a value before what was found in it. */
const beforeFoundMax = 40
const nothing: ReadonlyMap<string, string> = new Map()

/** What shippers say about the machine, which has a column of its own. */
const ofHosts: ReadonlySet<string> = new Set(['host', 'log', 'Computer', 'Hostname', 'computer_name'])

/** What tells most about an event of Windows or of an audit trail, in the order of a sentence. */
const tellingFirst = [
  'EventID', 'event_id', 'code', 'eventName', 'Operation', 'action', 'CommandLine', 'command_line', 'ScriptBlockText', 'Image',
  'NewProcessName', 'executable', 'EventType', 'TargetObject', 'Details', 'TargetFilename', 'ImageLoaded', 'QueryName', 'QueryResults',
  'DestinationHostname', 'DestinationIp', 'DestinationPort', 'PipeName', 'ServiceName', 'ServiceFileName', 'ImagePath', 'TaskName',
  'ShareName', 'RelativeTargetName', 'ObjectName', 'SourceImage', 'TargetImage', 'GrantedAccess', 'TargetUserName', 'LogonType',
  'IpAddress', 'User', 'SubjectUserName', 'ParentCommandLine', 'ParentImage',
]
const ranks: ReadonlyMap<string, number> = new Map(tellingFirst.map((name, rank) => [name, rank]))

type Fields = { readonly [name: string]: unknown }
type Value = { readonly path: string; readonly name: string; readonly value: unknown }

/**
 * Prints one line about an event: its message, or else its values, those that tell most first. `found` has texts that a search found by
 * the paths of their fields: these come before all others, and before a message. Longer values than `valueLengthMax` characters are cut.
 */
export function printEventLine(
  { message, fields }: { readonly message: string; readonly fields: Fields }, found: ReadonlyMap<string, string> = nothing,
  valueLengthMax = valueLengthDefault,
): string {
  const values = listValues(fields).filter(({ path }) => !ofHosts.has(path.split('.', 1)[0] ?? ''))
  const sought = values
    .filter(({ path, value }) => found.has(path) && value !== message)
    .map((value) => print(value, valueLengthMax, found.get(value.path)))
  if (message !== '') return [...sought, message].join(' ')
  const rest = values
    .filter(({ path, name }) => !found.has(path) && !isHeaderField(path) && !path.startsWith('_') && !/time/i.test(name))
    .sort((one, other) => (ranks.get(one.name) ?? tellingFirst.length) - (ranks.get(other.name) ?? tellingFirst.length))
  return [...sought, ...rest.map((value) => print(value, valueLengthMax))].slice(0, shownMax).join(' ')
}

/** A value with its name: of a long one the part around what was found. */
function print({ name, value }: Value, lengthMax: number, found = ''): string {
  // A line is one: a value of Windows may have lines and indents of its own.
  const text = printValue(value).replaceAll(/\s*\n\s*/g, ' ').trim()
  const at = text.toLowerCase().indexOf(found.toLowerCase())
  const start = at > beforeFoundMax ? at - beforeFoundMax / 2 : 0
  const part = text.slice(start, start + lengthMax)
  return `${name}=${start > 0 ? '…' : ''}${part}${start + part.length < text.length ? '…' : ''}`
}

/** The values of an event with the last part of their names: what holds others says nothing by itself, nor do attributes of XML. */
function listValues(fields: Fields, prefix = '', depth = 0): readonly Value[] {
  return Object.entries(fields).flatMap(([name, value]): readonly Value[] => {
    // Windows writes `-` where it has no value.
    if (name.startsWith('#') || value === '' || value === '-' || value === null) return []
    const path = prefix + name
    if (typeof value !== 'object' || Array.isArray(value) || depth === depthMax) return [{ path, name, value }]
    const { '#text': text } = value as Fields
    return text === undefined ? listValues(value as Fields, `${path}.`, depth + 1) : [{ path, name, value: text }]
  })
}
