import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../src/limits.ts'
import { JobRunner } from '../src/jobs/job-runner.ts'
import { openMemoryState } from './open-memory-state.ts'
import type { ScheduledJob } from '../src/ports/job-store.ts'
import type { StateStore } from '../src/ports/state-store.ts'
import { auditKey } from './state-samples.ts'

const hourMs = 3_600_000
const yearMs = 365 * 24 * hourMs
const { leaseMs, retryMs, tickMs } = limits.jobs

const openTestState = (): Promise<StateStore> => openMemoryState({ auditKey })

/** What a process of the reference holds, and until when by its own claim. */
type Holder = { readonly owner: string; until: number }

/** The lease table as the rules tell it, one job, without any arithmetic that the implementation shares. */
class SlowLeaseTable {
  dueAt: number | undefined
  holder: Holder | undefined
  failures = 0

  lease(owner: string, at: number, everyMs: number): boolean {
    this.dueAt ??= at
    while (this.dueAt > at + everyMs) this.dueAt = at + everyMs
    if (this.holder !== undefined && this.holder.until - at > leaseMs) this.holder.until = at + leaseMs
    if (this.holder !== undefined && this.holder.until <= at) this.holder = undefined
    if (at < this.dueAt || this.holder !== undefined) return false
    this.holder = { owner, until: at + leaseMs }
    return true
  }

  renew(owner: string, until: number): boolean {
    if (this.holder?.owner !== owner) return false
    this.holder.until = until
    return true
  }
}

type Step = { readonly act: 'lease' | 'renew' | 'succeed' | 'fail' | 'stop'; readonly who: number; readonly passMs: number }

const stepOf: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom('lease', 'lease', 'renew', 'succeed', 'fail', 'stop'),
  who: fc.nat(2),
  // Time passes; now and then a clock is a year wrong, in either direction.
  passMs: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(0, 1, leaseMs - 1, leaseMs, leaseMs + 1, hourMs - 1, hourMs) },
    { weight: 1, arbitrary: fc.constantFrom(-yearMs, yearMs, -hourMs) },
  ),
})

test('the lease table agrees with a slow one, whatever processes and clocks do', async () => {
  await fc.assert(fc.asyncProperty(fc.array(stepOf, { maxLength: 40 }), async (steps) => {
    const { jobs, close } = await openTestState()
    const slow = new SlowLeaseTable()
    let [at, attempts] = [100 * yearMs, 0]
    for (const { act, who, passMs } of steps) {
      at += passMs
      const owner = `process ${who}`
      const held = slow.holder
      if (act === 'lease') {
        const expected = slow.lease(owner, at, hourMs)
        if (expected) attempts++
        const leased = await jobs.lease('job', { owner, at, everyMs: hourMs, leaseMs })
        expect(leased?.attempts).toBe(expected ? attempts : undefined)
      } else if (act === 'renew') {
        expect(await jobs.renew('job', { owner, until: at + leaseMs })).toBe(slow.renew(owner, at + leaseMs))
      } else {
        const isHolder = held?.owner === owner
        if (isHolder) slow.holder = undefined
        if (isHolder && act === 'stop') attempts--
        if (isHolder && act === 'succeed') [slow.dueAt, attempts] = [at + hourMs, 0]
        if (isHolder && act === 'fail') slow.dueAt = at + Math.min(hourMs, retryMs * 2 ** (attempts - 1))
        expect(await jobs.end('job', owner, {
          succeed: { outcome: 'succeeded' as const, at, everyMs: hourMs, successAt: at },
          fail: { outcome: 'failed' as const, at, everyMs: hourMs, retryMs, error: 'EIO' },
          stop: { outcome: 'stopped' as const },
        }[act])).toBe(isHolder)
      }
      const [job] = await jobs.list()
      expect(job && { dueAt: job.dueAt, attempts: job.attempts }).toEqual(slow.dueAt === undefined ? undefined : { dueAt: slow.dueAt, attempts })
    }
    // Whatever happened, a process that looks on gets the job within an interval.
    await jobs.lease('job', { owner: 'last', at, everyMs: hourMs, leaseMs })
    const isHeld = (await jobs.list())[0]?.lease?.owner === 'last'
    expect(isHeld || await jobs.lease('job', { owner: 'last', at: at + hourMs, everyMs: hourMs, leaseMs }) !== undefined).toBe(true)
    await close()
  }), { numRuns: 60, seed: 20261122 })
})

