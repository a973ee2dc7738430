import { compileValueCheck, requirementOf } from '@tripline/engine/evaluate'
import type { FieldValue, Requirement } from '@tripline/engine/evaluate'
import type { Test } from '@tripline/engine/predicate'
import type { BlockColumn, NumberRange, OpenedBlock } from './block.ts'
import type { Dictionary } from './dictionary.ts'
import { leavesOfToken, valueOfToken } from './json-literal.ts'
import { mayHaveNeedle } from './prune-blocks.ts'
import type { Turns } from './time-slicer.ts'

/** A comparison as it is asked of columns: the engine's, once for each different value. */
export type ColumnTest = {
  /** Whether the comparison holds of a value; undefined is an absent one. */
  readonly check: (value: FieldValue) => boolean
  readonly value: Test['value']
  /** Of which a value must hold one; undefined where that is not known. */
  readonly needles: Requirement | undefined
}

export function compileColumnTest(test: Test): ColumnTest {
  return { check: compileValueCheck(test), value: test.value, needles: requirementOf(test) }
}

/** Which part of the values of a column is compared. */
export type ColumnPart = {
  readonly pathKey: string
  /** Steps that go on inside of the column's lists. */
  readonly rest: readonly string[]
  /** Whether every text inside counts, as for keywords. */
  readonly isLeaves: boolean
}

/** Tells of the rows of a shape which hold; undefined where none of the column's does. */
export type AskedColumn = ((shapeIndex: number) => (index: number) => boolean) | undefined

/** A dictionary up to this size is asked sooner than the filter. */
const filteredBytesMin = 32_768
/** A dictionary up to this size is asked value by value. */
const searchedSizeMin = 64
/** Values that are asked before others have their turn: one may be as long as an event. */
const valuesPerTurn = 32

/** Asks the values of a column, all of them or, where `rowCount` is less, those that rows turn out to have. */
export async function askColumn(
  test: ColumnTest, part: ColumnPart, { block, rowCount, turns }: { block: OpenedBlock; rowCount: number; turns: Turns },
): Promise<AskedColumn> {
  const column = block.column(part.pathKey)
  if (column === undefined) return undefined
  const isWhole = part.rest.length === 0
  if (isWhole && isOutside(test.value, column.range)) return undefined
  if (column.kind === 'numbers') return await askNumbers(test, part, column)
  if (isWhole && test.needles !== undefined && column.byteCount >= filteredBytesMin) {
    const filter = await block.filter()
    if (filter !== undefined && !test.needles.some((needle) => mayHaveNeedle(filter, needle))) return undefined
  }
  const dictionary = await column.dictionary()
  const answers = new Uint8Array(dictionary.size)
  const topKey = topKeyOf(part)
  const ask = (code: number): boolean => {
    const token = dictionary.token(code)
    const holds = test.check(part.isLeaves ? leavesOfToken(token, topKey) : valueOfToken(token, part.rest))
    answers[code] = holds ? yes : no
    return holds
  }
  const asked = isWhole ? codesToAsk(dictionary, test.needles) : undefined
  if (asked !== undefined) answers.fill(no)
  if (asked !== undefined || rowCount >= dictionary.size) {
    let holdsAnywhere = false
    for (const [i, code] of (asked ?? answers).entries()) {
      if (i % valuesPerTurn === valuesPerTurn - 1) await turns.next()
      if (ask(asked === undefined ? i : code)) holdsAnywhere = true
    }
    if (!holdsAnywhere) return undefined
  }
  const codesOf = await column.codes()
  return (shapeIndex) => {
    const codes = codesOf(shapeIndex)
    return (index) => {
      const code = codes[index]!
      const answer = answers[code]!
      return answer === unknown ? ask(code) : answer === yes
    }
  }
}

const unknown = 0
const no = 1
const yes = 2

async function askNumbers(
  test: ColumnTest, part: ColumnPart, column: Extract<BlockColumn, { kind: 'numbers' }>,
): Promise<AskedColumn> {
  const numbersOf = await column.numbers()
  const topKey = topKeyOf(part)
  const holds = part.isLeaves
    ? (number: number) => test.check(leavesOfToken(column.tokenOf(number), topKey))
    // A number or a text has nothing inside.
    : (number: number) => test.check(part.rest.length === 0 ? column.valueOf(number) : undefined)
  return (shapeIndex) => {
    const numbers = numbersOf(shapeIndex)
    return (index) => holds(numbers[index]!)
  }
}

function codesToAsk(dictionary: Dictionary, needles: Requirement | undefined): Uint32Array | undefined {
  if (needles === undefined || dictionary.size < searchedSizeMin) return undefined
  const texts = textsOf(needles)
  return texts && dictionary.codesWith(texts)
}

/** The texts of which a value must hold one; undefined where it may state a number instead. */
function textsOf(needles: Requirement): readonly string[] | undefined {
  const texts = needles.flatMap((needle) => (needle.kind === 'text' ? [needle.text] : []))
  return texts.length === needles.length ? texts : undefined
}

/** Whether the range of a column's numbers leaves no room for a comparison with a number to hold. */
function isOutside(test: Test['value'], range: NumberRange | undefined): boolean {
  if (test.kind !== 'number' && test.kind !== 'compare') return false
  // Digits that a number cannot hold are compared as text.
  if (test.kind === 'number' && test.text !== undefined) return false
  if (range === undefined) return true
  const [min, max] = range
  const operator = test.kind === 'number' ? 'eq' : test.operator
  switch (operator) {
    case 'eq':
      return test.value < min || max < test.value
    case 'gt':
      return max <= test.value
    case 'gte':
      return max < test.value
    case 'lt':
      return test.value <= min
    case 'lte':
      return test.value < min
  }
}

/** Paths of the columns that may hold what a keyword looks for; undefined is all of them. */
export async function columnsToAsk({ needles }: ColumnTest, block: OpenedBlock): Promise<ReadonlySet<string> | undefined> {
  const texts = needles && textsOf(needles)
  if (texts === undefined) return undefined
  const filter = await block.filter()
  const possible = filter === undefined ? texts : texts.filter((text) => filter.mayHold(text))
  return possible.length === 0 ? noPaths : await block.columnsWith(possible)
}

const noPaths: ReadonlySet<string> = new Set()

function pathOf({ pathKey }: ColumnPart): readonly string[] {
  return JSON.parse(pathKey) as readonly string[]
}

function topKeyOf(part: ColumnPart): string {
  return part.isLeaves ? pathOf(part)[0] ?? '' : ''
}
