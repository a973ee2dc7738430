import { Readable } from 'node:stream'
import { omitUndefined } from '@tripline/common/omit-undefined'
import type { IndicatorType } from '@tripline/model/enrichment/indicator'
import { parse } from 'csv-parse'
import { limits } from '../../limits.ts'
import { splitIntoPieces } from '../../split-into-pieces.ts'
import { readTypedValue } from './feed-item.ts'
import type { FeedItem } from './feed-item.ts'
import type { FeedTarget } from './feed-target.ts'
import { findColumns, findDelimiter, knownTypes, splitHead } from './feed-table.ts'
import { readInstant } from './read-stix.ts'

const dayMs = 86_400_000

/**
 * Reads a CSV feed or a list of values: comments (`#`, `;`, `//`) are skipped, a header is found as first row or last comment.
 * An entry without an end expires at the end of a day, so that reading the feed again changes each entry once a day.
 * Rows that cannot be read are unusable entries.
 */
export async function* readCsvFeed(
  bytes: Buffer, target: Pick<FeedTarget, 'table' | 'confidence' | 'expireAfterMs'>, at: number,
): AsyncGenerator<FeedItem> {
  const { start, comment } = splitHead(bytes)
  const delimiter = target.table.delimiter ?? findDelimiter(bytes, start)
  const validUntil = target.expireAfterMs === undefined ? undefined : (Math.floor(at / dayMs) + 1) * dayMs + target.expireAfterMs
  let skippedCount = 0
  const parser = parse({
    // A character that no text has: one field a line.
    delimiter: delimiter === '' ? '\u0000' : delimiter, quote: delimiter === '' ? null : '"',
    trim: true, relax_quotes: true, relax_column_count: true, skip_empty_lines: true,
    skip_records_with_error: true, max_record_size: limits.imports.rowBytesMax,
    comment: '#', comment_no_infix: true, record_delimiter: ['\r\n', '\n', '\r'], on_skip: () => void skippedCount++,
  })
  let columns: ReturnType<typeof findColumns> | undefined
  for await (const row of Readable.from(splitIntoPieces(bytes.subarray(start))).pipe(parser) as AsyncIterable<readonly string[]>) {
    for (; skippedCount > 0; skippedCount--) yield { unusable: 'the row cannot be read' }
    if (columns === undefined) {
      columns = findColumns({ row, comment, delimiter }, target.table)
      if (columns.isHeader) continue
    }
    if (/^(?:;|\/\/)/.test(row[0] ?? '')) continue
    yield readRow(row, columns, { target, validUntil, at })
  }
  for (; skippedCount > 0; skippedCount--) yield { unusable: 'the row cannot be read' }
}

type RowTerms = {
  readonly target: Pick<FeedTarget, 'table' | 'confidence'>
  readonly validUntil: number | undefined
  readonly at: number
}

function readRow(row: readonly string[], columns: ReturnType<typeof findColumns>, { target, validUntil, at }: RowTerms): FeedItem {
  const cell = (index: number | undefined): string => (index === undefined ? '' : (row[index] ?? '').trim())
  const stated = target.table.indicatorType ?? columns.valueType ?? readType(cell(columns.type))
  if (stated === 'unknown') return { unusable: 'the type is not one of indicators' }
  const value = readTypedValue(stated, clean(cell(columns.value), stated))
  if ('unusable' in value) return value
  const end = readInstant(cell(columns.validUntil)) ?? validUntil
  if (end !== undefined && end <= at) return { ended: value }
  const percent = cell(columns.confidence)
  const confidence = /^\d{1,3}$/.test(percent) && Number(percent) <= 100 ? Number(percent) : target.confidence
  const description = cell(columns.description).slice(0, limits.feeds.descriptionLengthMax)
  return { indicator: { ...value, ...omitUndefined({ confidence }), ...(description !== '' && { description }), validUntil: end } }
}

function readType(cell: string): IndicatorType | undefined | 'unknown' {
  return cell === '' ? undefined : (knownTypes.get(cell.toLowerCase()) ?? 'unknown')
}

/** The port behind an address, and the address in front of a name in a hosts file, are no part of the value. */
function clean(text: string, type: IndicatorType | undefined): string {
  if (type === undefined || type === 'ip') {
    const [, address] = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(text) ?? /^\[([\da-f:]+)\]:\d{1,5}$/i.exec(text) ?? []
    if (address !== undefined) return address
  }
  return text.replace(/^(?:0\.0\.0\.0|127\.0\.0\.1)\s+(?=\S)/, '')
}
