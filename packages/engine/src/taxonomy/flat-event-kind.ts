import type { EventObject, NormalizedEvent } from '../event/event.ts'
import { declaredLogsourceField } from './declared-logsource.ts'
import { windowsAliases } from './field-aliases.ts'
import { normalizeEvent } from './normalize.ts'
import { isCollectorShape, isFlatShape } from './shape-flat.ts'
import { insertsKeys, isInsertsShape } from './shape-inserts.ts'

/** The fields that determine the kind of a flat Windows event; without `isValueRead`, only their presence as text counts. */
export const flatKindFields: readonly { readonly name: string; readonly isValueRead: boolean }[] = [
  { name: 'Channel', isValueRead: true },
  { name: 'EventID', isValueRead: true },
  { name: 'Provider_Name', isValueRead: true },
  { name: 'EventType', isValueRead: true },
  { name: 'SourceName', isValueRead: false },
  { name: 'Hostname', isValueRead: false },
  { name: 'Computer', isValueRead: false },
]

/** The field aliases of flat Windows events. */
export const flatAliases: ReadonlySet<string> = new Set(
  Object.values(windowsAliases).flatMap(({ none }) => [...none.values()].flat()),
)

/**
 * Normalizes a flat Windows event that needs no copy; undefined for any other event. The result depends only on
 * `flatKindFields` when the event declares no logsource, has no name with a space, and lists no data without names.
 */
export function normalizeFlatEvent(event: EventObject): NormalizedEvent | undefined {
  if (!isFlatShape(event) || isInsertsShape(event) || isCollectorShape(event)) return undefined
  return normalizeEvent(event, 'auto')
}

/** Whether a key makes normalization depend on more than `flatKindFields`. */
export function isFlatKindKey(key: string): boolean {
  return key === declaredLogsourceField || key.includes(' ') || insertsKeys.some((name) => name === key)
}
