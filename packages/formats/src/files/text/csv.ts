import { limits } from '../../limits.ts'
import { LineCollector } from '../event-decoder.ts'
import type { EventDecoder } from '../event-decoder.ts'

/** The separators of tables, in the order in which they are tried. */
const separators = [',', '\t', ';', '|'] as const

/** Finds the separator of a table by its header and its first row; undefined if the lines are no table. */
export function findSeparator(header: string, row: string | undefined): string | undefined {
  return separators.find((separator) => {
    const names = readRow(header, separator)
    if (names === undefined || names.length < 2 || !names.every(isColumnName)) return false
    if (new Set(names).size < names.length / 2) return false
    const cells = row === undefined ? names : readRow(row, separator)
    if (cells === undefined || cells.length === names.length) return true
    // Some writers leave out empty cells at the end of a row.
    return names.length > 2 && cells.length < names.length && cells.length > 1 && names.every((name) => /^[A-Za-z_]\w*$/.test(name))
  })
}

function isColumnName(name: string): boolean {
  return /^[A-Za-z_@#(][\w @.#()[\]/:%-]{0,127}$/.test(name.trim())
}

/** The cells of a row that stands on one line; undefined where a quote stays open. */
function readRow(line: string, separator: string): string[] | undefined {
  const reader = new RowReader(separator)
  const rows = [...reader.read(`${line}\n`)]
  return rows.length === 1 ? rows[0]!.cells : undefined
}

/** Decodes a table with a header, as RFC 4180 says; all values are texts. */
export const decodeCsv: EventDecoder = async function* (chunks, report) {
  const lines = new LineCollector(report)
  const decoder = new TextDecoder()
  let table: Table | undefined
  let begun = ''
  for await (const chunk of chunks) {
    let text = decoder.decode(chunk, { stream: true })
    if (table === undefined) {
      begun += text
      // Two lines tell the separator.
      if (begun.split('\n').length < 3 && begun.length < limits.files.sniffedBytesMax) continue
      table = openTable(begun)
      text = begun
    }
    table.push(text, lines)
    if (lines.isFull) yield lines.take()
  }
  const rest = decoder.decode()
  if (table === undefined) {
    table = openTable(begun + rest)
    table.push(begun + rest, lines)
  } else table.push(rest, lines)
  table.end(lines)
  yield lines.take()
}

function openTable(text: string): Table {
  const [header = '', row] = text.split(/\r?\n/, 2)
  return new Table(findSeparator(header, row) ?? ',')
}

/** A table as it streams in: the header, then rows. */
class Table {
  readonly #rows: RowReader
  #columns: readonly string[] | undefined

  constructor(separator: string) {
    this.#rows = new RowReader(separator)
  }

  push(text: string, lines: LineCollector): void {
    for (const row of this.#rows.read(text)) this.#addRow(row, lines)
  }

  end(lines: LineCollector): void {
    if (!this.#rows.isEmpty) this.push('\n', lines)
    if (this.#rows.isOpen) lines.addProblem('a quote is not closed')
  }

  #addRow({ cells, lineCount, isTooLong }: Row, lines: LineCollector): void {
    const isBlank = cells.length === 1 && cells[0] === ''
    if (isTooLong) lines.addProblem(`longer than ${limits.files.eventBytesMax.toLocaleString('en')} characters`)
    else if (isBlank) lines.addBlank()
    else if (this.#columns === undefined) {
      this.#columns = cells.map((name) => name.trim())
      lines.addBlank()
    } else if (cells.length > this.#columns.length) {
      lines.addProblem(`the row has ${cells.length} values for ${this.#columns.length} columns`)
    } else {
      const event = cells.map((cell, i) => [this.#columns![i]!, cell] as const)
      lines.addJson(JSON.stringify(Object.fromEntries(event)))
    }
    lines.addBlank(lineCount - 1)
  }
}

type Row = { readonly cells: string[]; readonly lineCount: number; readonly isTooLong: boolean }

/** Splits text into rows as it streams in; a quoted cell may span lines. */
class RowReader {
  readonly #separator: string
  #cells: string[] = []
  #cell = ''
  #state: 'start' | 'bare' | 'quoted' | 'closed' = 'start'
  #lineCount = 1
  #length = 0

  constructor(separator: string) {
    this.#separator = separator
  }

  /** Whether no row is begun. */
  get isEmpty(): boolean {
    return this.#length === 0
  }

  /** Whether a quoted cell is open. */
  get isOpen(): boolean {
    return this.#state === 'quoted'
  }

  * read(text: string): Generator<Row> {
    for (const character of text) {
      if (++this.#length > limits.files.eventBytesMax) this.#cell = ''
      if (this.#state === 'quoted') {
        if (character === '"') this.#state = 'closed'
        else {
          if (character === '\n') this.#lineCount++
          this.#cell += character
        }
      } else if (character === '"' && this.#state !== 'bare') {
        // Two quotes within a quoted cell are one.
        if (this.#state === 'closed') this.#cell += '"'
        this.#state = 'quoted'
      } else if (character === this.#separator) this.#endCell()
      else if (character === '\n') yield this.#endRow()
      else {
        this.#cell += character
        if (this.#state === 'start') this.#state = 'bare'
      }
    }
  }

  #endCell(): void {
    if (this.#cells.length < limits.files.columnsMax) this.#cells.push(this.#cell)
    this.#cell = ''
    this.#state = 'start'
  }

  #endRow(): Row {
    this.#cell = this.#cell.replace(/\r$/, '')
    this.#endCell()
    const row = { cells: this.#cells, lineCount: this.#lineCount, isTooLong: this.#length > limits.files.eventBytesMax }
    this.#cells = []
    this.#lineCount = 1
    this.#length = 0
    return row
  }
}
