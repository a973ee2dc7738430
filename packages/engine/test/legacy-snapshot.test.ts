import { expect, test } from 'vitest'
import { Engine, compileRules } from '../src/index.ts'
import type { CompiledCorrelation, EventObject } from '../src/index.ts'
import { crc32 } from '../src/snapshot/crc32.ts'
import { SnapshotWriter } from '../src/snapshot/snapshot-writer.ts'

const startAt = Date.UTC(2026, 10, 22)
const { ruleSet } = compileRules([{
  text: `title: Failure
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
correlation: { type: event_count, rules: [failure], group-by: [user], timespan: 20s, condition: { gte: 3 } }
---
title: Hosts
correlation: { type: value_count, rules: [failure], group-by: [user], timespan: 20s, condition: { field: host, gte: 3 } }
---
title: In order
correlation: { type: temporal_ordered, rules: [failure, success], group-by: [user], timespan: 20s }
---
title: Nothing came of it
correlation: { type: temporal, rules: [failure, success], group-by: [user], timespan: 20s, condition: failure and not success }
`,
}])

/** A snapshot as the first version wrote it: two failures of alice, at 0 and 5 seconds. */
function legacySnapshot(): Uint8Array {
  const body = new SnapshotWriter()
  for (const number of [2, startAt + 5_000, startAt + 5_000, 0, 0, 0, 0, 0, 0]) body.number(number)
  for (const rule of ruleSet.correlations) writeCorrelation(rule, body)
  body.byte(0)
  body.byte(0)
  const bytes = body.take()
  const file = new SnapshotWriter()
  for (const character of 'TRIPLINE STATE') file.byte(character.charCodeAt(0))
  for (const count of [1, bytes.length, crc32(bytes)]) file.count(count)
  return new Uint8Array([...file.take(), ...bytes])
}

function writeCorrelation({ id, definition, title }: CompiledCorrelation, body: SnapshotWriter): void {
  body.byte(1)
  body.text(id)
  body.text(definition)
  body.byte(1)
  body.text('alice')
  body.number(title === 'Nothing came of it' ? startAt : -Infinity)
  body.byte(0)
  for (const [sequence, second] of [[0, 0], [1, 5]] as const) {
    body.byte(1)
    body.number(startAt + second * 1_000)
    body.number(sequence)
    body.byte(0)
    body.byte(title === 'Hosts' ? 1 : 0)
    if (title === 'Hosts') body.text(`host${sequence}`)
  }
  // The ends of its events, of the groups, and of what waits.
  for (let list = 0; list < 3; list++) body.byte(0)
}

function event(second: number, action: string): EventObject {
  const time = new Date(startAt + second * 1_000).toISOString()
  return { '@timestamp': time, _logsource: { product: 'x' }, user: 'alice', host: 'host9', action }
}

test.for<[title: string, next: readonly EventObject[], found: readonly string[]]>([
  ['a third failure', [event(8, 'fail')], ['Many 8', 'Hosts 8', 'Nothing came of it 20']],
  ['a success', [event(8, 'ok')], ['In order 8']],
  ['nothing', [], ['Nothing came of it 20']],
])('an engine goes on from a snapshot of the first version: %s', ([, next, found]) => {
  const engine = new Engine(ruleSet)
  expect(engine.restore(legacySnapshot()).dropped).toEqual([])
  const matches = [...engine.push(next), ...engine.finish()].filter((match) => match.kind === 'correlation')
  expect(matches.map(({ rule, decidedAt }) => `${rule.title} ${(decidedAt - startAt) / 1_000}`)).toEqual(found)
})
