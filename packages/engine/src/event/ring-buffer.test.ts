import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Engine, RuleSet, compileRules } from '../index.ts'
import type { EventObject } from '../index.ts'
import { limits } from '../limits.ts'
import { Batch } from './batch.ts'
import { noAliases } from './event.ts'
import type { NormalizedEvent } from './event.ts'
import { EventRingBuffer, estimateSize } from './ring-buffer.ts'
import type { RingBatch, RingBufferLimits, RingRange } from './ring-buffer.ts'

type Row = { readonly sequence: number; readonly occurredAt: number }

function batchOf(rows: readonly Row[]): RingBatch {
  return {
    events: rows.map(({ sequence }) => eventOf(sequence)),
    sequences: Float64Array.from(rows, ({ sequence }) => sequence),
    occurredAt: Float64Array.from(rows, ({ occurredAt }) => occurredAt),
  }
}

function eventOf(sequence: number): NormalizedEvent {
  return { fields: { sequence, text: 'x'.repeat(sequence % 40) }, logsources: [], aliases: noAliases, ignoresNameCase: false }
}

function sequencesIn(ring: EventRingBuffer, range: RingRange = {}): number[] {
  return [...ring.slices(range)].flatMap(({ rows, sequences, events }) => {
    return Array.from(rows, (row) => {
      expect(events[row]!.fields['sequence']).toBe(sequences[row])
      return sequences[row]!
    })
  })
}

/** The obvious way: a list, from whose front events go as long as there is too much, or they are too old. */
function kept(rows: readonly Row[], newestAt: number, { eventsMax = Infinity, bytesMax = Infinity, ageMaxMs = Infinity }: RingBufferLimits): Row[] {
  let list = [...rows]
  const bytes = (): number => list.reduce((sum, { sequence }) => sum + estimateSize(eventOf(sequence).fields), 0)
  while (list.length > 0 && (list.length > eventsMax || bytes() > bytesMax || list[0]!.occurredAt < newestAt - ageMaxMs)) list = list.slice(1)
  return list
}

const batches = fc.array(fc.array(fc.record({ gap: fc.integer({ min: 1, max: 3 }), occurredAt: fc.nat(50) }), { maxLength: 6 }), { maxLength: 12 })
const maxima = fc.record({
  eventsMax: fc.integer({ min: 1, max: 30 }), bytesMax: fc.integer({ min: 500, max: 5_000 }), ageMaxMs: fc.integer({ min: 1, max: 60 }),
}, { requiredKeys: [] })

describe('Ring', () => {
  test('agrees with a list, by sequence number and by time', () => {
    fc.assert(fc.property(batches, maxima, fc.nat(60), fc.nat(60), (given, ringLimits, one, other) => {
      const ring = new EventRingBuffer(ringLimits)
      let sequence = 0
      const all: Row[] = []
      let expected: Row[] = []
      for (const batch of given) {
        const rows = batch.map(({ gap, occurredAt }) => ({ sequence: (sequence += gap), occurredAt }))
        all.push(...rows)
        ring.append(batchOf(rows))
        // The newest of all that ever came decides about age, also when it has gone itself.
        const newestAt = Math.max(-Infinity, ...all.map(({ occurredAt }) => occurredAt))
        expected = kept([...expected, ...rows], newestAt, ringLimits)
      }
      expect(sequencesIn(ring)).toEqual(expected.map((row) => row.sequence))
      expect([ring.eventCount, ring.evictedCount, ring.firstSequence]).toEqual(
        [expected.length, all.length - expected.length, expected[0]?.sequence])
      const [from, to] = [Math.min(one, other), Math.max(one, other)]
      const between = (value: number): boolean => from <= value && value < to
      expect(sequencesIn(ring, { from, to })).toEqual(expected.filter((row) => between(row.occurredAt)).map((row) => row.sequence))
      expect(sequencesIn(ring, { fromSequence: from, toSequence: to })).toEqual(
        expected.map((row) => row.sequence).filter(between))
      for (let number = 0; number <= sequence + 1; number++) {
        expect(ring.get(number)).toEqual(expected.filter((row) => row.sequence === number).map((row) => ({ ...row, event: eventOf(number) }))[0])
      }
    }), { seed: 20261121, numRuns: 300 })
  })

  test('rejects an event that does not follow the last one', () => {
    const ring = new EventRingBuffer()
    ring.append(batchOf([{ sequence: 7, occurredAt: 0 }]))
    expect(() => ring.append(batchOf([{ sequence: 7, occurredAt: 1 }]))).toThrow('event 7 does not follow event 7, the last of the ring buffer')
  })

  test('limits memory by default', () => {
    expect(limits.ringEventsMax).toBe(100_000)
    const ring = new EventRingBuffer({ bytesMax: 10_000 })
    ring.append(batchOf(Array.from({ length: 1_000 }, (_, sequence) => ({ sequence, occurredAt: sequence }))))
    expect(ring.byteCount).toBeLessThanOrEqual(10_000)
    expect(ring.eventCount).toBeGreaterThan(50)
  })
})

const { ruleSet } = compileRules([{ text: 'title: A\nlogsource: { product: x }\ndetection: { s: { name|startswith: a }, condition: s }' }])

function named(name: string, second: number): EventObject {
  return { _logsource: { product: 'x' }, name, '@timestamp': new Date(Date.UTC(2026, 10, 21, 0, 0, second)).toISOString() }
}

describe('the ring buffer of an engine', () => {
  test('is empty unless enabled', () => {
    expect(new Engine(ruleSet).ring).toBe(undefined)
  })

  test('gives rule matchers the same results as a live batch', () => {
    const engine = new Engine(new RuleSet([]), { ring: {} })
    engine.push([named('alice', 1), named('bob', 2)])
    engine.pushBytes(new TextEncoder().encode(`\nnonsense\n${JSON.stringify(named('anna', 3))}\n`))
    engine.push([named('carl', 4), named('Adam', 5)])
    const found: string[] = []
    for (const { events, rows, sequences } of engine.ring!.slices({ from: Date.UTC(2026, 10, 21, 0, 0, 2) })) {
      const out = new Uint32Array(events.length)
      const count = ruleSet.getMatcher(0)(new Batch(events, ruleSet.fields), rows, rows.length, out)
      for (const row of out.subarray(0, count)) found.push(`${sequences[row]} ${String(events[row]!.fields['name'])}`)
    }
    expect(found).toEqual(['4 anna', '6 Adam'])
  })

  test('survives an event from the future', () => {
    const engine = new Engine(ruleSet, { ring: { ageMaxMs: 60_000 } })
    const receivedAt = Date.UTC(2026, 10, 21, 0, 0, 10)
    engine.push([named('alice', 1), { ...named('bob', 2), '@timestamp': '2099-01-01T00:00:00Z' }, named('carl', 3)], { receivedAt })
    expect(engine.ring?.eventCount).toBe(3)
    expect(engine.ring?.newestAt).toBe(receivedAt)
  })
})
