/** A column, by its name as the database knows it; a list holds several values of one event. */
export type Column = { readonly name: string; readonly isList: boolean }

/**
 * Where a table keeps what `toStoredField` makes of a field. A column that it does not have is left out: what
 * would read it is not pushed down.
 */
export type TableField = {
  readonly texts?: Column
  readonly numbers?: Column
  readonly instants?: Column
  /** Columns that hold 1 or 0, and never NULL. */
  readonly isPresent?: string
  readonly isNull?: string
}

/** The columns of a table of events. */
export type SqlTable = {
  /** By the name that predicates have for the field. */
  readonly fields: ReadonlyMap<string, TableField>
  /** The texts of all leaves of an event, stored as `toStoredText` says: what keywords are looked for in. */
  readonly leaves?: Column
}
