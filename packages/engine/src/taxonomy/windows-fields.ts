import type { EventObject } from '../event/event.ts'
import { declaredLogsourceField } from './declared-logsource.ts'

/** Fields in the making. Without a prototype, so that no name of an event means anything but itself. */
export type Fields = { [name: string]: unknown }

/** What every Windows event says of itself, as its collector wrote it; absent and unreadable values are left out. */
export type WindowsEventHeader = {
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
 * Adds a value of the event's own data. Blanks are taken out of its name, a name of the header gets the
 * prefix `EventData_`, a name that comes again makes a list. Values become text, an empty element ''.
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

/**
 * Adds what stands beside the event proper on the top level, as it is, where no field has the name already.
 * Keys that were used otherwise are left out, and so is the logsource that the event declares.
 */
export function addRemainingFields(fields: Fields, event: EventObject, used: readonly string[] = []): void {
  for (const name of Object.keys(event)) {
    if (name !== declaredLogsourceField && !used.includes(name) && fields[name] === undefined) fields[name] = event[name]
  }
}

/** Takes the blanks out of a field's name: `Threat Name` is `ThreatName` to rules. */
export function removeBlanks(name: string): string {
  return name.includes(' ') ? name.replaceAll(' ', '') : name
}

/** Reads a whole number, also from its decimal digits as long as a number can hold them. */
export function toInteger(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

/** Fields without any. */
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
