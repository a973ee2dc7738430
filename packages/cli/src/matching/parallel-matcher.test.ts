import { compileRules } from '@tripline/engine'
import { startPool } from '@tripline/pool'
import type { DetectionPool, ChunkOutcome, PoolOutcome } from '@tripline/pool'
import { afterEach, expect, test } from 'vitest'
import { curlEvent, curlRule, rootEvent } from '../../test/sample-rules.ts'
import type { ChunkMatcher } from './chunk-matcher.ts'
import { createInlineMatcher } from './inline-matcher.ts'
import { createParallelMatcher } from './parallel-matcher.ts'

const { ruleSet } = compileRules([{ text: curlRule }])
const options = { ruleSet, events: {}, include: { conditions: true } }
const clock = { now: () => performance.now() }
const pools: DetectionPool[] = []
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

function openTogether(): { readonly pool: DetectionPool; readonly matching: ChunkMatcher } {
  const pool = startPool({ ...options, jobs: 1 })
  pools.push(pool)
  return { pool, matching: createParallelMatcher(pool, options, clock) }
}

/** Pushes a piece of some lines as a reader does: written to memory that is asked for. */
function push(matching: ChunkMatcher, lines: readonly string[]): Promise<PoolOutcome> {
  const bytes = Buffer.from(`${lines.join('\n')}\n`)
  const memory = matching.memory(bytes.length)
  memory.set(bytes)
  return matching.push(memory)
}

const pieces = Array.from({ length: 40 }, (_, index) => {
  return index % 3 === 0 ? [rootEvent, curlEvent] : [curlEvent, 'nonsense', rootEvent]
})

function withoutTime({ matchMs, ...outcome }: PoolOutcome): ChunkOutcome {
  expect(matchMs).toBeGreaterThanOrEqual(0)
  return outcome
}

/** What one thread makes of the chunks. */
async function alone(): Promise<{ readonly outcomes: ChunkOutcome[]; readonly counts: object }> {
  const matching = createInlineMatcher(options, clock)
  const outcomes: ChunkOutcome[] = []
  for (const lines of pieces) outcomes.push(withoutTime(await push(matching, lines)))
  const { events, unrouted, matches } = matching.counts()
  return { outcomes, counts: { events, unrouted, matches } }
}

test.for<[who: string, isReady: boolean]>([
  ['this thread while the worker is not ready', false],
  ['the worker, and this thread where that has no room', true],
])('%s answers as one thread does', async ([, isReady]) => {
  const { pool, matching } = openTogether()
  if (isReady) await pool.ready
  const outcomes: Promise<PoolOutcome>[] = []
  for (let start = 0; start < pieces.length; start += matching.outstandingMax) {
    const pushed = pieces.slice(start, start + matching.outstandingMax).map((lines) => push(matching, lines))
    outcomes.push(...pushed)
    await Promise.all(pushed)
  }
  const expected = await alone()
  expect((await Promise.all(outcomes)).map(withoutTime)).toEqual(expected.outcomes)
  expect(matching.counts()).toEqual(expected.counts)
  if (isReady) expect(pool.counts.events).toBeGreaterThan(0)
})

test('memory that was not lent is left alone', async () => {
  const { matching } = openTogether()
  const whole = new Uint8Array(Buffer.from(`${curlEvent}\n${curlEvent}\n`))
  const before = whole.slice()
  expect((await matching.push(whole.subarray(0, curlEvent.length + 1))).matches).toHaveLength(1)
  matching.memory(whole.length).fill(0)
  expect(whole).toEqual(before)
})

test('a pool that ended rejects what it is to match', async () => {
  const { pool, matching } = openTogether()
  await pool.ready
  await pool.close()
  await expect(push(matching, [curlEvent])).rejects.toThrow('the pool was closed')
})
