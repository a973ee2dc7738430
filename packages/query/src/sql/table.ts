/** A column, by its name as the database knows it; a list holds several values of one event. */
export type SqlColumn = { readonly name: string; readonly isList: boolean }

/**
 * The columns for the stored forms of a field, see `toStoredField`. Conditions on a missing column are not pushed down.
 */
export type TableField = {
  readonly texts?: SqlColumn
  readonly numbers?: SqlColumn
  readonly instants?: SqlColumn
  /** Columns that hold 1 or 0, and never NULL. */
  readonly isPresent?: string
  readonly isNull?: string
}

/** The columns of a table of events. */
export type SqlTable = {
  /** By the field's name in predicates. */
  readonly fields: ReadonlyMap<string, TableField>
  /** The texts of all leaves of an event, in the form of `toStoredText`, for keywords. */
  readonly leaves?: SqlColumn
}
