import { noAliases } from './event.ts'
import type { NormalizedEvent } from './event.ts'
import { listElements, isObject } from './value.ts'

/** The field name of the element itself in a condition on list elements. */
export const elementFieldName = '.'

/**
 * Turns the elements of a list into events: the fields are the members of an object, or `.` for any other value.
 * They inherit the case sensitivity of names, but no aliases.
 */
export function toElementEvents(event: NormalizedEvent, field: string): NormalizedEvent[] {
  return listElements(event.fields, field).map((element) => ({
    fields: isObject(element) ? element : { [elementFieldName]: element },
    logsources: [],
    aliases: noAliases,
    ignoresNameCase: event.ignoresNameCase,
  }))
}