test('a job that is due with every tick keeps no other from running', async () => {
  const state = await openTestState()
  let nowMs = 100 * yearMs
  const runs: string[] = []
  const create = (name: string, everyMs: number): ScheduledJob => ({
    name, everyMs, afterStartMs: 0, failure: `${name} failed`, run: async () => void runs.push(name),
  })
  const runner = new JobRunner({
    store: state.jobs, owner: 'one', jobs: [create('often', tickMs), create('also often', tickMs / 2), create('hourly', hourMs)],
    observer: { onKnown: () => {}, onEnded: () => {} }, clock: { now: () => nowMs, elapsedMs: () => nowMs }, log: { error: () => {}, warn: () => {} },
  })
  await runner.open()
  for (const hour of [1, 2, 3]) {
    for (let i = 0; i < 6; i++) {
      nowMs += tickMs
      await runner.tick()
      for (const name of ['often', 'also often', 'hourly']) await runner.untilEnded(name)
    }
    expect(runs.filter((name) => name === 'hourly')).toHaveLength(hour)
    nowMs += hourMs
  }
  await state.close()
})

describe('a runner', () => {
  /** A process: its clocks, and the runs of its jobs. */
  async function startProcess(state: StateStore, owner: string, startsAt: number, job: Partial<ScheduledJob> = {}) {
    const clock = { wallMs: startsAt, monotonicMs: 0 }
    const runs: string[] = []
    const logged: string[] = []
    const create = (name: string): ScheduledJob => ({
      name, everyMs: hourMs, afterStartMs: 0, failure: `${name} failed`, run: async () => void runs.push(name), ...job,
    })
    const names = job.name === undefined ? ['first', 'second'] : [job.name]
    const known = new Map<string, number | undefined>()
    const runner = new JobRunner({
      store: state.jobs, owner, jobs: names.map(create),
      observer: { onKnown: (name, lastSuccessAt) => void known.set(name, lastSuccessAt), onEnded: () => {} },
      clock: { now: () => clock.wallMs, elapsedMs: () => clock.monotonicMs },
      log: { error: (line) => logged.push(line), warn: (line) => logged.push(line) },
    })
    await runner.open()
    /** Lets time pass, tick by tick. */
    const pass = async (lengthMs: number): Promise<void> => {
      for (let passedMs = 0; passedMs < lengthMs; passedMs += tickMs) {
        clock.wallMs += tickMs
        clock.monotonicMs += tickMs
        await runner.tick()
        for (const name of names) if (job.run === undefined) await runner.untilEnded(name)
      }
    }
    return { runner, clock, runs, logged, known, pass }
  }

  test.for<[what: string, downMs: number, moveMs: number, passMs: number, runCount: number]>([
    ['a first start', 0, 0, 2 * tickMs, 1],
    ['three hours', 0, 0, 3 * hourMs, 3],
    ['a clock that jumps a year ahead', 0, yearMs, 2 * hourMs, 2],
    ['a clock that jumps a year back', 0, -yearMs, 2 * hourMs, 2],
    ['a restart after ten missed runs', 10 * hourMs, 0, 2 * tickMs, 1],
    ['a restart with a clock a year ahead', yearMs, 0, 2 * tickMs, 1],
    ['a restart with a clock a year behind', -yearMs, 0, hourMs - tickMs, 0],
    ['the hour after a restart with a clock a year behind', -yearMs, 0, hourMs + 2 * tickMs, 1],
    ['a restart within the hour', hourMs / 2, 0, hourMs / 2 - 4 * tickMs, 0],
  ])('runs each job as often as it should: %s', async ([, downMs, moveMs, passMs, runCount]) => {
    const state = await openTestState()
    if (downMs !== 0) await (await startProcess(state, 'before', 50 * yearMs)).pass(2 * tickMs)
    const { pass, clock, runs } = await startProcess(state, 'after', 50 * yearMs + downMs)
    clock.wallMs += moveMs
    await pass(passMs)
    expect([runs.filter((name) => name === 'first').length, runs.filter((name) => name === 'second').length]).toEqual([runCount, runCount])
    await state.close()
  })

  test('a process knows from its start when each job succeeded last', async () => {
    const state = await openTestState()
    const first = await startProcess(state, 'a', yearMs)
    await first.pass(tickMs)
    const second = await startProcess(state, 'b', yearMs + hourMs)
    expect(first.known).toEqual(new Map([['first', undefined], ['second', undefined]]))
    expect(second.known).toEqual(new Map([['first', yearMs + tickMs], ['second', undefined]]))
    await state.close()
  })

  test('starts one job with each tick, and none that still runs', async () => {
    const state = await openTestState()
    const held = Promise.withResolvers<void>()
    const { runner, clock, pass } = await startProcess(state, 'a', yearMs, { name: 'slow', run: () => held.promise })
    await pass(3 * hourMs)
    const [job] = await state.jobs.list()
    expect(job).toMatchObject({ attempts: 1, lease: { owner: 'a' } })
    // Its lease was extended all the time, so no other process takes it.
    expect(await state.jobs.lease('slow', { owner: 'b', at: clock.wallMs, everyMs: hourMs, leaseMs })).toBe(undefined)
    held.resolve()
    await runner.untilEnded('slow')
    expect(await state.jobs.list()).toMatchObject([{ attempts: 0, lease: undefined, lastSuccessAt: clock.wallMs }])
    await state.close()
  })

  test('a failed run is retried later and later, and its error is kept', async () => {
    const state = await openTestState()
    const at: number[] = []
    const process = await startProcess(state, 'a', 0, { name: 'broken', run: () => Promise.reject(new Error('EIO')) })
    for (let i = 0; i < 5 * hourMs / tickMs; i++) {
      await process.pass(tickMs)
      await process.runner.untilEnded('broken')
      if (process.logged.length > at.length) at.push(process.clock.monotonicMs)
    }
    const waits = at.slice(1).map((ms, i) => Math.round((ms - at[i]!) / 60_000))
    expect(waits).toEqual([5, 10, 20, 40, 60, 60, 60])
    expect(await state.jobs.list()).toMatchObject([{ lastError: 'EIO', lastSuccessAt: undefined }])
    expect(new Set(process.logged)).toEqual(new Set(['broken failed']))
    await state.close()
  })

  test('a job that is stopped with its process is due at the next start', async () => {
    const state = await openTestState()
    const untilStopped = (signal: AbortSignal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    const process = await startProcess(state, 'a', yearMs, { name: 'long', run: untilStopped })
    await process.pass(tickMs)
    await process.runner.stop()
    expect(await state.jobs.list()).toMatchObject([{ attempts: 0, lease: undefined, lastSuccessAt: undefined, dueAt: yearMs + tickMs }])
    const next = await startProcess(state, 'b', yearMs + 2 * tickMs, { name: 'long' })
    await next.pass(tickMs)
    expect(next.runs).toEqual(['long'])
    await state.close()
  })

  test('a job whose lease another process took is stopped', async () => {
    const state = await openTestState()
    const untilStopped = (signal: AbortSignal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    const process = await startProcess(state, 'a', yearMs, { name: 'long', run: untilStopped })
    await process.pass(tickMs)
    // The process was suspended for longer than its lease.
    process.clock.monotonicMs += 2 * leaseMs
    const taken = await state.jobs.lease('long', { owner: 'b', at: yearMs + tickMs + 2 * leaseMs - 1, everyMs: hourMs, leaseMs })
    expect(taken?.attempts).toBe(2)
    await process.runner.tick()
    await process.runner.untilEnded('long')
    expect(await state.jobs.list()).toMatchObject([{ lease: { owner: 'b' } }])
    expect(process.logged).toEqual(['a job is stopped: its lease ran out and another process has taken it'])
    await state.close()
  })
})
