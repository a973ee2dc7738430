/** The formats of times that a mapping reads; `auto` takes ISO 8601, and seconds or milliseconds since 1970 by their size. */
export const timeFormats = ['auto', 'epoch_s', 'epoch_ms', 'epoch_us', 'epoch_ns', 'syslog'] as const
export type TimeFormat = (typeof timeFormats)[number]

/** What a field is converted to; a value that cannot be is left as it is. */
export const mappedTypes = ['text', 'integer', 'number', 'boolean', 'list'] as const
export type MappedType = (typeof mappedTypes)[number]

/** A condition on one field of an event. */
export type SourceSelector = {
  readonly field: string
  /** Any of these, in lower case, split at `*`; undefined where the field only has to be present. */
  readonly patterns: readonly (readonly string[])[] | undefined
}

/** How the events of one source become what rules read. */
export type MappingEntry = {
  /** The line of the mapping file where it begins. */
  readonly line: number
  /** All must hold; without any, the entry takes every event. */
  readonly when: readonly SourceSelector[]
  /** The log source of events that declare none. */
  readonly logsource: { readonly [key: string]: string }
  readonly rename: readonly (readonly [from: string, to: string])[]
  readonly constants: readonly (readonly [field: string, value: unknown])[]
  /** The field that becomes `@timestamp`. */
  readonly timestamp: { readonly field: string; readonly format: TimeFormat } | undefined
  readonly types: readonly (readonly [field: string, type: MappedType])[]
}

/** Entries in order: an event takes the first one that selects it. */
export type EventMapping = readonly MappingEntry[]
