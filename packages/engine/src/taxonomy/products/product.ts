import type { EventObject, FieldAliases, Logsource } from '../../event/event.ts'
import type { FieldMatcher } from './field-matchers.ts'

/**
 * A product that its events identify. No other product satisfies all of its matchers; products with an ambiguous format
 * have no row, and their events must declare a logsource.
 */
export type Product = {
  readonly name: string
  /** Dotted path -> condition on its value. The rarest path comes first, so that most rows cost one read. */
  readonly matchers: { readonly [path: string]: FieldMatcher }
  /** At least one of these fields must exist. */
  readonly oneOfFields?: readonly string[]
  readonly logsources: readonly Logsource[]
  /** Logsources by the value of a field; they replace `logsources` when the table has the value. */
  readonly services?: { readonly path: string; readonly table: ReadonlyMap<string, readonly Logsource[]> }
  /** Where the product has fields that rules name otherwise. */
  readonly aliases?: FieldAliases
  /** Converts the event to the fields that rules read; default the event itself. */
  readonly read?: (event: EventObject) => EventObject
}
