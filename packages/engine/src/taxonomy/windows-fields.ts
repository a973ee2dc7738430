import type { EventObject } from '../event/event.ts'
import { declarationField } from './declared-logsource.ts'

/** Fields in the making. Without a prototype, so that no name of an event means anything but itself. */
export type Fields = { [name: string]: unknown }

/** What every Windows event says of itself, as its collector wrote it; absent and unreadable values are left out. */
export type WindowsHeader = {
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

/** Starts the fields of a Windows event with its header under the names that rules use (sigma.md section 3, D-4). */
export function fieldsOfHeader(header: WindowsHeader): Fields {
  const fields = emptyFields()
  putText(fields, '@timestamp', toMilliseconds(header.timestamp))
  putInteger(fields, 'EventID', header.eventId)
  putText(fields, 'Channel', header.channel)
  putText(fields, 'Provider_Name', header.provider)
  putText(fields, 'Computer', header.computer)
  putInteger(fields, 'EventRecordID', header.recordId)
  putInteger(fields, 'Level', header.level)
  putInteger(fields, 'Task', header.task)
  putInteger(fields, 'Opcode', header.opcode)
  putInteger(fields, 'Version', header.version)
  putText(fields, 'Keywords', toHexMask(header.keywords))
  putInteger(fields, 'Execution_ProcessID', header.processId)
  putInteger(fields, 'Execution_ThreadID', header.threadId)
  putText(fields, 'Security_UserID', header.userId)
  return fields
}

const headerNames: ReadonlySet<string> = new Set([
  '@timestamp', 'EventID', 'Channel', 'Provider_Name', 'Computer', 'EventRecordID', 'Level', 'Task', 'Opcode',
  'Version', 'Keywords', 'Execution_ProcessID', 'Execution_ThreadID', 'Security_UserID',
])

/**
 * Adds a value of the event's own data. Blanks are taken out of its name, a name of the header gets the
 * prefix `EventData_`, a name that comes again makes a list. Values become text, an empty element ''.
 */
export function addData(fields: Fields, name: string, value: unknown): void {
  const text = dataText(value)
  if (text === undefined) return
  const bare = withoutBlanks(name)
  const field = headerNames.has(bare) ? `EventData_${bare}` : bare
  const known = fields[field]
  if (known === undefined) fields[field] = text
  else if (Array.isArray(known)) known.push(text)
  else fields[field] = [known, text]
}

/**
 * Adds what stands beside the event proper on the top level, as it is, where no field has the name already.
 * Keys that were used otherwise are left out, and so is the logsource that the event declares.
 */
export function addRest(fields: Fields, event: EventObject, used: readonly string[] = []): void {
  for (const name of Object.keys(event)) {
    if (name !== declarationField && !used.includes(name) && fields[name] === undefined) fields[name] = event[name]
  }
}

/** Takes the blanks out of a field's name: `Threat Name` is `ThreatName` to rules. */
export function withoutBlanks(name: string): string {
  return name.includes(' ') ? name.replaceAll(' ', '') : name
}

/** Reads a whole number, also from its decimal digits as long as a number can hold them. */
export function integerOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

/** Fields without any. */
export function emptyFields(): Fields {
  const fields: Fields = Object.create(null)
  return fields
}

function putText(fields: Fields, name: string, value: unknown): void {
  if (typeof value === 'string' && value !== '') fields[name] = value
}

function putInteger(fields: Fields, name: string, value: unknown): void {
  const integer = integerOf(value)
  if (integer !== undefined) fields[name] = integer
}

function dataText(value: unknown): string | undefined {
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

/** Writes a time in UTC with milliseconds, the precision that all shapes have in common; another text stays. */
function toMilliseconds(time: unknown): unknown {
  if (typeof time !== 'string' || !time.endsWith('Z')) return time
  if (time.length === 20) return `${time.slice(0, 19)}.000Z`
  return time.length > 24 && time[19] === '.' ? `${time.slice(0, 23)}Z` : time
}

/** Keywords are a mask of 64 bits; where a collector made a signed number of it, this gives Windows' own text. */
function toHexMask(keywords: unknown): unknown {
  if (typeof keywords !== 'number' || !Number.isInteger(keywords)) return keywords
  return `0x${BigInt.asUintN(64, BigInt(keywords)).toString(16)}`
}
