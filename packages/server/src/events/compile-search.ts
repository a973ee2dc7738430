import { compileEventCheck, readEvent } from '@tripline/engine/evaluate'
import type { Predicate, Test } from '@tripline/engine/predicate'
import type { OpenedBlock } from './block.ts'
import type { FieldSource } from './event-template.ts'
import { askColumn, columnsToAsk, compileColumnTest } from './match-column.ts'
import type { AskedColumn, ColumnPart } from './match-column.ts'
import { compileFilterTest } from './prune-blocks.ts'
import type { FilterTest } from './prune-blocks.ts'
import { byShape, readTexts } from './row-texts.ts'
import type { Rows } from './row-texts.ts'
import type { Turns } from './time-slicer.ts'

/** Gives those of the rows, ascending, of whose events a predicate holds. */
export type BlockMatcher = (block: OpenedBlock, rows: Rows, turns: Turns) => Promise<Rows>

/** A predicate as blocks are asked for it. */
export type CompiledSearch = {
  /** Whether the filter of a block leaves room for a match; undefined where it need not be asked. */
  readonly mayMatch: FilterTest | undefined
  readonly match: BlockMatcher
}

export function compileSearch(predicate: Predicate): CompiledSearch {
  return { mayMatch: compileFilterTest(predicate), match: compileMatcher(predicate) }
}

/**
 * Compiles a predicate to a matcher over blocks. Comparisons are asked once for each different value of a column,
 * and then only codes are compared. What cannot be told from columns is asked of whole events by the engine's own
 * matcher: always right, only slower.
 */
function compileMatcher(predicate: Predicate): BlockMatcher {
  switch (predicate.kind) {
    case 'constant':
      return async (_block, rows) => (predicate.value ? rows : noRows)
    case 'group':
      return compileMatcher(predicate.of)
    case 'test':
      return compileTest(predicate)
    case 'elements':
      return matchEvents(predicate)
    case 'not':
      return matchNone(compileMatcher(predicate.of))
    case 'and':
      return matchAll(compileParts(predicate.of))
    case 'or':
      return matchAny(compileParts(predicate.of))
  }
}

const noRows: Rows = new Uint32Array(0)

function compileTest(test: Test): BlockMatcher {
  const { kind } = test.value
  if (kind === 'fieldRef') return matchEvents(test)
  // Whether there is any leaf at all is a question to the whole event.
  if (test.field === undefined) return kind === 'null' || kind === 'exists' ? matchEvents(test) : matchKeyword(test)
  return matchField(test, test.field)
}

function compileParts(parts: readonly Predicate[]): BlockMatcher[] {
  return parts.toSorted((a, b) => costOf(a) - costOf(b)).map(compileMatcher)
}

/** How dear a predicate is, roughly, in comparisons with the values of a column. */
function costOf(predicate: Predicate): number {
  switch (predicate.kind) {
    case 'constant':
      return 0
    case 'group':
    case 'not':
      return costOf(predicate.of)
    case 'and':
    case 'or':
      return predicate.of.reduce((sum, part) => sum + costOf(part), 0)
    case 'elements':
      return 1_000
    case 'test':
      return predicate.value.kind === 'fieldRef' ? 1_000 : predicate.field === undefined ? 100 : costOfTest(predicate)
  }
}

function costOfTest({ value }: Test): number {
  switch (value.kind) {
    case 'exists':
    case 'null':
      return 1
    case 'regex':
      return 20
    case 'text':
      // A text as it stands is found in few values, one with wildcards often in long ones.
      return value.pattern.length <= 1 ? 2 : 4
    default:
      return 3
  }
}

/** Narrows the rows part by part and stops when none is left. */
function matchAll(parts: readonly BlockMatcher[]): BlockMatcher {
  return async (block, rows, turns) => {
    let kept = rows
    for (const part of parts) {
      if (kept.length === 0) break
      kept = await part(block, kept, turns)
    }
    return kept
  }
}

/** Offers each part only the rows that no part before it matched. */
function matchAny(parts: readonly BlockMatcher[]): BlockMatcher {
  return async (block, rows, turns) => {
    let left = rows
    for (const part of parts) {
      if (left.length === 0) break
      left = subtract(left, await part(block, left, turns))
    }
    return subtract(rows, left)
  }
}

function matchNone(part: BlockMatcher): BlockMatcher {
  return async (block, rows, turns) => subtract(rows, await part(block, rows, turns))
}

