import type { BlockReader } from './block.ts'
import { joinEvent } from './split-event.ts'

/** Row numbers of a block, ascending. */
export type BlockRows = Uint32Array

/** The rows of one template among some rows of a block. */
type RowsOfTemplate = { readonly templateIndex: number; readonly start: number; readonly rows: BlockRows }

/** Groups rows by template, in order. */
export function* groupByTemplate({ templates }: BlockReader, rows: BlockRows): Generator<RowsOfTemplate> {
  let from = 0
  for (const [shapeIndex, { start, count }] of templates.entries()) {
    if (from === rows.length) return
    if (rows[from]! >= start + count) continue
    const to = findLowerBound(rows, start + count, from)
    yield { templateIndex: shapeIndex, start, rows: rows.subarray(from, to) }
    from = to
  }
}

/** Binary search: the index of the first row, from an index on, that is not below a bound. */
function findLowerBound(rows: BlockRows, bound: number, from: number): number {
  let low = from
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (rows[middle]! < bound) low = middle + 1
    else high = middle
  }
  return low
}

/** The texts of events as they arrived, one character per byte. */
export async function readTexts(block: BlockReader, rows: BlockRows): Promise<string[]> {
  const texts: string[] = []
  for (const { templateIndex, start, rows: some } of groupByTemplate(block, rows)) {
    const { template } = block.templates[templateIndex]!
    const pathKeys = template.fragments === undefined ? template.pathKeys.slice(0, 1) : template.pathKeys
    const readers = await Promise.all(pathKeys.map((pathKey) => openTokenReader(block, pathKey, { templateIndex, start, rows: some })))
    for (const row of some) {
      const tokens = readers.map((tokenAt) => tokenAt(row - start))
      texts.push(template.fragments === undefined ? tokens[0]! : joinEvent(template.fragments, tokens))
    }
  }
  return texts
}

/** Reads the tokens of a column by row number within the template, for some rows. */
async function openTokenReader(
  block: BlockReader, pathKey: string, { templateIndex, start, rows }: RowsOfTemplate,
): Promise<(index: number) => string> {
  const column = block.column(pathKey)
  if (column === undefined) throw new Error(`the block has no column ${pathKey}`)
  if (column.kind === 'numbers') {
    const numbers = (await column.numbers())(templateIndex)
    return (index) => column.tokenOf(numbers[index]!)
  }
  const codes = (await column.codes())(templateIndex)
  const dictionary = await column.dictionary({ codes: Array.from(rows, (row) => codes[row - start]!) })
  return (index) => dictionary.token(codes[index]!)
}
