/** An event as the caller passes it: a plain, possibly nested object, as from `JSON.parse`. */
export type EventObject = { readonly [field: string]: unknown }

/**
 * The source of events, or the events that a rule applies to. The logsource of a rule *contains* that of an event
 * when every key of the rule has the same value in the event.
 */
export type Logsource = {
  readonly category?: string
  readonly product?: string
  readonly service?: string
}

/** The logsource of a rule. Beyond the specification, an attribute may state several values, any of which applies. */
export type RuleLogsource = Logsource & { readonly anyOf?: { readonly [K in keyof Logsource]?: readonly string[] } }

/** Canonical field name -> the paths to try in order when the field is absent. */
export type FieldAliases = ReadonlyMap<string, readonly string[]>

/** The empty alias table. */
export const noAliases: FieldAliases = new Map()

/** An event with the data that routing and field lookup need. */
export type NormalizedEvent = {
  /** The fields that rules read; the event itself when its shape needs no change. */
  readonly fields: EventObject
  /** All logsources of the event, interned (equal lists are the same array); empty when unknown. */
  readonly logsources: readonly Logsource[]
  /** The field aliases of this kind of event, interned. */
  readonly aliases: FieldAliases
  /** Whether field lookup ignores case when the exact name is absent. */
  readonly ignoresNameCase: boolean
  /** The row of the taxonomy that recognized the event; undefined where none did. */
  readonly shape?: string | undefined
}
