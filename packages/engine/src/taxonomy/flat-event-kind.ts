import type { EventObject, NormalizedEvent } from '../event/event.ts'
import { declaredLogsourceField } from './declared-logsource.ts'
import { windowsAliases } from './field-aliases.ts'
import { normalizeEvent } from './normalize.ts'
import { isCollectorShape, isFlatShape } from './shape-flat.ts'

/**
 * The fields that tell the kind of a flat Windows event. Of those that are only looked at for being there,
 * or for being text, any other text says the same.
 */
export const flatKindFields: readonly { readonly name: string; readonly isValueRead: boolean }[] = [
  { name: 'Channel', isValueRead: true },
  { name: 'EventID', isValueRead: true },
  { name: 'Provider_Name', isValueRead: true },
  { name: 'EventType', isValueRead: true },
  { name: 'SourceName', isValueRead: false },
  { name: 'Hostname', isValueRead: false },
  { name: 'Computer', isValueRead: false },
]

/** Other names by which rules' fields go in flat Windows events. */
export const flatAliases: ReadonlySet<string> = new Set(
  Object.values(windowsAliases).flatMap(({ none }) => [...none.values()].flat()),
)

/**
 * The kind of a flat Windows event that rules read as it is, without a copy; undefined for any other event.
 * It depends on nothing but `flatKindFields`, provided that the event declares no logsource itself and that
 * no name in it holds a blank.
 */
export function normalizeFlatEvent(event: EventObject): NormalizedEvent | undefined {
  if (!isFlatShape(event) || isCollectorShape(event)) return undefined
  return normalizeEvent(event, 'auto')
}

/** Whether an event with this key may be read otherwise than its `flatKindFields` say. */
export function isFlatKindKey(key: string): boolean {
  return key === declaredLogsourceField || key.includes(' ')
}
