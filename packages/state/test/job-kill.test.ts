import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../src/limits.ts'
import { JobRunner } from '../src/jobs/job-runner.ts'
import { openState } from '../src/open-state.ts'
import { auditKey } from './state-samples.ts'

const { leaseMs, tickMs } = limits.jobs

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tripline-job-kill-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a job of a process that was killed runs again, once, when its lease has run out', async () => {
  const path = join(folder, 'state.db')
  const child = spawn(process.execPath, [join(import.meta.dirname, 'job-main.ts'), path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await ended

  const state = await openState({ path, auditKey })
  const [left] = await state.jobs.list()
  expect(left).toMatchObject({ name: 'killed', attempts: 1, lease: { owner: `process ${child.pid}` }, lastSuccessAt: undefined })
  const leasedAt = left!.lease!.until - leaseMs
  let elapsedMs = 0
  const runsAt: number[] = []
  const runner = new JobRunner({
    store: state.jobs, owner: 'next', observer: { onKnown: () => {}, onEnded: () => {} },
    clock: { now: () => leasedAt + elapsedMs, elapsedMs: () => elapsedMs }, log: { error: () => {}, warn: () => {} },
    jobs: [{ name: 'killed', everyMs: 3_600_000, afterStartMs: 0, failure: 'failed', run: async () => void runsAt.push(elapsedMs) }],
  })
  for (; elapsedMs < 4 * leaseMs; elapsedMs += tickMs) {
    await runner.tick()
    await runner.untilEnded('killed')
  }
  expect(runsAt).toEqual([leaseMs])
  expect(await state.jobs.list()).toMatchObject([{ attempts: 0, lease: undefined, dueAt: leasedAt + leaseMs + 3_600_000 }])
  await state.close()
})
