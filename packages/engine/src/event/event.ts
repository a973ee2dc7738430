/** An event as users hand it over: a plain, possibly nested object, as `JSON.parse` makes it. */
export type EventObject = { readonly [field: string]: unknown }

/**
 * Where events come from, or what a rule applies to (sigma.md section 3).
 * A rule's logsource *contains* an event's when every key that the rule sets has the same value there.
 */
export type Logsource = {
  readonly category?: string
  readonly product?: string
  readonly service?: string
}

/** Canonical field name -> paths to try in order where the field itself is absent. */
export type FieldAliases = ReadonlyMap<string, readonly string[]>

/** No other names. */
export const noAliases: FieldAliases = new Map()

/** An event with all that routing and field lookup need to know of it. */
export type NormalizedEvent = {
  /** What rules read: the event itself where its shape needs no change. */
  readonly fields: EventObject
  /** Every logsource the event belongs to, interned (the same array for the same answer); empty when unknown. */
  readonly logsources: readonly Logsource[]
  /** Other names of fields for this kind of event, interned. */
  readonly aliases: FieldAliases
  /** Whether field names are looked up without regard to case when the exact name is absent. */
  readonly ignoresNameCase: boolean
}
