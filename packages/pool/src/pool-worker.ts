import type { Worker } from 'node:worker_threads'
import type { PoolOutcome, WorkerMessage } from './protocol.ts'

/** The events of a worker. */
type WorkerListener = {
  /** The outcome of the worker's oldest chunk, and the chunk's buffer unless it is shared. */
  readonly outcome: (outcome: PoolOutcome, memory: ArrayBuffer | undefined) => void
  /** The worker ended by itself. */
  readonly died: (reason: string) => void
}

/** A worker thread that matches chunks one after the other. */
export class PoolWorker {
  /** Resolves once the worker is ready; rejects if it dies before. */
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
    // The pool awaits all workers together and reports the first that fails.
    this.ready.catch(() => {})
  }

  /** Sets the listener; reports an earlier death at once. */
  listen(listener: WorkerListener): void {
    this.#listener = listener
    if (this.#deathReason !== undefined) listener.died(this.#deathReason)
  }

  /** Sends a chunk; a buffer that is not shared is transferred. */
  send(bytes: Uint8Array): void {
    const { buffer } = bytes
    this.#worker.postMessage(bytes, buffer instanceof ArrayBuffer ? [buffer] : [])
  }

  /** Terminates the thread, even in the middle of a chunk. */
  async end(): Promise<void> {
    this.#isEnded = true
    await this.#worker.terminate()
  }
}
