import { compileEventCheck, readEvent } from '@tripline/engine/evaluate'
import type { Predicate, Test } from '@tripline/engine/predicate'
import type { BlockReader } from '../block/block.ts'
import type { FieldSource } from '../block/event-template.ts'
import { matchColumn, findCandidateColumns, compileColumnPredicate } from './match-column.ts'
import type { ColumnMatcher, ColumnPart } from './match-column.ts'
import { asksForValues, compileBlockPruner } from './prune-blocks.ts'
import type { BlockPruner } from './prune-blocks.ts'
import { groupByTemplate, readTexts } from '../block/row-texts.ts'
import { getSearchKey } from './keyword-search.ts'
import type { BlockRows } from '../block/row-texts.ts'
import type { TimeSlicer } from './time-slicer.ts'

/** Returns the rows, ascending, whose events match a predicate. */
type BlockMatcher = (block: BlockReader, rows: BlockRows, turns: TimeSlicer) => Promise<BlockRows>

/** A predicate compiled for blocks. */
export type CompiledSearch = {
  /** Whether the Bloom filter of a block allows a match; undefined where it cannot rule anything out. */
  readonly mayMatch: BlockPruner | undefined
  /** Whether that needs more of a filter than its texts. */
  readonly asksForValues: boolean
  readonly match: BlockMatcher
  /** The key of cached results; undefined where they are not cached. */
  readonly cacheKey: string | undefined
}

export function compileEventSearch(predicate: Predicate): CompiledSearch {
  return {
    mayMatch: compileBlockPruner(predicate), asksForValues: asksForValues(predicate),
    match: compileMatcher(predicate), cacheKey: getSearchKey(predicate),
  }
}

const noRows: BlockRows = new Uint32Array(0)

/**
 * Compiles a predicate to a matcher over columnar blocks. Comparisons run once for each distinct value of a column,
 * then only codes are compared. What columns cannot decide, the engine's matcher decides on whole events: always right,
 * only slower.
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

function compileTest(test: Test): BlockMatcher {
  const { kind } = test.value
  if (kind === 'fieldRef') return matchEvents(test)
  // Whether an event has any leaf at all, only the whole event tells.
  if (test.field === undefined) return kind === 'null' || kind === 'exists' ? matchEvents(test) : matchKeyword(test)
  return matchField(test, test.field)
}

function compileParts(parts: readonly Predicate[]): BlockMatcher[] {
  return parts.toSorted((a, b) => estimateCost(a) - estimateCost(b)).map(compileMatcher)
}

/** The approximate cost of a predicate, in comparisons with column values. */
function estimateCost(predicate: Predicate): number {
  switch (predicate.kind) {
    case 'constant':
      return 0
    case 'group':
    case 'not':
      return estimateCost(predicate.of)
    case 'and':
    case 'or':
      return predicate.of.reduce((sum, part) => sum + estimateCost(part), 0)
    case 'elements':
      return 1_000
    case 'test':
      return predicate.value.kind === 'fieldRef' ? 1_000 : predicate.field === undefined ? 100 : estimateTestCost(predicate)
  }
}

