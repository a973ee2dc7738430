import { parentPort, workerData } from 'node:worker_threads'
import { Engine, RuleSet } from '@tripline/engine'
import { matchChunk } from './match-chunk.ts'
import type { WorkerMessage, WorkerSetup } from './protocol.ts'
import { fromRuleMessage } from './rule-message.ts'

// The rim of a thread: makes an engine of the rules, then answers each piece of bytes with its outcome. What is
// thrown here ends the worker, and the pool says so.

const { rules, events, wanted } = workerData as WorkerSetup
const engine = new Engine(new RuleSet(rules.map(fromRuleMessage)), { ...events, correlation: false })

function send(message: WorkerMessage, moved: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved)
}

parentPort?.on('message', (bytes: Uint8Array) => {
  const startedAt = performance.now()
  const outcome = matchChunk(engine, bytes, wanted, events)
  const { buffer } = bytes
  const memory = buffer instanceof ArrayBuffer ? buffer : undefined
  send({ kind: 'outcome', outcome: { ...outcome, matchMs: performance.now() - startedAt }, memory }, memory && [memory])
})
send({ kind: 'ready' })
