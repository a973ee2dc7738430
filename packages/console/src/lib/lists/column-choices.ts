import { readJsonFromBrowser } from '../browser-storage.ts'
import { createStore } from '../store.ts'

export const layouts = ['table', 'log'] as const
/** Whether rows are shown as those of a table, or as lines of a log. */
export type Layout = (typeof layouts)[number]

/** How a person wants a table and its columns; what is not stated is as the table has it. */
export type ColumnChoice = {
  readonly layout?: Layout
  readonly order?: readonly string[]
  readonly hidden?: readonly string[]
  /** In pixels. */
  readonly widths?: { readonly [id: string]: number }
}
export type ColumnChoices = { readonly [table: string]: ColumnChoice }

/** By which the choices are kept in the browser. */
export const columnsKey = 'tripline.columns'

/** The choices by the name of the table. */
export const columnChoices = createStore<ColumnChoices>(readJsonFromBrowser<ColumnChoices>(columnsKey) ?? {})

type Arranged = { readonly id: string; readonly width: string }

/** The columns in the chosen order, with hidden ones; a column that the choice does not know stays behind its neighbour. */
export function orderColumns<Column extends Arranged>(columns: readonly Column[], { order = [] }: ColumnChoice): readonly Column[] {
  const place = (id: string): number => {
    const at = order.indexOf(id)
    if (at !== -1) return at
    const before = columns.slice(0, columns.findIndex((column) => column.id === id)).findLast((column) => order.includes(column.id))
    return before === undefined ? -1 : order.indexOf(before.id) + 0.5
  }
  return order.length === 0 ? columns : columns.toSorted((one, other) => place(one.id) - place(other.id))
}

/** The columns that are shown, in the chosen order and width. */
export function arrangeColumns<Column extends Arranged>(columns: readonly Column[], choice: ColumnChoice = {}): readonly Column[] {
  const { hidden = [], widths = {} } = choice
  return orderColumns(columns, choice).filter(({ id }) => !hidden.includes(id)).map((column) => {
    const width = widths[column.id]
    return width === undefined ? column : { ...column, width: `minmax(0, ${width}px)` }
  })
}
