import { describe, expect, test } from 'vitest'
import { Engine } from '../src/index.ts'
import type { CorrelationMatch, EventObject } from '../src/index.ts'
import { compileObjects } from './compile-objects.ts'

const startAt = Date.UTC(2026, 0, 5)
const detections = ['a', 'b', 'c'].map((name) => ({ name, detection: { selection: { kind: name }, condition: 'selection' } }))

type FloodEvent = { readonly second: number; readonly kind: string; readonly [field: string]: unknown }

/** Runs a correlation over events in order, of which each stands for so many within its second. */
function createEngine(section: object): Engine {
  const { ruleSet, reports } = compileObjects([...detections, { name: 'flooded', correlation: { 'group-by': ['user'], timespan: '1h', ...section } }])
  expect(reports.flatMap(({ diagnostics }) => diagnostics)).toEqual([])
  return new Engine(ruleSet)
}

function eventOf({ second, ...fields }: FloodEvent): EventObject {
  return { '@timestamp': new Date(startAt + second * 1_000).toISOString(), _logsource: { category: 'test' }, user: 'alice', ...fields }
}

function find(engine: Engine, events: readonly FloodEvent[]): CorrelationMatch[] {
  return engine.push(events.map(eventOf)).filter((match) => match.kind === 'correlation')
}

const floodCount = 15_000

describe('one a, 15,000 b and one c within the timespan', () => {
  const stream: readonly FloodEvent[] = [
    { second: 0, kind: 'a', host: 'first', bytes: 1_000_000, port: 22 },
    ...Array.from({ length: floodCount }, (_, i) => ({ second: 1 + i / 10, kind: 'b', host: `flood${i % 3}`, bytes: 1, port: 80 })),
    { second: 3_000, kind: 'c', host: 'last', bytes: 1_000_000, port: 443 },
  ]

  test.for<[title: string, section: object, found: { readonly value: number; readonly isApproximate?: boolean }]>([
    ['event_count', { type: 'event_count', rules: ['a', 'b', 'c'], condition: { gte: 15_002 } }, { value: 15_002 }],
    ['value_count', { type: 'value_count', rules: ['a', 'b', 'c'], condition: { field: 'host', gte: 5 } }, { value: 5 }],
    ['temporal', { type: 'temporal', rules: ['a', 'b', 'c'] }, { value: 3 }],
    ['temporal, without the flood', { type: 'temporal', rules: ['a', 'b', 'c'], condition: 'a and c and (b or not b)' }, { value: 3 }],
    ['temporal_ordered', { type: 'temporal_ordered', rules: ['a', 'b', 'c'] }, { value: 3 }],
    ['temporal_ordered, without the flood', { type: 'temporal_ordered', rules: ['a', 'b', 'c'], condition: 'a and c or a and b and c' }, { value: 3 }],
    ['value_sum', { type: 'value_sum', rules: ['a', 'b', 'c'], condition: { field: 'bytes', gte: 2_000_000 } },
      { value: 2_015_000, isApproximate: true }],
    ['value_avg', { type: 'value_avg', rules: ['a', 'c', 'b'], condition: { field: 'bytes', gte: 134, lte: 135 } },
      { value: 2_015_000 / 15_002, isApproximate: true }],
  ])('%s', ([, section, { value, isApproximate = false }]) => {
    const engine = createEngine({ firing: 'every', ...section })
    const last = find(engine, stream).at(-1)
    expect({ decidedAt: last?.decidedAt, value: last?.value }).toEqual({ decidedAt: startAt + 3_000_000, value })
    expect(last?.approximate !== undefined).toBe(isApproximate)
    if (isApproximate) expect(last?.approximate).toEqual({ relativeError: 0, windowErrorMs: 3_600_000 / 1_024 })
    expect(engine.correlation).toMatchObject({ evicted: 0, degraded: 0 })
    expect(last?.isDegraded).toBe(false)
  })

  test('a temporal match names the event that came before the flood', () => {
    const [match] = find(createEngine({ type: 'temporal_ordered', rules: ['a', 'b', 'c'] }), stream)
    expect(match?.events.map(({ sequence }) => sequence)).toEqual(expect.arrayContaining([0, 15_000, 15_001]))
    expect(match?.events.length).toBeLessThanOrEqual(103)
  })

  test('percentiles are within their stated error', () => {
    for (const [percentile, exact] of [[50, 80], [100, 443]] as const) {
      const section = { type: 'value_percentile', rules: ['a', 'b', 'c'], firing: 'every', condition: { field: 'port', percentile, gte: 1 } }
      const last = find(createEngine(section), stream).at(-1)
      const { relativeError } = last!.approximate!
      expect(Math.abs(last!.value! - exact) / exact).toBeLessThanOrEqual(relativeError)
      expect(last?.conditions[0]).toMatch(/approximate: window within 56250 ms, value within 0\.5 %$/)
    }
  })

  test('absence is still cancelled, and still judged', () => {
    const section = { type: 'temporal_ordered', rules: ['a', 'b', 'c'], condition: 'a and b and not c' }
    expect(find(createEngine(section), stream)).toEqual([])
    const engine = createEngine(section)
    const matches = [...find(engine, stream.slice(0, -1)), ...engine.finish()]
    expect(matches.map((match) => match.kind === 'correlation' && match.decidedAt)).toEqual([startAt + 3_600_000])
  })

  test('shares of more values than are compared are degraded, and say so', () => {
    const section = { type: 'value_percentile', rules: ['a', 'b', 'c'], firing: 'every', condition: { field: 'host', lte: 1 } }
    const engine = createEngine(section)
    expect(find(engine, stream).at(-1)).toMatchObject({ sharedValue: 'last', isDegraded: true })
    expect(engine.correlationHealth()).toEqual([expect.objectContaining({ isDegraded: true, evicted: 5_002 })])
  })
})

