import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Engine, SnapshotError, compileRules } from '../src/index.ts'
import type { CorrelationMatch, EventObject, Match } from '../src/index.ts'

const rules = `
title: Failure
name: failure
logsource: { product: x }
detection: { selection: { action: fail }, condition: selection }
---
title: Success
name: success
logsource: { product: x }
detection: { selection: { action: ok }, condition: selection }
---
title: Many
id: 0e3a8d5e-4a52-4a6e-8d3c-8a2f1f7f0001
name: many
correlation: { type: event_count, rules: [failure], group-by: [user], timespan: 20s, condition: { gte: 3 } }
---
title: Chain
correlation: { type: temporal_ordered, rules: [many, success], group-by: [user], timespan: 30s }
---
title: Hosts
correlation: { type: value_count, rules: [failure, success], group-by: [user], timespan: 20s, condition: { field: host, gte: 3 } }
---
title: Bytes
correlation: { type: value_sum, rules: [success], timespan: 20s, condition: { field: bytes, gt: 20 } }
---
title: Median
correlation: { type: value_median, rules: [success], group-by: [user], timespan: 20s, condition: { field: bytes, gt: 8 } }
---
title: No success
correlation: { type: temporal, rules: [failure, success], group-by: [user], timespan: 10s, condition: failure and not success }
---
title: Rare
correlation: { type: value_percentile, rules: [success], timespan: 1m, condition: { field: host, lte: 20 } }
`
const startedAt = Date.UTC(2026, 10, 21)
const options = { correlation: { allowedLatenessMs: 3_000 } }

const events = fc.array(fc.record({
  second: fc.nat(120), action: fc.constantFrom('fail', 'fail', 'ok'), user: fc.constantFrom('alice', 'böb', '\ud800'),
  host: fc.constantFrom('a', 'b', 'c', 'd'), bytes: fc.nat(12),
}), { maxLength: 80, size: 'max' }).map((some) => {
  return some.toSorted((a, b) => a.second - b.second).map(({ second, ...fields }) => {
    return { _logsource: { product: 'x' }, '@timestamp': new Date(startedAt + second * 1_000).toISOString(), ...fields }
  })
})

function compiled(text: string = rules) {
  return compileRules([{ text }]).ruleSet
}

function printed(matches: readonly Match[]): string[] {
  return matches.map((match) => match.kind === 'detection' ? match.rule.id : JSON.stringify(plain(match)))
}

function plain({ rule, group, events: of, ...rest }: CorrelationMatch): object {
  return { ...rest, rule: rule.id, group: [...group], events: of }
}

/** Runs a stream through one engine, or through two of which the second resumes from a snapshot of the first. */
function run(stream: readonly EventObject[], cut?: number): string[] {
  let engine = new Engine(compiled(), options)
  const found = engine.push(stream.slice(0, cut ?? stream.length))
  if (cut !== undefined) {
    const saved = engine.snapshot()
    engine = new Engine(compiled(), options)
    expect(engine.restore(saved).dropped).toEqual([])
    found.push(...engine.push(stream.slice(cut)))
  }
  return printed([...found, ...engine.finish()])
}

describe('an engine that resumes from a snapshot', () => {
  test('matches the same as an uninterrupted engine', () => {
    let foundCount = 0
    fc.assert(fc.property(events, fc.nat(80), (stream, cut) => {
      const expected = run(stream)
      foundCount += expected.length
      expect(run(stream, Math.min(cut, stream.length)).toSorted()).toEqual(expected.toSorted())
    }), { seed: 20261121, numRuns: 200 })
    expect(foundCount).toBeGreaterThan(1_000)
  })

  const filled = (): Engine => {
    const engine = new Engine(compiled(), options)
    engine.push([{ _logsource: { product: 'x' }, '@timestamp': new Date(startedAt).toISOString(), action: 'fail', user: 'alice' }])
    return engine
  }

  test('reads what the second version wrote, which had length and checksum ahead', () => {
    const bytes = filled().snapshot()
    const [magic, body, tail] = [bytes.subarray(0, 14), bytes.subarray(18, -8), bytes.subarray(-8)]
    const second = Uint8Array.from([...magic, 0, 0, 0, 2, ...tail, ...body])
    const engine = new Engine(compiled(), options)
    expect(engine.restore(second).dropped).toEqual([])
    expect(engine.snapshot()).toEqual(bytes)
  })

  test('is written and read in short steps, however many groups there are', () => {
    const groupCount = 5_000
    const engine = new Engine(compiled(), options)
    engine.push(Array.from({ length: groupCount }, (_, i) => {
      return { _logsource: { product: 'x' }, '@timestamp': new Date(startedAt).toISOString(), action: 'fail', user: `user${i}`, host: 'a' }
    }))
    engine.advance(startedAt + 5_000)
    expect(engine.correlation!.groups).toBeGreaterThan(groupCount)
    const chunks = [...engine.snapshotChunks()]
    expect(Buffer.concat(chunks).equals(engine.snapshot())).toBe(true)
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(131_072)
    const second = new Engine(compiled(), options)
    let stepCount = 0
    for (const steps = second.restoreInSteps(Buffer.concat(chunks)); steps.next().done !== true;) stepCount++
    expect(stepCount).toBeGreaterThan(engine.correlation!.groups / 500)
    expect(Buffer.from(second.snapshot()).equals(engine.snapshot())).toBe(true)
    expect(new Set(engine.shownSequences()).size).toBe(groupCount)
  })

  test('keeps the state of unchanged rules and lists the others', () => {
    const changed = rules.replace('gte: 3 } }\n---\ntitle: Chain', 'gte: 4 } }\n---\ntitle: Chain')
      .replace('title: Hosts', 'title: Hosts, many\nlevel: high').replace(/title: Bytes[^]*?---\n/, '')
    const before = compiled().correlations
    const engine = new Engine(compiled(changed), options)
    const { kept, dropped } = engine.restore(filled().snapshot())
    const idOf = (title: string): string => before.find((rule) => rule.title === title)!.id
    expect(dropped).toEqual(expect.arrayContaining([
      { id: idOf('Bytes'), reason: 'gone' }, { id: idOf('Many'), reason: 'changed' },
    ]))
    expect(kept).toContain(idOf('No success'))
    expect(kept).not.toContain(idOf('Many'))
  })

  test.for<[what: string, change: (bytes: Uint8Array) => Uint8Array, code: string]>([
    ['no bytes', () => new Uint8Array(), 'not_a_snapshot'],
    ['other bytes', (bytes) => bytes.map(() => 7), 'not_a_snapshot'],
    ['a future version', (bytes) => Uint8Array.from(bytes).fill(9, 14, 18), 'unknown_version'],
    ['bytes that end early', (bytes) => bytes.slice(0, -1), 'truncated'],
    ['a head alone', (bytes) => bytes.slice(0, 25), 'truncated'],
    ['a bit that changed', (bytes) => bytes.map((byte, at) => (at === bytes.length - 20 ? byte ^ 4 : byte)), 'damaged'],
  ])('rejects %s', ([, change, code]) => {
    const bytes = change(filled().snapshot())
    expect(() => filled().restore(bytes)).toThrow(SnapshotError)
    expect(() => filled().restore(bytes)).toThrow(expect.objectContaining({ code }))
  })
})