/** The rows that are not among `gone`; both ascend, and `gone` holds only rows of `rows`. */
function subtract(rows: Rows, gone: Rows): Rows {
  if (gone.length === 0) return rows
  const kept = new Uint32Array(rows.length - gone.length)
  let keptCount = 0
  let next = 0
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!
    if (gone[next] === row) next++
    else kept[keptCount++] = row
  }
  return kept
}

/** One field: a shape tells where it is, the values of that column which rows hold. */
function matchField(test: Test, field: string): BlockMatcher {
  const columnTest = compileColumnTest(test)
  const holdsOfAbsent = columnTest.check(undefined)
  const askEvents = matchEvents(test)
  return async (block, rows, turns) => {
    const asked = new Map<string, AskedColumn>()
    const askedOf = async (source: Extract<FieldSource, { kind: 'column' }>): Promise<AskedColumn> => {
      const part: ColumnPart = { ...source, isLeaves: false }
      const key = JSON.stringify([part.pathKey, part.rest])
      if (!asked.has(key)) asked.set(key, await askColumn(columnTest, part, { block, rowCount: rows.length, turns }))
      return asked.get(key)
    }
    const kept = new Keeper(rows.length)
    for (const { shapeIndex, start, rows: some } of byShape(block, rows)) {
      const source = block.shapes[shapeIndex]!.shape.sourceOf(field)
      if (source.kind === 'absent') {
        if (holdsOfAbsent) kept.addAll(some)
      } else if (source.kind === 'unsure') kept.addAll(await askEvents(block, some, turns))
      else {
        const holdsAt = (await askedOf(source))?.(shapeIndex)
        if (holdsAt === undefined) continue
        for (let i = 0; i < some.length; i++) if (holdsAt(some[i]! - start)) kept.add(some[i]!)
      }
    }
    return kept.rows
  }
}

/** Keywords: any leaf of the event, so any column of the shape. */
function matchKeyword(test: Test): BlockMatcher {
  const columnTest = compileColumnTest(test)
  const askEvents = matchEvents(test)
  return async (block, rows, turns) => {
    const asked = new Map<string, AskedColumn>()
    const kept = new Keeper(rows.length)
    const toAsk = await columnsToAsk(columnTest, block)
    for (const { shapeIndex, start, rows: some } of byShape(block, rows)) {
      const { shape } = block.shapes[shapeIndex]!
      if (shape.isOpaque) {
        kept.addAll(await askEvents(block, some, turns))
        continue
      }
      const holdsAts: ((index: number) => boolean)[] = []
      for (const pathKey of toAsk ?? shape.pathKeys) {
        if (shape.paths[shape.slotOf(pathKey)] === undefined) continue
        if (!asked.has(pathKey)) {
          await turns.next()
          const part: ColumnPart = { pathKey, rest: [], isLeaves: true }
          asked.set(pathKey, await askColumn(columnTest, part, { block, rowCount: rows.length, turns }))
        }
        const holdsAt = asked.get(pathKey)?.(shapeIndex)
        if (holdsAt !== undefined) holdsAts.push(holdsAt)
      }
      for (const row of some) if (holdsAts.some((holdsAt) => holdsAt(row - start))) kept.add(row)
    }
    return kept.rows
  }
}

/** Events that are read before others have their turn. */
const eventsPerTurn = 64

/** Whole events, by the engine's matcher. */
function matchEvents(predicate: Predicate): BlockMatcher {
  const check = compileEventCheck(predicate)
  return async (block, rows, turns) => {
    const kept = new Keeper(rows.length)
    for (let from = 0; from < rows.length; from += eventsPerTurn) {
      await turns.next()
      const some = rows.subarray(from, from + eventsPerTurn)
      const texts = await readTexts(block, some)
      const events = texts.map((text) => readEvent(Buffer.from(text, 'latin1').toString('utf8')).event)
      for (const index of check(events)) kept.add(some[index]!)
    }
    return kept.rows
  }
}

/** Collects rows in order. */
class Keeper {
  readonly #rows: Rows
  #count = 0

  constructor(countMax: number) {
    this.#rows = new Uint32Array(countMax)
  }

  add(row: number): void {
    this.#rows[this.#count++] = row
  }

  addAll(rows: Rows): void {
    this.#rows.set(rows, this.#count)
    this.#count += rows.length
  }

  get rows(): Rows {
    return this.#rows.subarray(0, this.#count)
  }
}