describe('the memory of a group is flat', () => {
  /** From how many events on, and how many of the last 60,000 are forgotten, which counts as degraded; most forget none. */
  type Line = { readonly from: number; readonly evicted?: number }

  test.for<[type: string, section: object, line: Line]>([
    ['event_count', { type: 'event_count', condition: { gte: 50 } }, { from: 1_000 }],
    ['event_count of few', { type: 'event_count', condition: { lte: 50 } }, { from: 1_000 }],
    ['event_count, range', { type: 'event_count', condition: { gt: 40, lte: 50 } }, { from: 1_000 }],
    ['value_count', { type: 'value_count', condition: { field: 'host', gte: 50 } }, { from: 1_000 }],
    ['value_sum', { type: 'value_sum', condition: { field: 'bytes', gte: 1e12 } }, { from: 20_000 }],
    ['value_avg', { type: 'value_avg', condition: { field: 'bytes', gte: 1e12 } }, { from: 20_000 }],
    ['value_median', { type: 'value_median', condition: { field: 'bytes', gte: 1e12 } }, { from: 8_000 }],
    ['value_percentile', { type: 'value_percentile', condition: { field: 'bytes', percentile: 99, gte: 1e12 } }, { from: 8_000 }],
    ['value_percentile, share', { type: 'value_percentile', condition: { field: 'host', lte: 0.001 } }, { from: 20_000, evicted: 50_000 }],
    ['temporal', { type: 'temporal' }, { from: 1_000 }],
    ['temporal_ordered', { type: 'temporal_ordered' }, { from: 1_000 }],
    ['absence', { type: 'temporal', condition: 'a and b and not c' }, { from: 1_000 }],
    ['absence in order', { type: 'temporal_ordered', condition: 'a and b and not c' }, { from: 1_000 }],
    ['absence in order, every', { type: 'temporal_ordered', condition: 'a and b and not c', firing: 'every' }, { from: 20_000, evicted: 20_000 }],
    ['session', { 'type': 'value_count', 'condition': { field: 'host', gte: 50 }, 'x-tripline-window': 'session' }, { from: 1_000 }],
  ])('%s', ([, section, { from, evicted = 0 }]) => {
    /** Fills the timespan of one group with so many events. */
    const fill = (count: number): { readonly bytes: number; readonly evicted: number } => {
      const engine = createEngine({ rules: ['a', 'b', 'c'], ...section })
      for (let start = 0; start < count; start += 1_000) {
        find(engine, Array.from({ length: 1_000 }, (_, i) => {
          const n = start + i
          return { second: (n * 3_599) / count, kind: n % 2 === 0 ? 'a' : 'b', host: `host${n}`, bytes: (n * 7_919) % 101 }
        }))
      }
      return engine.correlation!
    }
    const most = fill(60_000)
    // Tables double, so the line has steps of that height.
    expect(most.bytes).toBeLessThan(2 * fill(from).bytes)
    expect(most.evicted).toBe(evicted)
  })

  test.for<[type: string, section: object, line: Line]>([
    ['event_count', { type: 'event_count', condition: { gte: 50 } }, { from: 200 }],
    ['value_count', { type: 'value_count', condition: { field: 'host', gte: 50 } }, { from: 200 }],
    ['value_sum', { type: 'value_sum', condition: { field: 'bytes', gte: 1e12 } }, { from: 200 }],
    ['value_median', { type: 'value_median', condition: { field: 'bytes', gte: 1e12 } }, { from: 6_000 }],
    ['value_percentile, share', { type: 'value_percentile', condition: { field: 'host', lte: 0.001 } }, { from: 12_000, evicted: 10_000 }],
    ['temporal', { type: 'temporal' }, { from: 200 }],
    ['temporal_ordered', { type: 'temporal_ordered' }, { from: 200 }],
    ['absence in order, every', { type: 'temporal_ordered', condition: 'a and b and not c', firing: 'every' }, { from: 200 }],
  ])('%s, in a session of many timespans', ([, section, { from, evicted = 0 }]) => {
    const fill = (count: number): { readonly bytes: number; readonly evicted: number } => {
      const engine = createEngine({ 'rules': ['a', 'b', 'c'], 'timespan': '10s', 'x-tripline-window': 'session', ...section })
      for (let start = 0; start < count; start += 1_000) {
        find(engine, Array.from({ length: Math.min(1_000, count) }, (_, i) => {
          const n = start + i
          return { second: n * 5, kind: n % 2 === 0 ? 'a' : 'b', host: `host${n}`, bytes: (n * 7_919) % 101 }
        }))
      }
      return engine.correlation!
    }
    const most = fill(20_000)
    expect(most.bytes).toBeLessThan(2 * fill(from).bytes)
    expect(most.evicted).toBe(evicted)
  })

  test('sums of windows that are forgotten whole are exact for any number of events', () => {
    const section = { 'type': 'value_sum', 'rules': ['b'], 'timespan': '10s', 'condition': { field: 'bytes', gte: 9_000 }, 'firing': 'every' }
    for (const window of ['session', 'tumbling']) {
      const engine = createEngine({ ...section, 'x-tripline-window': window })
      const events = Array.from({ length: 9_001 }, (_, n) => ({ second: n / 1_000, kind: 'b', bytes: 1 }))
      const matches = find(engine, events)
      expect(matches.map(({ value, approximate }) => ({ value, approximate })), window)
        .toEqual([{ value: 9_000, approximate: undefined }, { value: 9_001, approximate: undefined }])
    }
  })
})
