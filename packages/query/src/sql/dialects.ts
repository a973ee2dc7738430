/** The type of a parameter. */
export type ParameterType = 'text' | 'number' | 'instant'

/** Templates of a condition on a column with the placeholders `{column}`, `{operator}` and `{value}`. */
type ConditionForms = { readonly compare: string; readonly like: string }

/**
 * The differences between databases, as data. Every form is true or false and never NULL, so it can be negated.
 */
export type SqlDialect = {
  readonly name: string
  /** The quote around names, and the escapes of special characters in them. */
  readonly quote: string
  readonly nameEscapes: { readonly [character: string]: string }
  /** The placeholder of a parameter by type; `#` is its index, from 0. */
  readonly placeholders: { readonly [type in ParameterType]: string }
  /** A column that holds one value or NULL. */
  readonly single: ConditionForms
  /** A column that holds several: whether any of them passes. */
  readonly list: ConditionForms
  /** A column that holds 1 or 0. */
  readonly flag: string
}

/** Lists are JSON arrays, texts in the collation BINARY. */
export const sqlite: SqlDialect = {
  name: 'SQLite',
  quote: '"',
  nameEscapes: { '"': '""' },
  placeholders: { text: '?', number: '?', instant: '?' },
  single: {
    compare: '({column} IS NOT NULL AND {column} {operator} {value})',
    like: String.raw`({column} IS NOT NULL AND {column} LIKE {value} ESCAPE '\')`,
  },
  list: {
    compare: 'EXISTS (SELECT 1 FROM json_each({column}) WHERE value {operator} {value})',
    like: String.raw`EXISTS (SELECT 1 FROM json_each({column}) WHERE value LIKE {value} ESCAPE '\')`,
  },
  flag: '{column} = 1',
}

/** Lists are arrays; parameters are named `p0`, `p1`, as its HTTP interface takes them, there escaped as in TabSeparated. */
export const clickHouse: SqlDialect = {
  name: 'ClickHouse',
  quote: '`',
  nameEscapes: { '`': '\\`', '\\': '\\\\' },
  placeholders: { text: '{p#:String}', number: '{p#:Float64}', instant: '{p#:Int64}' },
  single: {
    compare: '({column} IS NOT NULL AND {column} {operator} {value})',
    like: '({column} IS NOT NULL AND {column} LIKE {value})',
  },
  list: {
    compare: 'arrayExists(x -> x {operator} {value}, {column})',
    like: 'arrayExists(x -> x LIKE {value}, {column})',
  },
  flag: '{column} = 1',
}
