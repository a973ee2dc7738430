import { describe, expect, test } from 'vitest'
import { Engine } from '../src/index.ts'
import type { Compilation, EventObject, Match } from '../src/index.ts'
import { encodeLines } from './compare-push-paths.ts'
import { compileCase, conformanceFiles, engineOptionsOf, eventOf, isAdvance, receivedAtOf, startAt, stepsOf } from './correlation-cases.ts'
import type { ConformanceCase, ConformanceMatch, ConformanceStep } from './correlation-cases.ts'

const files = conformanceFiles()

test('the suite is large and has unique titles', () => {
  const titles = files.flatMap((file) => file.cases.map(({ title }) => `${file.title}: ${title}`))
  expect(titles.length).toBeGreaterThanOrEqual(450)
  expect(titles.filter((title, place) => titles.indexOf(title) !== place)).toEqual([])
})

const pushObjects: Push = (engine, events, options) => engine.push(events, options)
const pushLines: Push = (engine, events, options) => {
  return engine.pushBytes(encodeLines(events.map((event) => JSON.stringify(event))), options).matches
}

/** The ways to push the events of a case: one by one, in batches, and in batches as bytes. */
const ways: readonly Way[] = [
  { name: 'one by one', run: (compilation, one) => runPieces(compilation, one, piecesOf(stepsOf(one), 1), pushObjects) },
  { name: 'together', run: (compilation, one) => runPieces(compilation, one, piecesOf(stepsOf(one), Infinity), pushObjects) },
  { name: 'as bytes', run: (compilation, one) => runPieces(compilation, one, piecesOf(stepsOf(one), Infinity), pushLines) },
]

describe.for(files)('$title', (file) => {
  test.for(file.cases)('$title', (one) => {
    const compilation = compileCase(file, one)
    expect(problemsOf(compilation)).toEqual(one.reports ?? {})
    const expected = one.matches.map(printExpected).toSorted()
    for (const way of ways) {
      const { found, engine } = way.run(compilation, one)
      expect(found.map((match) => printFound(match, one.matches)).toSorted(), way.name).toEqual(expected)
      expect(engine.correlation, way.name).toMatchObject(one.counts ?? {})
    }
  })
})

/** The diagnostic codes of each rule with problems. */
function problemsOf({ reports }: Compilation): { readonly [rule: string]: readonly string[] } {
  const wrong = reports.filter(({ diagnostics }) => diagnostics.length > 0)
  return Object.fromEntries(wrong.map(({ path, diagnostics }) => [path, diagnostics.map(({ code }) => code)]))
}

type Found = { readonly match: Match; readonly event: number }
type Way = {
  readonly name: string
  readonly run: (compilation: Compilation, one: ConformanceCase) => { readonly found: readonly Found[]; readonly engine: Engine }
}

/** Events to push together, or a time to advance to. */
type Piece = { readonly advance: number } | { readonly events: EventObject[]; readonly receivedAt?: number }

/** Events with an arrival time are pushed alone, because a push has one arrival time. */
function piecesOf(steps: readonly ConformanceStep[], countMax: number): Piece[] {
  const pieces: Piece[] = []
  for (const step of steps) {
    const last = pieces.at(-1)
    if (isAdvance(step)) pieces.push(step)
    else if (last !== undefined && 'events' in last && last.receivedAt === undefined && step.received_at === undefined
      && last.events.length < countMax) last.events.push(eventOf(step))
    else pieces.push({ events: [eventOf(step)], ...receivedAtOf(step) })
  }
  return pieces
}

type Push = (engine: Engine, events: readonly EventObject[], options: { readonly receivedAt?: number }) => readonly Match[]

function runPieces({ ruleSet }: Compilation, one: ConformanceCase, pieces: readonly Piece[], push: Push): ReturnType<Way['run']> {
  const engine = new Engine(ruleSet, engineOptionsOf(one))
  const found: Found[] = []
  let eventCount = 0
  const keep = (matches: readonly Match[]): void => {
    for (const match of matches) found.push({ match, event: match.kind === 'detection' ? eventCount + match.row : -1 })
  }
  for (const piece of pieces) {
    if ('advance' in piece) keep(engine.advance(startAt + piece.advance))
    else {
      keep(push(engine, piece.events, piece.receivedAt === undefined ? {} : { receivedAt: piece.receivedAt }))
      eventCount += piece.events.length
    }
  }
  if (one.finish !== false) keep(engine.finish())
  return { found, engine }
}

function printExpected(match: ConformanceMatch): string {
  if ('event' in match) return `${match.rule} on event ${match.event}`
  const { rule, at, group = {}, value, events } = match
  return printCorrelation({ rule, at, group, value, events })
}

/** Prints the parts of a match that the expected match at the same time has. */
function printFound({ match, event }: Found, expected: readonly ConformanceMatch[]): string {
  if (match.kind === 'detection') return `${match.rule.name ?? match.rule.id} on event ${event}`
  const rule = match.rule.rule.name ?? match.rule.id
  const at = match.decidedAt - startAt
  const like = expected.find((other) => 'at' in other && other.rule === rule && other.at === at)
  const said = like !== undefined && 'at' in like ? like : {}
  return printCorrelation({
    rule, at,
    group: Object.fromEntries(match.group),
    value: 'value' in said ? match.value : undefined,
    events: 'events' in said ? match.events.map(({ sequence }) => sequence) : undefined,
  })
}

type Printed = {
  readonly rule: string
  readonly at: number
  readonly group: object
  readonly value: number | undefined
  readonly events: readonly number[] | undefined
}

function printCorrelation({ rule, at, group, value, events }: Printed): string {
  const more = [value === undefined ? '' : ` value ${value}`, events === undefined ? '' : ` of events ${events.join(', ')}`]
  return `${rule} at ${at} by ${JSON.stringify(group)}${more.join('')}`
}
