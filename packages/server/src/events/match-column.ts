import { compileValueCheck, findRequirement } from '@tripline/engine/evaluate'
import type { FieldValue, Requirement } from '@tripline/engine/evaluate'
import type { Test } from '@tripline/engine/predicate'
import type { BlockColumn, NumberRange, BlockReader } from './block.ts'
import type { Dictionary } from './dictionary.ts'
import { readTokenLeaves, readTokenValue } from './json-literal.ts'
import { mayContainLiteral } from './prune-blocks.ts'
import type { TimeSlicer } from './time-slicer.ts'

/** A comparison as it is asked of columns: the engine's, once for each different value. */
export type ColumnPredicate = {
  /** Whether the comparison holds of a value; undefined is an absent one. */
  readonly check: (value: FieldValue) => boolean
  readonly value: Test['value']
  /** Of which a value must hold one; undefined where that is not known. */
  readonly needles: Requirement | undefined
}

export function compileColumnPredicate(test: Test): ColumnPredicate {
  return { check: compileValueCheck(test), value: test.value, needles: findRequirement(test) }
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
export type ColumnMatcher = ((shapeIndex: number) => (index: number) => boolean) | undefined

/** A dictionary up to this size is asked sooner than the filter. */
const filteredBytesMin = 32_768
/** A dictionary up to this size is asked value by value. */
const searchedSizeMin = 64
/** Values that are asked before others have their turn: one may be as long as an event. */
const valuesPerSlice = 32

/** Asks the values of a column, all of them or, where `rowCount` is less, those that rows turn out to have. */
export async function matchColumn(
  test: ColumnPredicate, part: ColumnPart, { block, rowCount, turns }: { block: BlockReader; rowCount: number; turns: TimeSlicer },
): Promise<ColumnMatcher> {
  const column = block.column(part.pathKey)
  if (column === undefined) return undefined
  const isWhole = part.rest.length === 0
  if (isWhole && isOutOfRange(test.value, column.range)) return undefined
  if (column.kind === 'numbers') return await matchNumbers(test, part, column)
  if (isWhole && test.needles !== undefined && column.byteCount >= filteredBytesMin) {
    const filter = await block.filter()
    if (filter !== undefined && !test.needles.some((needle) => mayContainLiteral(filter, needle))) return undefined
  }
  const dictionary = await column.dictionary()
  const answers = new Uint8Array(dictionary.size)
  const topKey = getTopKey(part)
  const ask = (code: number): boolean => {
    const token = dictionary.token(code)
    const holds = test.check(part.isLeaves ? readTokenLeaves(token, topKey) : readTokenValue(token, part.rest))
    answers[code] = holds ? yes : no
    return holds
  }
  const asked = isWhole ? findCandidateCodes(dictionary, test.needles) : undefined
  if (asked !== undefined) answers.fill(no)
  if (asked !== undefined || rowCount >= dictionary.size) {
    let holdsAnywhere = false
    for (const [i, code] of (asked ?? answers).entries()) {
      if (i % valuesPerSlice === valuesPerSlice - 1) await turns.yieldIfDue()
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

async function matchNumbers(
  test: ColumnPredicate, part: ColumnPart, column: Extract<BlockColumn, { kind: 'numbers' }>,
): Promise<ColumnMatcher> {
  const numbersOf = await column.numbers()
  const topKey = getTopKey(part)
  const holds = part.isLeaves
    ? (number: number) => test.check(readTokenLeaves(column.tokenOf(number), topKey))
    // A number or a text has nothing inside.
    : (number: number) => test.check(part.rest.length === 0 ? column.valueOf(number) : undefined)
  return (shapeIndex) => {
    const numbers = numbersOf(shapeIndex)
    return (index) => holds(numbers[index]!)
  }
}

function findCandidateCodes(dictionary: Dictionary, needles: Requirement | undefined): Uint32Array | undefined {
  if (needles === undefined || dictionary.size < searchedSizeMin) return undefined
  const texts = getLiterals(needles)
  return texts && dictionary.findCodes(texts)
}

/** The texts of which a value must hold one; undefined where it may state a number instead. */
function getLiterals(needles: Requirement): readonly string[] | undefined {
  const texts = needles.flatMap((needle) => (needle.kind === 'text' ? [needle.text] : []))
  return texts.length === needles.length ? texts : undefined
}

/** Whether the range of a column's numbers leaves no room for a comparison with a number to hold. */
function isOutOfRange(test: Test['value'], range: NumberRange | undefined): boolean {
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
export async function findCandidateColumns({ needles }: ColumnPredicate, block: BlockReader): Promise<ReadonlySet<string> | undefined> {
  const texts = needles && getLiterals(needles)
  if (texts === undefined) return undefined
  const filter = await block.filter()
  const possible = filter === undefined ? texts : texts.filter((text) => filter.mayContainText(text))
  return possible.length === 0 ? noPaths : await block.findColumns(possible)
}

const noPaths: ReadonlySet<string> = new Set()

function parsePath({ pathKey }: ColumnPart): readonly string[] {
  return JSON.parse(pathKey) as readonly string[]
}

function getTopKey(part: ColumnPart): string {
  return part.isLeaves ? parsePath(part)[0] ?? '' : ''
}
