import { parentPort, workerData } from 'node:worker_threads'
import type { PoolOutcome, WorkerMessage, WorkerSetup } from '../src/protocol.ts'

// A worker that does what a piece tells it: `throw`, `exit`, `slow`, or any other text, which comes back as a reason.
// Started with rules that read `throw` it never becomes ready.

const { sources } = workerData as WorkerSetup
if (sources.some(({ text }) => text === 'throw')) throw new Error('the rules are on fire')

const send = (message: WorkerMessage): void => parentPort?.postMessage(message)
send({ kind: 'ready', compiled: undefined })
parentPort?.on('message', (bytes: Uint8Array) => {
  const reason = Buffer.from(bytes).toString()
  if (reason === 'throw') throw new Error('the piece is on fire')
  if (reason === 'exit') process.exit(3)
  const outcome: PoolOutcome = {
    matches: [], malformed: [{ line: 0, reason }], lineCount: 1, eventCount: 1, unroutedCount: 0, matchMs: 0,
  }
  if (reason.startsWith('slow')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  send({ kind: 'outcome', outcome })
})
