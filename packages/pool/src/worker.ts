import { parentPort, workerData } from 'node:worker_threads'
import { Engine, RuleSet } from '@tripline/engine'
import { matchChunk } from './match-chunk.ts'
import type { WorkerMessage, WorkerSetup } from './protocol.ts'
import { fromRuleMessage } from './rule-message.ts'

// Entry point of a worker thread: creates an engine from the rules, then answers each chunk of bytes with its outcome. An
// error here ends the worker, and the pool reports it.

const { rules, events, include } = workerData as WorkerSetup
const engine = new Engine(new RuleSet(rules.map(fromRuleMessage)), { ...events, correlation: false })

function send(message: WorkerMessage, moved: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved)
}

parentPort?.on('message', (bytes: Uint8Array) => {
  const startedAt = performance.now()
  const outcome = matchChunk(engine, bytes, include, events)
  const { buffer } = bytes
  const memory = buffer instanceof ArrayBuffer ? buffer : undefined
  send({ kind: 'outcome', outcome: { ...outcome, matchMs: performance.now() - startedAt }, memory }, memory && [memory])
})
send({ kind: 'ready' })
