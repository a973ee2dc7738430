import { compileValueCheck, listTestRequirements } from '@tripline/engine/evaluate'
import type { FieldValue, Requirement } from '@tripline/engine/evaluate'
import type { Test } from '@tripline/engine/predicate'
import type { BlockColumn, BlockReader, NumberRange, RequiredTexts } from '../block/block.ts'
import { readTokenLeaves, readTokenValue } from '../block/json-literal.ts'
import { isWholeValue, mayContainLiteral } from './prune-blocks.ts'
import type { TimeSlicer } from './time-slicer.ts'

/** A comparison compiled for columns: the engine's check, run once for each distinct value. */
type ColumnPredicate = {
  /** Whether a value matches; undefined is an absent one. */
  readonly check: (value: FieldValue) => boolean
  readonly value: Test['value']
  /** Lists of literals; a matching value contains one of each. */
  readonly requirements: readonly Requirement[]
  /** Those of them that are texts, the most selective list first. */
  readonly requiredTexts: RequiredTexts
}

export function compileColumnPredicate(test: Test): ColumnPredicate {
  const requirements = listTestRequirements(test)
  const requiredTexts = requirements.map(getLiterals).filter((texts) => texts !== undefined)
  return { check: compileValueCheck(test), value: test.value, requirements, requiredTexts }
}

/** The part of a column's values to compare. */
export type ColumnPart = {
  readonly pathKey: string
  /** Steps that continue inside the column's lists. */
  readonly rest: readonly string[]
  /** Whether every text inside counts, as for keywords. */
  readonly isLeaves: boolean
}

/** Gives a row matcher for each template; undefined where no value of the column matches. */
export type ColumnMatcher = ((shapeIndex: number) => (index: number) => boolean) | undefined

/** A dictionary of at least this size is checked against the filter first. */
const filteredBytesMin = 32_768
/** A dictionary below this size is checked value by value. */
const searchedSizeMin = 64
/** Values checked between two yields: one may be as long as an event. */
const valuesPerSlice = 32

const unknown = 0
const no = 1
const yes = 2

/** Checks the values of a column: all of them, or lazily those that the rows have, where `rowCount` is less. */
export async function matchColumn(
  test: ColumnPredicate, part: ColumnPart, { block, rowCount, turns }: { block: BlockReader; rowCount: number; turns: TimeSlicer },
): Promise<ColumnMatcher> {
  const column = block.column(part.pathKey)
  if (column === undefined) return undefined
  const isWhole = part.rest.length === 0
  if (isWhole && isOutOfRange(test.value, column.range)) return undefined
  if (column.kind === 'numbers') return await matchNumbers(test, part, column)
  if (isWhole && test.requirements.length > 0 && column.byteCount >= filteredBytesMin) {
    const filter = await (test.requirements.some((needles) => needles.some(isWholeValue)) ? block.filter() : block.textFilter())
    const mayHold = (needles: Requirement): boolean => {
      return filter === undefined || needles.some((needle) => mayContainLiteral(filter, needle))
    }
    if (!test.requirements.every(mayHold)) return undefined
  }
  const [texts] = isWhole ? test.requiredTexts : []
  const dictionary = await column.dictionary(texts && { texts: test.requiredTexts })
  const answers = new Uint8Array(dictionary.size)
  for (const range of dictionary.missing) answers.fill(no, ...range)
  const topKey = getTopKey(part)
  const ask = (code: number): boolean => {
    const token = dictionary.token(code)
    const holds = test.check(part.isLeaves ? readTokenLeaves(token, topKey) : readTokenValue(token, part.rest))
    answers[code] = holds ? yes : no
    return holds
  }
  const asked = texts !== undefined && dictionary.size >= searchedSizeMin ? dictionary.findCodes(texts) : undefined
  if (asked !== undefined) answers.fill(no)
  if (asked !== undefined || rowCount >= dictionary.size) {
    let holdsAnywhere = false
    for (const [i, code] of (asked ?? answers).entries()) {
      if (i % valuesPerSlice === valuesPerSlice - 1) await turns.yieldIfDue()
      if (asked === undefined && code === no) continue
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

async function matchNumbers(
  test: ColumnPredicate, part: ColumnPart, column: Extract<BlockColumn, { kind: 'numbers' }>,
): Promise<ColumnMatcher> {
  const numbersOf = await column.numbers()
  const topKey = getTopKey(part)
  const holds = part.isLeaves
    ? (number: number) => test.check(readTokenLeaves(column.tokenOf(number), topKey))
    // A scalar has nothing inside.
    : (number: number) => test.check(part.rest.length === 0 ? column.valueOf(number) : undefined)
  return (shapeIndex) => {
    const numbers = numbersOf(shapeIndex)
    return (index) => holds(numbers[index]!)
  }
}

/** The literals of which a value must contain one; undefined where it may be numeric instead. */
function getLiterals(needles: Requirement): readonly string[] | undefined {
  const texts = needles.flatMap((needle) => (needle.kind === 'text' ? [needle.text] : []))
  return texts.length === needles.length ? texts : undefined
}

/** Whether the range of a column's numbers rules out a numeric comparison. */
function isOutOfRange(test: Test['value'], range: NumberRange | undefined): boolean {
  if (test.kind !== 'number' && test.kind !== 'compare') return false
  // Digits beyond the precision of a number are compared exactly.
  if (test.text !== undefined) return false
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

const noPaths: ReadonlySet<string> = new Set()

/** The paths of the columns that may hold a keyword; undefined for all. */
export async function findCandidateColumns(
  { requiredTexts }: ColumnPredicate, block: BlockReader,
): Promise<ReadonlySet<string> | undefined> {
  const filter = await block.textFilter()
  const isPossible = (text: string): boolean => filter === undefined || filter.mayContainText(text)
  const possible = requiredTexts.map((texts) => texts.filter(isPossible))
  if (possible.length === 0) return undefined
  return possible.some((texts) => texts.length === 0) ? noPaths : await block.findColumns(possible)
}

function parsePath({ pathKey }: ColumnPart): readonly string[] {
  return JSON.parse(pathKey) as readonly string[]
}

function getTopKey(part: ColumnPart): string {
  return part.isLeaves ? parsePath(part)[0] ?? '' : ''
}
