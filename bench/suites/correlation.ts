import { Correlator, Engine } from '@tripline/engine'
import type { EventObject } from '@tripline/engine'
import { median } from 'tripline/measuring'
import type { NormalizedEvent } from '../../packages/engine/src/event/event.ts'
import { normalizeEvent } from '../../packages/engine/src/taxonomy/normalize.ts'
import { compileCorrelation } from '../compile-correlation.ts'
import { MapBaseline } from '../map-baseline.ts'
import type { BaselineEvent } from '../map-baseline.ts'
import { printRatio } from '../measure-rounds.ts'
import type { Bench, Row, Suite } from '../suite.ts'

// The one file here that knows how matches reach correlations: it hands them over without matching.

/** A correlation, and what a window has to hold for it. */
type Workload = { readonly name: string; readonly asked: object; readonly holds: (window: readonly BaselineEvent[]) => boolean }

const workloads: readonly Workload[] = [
  {
    name: 'event_count',
    asked: { type: 'event_count', rules: ['a', 'b'], condition: { gte: 10 } },
    holds: (window) => window.length >= 10,
  },
  {
    name: 'value_count',
    asked: { type: 'value_count', rules: ['a', 'b'], condition: { field: 'host', gte: 10 } },
    holds: (window) => new Set(window.map(({ host }) => host)).size >= 10,
  },
  {
    name: 'temporal',
    asked: { type: 'temporal', rules: ['a', 'b'] },
    holds: (window) => window.some(({ rule }) => rule === 0) && window.some(({ rule }) => rule === 1),
  },
]

/** How many groups, and of how many events a window of each holds about how many. */
const sizes = [
  { groupCount: 1, eventCount: 500_000, windowCount: 100 },
  { groupCount: 1_000, eventCount: 1_000_000, windowCount: 100 },
  { groupCount: 1_000_000, eventCount: 2_000_000, windowCount: 2 },
]

const spanMs = 3_600_000
const startAt = Date.UTC(2026, 0, 5)
const hostCount = 16

/** Correlations beside the obvious way, with few groups and with many; and with many more keys than are remembered. */
export const correlationSuite: Suite = {
  name: 'correlation',
  title: 'Correlations: matches of rules in groups, beside a map with an array for each group',
  run(bench) {
    return [
      ...sizes.flatMap((size) => workloads.map((workload) => measureWorkload(workload, size, bench))),
      measurePush(bench),
      ...measureNewKeys(bench),
    ]
  },
}

type Size = (typeof sizes)[number]

function measureWorkload({ name, asked, holds }: Workload, size: Size, bench: Bench): Row {
  const events = createEvents(size)
  const ruleSet = compileCorrelation(asked)
  const correlator = (): CorrelationRun => {
    const one = new Correlator(ruleSet, { options: {} })
    return { run: () => runCorrelator(one, events), groupCount: () => one.counts.groups }
  }
  const baseline = (): CorrelationRun => {
    const one = new MapBaseline(spanMs, holds)
    const run = (): number => events.reduce((count, { rule, normalized }) => count + Number(one.add(normalized.fields, rule)), 0)
    return { run, groupCount: () => one.groupCount }
  }
  const own = measure(correlator, bench)
  const other = measure(baseline, bench)
  if (own.matchCount !== other.matchCount) throw new Error(`${name}: ${own.matchCount} matches, the baseline found ${other.matchCount}`)
  const perSecond = (times: readonly number[]): number => Math.round((events.length * 1_000) / median(times))
  return {
    case: `${name}, ${size.groupCount.toLocaleString('en')} group${size.groupCount === 1 ? '' : 's'}`,
    counts: { events: events.length, matches: own.matchCount },
    figures: {
      'events per second': perSecond(own.times),
      'baseline, events per second': perSecond(other.times),
      'baseline over correlator': printRatio(other.times, own.times),
      'bytes per group': Math.round(own.bytes / own.groupCount),
      'baseline, bytes per group': Math.round(other.bytes / other.groupCount),
      'ns per event': Math.round((median(own.times) * 1e6) / events.length),
    },
  }
}

/** Runs once over all events, and answers how many matches there were. */
type CorrelationRun = { readonly run: () => number; readonly groupCount: () => number }

type Measurement = { readonly times: readonly number[]; readonly bytes: number; readonly matchCount: number; readonly groupCount: number }

