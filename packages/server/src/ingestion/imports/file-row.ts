/** How the cells of a column are parsed: text unchanged, words lower-cased, lists separated by semicolons. */
export type ColumnKind = 'text' | 'word' | 'list' | 'number' | 'flag'

/** The allowed columns by field name; a dot addresses a nested object. */
export type Columns = { readonly [name: string]: ColumnKind }

/** A parsed row: its fields as in JSON, or its problem. */
export type FileRow = FileFields | RowProblem

/** The line on which the row ends, from 1; in a JSON array the number of the element. */
type FileFields = { readonly line: number; readonly fields: { readonly [name: string]: unknown } }

export type RowProblem = { readonly line: number; readonly problem: string }
