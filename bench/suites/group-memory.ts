import { Correlator } from '@tripline/engine'
import { normalizeEvent } from '../../packages/engine/src/taxonomy/normalize.ts'
import { compileCorrelation } from '../compile-correlation.ts'
import type { Row, Suite } from '../suite.ts'

const rules = ['a', 'b']
const sum = { type: 'value_sum', rules, condition: { field: 'bytes', gte: 1e12 } }
const count = { type: 'event_count', rules, condition: { gte: 10 } }

/** A correlation of each kind. Conditions that hold are reported once a timespan, others never: both keep what they need. */
const correlations: readonly (readonly [name: string, asked: object])[] = [
  ['event_count, at least 10', count],
  ['event_count, at least 1,000', { type: 'event_count', rules, condition: { gte: 1_000 } }],
  ['event_count, fewer than 10', { type: 'event_count', rules, condition: { lt: 10 } }],
  ['event_count, 10 to 20', { type: 'event_count', rules, condition: { gte: 10, lte: 20 } }],
  ['event_count, tumbling', { ...count, 'x-tripline-window': 'tumbling' }],
  ['event_count, session', { ...count, 'x-tripline-window': 'session' }],
  ['value_count, at least 10', { type: 'value_count', rules, condition: { field: 'host', gte: 10 } }],
  ['temporal', { type: 'temporal', rules }],
  ['temporal, a and not b', { type: 'temporal', rules, condition: 'a and not b' }],
  ['temporal_ordered', { type: 'temporal_ordered', rules }],
  ['temporal_ordered, a and not b', { type: 'temporal_ordered', rules, condition: 'a and not b' }],
  ['value_sum', sum],
  ['value_sum, session', { ...sum, 'x-tripline-window': 'session' }],
  ['value_avg', { type: 'value_avg', rules, condition: { field: 'bytes', gte: 1e12 } }],
  ['value_percentile, of numbers', { type: 'value_percentile', rules, condition: { field: 'bytes', percentile: 95, gte: 1e12 } }],
  ['value_percentile, share of values', { type: 'value_percentile', rules, condition: { field: 'host', lt: 1e-9 } }],
]

const groupCount = 2
const eventCounts = [100, 10_000, 100_000, 400_000]
const spanMs = 3_600_000
const startAt = Date.UTC(2026, 0, 5)
const batchSize = 1_024

/** What a group takes that has had 100 to 400,000 events within a timespan, of which each brings a new value. */
export const groupMemorySuite: Suite = {
  name: 'group-memory',
  title: 'Memory of a group by its events within a timespan',
  ownEvents: 'events that it makes, each with a new host and another number of bytes',
  run: () => correlations.map(([name, asked]): Row => {
    const taken = eventCounts.map((eventCount) => fillGroups(asked, eventCount))
    const named = (figure: (one: Filled) => number): [string, number][] => {
      return taken.map((one, i) => [`bytes per group, ${eventCounts[i]!.toLocaleString('en')} events`, figure(one)])
    }
    return {
      case: name,
      counts: { groups: groupCount, evicted: Math.max(...taken.map(({ evicted }) => evicted)), degraded: taken.at(-1)!.degraded },
      figures: Object.fromEntries(named(({ bytes }) => Math.round(bytes / groupCount))),
    }
  }),
}

type Filled = { readonly bytes: number; readonly evicted: number; readonly degraded: number }

/** Gives each group as many events within one timespan, in turn, so that none leaves the window. */
function fillGroups(asked: object, eventCount: number): Filled {
  const correlator = new Correlator(compileCorrelation(asked), { options: {} })
  const total = groupCount * eventCount
  for (let place = 0; place < total; place++) {
    const rule = Math.floor(place / groupCount) % 2
    const fields = {
      '@timestamp': new Date(startAt + Math.floor((place * spanMs) / total)).toISOString(), kind: rules[rule]!,
      user: `user-${place % groupCount}`, host: `host-${place}`, bytes: 1 + ((place * 7_919) % 1_000_003),
    }
    correlator.take(rule, { sequence: place, event: normalizeEvent(fields, 'none') })
    if (place % batchSize === batchSize - 1) correlator.settle()
  }
  correlator.settle()
  const { bytes, evicted, degraded } = correlator.counts
  return { bytes, evicted, degraded }
}
