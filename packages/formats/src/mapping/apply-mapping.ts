import { getPath } from '@tripline/common/get-path'
import { isJsonObject } from '@tripline/common/json'
import type { EventObject } from '@tripline/engine'
import { parseBsdTime } from '../syslog/bsd-time.ts'
import { parseEventTime } from '../event/parse-event-time.ts'
import type { EventMapping, MappedType, MappingEntry, SourceSelector, TimeFormat } from './event-mapping.ts'

/** What of an event a mapping did, for a panel that tries mappings out. */
type MappedEvent = {
  readonly event: EventObject
  /** The position of the entry that was applied; undefined where none selects the event. */
  readonly entry: number | undefined
}

/**
 * Applies the first entry that selects an event: types, then time, renames, constants and log source. A name with dots is a
 * path to read, and as a new name a key that rules find as it is. What the event has wins over constants and log source.
 * `readAt` completes times without a year.
 */
export function applyMapping(mapping: EventMapping, event: EventObject, readAt: number): MappedEvent {
  const index = mapping.findIndex(({ when }) => when.every((selector) => isSelected(selector, event)))
  const entry = mapping[index]
  return entry === undefined ? { event, entry: undefined } : { event: applyEntry(entry, event, readAt), entry: index }
}

function isSelected({ field, patterns }: SourceSelector, event: EventObject): boolean {
  const value = getPath(event, field)
  if (value === undefined || value === null) return false
  if (patterns === undefined) return true
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.some((one) => {
    if (typeof one !== 'string' && typeof one !== 'number' && typeof one !== 'boolean') return false
    return patterns.some((parts) => matchesParts(String(one).toLowerCase(), parts))
  })
}

/** Whether a text has these parts in order with anything between them: in linear time for each part. */
function matchesParts(text: string, parts: readonly string[]): boolean {
  const [first = '', ...others] = parts
  const last = others.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false
  let at = first.length
  for (const part of others) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}

function applyEntry({ logsource, rename, constants, timestamp, types }: MappingEntry, event: EventObject, readAt: number): EventObject {
  const mapped: { [field: string]: unknown } = { ...event }
  for (const [field, type] of types) {
    const value = getPath(event, field)
    if (value !== undefined) setPath(mapped, field, convertValue(value, type))
  }
  const at = timestamp && readTime(getPath(event, timestamp.field), timestamp.format, readAt)
  if (at !== undefined) mapped['@timestamp'] = new Date(at).toISOString()
  for (const [from, to] of rename) {
    const value = getPath(mapped, from)
    if (value === undefined) continue
    removePath(mapped, from)
    mapped[to] = value
  }
  for (const [field, value] of constants) if (getPath(mapped, field) === undefined) mapped[field] = value
  if (Object.keys(logsource).length > 0 && !Object.hasOwn(mapped, '_logsource')) mapped['_logsource'] = logsource
  return mapped
}

/** Sets a field where it was found; objects on the way are copied. */
function setPath(event: { [field: string]: unknown }, field: string, value: unknown): void {
  changePath(event, field, (parent, key) => {
    parent[key] = value
  })
}

function removePath(event: { [field: string]: unknown }, field: string): void {
  changePath(event, field, (parent, key) => delete parent[key])
}

function changePath(
  event: { [field: string]: unknown }, field: string, change: (parent: { [field: string]: unknown }, key: string) => void,
): void {
  if (Object.hasOwn(event, field)) return change(event, field)
  const steps = field.split('.')
  const key = steps.pop() ?? ''
  let parent = event
  for (const step of steps) {
    const inner = parent[step]
    if (!isJsonObject(inner)) return undefined
    parent = parent[step] = { ...inner }
  }
  change(parent, key)
}

function convertValue(value: unknown, type: MappedType): unknown {
  if (type === 'list') return toList(value)
  if (Array.isArray(value)) return value.map((one) => convertValue(one, type))
  if (type === 'text') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (type === 'boolean') return /^(?:true|yes|1)$/i.test(text) ? true : /^(?:false|no|0)$/i.test(text) ? false : value
  const pattern = type === 'integer' ? /^[+-]?\d+$/ : /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
  if (!pattern.test(text)) return value
  const number = Number(text)
  // An integer that a double rounds stays a text with all its digits.
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : value
}

function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return typeof value === 'string' ? value.split(',').map((part) => part.trim()) : [value]
}

const unitsMs: { readonly [format in TimeFormat]?: number } = { epoch_s: 1_000, epoch_ms: 1, epoch_us: 1e-3, epoch_ns: 1e-6 }

/** An instant in milliseconds since the epoch; undefined for a value that is none. */
function readTime(value: unknown, format: TimeFormat, readAt: number): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).trim()
  const unit = unitsMs[format]
  if (unit !== undefined) {
    const at = Math.round(Number(text) * unit)
    return text !== '' && Math.abs(at) <= 8.64e15 ? at : undefined
  }
  if (format === 'auto') return parseEventTime(text)
  const found = parseBsdTime(`${text} `, readAt)
  return found === undefined ? undefined : Date.parse(found.timestamp)
}
