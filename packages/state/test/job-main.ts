/** Starts a job that never ends: `node job-main.ts <path>`. Prints a line once it runs; to be killed then. */
import { JobRunner } from '../src/jobs/job-runner.ts'
import { openState } from '../src/open-state.ts'
import { auditKey } from './state-samples.ts'

const state = await openState({ path: process.argv[2] ?? '', auditKey })
const runner = new JobRunner({
  store: state.jobs, owner: `process ${process.pid}`, observer: { onKnown: () => {}, onEnded: () => {} },
  clock: { now: () => Date.now(), elapsedMs: () => performance.now() },
  log: { error: (line) => process.stderr.write(`${line}\n`), warn: (line) => process.stderr.write(`${line}\n`) },
  jobs: [{
    name: 'killed', everyMs: 3_600_000, afterStartMs: 0, failure: 'failed',
    run: () => {
      process.stdout.write('running\n')
      return new Promise(() => {})
    },
  }],
})
await runner.tick()
// Keeps the process alive until it is killed.
setInterval(() => {}, 60_000)
