import { parentPort, workerData } from 'node:worker_threads'
import { Engine, RuleSet, RuleView } from '@tripline/engine'
import type { DetectionRule } from '@tripline/engine'
import { matchChunk } from './match-chunk.ts'
import type { WorkerMessage, WorkerSetup } from './protocol.ts'

// Entry point of a worker thread: creates an engine from the rules, then answers each chunk of bytes with its outcome. An
// error here ends the worker, and the pool reports it.

/** A rule from a message; its attributes stay where it was compiled. */
class SentRule extends RuleView {
  get rule(): DetectionRule {
    throw new Error(`the attributes of the rule ${this.id} are known where it was compiled`)
  }
}

const { rules, events, include } = workerData as WorkerSetup
const engine = new Engine(new RuleSet(rules.map((rule) => new SentRule(rule))), { ...events, correlation: false })

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
