import { printCsvCell } from '@tripline/common/csv-cell'
import type { ExportFormat } from '@tripline/contract/public/export'

/** How the rows of a file are written: its beginning, each row, its end. */
type FileFormat = {
  readonly mediaType: string
  readonly begin: (columns: readonly string[]) => string
  readonly printRow: (row: object, isFirst: boolean) => string
  readonly end: string
}

/** The formats of exports. JSON is one array; CSV has a header and lines that end in CRLF (RFC 4180). */
export const fileFormats: { readonly [format in ExportFormat]: FileFormat } = {
  json: {
    mediaType: 'application/json', begin: () => '[', end: ']\n',
    printRow: (row, isFirst) => `${isFirst ? '\n' : ',\n'}${JSON.stringify(row)}`,
  },
  ndjson: { mediaType: 'application/x-ndjson', begin: () => '', printRow: (row) => `${JSON.stringify(row)}\n`, end: '' },
  csv: {
    mediaType: 'text/csv; charset=utf-8', begin: (columns) => printLine(columns), end: '',
    printRow: (row) => printLine(Object.values(row)),
  },
}

function printLine(values: readonly unknown[]): string {
  return `${values.map(printCell).join(',')}\r\n`
}

/** Lists of texts are joined by semicolons, other objects are JSON; nothing is an empty cell. */
function printCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return printCsvCell(typeof value === 'string' ? value : Array.isArray(value) ? value.join(';') : JSON.stringify(value))
}
