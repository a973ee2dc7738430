/** How the cells of a column are read: texts as they stand, words in small letters, lists parted by semicolons. */
export type ColumnKind = 'text' | 'word' | 'list' | 'number' | 'flag'

/** The columns that a table may have, by the name of the field that each is; a dot leads into a nested object. */
export type Columns = { readonly [name: string]: ColumnKind }

/** A row of a file: its fields, as JSON would have them, or why it has none. */
export type FileRow = FileFields | RowProblem

/** The line that a row ends on, from 1; in an array of JSON the number of the element. */
export type FileFields = { readonly line: number; readonly fields: { readonly [name: string]: unknown } }

export type RowProblem = { readonly line: number; readonly problem: string }