function estimateTestCost({ value }: Test): number {
  switch (value.kind) {
    case 'exists':
    case 'null':
      return 1
    case 'regex':
      return 20
    case 'text':
      // A literal matches few values; a pattern with wildcards often matches long ones.
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

/** Gives each part only the rows that no earlier part matched. */
function matchAny(parts: readonly BlockMatcher[]): BlockMatcher {
  return async (block, rows, turns) => {
    let left = rows
    for (const part of parts) {
      if (left.length === 0) break
      left = subtractRows(left, await part(block, left, turns))
    }
    return subtractRows(rows, left)
  }
}

function matchNone(part: BlockMatcher): BlockMatcher {
  return async (block, rows, turns) => subtractRows(rows, await part(block, rows, turns))
}

/** The rows that are not in `gone`; both ascend, and `gone` is a subset of `rows`. */
function subtractRows(rows: BlockRows, gone: BlockRows): BlockRows {
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

/** One field: the template names its column, and the rows hold codes of its values. */
function matchField(test: Test, field: string): BlockMatcher {
  const columnTest = compileColumnPredicate(test)
  const holdsOfAbsent = columnTest.check(undefined)
  const askEvents = matchEvents(test)
  return async (block, rows, turns) => {
    const asked = new Map<string, ColumnMatcher>()
    const askedOf = async (source: Extract<FieldSource, { kind: 'column' }>): Promise<ColumnMatcher> => {
      const part: ColumnPart = { ...source, isLeaves: false }
      const key = JSON.stringify([part.pathKey, part.rest])
      if (!asked.has(key)) asked.set(key, await matchColumn(columnTest, part, { block, rowCount: rows.length, turns }))
      return asked.get(key)
    }
    // Words that stand for many fields ask for each of them, and a block has few.
    const isAbsent = block.templates.every(({ template }) => template.findSource(field).kind === 'absent')
    if (isAbsent) return holdsOfAbsent ? rows : noRows
    const kept = new RowCollector(rows.length)
    for (const { templateIndex, start, rows: some } of groupByTemplate(block, rows)) {
      const source = block.templates[templateIndex]!.template.findSource(field)
      if (source.kind === 'absent') {
        if (holdsOfAbsent) kept.addAll(some)
      } else if (source.kind === 'object') {
        if (mayHoldOfObject(test)) kept.addAll(await askEvents(block, some, turns))
      } else if (source.kind === 'unsure') kept.addAll(await askEvents(block, some, turns))
      else {
        const holdsAt = (await askedOf(source))?.(templateIndex)
        if (holdsAt === undefined) continue
        for (let i = 0; i < some.length; i++) if (holdsAt(some[i]! - start)) kept.add(some[i]!)
      }
    }
    return kept.rows
  }
}

/** Whether a comparison may hold of the JSON text of an object. Texts of many fields that are objects elsewhere cannot. */
function mayHoldOfObject({ value }: Test): boolean {
  if (value.kind === 'number' || value.kind === 'compare' || value.kind === 'cidr') return false
  const first = value.kind === 'text' ? value.pattern[0] : undefined
  return first?.kind !== 'text' || first.text.startsWith('{')
}

/** Keywords: any leaf of the event, so any column of the template. */
function matchKeyword(test: Test): BlockMatcher {
  const columnTest = compileColumnPredicate(test)
  const askEvents = matchEvents(test)
  return async (block, rows, turns) => {
    const asked = new Map<string, ColumnMatcher>()
    const kept = new RowCollector(rows.length)
    const toAsk = await findCandidateColumns(columnTest, block)
    for (const { templateIndex, start, rows: some } of groupByTemplate(block, rows)) {
      const { template } = block.templates[templateIndex]!
      if (template.isOpaque) {
        kept.addAll(await askEvents(block, some, turns))
        continue
      }
      const holdsAts: ((index: number) => boolean)[] = []
      for (const pathKey of toAsk ?? template.pathKeys) {
        if (template.paths[template.getSlot(pathKey)] === undefined) continue
        if (!asked.has(pathKey)) {
          await turns.yieldIfDue()
          const part: ColumnPart = { pathKey, rest: [], isLeaves: true }
          asked.set(pathKey, await matchColumn(columnTest, part, { block, rowCount: rows.length, turns }))
        }
        const holdsAt = asked.get(pathKey)?.(templateIndex)
        if (holdsAt !== undefined) holdsAts.push(holdsAt)
      }
      if (holdsAts.length === 0) continue
      for (const row of some) if (holdsAts.some((holdsAt) => holdsAt(row - start))) kept.add(row)
    }
    return kept.rows
  }
}

/** Events read between two yields. */
const eventsPerSlice = 64

/** Whole events, by the engine's matcher. */
function matchEvents(predicate: Predicate): BlockMatcher {
  const check = compileEventCheck(predicate)
  return async (block, rows, turns) => {
    const kept = new RowCollector(rows.length)
    for (let from = 0; from < rows.length; from += eventsPerSlice) {
      await turns.yieldIfDue()
      const some = rows.subarray(from, from + eventsPerSlice)
      const texts = await readTexts(block, some)
      const events = texts.map((text) => readEvent(Buffer.from(text, 'latin1').toString('utf8')).event)
      for (const index of check(events)) kept.add(some[index]!)
    }
    return kept.rows
  }
}

/** Collects rows in order. */
class RowCollector {
  readonly #rows: BlockRows
  #count = 0

  constructor(countMax: number) {
    this.#rows = new Uint32Array(countMax)
  }

  add(row: number): void {
    this.#rows[this.#count++] = row
  }

  addAll(rows: BlockRows): void {
    this.#rows.set(rows, this.#count)
    this.#count += rows.length
  }

  get rows(): BlockRows {
    return this.#rows.subarray(0, this.#count)
  }
}
