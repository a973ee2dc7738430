import { parentPort, workerData } from 'node:worker_threads'
import type { PoolOutcome, WorkerMessage, WorkerSetup } from '../src/protocol.ts'

// A worker that does what a chunk tells it: `throw`, `exit`, `slow`, `memory`, or any other text, which comes back as a
// reason. Started with a rule whose title is `throw` it never becomes ready.

const { rules } = workerData as WorkerSetup
if (rules.some(({ title }) => title === 'throw')) throw new Error('the rules are on fire')

const send = (message: WorkerMessage, moved: ArrayBuffer[] = []): void => parentPort?.postMessage(message, moved)
send({ kind: 'ready' })
parentPort?.on('message', (bytes: Uint8Array) => {
  const memory = bytes.buffer instanceof ArrayBuffer ? bytes.buffer : undefined
  const text = Buffer.from(bytes).toString()
  const reason = text === 'memory' ? `a part of ${bytes.buffer.byteLength} bytes` : text
  if (reason === 'throw') throw new Error('the chunk is on fire')
  if (reason === 'exit') process.exit(3)
  const outcome: PoolOutcome = {
    matches: [], malformed: [{ line: 0, reason }], lineCount: 1, eventCount: 1, unroutedCount: 0, matchMs: 0,
  }
  if (reason.startsWith('slow')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  send({ kind: 'outcome', outcome, memory }, memory && [memory])
})