/** Runs fresh ones, times each, and weighs the last. */
function measure(make: () => CorrelationRun, { clock, heapBytes, rounds }: Bench): Measurement {
  const times: number[] = []
  let measured: Measurement | undefined
  for (let round = 0; round < rounds; round++) {
    const before = heapBytes()
    const one = make()
    const startedAt = clock()
    const matchCount = one.run()
    times.push(clock() - startedAt)
    measured = { times, bytes: heapBytes() - before, matchCount, groupCount: one.groupCount() }
  }
  if (measured === undefined) throw new Error('nothing was run')
  return measured
}

const batchSize = 1_024

/** Hands over matches in pieces, as an engine does. */
function runCorrelator(correlator: Correlator, events: readonly BenchEvent[]): number {
  let matchCount = 0
  for (let place = 0; place < events.length; place++) {
    const { rule, normalized } = events[place]!
    correlator.take(rule, { sequence: place, event: normalized })
    if (place % batchSize === batchSize - 1) matchCount += correlator.settle().length
  }
  return matchCount + correlator.settle().length
}

/** The same through an engine, which normalizes and matches as well. */
function measurePush(bench: Bench): Row {
  const size = sizes[2]!
  const events = createEvents(size).map(({ normalized }): EventObject => normalized.fields)
  const ruleSet = compileCorrelation(workloads[0]!.asked)
  const { times, matchCount } = measure(() => {
    const engine = new Engine(ruleSet, { taxonomy: 'none' })
    const run = (): number => {
      let count = 0
      for (let start = 0; start < events.length; start += batchSize) count += engine.push(events.slice(start, start + batchSize)).length
      return count
    }
    return { run, groupCount: () => engine.correlation?.groups ?? 0 }
  }, bench)
  return {
    case: `event_count, ${size.groupCount.toLocaleString('en')} groups, through push`,
    counts: { events: events.length, matches: matchCount },
    figures: {
      'events per second': Math.round((events.length * 1_000) / median(times)),
      'ns per event': Math.round((median(times) * 1e6) / events.length),
    },
  }
}

/** Ten million keys of which a tenth is remembered: the first, the fifth and the tenth million. */
function measureNewKeys({ clock }: Bench): Row[] {
  const million = 1_000_000
  const chunkSize = 50_000
  const correlator = new Correlator(compileCorrelation(workloads[0]!.asked), { options: {} })
  const rows: Row[] = []
  for (let nth = 1; nth <= 10; nth++) {
    let ms = 0
    for (let start = (nth - 1) * million; start < nth * million; start += chunkSize) {
      const chunk = Array.from({ length: chunkSize }, (_, i) => {
        return createEvent({ place: start + i, at: startAt + Math.floor((start + i) / 10), group: start + i })
      })
      const startedAt = clock()
      for (const [i, { rule, normalized }] of chunk.entries()) correlator.take(rule, { sequence: start + i, event: normalized })
      correlator.settle()
      ms += clock() - startedAt
    }
    if (![1, 5, 10].includes(nth)) continue
    rows.push({
      case: `new keys, million ${nth}`,
      counts: { events: million, groups: correlator.counts.groups, evicted: correlator.counts.evicted },
      figures: {
        'ns per event': Math.round((ms * 1e6) / million),
        'bytes per group': Math.round(correlator.counts.bytes / correlator.counts.groups),
      },
    })
  }
  return rows
}

/** An event, and which of the two rules matched it. */
type BenchEvent = { readonly rule: number; readonly normalized: NormalizedEvent }

function createEvents({ groupCount, eventCount, windowCount }: Size): BenchEvent[] {
  const stepMs = spanMs / (groupCount * windowCount)
  return Array.from({ length: eventCount }, (_, place) => {
    // A prime, so that the groups come in an order that no cache likes.
    return createEvent({ place, at: startAt + Math.floor(place * stepMs), group: (place * 7_919) % groupCount })
  })
}

function createEvent({ place, at, group }: { readonly place: number; readonly at: number; readonly group: number }): BenchEvent {
  const user = `user-${group}`
  const host = `host-${(place * 31) % hostCount}`
  const rule = Math.floor(place / 3) % 2
  const fields = { '@timestamp': new Date(at).toISOString(), _logsource: { category: 'bench' }, kind: rule === 0 ? 'a' : 'b', user, host }
  return { rule, normalized: normalizeEvent(fields, 'none') }
}
