import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import type { CastingContext } from 'csv-parse'
import { AppError } from '@tripline/contract/app-error'
import { limits } from '../limits.ts'
import { splitIntoPieces } from '../split-into-pieces.ts'
import type { ColumnKind, Columns, FileRow } from './file-row.ts'

const options = {
  bom: true,
  info: true,
  // Rows of a different length are reported individually instead of failing the file.
  relax_column_count: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  skip_empty_lines: true,
  max_record_size: limits.imports.rowBytesMax,
  cast: checkField,
}

/**
 * Reads CSV (RFC 4180): a header with column names, then rows. Lines end with LF, CRLF or CR; a byte order mark is skipped.
 * A field is plain text, whatever it begins with: `=1+1` is four characters. An empty field is absent.
 *
 * @throws AppError INVALID_BODY, with the line, where the bounds of rows are ambiguous: a quote inside a field or an unclosed one,
 *   too many columns, a field or row that is too long; and for an invalid header.
 */
export async function* readCsv(bytes: Uint8Array, columns: Columns): AsyncGenerator<FileRow> {
  let header: readonly string[] | undefined
  try {
    for await (const { record, info } of Readable.from(splitIntoPieces(bytes)).pipe(parse(options)) as AsyncIterable<CsvRow>) {
      if (header === undefined) header = checkHeader(record, columns)
      else yield toRow(record, header, columns, info.lines)
    }
  } catch (error) {
    throw error instanceof CsvError ? invalidBody(`the CSV cannot be parsed: ${describeCsvError(error)}`) : error
  }
  if (header === undefined) throw invalidBody('the CSV has no header row')
}

type CsvRow = { readonly record: readonly string[]; readonly info: { readonly lines: number } }

/** The parser's size limit counts bytes of fields only, so commas could create unlimited columns. */
function checkField(field: string, { index, lines }: CastingContext): string {
  const { columnsMax, fieldLengthMax } = limits.imports
  if (index >= columnsMax) throw invalidBody(`line ${lines} has more than ${columnsMax} columns`)
  if (field.length > fieldLengthMax) throw invalidBody(`line ${lines} has a field of more than ${fieldLengthMax} characters`)
  return field
}

function checkHeader(record: readonly string[], columns: Columns): string[] {
  const names = record.map((name) => name.trim().toLowerCase())
  const known = Object.keys(columns)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw invalidBody(`unknown column '${unknown.slice(0, 64)}'; allowed: ${known.join(', ')}`, { allowed: known })
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw invalidBody(`the column '${twice}' occurs twice`)
  return names
}

function toRow(record: readonly string[], header: readonly string[], columns: Columns, line: number): FileRow {
  if (record.length !== header.length) {
    return { line, problem: `the row has ${record.length} fields; the header has ${header.length}` }
  }
  const fields: { [name: string]: unknown } = {}
  for (const [index, name] of header.entries()) {
    const cell = record[index] ?? ''
    const kind = columns[name]
    if (cell.trim() === '' || kind === undefined) continue
    const [outer = '', inner] = name.split('.')
    if (inner === undefined) fields[outer] = parseCell(kind, cell)
    else fields[outer] = { ...(fields[outer] as object | undefined), [inner]: parseCell(kind, cell) }
  }
  return { line, fields }
}

const flags = new Map([
  ['true', true], ['yes', true], ['1', true],
  ['false', false], ['no', false], ['0', false],
])

/** Parses a cell; an invalid one stays text, which validation refuses by name. */
function parseCell(kind: ColumnKind, cell: string): unknown {
  const text = cell.trim()
  switch (kind) {
    case 'text':
      return cell
    case 'word':
      return text.toLowerCase()
    case 'list':
      return text.split(';').map((part) => part.trim()).filter((part) => part !== '')
    case 'number':
      return /^-?\d{1,15}(?:\.\d{1,6})?$/.test(text) ? Number(text) : text
    case 'flag':
      return flags.get(text.toLowerCase()) ?? text
  }
}

const reasons = new Map<string, string>([
  ['CSV_MAX_RECORD_SIZE', `a row has more than ${limits.imports.rowBytesMax} bytes`],
  ['CSV_QUOTE_NOT_CLOSED', 'a quote is not closed'],
  ['CSV_INVALID_CLOSING_QUOTE', 'text follows a quoted field'],
  ['INVALID_OPENING_QUOTE', 'an unquoted field contains a quote'],
])

/** Describes a parser error without quoting the file. */
function describeCsvError(error: CsvError): string {
  const lines: unknown = error['lines']
  const at = typeof lines === 'number' ? `line ${lines}: ` : ''
  return at + (reasons.get(error.code) ?? 'it is not valid CSV')
}

function invalidBody(message: string, details?: { readonly allowed: readonly string[] }): AppError {
  return new AppError('INVALID_BODY', message, details)
}
