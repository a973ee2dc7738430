import type { Worker } from 'node:worker_threads'
import type { PoolOutcome, WorkerMessage } from './protocol.ts'

/** What a worker tells its pool. */
export type WorkerListener = {
  /** The outcome of the oldest piece that the worker holds, and the memory it came in unless that is shared. */
  readonly outcome: (outcome: PoolOutcome, memory: ArrayBuffer | undefined) => void
  /** The worker is gone, though nobody ended it. */
  readonly died: (reason: string) => void
}

/** A thread that matches pieces, one after the other. */
export class PoolWorker {
  /** Resolves once pieces are taken; rejects if the worker died. */
  readonly ready: Promise<void>
  readonly #worker: Worker
  #listener: WorkerListener | undefined
  #deathReason: string | undefined
  #isEnded = false

  constructor(worker: Worker) {
    this.#worker = worker
    this.ready = new Promise((resolve, reject) => {
      worker.on('message', (message: WorkerMessage) => {
        if (message.kind === 'ready') resolve()
        else this.#listener?.outcome(message.outcome, message.memory)
      })
      const die = (reason: string): void => {
        if (this.#isEnded || this.#deathReason !== undefined) return
        this.#deathReason = reason
        reject(new Error(`a worker ended: ${reason}`))
        this.#listener?.died(reason)
      }
      worker.on('error', (error) => die(error instanceof Error ? error.message : String(error)))
      worker.on('messageerror', (error) => die(error.message))
      worker.on('exit', (code) => die(`exit code ${code}`))
    })
    // Whoever opens the pool waits for all workers at once and hears of the first that fails.
    this.ready.catch(() => {})
  }

  /** Says from now on what becomes of pieces; a death that was earlier is told at once. */
  listen(listener: WorkerListener): void {
    this.#listener = listener
    if (this.#deathReason !== undefined) listener.died(this.#deathReason)
  }

  /** Hands a piece over; memory that is not shared moves to the worker. */
  send(bytes: Uint8Array): void {
    const { buffer } = bytes
    this.#worker.postMessage(bytes, buffer instanceof ArrayBuffer ? [buffer] : [])
  }

  /** Ends the thread, in the middle of a piece if need be. */
  async end(): Promise<void> {
    this.#isEnded = true
    await this.#worker.terminate()
  }
}
