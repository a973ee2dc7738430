import type { EventObject } from '../event/event.ts'
import { declaredLogsourceField } from './declared-logsource.ts'

/** Fields under construction, without a prototype so that names such as `constructor` have no meaning. */
export type Fields = { [name: string]: unknown }

/** The header of a Windows event with the values of the collector; absent and invalid values are dropped. */
type WindowsEventHeader = {
  readonly timestamp?: unknown
  readonly eventId: unknown
  readonly channel: unknown
  readonly provider: unknown
  readonly computer: unknown
  readonly recordId?: unknown
  readonly level?: unknown
  readonly task?: unknown
  readonly opcode?: unknown
  readonly version?: unknown
  readonly keywords?: unknown
  readonly processId?: unknown
  readonly threadId?: unknown
  readonly userId?: unknown
}

/** Builds the fields of a Windows header with the names that rules use. */
export function buildHeaderFields(header: WindowsEventHeader): Fields {
  const fields = createFields()
  setText(fields, '@timestamp', toMilliseconds(header.timestamp))
  setInteger(fields, 'EventID', header.eventId)
  setText(fields, 'Channel', header.channel)
  setText(fields, 'Provider_Name', header.provider)
  setText(fields, 'Computer', header.computer)
  setInteger(fields, 'EventRecordID', header.recordId)
  setInteger(fields, 'Level', header.level)
  setInteger(fields, 'Task', header.task)
  setInteger(fields, 'Opcode', header.opcode)
  setInteger(fields, 'Version', header.version)
  setText(fields, 'Keywords', toHexMask(header.keywords))
  setInteger(fields, 'Execution_ProcessID', header.processId)
  setInteger(fields, 'Execution_ThreadID', header.threadId)
  setText(fields, 'Security_UserID', header.userId)
  return fields
}

const headerNames: ReadonlySet<string> = new Set([
  '@timestamp', 'EventID', 'Channel', 'Provider_Name', 'Computer', 'EventRecordID', 'Level', 'Task', 'Opcode',
  'Version', 'Keywords', 'Execution_ProcessID', 'Execution_ThreadID', 'Security_UserID',
])

/**
 * Adds a value of the event data as text; an empty element becomes ''. Removes spaces from the name, prefixes a name of
 * the header with `EventData_`, and collects repeated names in a list.
 */
export function addData(fields: Fields, name: string, value: unknown): void {
  const text = toDataText(value)
  if (text === undefined) return
  const bare = removeBlanks(name)
  const field = headerNames.has(bare) ? `EventData_${bare}` : bare
  const known = fields[field]
  if (known === undefined) fields[field] = text
  else if (Array.isArray(known)) known.push(text)
  else fields[field] = [known, text]
}

/** Adds the other top-level keys that no field has yet, except `used` keys and the declared logsource. */
export function addRemainingFields(fields: Fields, event: EventObject, used: readonly string[] = []): void {
  for (const name of Object.keys(event)) {
    if (name !== declaredLogsourceField && !used.includes(name) && fields[name] === undefined) fields[name] = event[name]
  }
}

/** Removes spaces from a field name: `Threat Name` is `ThreatName` in rules. */
export function removeBlanks(name: string): string {
  return name.includes(' ') ? name.replaceAll(' ', '') : name
}

/** Reads an integer or its decimal digits, within the safe range. */
export function toInteger(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

/** Creates an empty object without a prototype. */
export function createFields(): Fields {
  const fields: Fields = Object.create(null)
  return fields
}

function setText(fields: Fields, name: string, value: unknown): void {
  if (typeof value === 'string' && value !== '') fields[name] = value
}

function setInteger(fields: Fields, name: string, value: unknown): void {
  const integer = toInteger(value)
  if (integer !== undefined) fields[name] = integer
}

function toDataText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value)
    default:
      return value === null ? '' : undefined
  }
}

/** Cuts a time in UTC to milliseconds, the common precision of all shapes; keeps other texts. */
function toMilliseconds(time: unknown): unknown {
  if (typeof time !== 'string' || !time.endsWith('Z')) return time
  if (time.length === 20) return `${time.slice(0, 19)}.000Z`
  return time.length > 24 && time[19] === '.' ? `${time.slice(0, 23)}Z` : time
}

/** Converts the keyword mask, which some collectors send as a signed number, to the hexadecimal text of Windows. */
function toHexMask(keywords: unknown): unknown {
  if (typeof keywords !== 'number' || !Number.isInteger(keywords)) return keywords
  return `0x${BigInt.asUintN(64, BigInt(keywords)).toString(16)}`
}
