import { AppError } from '@tripline/contract/app-error'
import { describeZodIssue } from '@tripline/contract/issue-message'
import { isUtf8 } from 'node:buffer'
import type { z } from 'zod'
import { limits } from '../limits.ts'
import type { Columns, FileRow, RowProblem } from './file-row.ts'
import { readCsv } from './read-csv.ts'
import { readJsonRows } from './read-json.ts'

/** The format of an imported file. */
export type FileFormat = 'csv' | 'json'

/** Converts rows of a file to records of one kind. */
export type RowReader<Facts, Schema extends z.ZodType = z.ZodType> = {
  readonly columns: Columns
  readonly schema: Schema
  /** @throws AppError with the problem of the row, in one sentence. */
  readonly parseFacts: (row: z.output<Schema>) => Facts
}

/** The record of a row, or its problem. */
export type FactsRow<Facts> = { readonly line: number; readonly facts: Facts } | RowProblem

/**
 * Validates the structure of a whole file first, then yields its rows as records: a truncated file is refused before any row
 * is imported.
 *
 * @throws AppError INVALID_BODY for a file that is not made of rows; PAYLOAD_TOO_LARGE for too many rows.
 */
export async function openImportFile<Facts, Schema extends z.ZodType>(
  bytes: Uint8Array,
  format: FileFormat,
  reader: RowReader<Facts, Schema>,
): Promise<AsyncGenerator<FactsRow<Facts>>> {
  const { rowsMax } = limits.imports
  if (!isUtf8(bytes)) throw new AppError('INVALID_BODY', 'the file is not valid UTF-8')
  if (bytes.includes(0)) throw new AppError('INVALID_BODY', 'the file has a NUL character; save it as plain text in UTF-8')
  let rowCount = 0
  for await (const _row of readRows(bytes, format, reader.columns)) {
    if (++rowCount > rowsMax) throw new AppError('PAYLOAD_TOO_LARGE', `the file has more than ${rowsMax} rows`, { limit_rows: rowsMax })
  }
  if (rowCount === 0) throw new AppError('INVALID_BODY', 'the file has no rows')
  return readFacts(readRows(bytes, format, reader.columns), reader)
}

function readRows(bytes: Uint8Array, format: FileFormat, columns: Columns): AsyncGenerator<FileRow> {
  return format === 'csv' ? readCsv(bytes, columns) : readJsonRows(bytes)
}

async function* readFacts<Facts, Schema extends z.ZodType>(
  rows: AsyncGenerator<FileRow>,
  { schema, parseFacts }: RowReader<Facts, Schema>,
): AsyncGenerator<FactsRow<Facts>> {
  for await (const row of rows) {
    if ('problem' in row) {
      yield row
      continue
    }
    const { line, fields } = row
    const parsed = schema.safeParse(fields, { error: describeZodIssue })
    yield parsed.success ? tryRead(line, () => parseFacts(parsed.data)) : { line, problem: describeProblem(parsed.error) }
  }
}

function tryRead<Facts>(line: number, read: () => Facts): FactsRow<Facts> {
  try {
    return { line, facts: read() }
  } catch (error) {
    if (error instanceof AppError) return { line, problem: error.message }
    throw error
  }
}

/** The first problem, without quoting the row, which may be long. */
function describeProblem({ issues: [issue] }: z.ZodError): string {
  if (issue?.code === 'unrecognized_keys') return `unknown field '${issue.keys[0]?.slice(0, 64) ?? ''}'`
  return `${issue?.path.join('.') ?? 'the row'}: ${issue?.message ?? 'is not valid'}`
}
