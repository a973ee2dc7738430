import { noAliases } from './event.ts'
import type { NormalizedEvent } from './event.ts'
import { listElements, isObject } from './value.ts'

/** The name by which a condition on elements means the element itself. */
export const elementFieldName = '.'

/**
 * The elements of a list as events of their own: an object has its members as fields, anything else is the
 * field `.`. How names are compared is inherited; other names of fields are not.
 */
export function toElementEvents(event: NormalizedEvent, field: string): NormalizedEvent[] {
  return listElements(event.fields, field).map((element) => ({
    fields: isObject(element) ? element : { [elementFieldName]: element },
    logsources: [],
    aliases: noAliases,
    ignoresNameCase: event.ignoresNameCase,
  }))
}
