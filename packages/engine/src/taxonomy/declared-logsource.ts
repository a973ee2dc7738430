import type { EventObject, Logsource } from '../event/event.ts'
import { isObject } from '../event/value.ts'
import { limits } from '../limits.ts'
import { readOwnValue } from './read-own-value.ts'

/** The field in which an event declares its logsource. */
export const declaredLogsourceField = '_logsource'

/** The logsources that an event declares in its field `_logsource`. */
export type DeclaredLogsource = {
  /** Interned: equal declarations share one array. */
  readonly logsources: readonly Logsource[]
  readonly isWindows: boolean
}

/**
 * Reads the logsources that an event declares in its field `_logsource`: an object or an array of objects. Converts
 * values to lower case and ignores anything invalid; undefined when nothing valid is left.
 */
export function readDeclaredLogsource(event: EventObject): DeclaredLogsource | undefined {
  const declared = readOwnValue(event, declaredLogsourceField)
  if (declared === undefined) return undefined
  const values: readonly unknown[] = Array.isArray(declared) ? declared : [declared]
  const read = values.slice(0, limits.declaredLogsourcesMax)
  const logsources = read.map(readLogsource).filter((logsource) => logsource !== undefined)
  return logsources.length === 0 ? undefined : intern(logsources)
}

const logsourceKeys = ['category', 'product', 'service'] as const

function readLogsource(value: unknown): Logsource | undefined {
  if (!isObject(value)) return undefined
  const logsource: { -readonly [key in keyof Logsource]: Logsource[key] } = {}
  for (const key of logsourceKeys) {
    const text = readOwnValue(value, key)
    const isKey = typeof text === 'string' && 0 < text.length && text.length <= limits.logsourceKeyLengthMax
    if (isKey) logsource[key] = text.toLowerCase()
  }
  return Object.keys(logsource).length === 0 ? undefined : logsource
}

const interned = new Map<string, DeclaredLogsource>()

function intern(logsources: readonly Logsource[]): DeclaredLogsource {
  const name = JSON.stringify(logsources)
  const known = interned.get(name)
  if (known !== undefined) return known
  // A flood of different declarations clears the table, which costs shared identity but bounds memory.
  if (interned.size >= limits.internedLogsourcesMax) interned.clear()
  const declared = { logsources, isWindows: logsources.some(({ product }) => product === 'windows') }
  interned.set(name, declared)
  return declared
}
