import { literal, normalizeEvent, printPattern } from '@tripline/engine/predicate'
import type { EventObject } from '@tripline/engine'

/** One comparison that all of some events pass: a field with its modifier, and the value as a rule writes it. */
type CommonCondition = {
  readonly key: string
  readonly value: string | number | boolean
  readonly holds: (fields: FlatFields) => boolean
}

/** The scalars of an event by their paths, as rules name them. */
type FlatFields = ReadonlyMap<string, string | number | boolean>

/** Fields that tell one event from another and not what happened. */
const individualFields = /(?:time|date|guid|hash|hashes|record|sequence|process_?id|thread_?id|pid|uuid|logonid|port|version|bytes)$|^[_@]/i

/** Reads the scalars of an event under the names that rules use; lists and what identifies single events are left out. */
export function flattenFields(event: EventObject): FlatFields {
  const flat = new Map<string, string | number | boolean>()
  const add = (object: object, prefix: string): void => {
    for (const [key, value] of Object.entries(object) as [string, unknown][]) {
      const path = prefix === '' ? key : `${prefix}.${key}`
      if (individualFields.test(path)) continue
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') flat.set(path, value)
      else if (typeof value === 'object' && value !== null && !Array.isArray(value)) add(value, path)
    }
  }
  add(normalizeEvent(event, 'auto').fields, '')
  return flat
}

/**
 * Finds comparisons that all events pass: fields with the same value, case ignored, and paths with the same name at their end.
 * What says more comes first: longer values, and names of programs before other fields.
 */
export function findCommonConditions(events: readonly FlatFields[]): CommonCondition[] {
  const [first, ...others] = events
  if (first === undefined) return []
  const found = [...first].flatMap(([field, value]): CommonCondition[] => {
    const values = others.map((fields) => fields.get(field))
    if (values.some((other) => other === undefined)) return []
    if (values.every((other) => fold(other) === fold(value))) {
      const isText = typeof value === 'string'
      if (isText && value === '') return []
      const holds = (fields: FlatFields): boolean => fold(fields.get(field)) === fold(value)
      return [{ key: field, value: isText ? printPattern([literal(value)]) : value, holds }]
    }
    const end = /[\\/][^\\/]+$/.exec(fold(value))?.[0]
    if (end === undefined || !values.every((other) => fold(other).endsWith(end))) return []
    const written = String(value).slice(-end.length)
    const holds = (fields: FlatFields): boolean => fold(fields.get(field)).endsWith(end)
    return [{ key: `${field}|endswith`, value: printPattern([literal(written)]), holds }]
  })
  return found.sort((a, b) => rank(b) - rank(a))
}

/** Picks conditions that no negative passes all of, each the one that excludes most; undefined where none can. */
export function pickConditions(
  conditions: readonly CommonCondition[], negatives: readonly FlatFields[], atLeast: number,
): CommonCondition[] | undefined {
  const picked: CommonCondition[] = []
  let left = negatives
  while (left.length > 0) {
    const counts = conditions.map((condition) => left.filter((fields) => !condition.holds(fields)).length)
    const most = Math.max(0, ...counts)
    const best = conditions[counts.indexOf(most)]
    if (most === 0 || best === undefined) return undefined
    picked.push(best)
    left = left.filter(best.holds)
  }
  const more = conditions.filter((condition) => !picked.includes(condition)).slice(0, Math.max(0, atLeast - picked.length))
  return [...picked, ...more]
}

/** Prints conditions as the body of a selection. */
export function printConditions(conditions: readonly CommonCondition[]): string[] {
  return conditions.map(({ key, value }) => {
    const name = /^[A-Za-z_][\w.|-]*$/.test(key) ? key : quote(key)
    return `    ${name}: ${typeof value === 'string' ? quote(value) : String(value)}`
  })
}

/** Prints a text as YAML; JSON's form where single quotes allow no such characters. */
export function quote(text: string): string {
  return /^[\x20-\x7e\u00a0-\u2027\u202a-\ud7ff]*$/.test(text) ? `'${text.replaceAll("'", "''")}'` : JSON.stringify(text)
}

function fold(value: string | number | boolean | undefined): string {
  return value === undefined ? '' : String(value).toLowerCase()
}

function rank({ key, value }: CommonCondition): number {
  const isTelling = /^(?:Image|CommandLine|ParentImage|ParentCommandLine|OriginalFileName|TargetFilename|EventID|eventName)\b/.test(key)
  return (isTelling ? 1_000 : 0) + Math.min(999, String(value).length)
}
