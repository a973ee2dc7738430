import { parentPort, workerData } from 'node:worker_threads'
import { Engine, compileRules } from '@tripline/engine'
import { matchPiece } from './match-piece.ts'
import type { WorkerMessage, WorkerSetup } from './protocol.ts'
import { headOf } from './rule-head.ts'

// The rim of a thread: compiles the rules, then answers each piece of bytes with its outcome. What is thrown here
// ends the worker, and the pool says so.

const { sources, compile, events, wanted, reports: sendsReports } = workerData as WorkerSetup
const { ruleSet, reports } = compileRules(sources, compile)
const engine = new Engine(ruleSet, { ...events, correlation: false })

function send(message: WorkerMessage): void {
  parentPort?.postMessage(message)
}

parentPort?.on('message', (bytes: Uint8Array) => {
  const startedAt = performance.now()
  const outcome = matchPiece(engine, bytes, wanted, events)
  send({ kind: 'outcome', outcome: { ...outcome, matchMs: performance.now() - startedAt } })
})
send({ kind: 'ready', compiled: sendsReports ? { rules: ruleSet.rules.map(headOf), reports } : undefined })
