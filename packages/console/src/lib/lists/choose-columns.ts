import { keepInBrowser } from '../browser-storage.ts'
import { columnChoices, columnsKey, layouts } from './column-choices.ts'
import type { ColumnChoice, ColumnChoices } from './column-choices.ts'

const widthMin = 40

/** Changes the choice of a table; undefined gives the table back its own columns. */
export function chooseColumns(table: string, choice: ColumnChoice | undefined): void {
  const { [table]: before, ...others } = columnChoices.get()
  keepChoices(choice === undefined ? others : { ...others, [table]: { ...before, ...choice } })
}

/** Chooses the width of a column in pixels. */
export function chooseWidth(table: string, id: string, width: number): void {
  chooseColumns(table, { widths: { ...columnChoices.get()[table]?.widths, [id]: Math.max(widthMin, Math.round(width)) } })
}

/** Shows the choices of all tables, and keeps them in the browser. */
export function keepChoices(choices: ColumnChoices): void {
  columnChoices.set(choices)
  keepInBrowser(columnsKey, JSON.stringify(choices))
}

/** The choices in a value that was kept somewhere; what is none is left out. */
export function readChoices(value: unknown): ColumnChoices {
  const tables = listEntries(value).map(([table, choice]) => {
    const parts = new Map(listEntries(choice))
    const [order, hidden] = [parts.get('order'), parts.get('hidden')]
    const layout = layouts.find((one) => one === parts.get('layout'))
    const widths = listEntries(parts.get('widths')).filter((entry): entry is [string, number] => typeof entry[1] === 'number')
    return [table, {
      ...(isTextList(order) && { order }), ...(isTextList(hidden) && { hidden }),
      ...(layout !== undefined && { layout }),
      ...(widths.length > 0 && { widths: Object.fromEntries(widths) }),
    }] as const
  })
  return Object.fromEntries(tables)
}

function listEntries(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}
