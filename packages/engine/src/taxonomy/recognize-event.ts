import type { EventObject, Logsource } from '../event/event.ts'
import { isObject, lookUp } from '../event/value.ts'
import { readDeclaredLogsource } from './declared-logsource.ts'
import { normalizeEvent } from './normalize.ts'

/** What the taxonomy makes of an event. */
export type EventRecognition = {
  /** The row that recognized the event; undefined where none did. */
  readonly shape: string | undefined
  readonly logsources: readonly Logsource[]
  /** Whether the event states its log source itself, which replaces the recognized one. */
  readonly isDeclared: boolean
  /** Fields that rules can name and the event has elsewhere, with its path; undefined for values that were made of others. */
  readonly renamed: ReadonlyMap<string, string | undefined>
}

/** Objects of an event that are searched for the place of a field. */
const searchedMax = 10_000
/** Texts from this length on are the same only if one was made of the other. */
const distinctLength = 8

/** Tells which row of the taxonomy recognizes an event, and which fields have other names in rules. */
export function recognizeEvent(event: EventObject, taxonomy: 'auto' | 'none'): EventRecognition {
  const { shape, logsources, fields, aliases } = normalizeEvent(event, taxonomy)
  const renamed = new Map<string, string | undefined>()
  if (fields !== event) {
    const places = listPlaces(event)
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined && !isSame(event[name], value)) renamed.set(name, findPlace(places, name, value))
    }
  }
  for (const [name, paths] of aliases) {
    if (lookUp(fields, name) !== undefined) continue
    const path = paths.find((each) => lookUp(fields, each) !== undefined)
    if (path !== undefined) renamed.set(name, renamed.get(path) ?? path)
  }
  return { shape, logsources, isDeclared: readDeclaredLogsource(event) !== undefined, renamed }
}

type Place = { readonly path: string; readonly value: unknown }

function listPlaces(event: EventObject): readonly Place[] {
  const places: Place[] = []
  const open: Place[] = [{ path: '', value: event }]
  // The list grows while it is walked.
  for (const place of open) {
    if (places.length === searchedMax) break
    const { path, value } = place
    if (path !== '') places.push(place)
    // An element has the path of its list, as in conditions of rules.
    if (Array.isArray(value)) for (const element of value as readonly unknown[]) open.push({ path, value: element })
    if (!isObject(value)) continue
    for (const [name, inner] of Object.entries(value)) open.push({ path: path === '' ? name : `${path}.${name}`, value: inner })
  }
  return places
}

/** The place of a value: under a name like the field's, or the only one, or any if the value can be no other. */
function findPlace(places: readonly Place[], name: string, value: unknown): string | undefined {
  const same = places.filter((place) => isSame(place.value, value))
  const wanted = fold(name)
  const named = same.find(({ path }) => fold(path.slice(path.lastIndexOf('.') + 1)) === wanted)
    ?? same.find(({ path }) => wanted.includes(fold(path.slice(path.lastIndexOf('.') + 1))) || fold(path).includes(wanted))
  const isDistinct = typeof value === 'string' && (value.length >= distinctLength || same.length === 1)
  return (named ?? (isDistinct ? same[0] : undefined))?.path
}

/** Whether two values are the same, whatever their types: converters write numbers as text. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  return isScalar(one) && isScalar(other) && String(one) === String(other)
}

function isScalar(value: unknown): value is string | number | boolean | bigint {
  return ['string', 'number', 'boolean', 'bigint'].includes(typeof value)
}

function fold(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
}
