import { BufferPool } from './buffer-pool.ts'
import { limits } from './limits.ts'
import type { PoolWorker } from './pool-worker.ts'
import type { PoolOutcome } from './protocol.ts'

/** Counters of all workers over the completed chunks. */
export type PoolCounts = {
  readonly events: number
  /** Events of unknown logsource, which no rule was tried on. */
  readonly unrouted: number
  readonly matches: number
}

/** A chunk that was pushed and is not completed. */
type PendingChunk = {
  readonly bytes: Uint8Array
  readonly resolve: (outcome: PoolOutcome) => void
  readonly reject: (error: Error) => void
  outcome?: PoolOutcome
}

/** A worker and the chunks sent to it, oldest first. */
type WorkerSlot = { readonly worker: PoolWorker; readonly held: PendingChunk[] }

/**
 * A worker pool with ordered results: each worker thread runs an engine with the same rules, chunks go to the least busy
 * worker, and outcomes resolve in the order of the chunks. Create one with `openPool`.
 */
export class DetectionPool {
  /** Resolves once all workers are ready; rejects if one dies before. */
  readonly ready: Promise<void>
  /** The maximum number of pending chunks. */
  readonly pendingMax: number
  readonly #slots: readonly WorkerSlot[]
  readonly #buffers: BufferPool
  /** In push order. */
  readonly #pending: PendingChunk[] = []
  /** Those of them that are not sent to a worker yet. */
  readonly #waiting: PendingChunk[] = []
  #capacityWaiters: (() => void)[] = []
  readonly #counts = { events: 0, unrouted: 0, matches: 0 }
  /** Why the pool rejects chunks; undefined while it is open. */
  #closeError: Error | undefined

  constructor(workers: readonly PoolWorker[]) {
    this.pendingMax = workers.length * limits.pendingPerWorkerMax
    this.ready = Promise.all(workers.map(({ ready }) => ready)).then(() => {})
    // Callers that do not await `ready` get the error from `push`.
    this.ready.catch(() => {})
    this.#buffers = new BufferPool(this.pendingMax)
    this.#slots = workers.map((worker) => ({ worker, held: [] }))
    for (const [index, seat] of this.#slots.entries()) {
      seat.worker.listen({
        outcome: (outcome, memory) => {
          if (memory !== undefined) this.#buffers.recycle(memory)
          this.#completeChunk(seat, outcome)
        },
        died: (reason) => this.#fail(new Error(`worker ${index + 1} of ${workers.length} ended: ${reason}`)),
      })
    }
  }

  get counts(): PoolCounts {
    return { ...this.#counts }
  }

  /** Whether the pool accepts a chunk now. */
  get hasCapacity(): boolean {
    return this.#pending.length < this.pendingMax
  }

  /** Resolves when the pool accepts a chunk, or is closed. Of several waiting callers, the first to push gets the capacity. */
  async waitForCapacity(): Promise<void> {
    while (!this.hasCapacity && this.#closeError === undefined) {
      await new Promise<void>((resolve) => { this.#capacityWaiters.push(resolve) })
    }
  }

  /**
   * Lends a buffer for the next chunk, reusing those of completed chunks. Its content is undefined; push the part that was
   * filled. Throws a RangeError for a length over the limit of a chunk.
   */
  acquireBuffer(byteLength: number): Uint8Array {
    checkLength(byteLength)
    return this.#buffers.acquire(byteLength)
  }

  /** Takes back a lent buffer that is not pushed; ignores other bytes. */
  releaseBuffer(bytes: Uint8Array): void {
    this.#buffers.release(bytes)
  }

  /**
   * Matches whole lines of NDJSON, as `Engine.pushBytes` does; resolves after all earlier chunks. The pool takes ownership
   * of the bytes: a lent buffer and an ArrayBuffer that they fill are transferred and detached at once, a
   * SharedArrayBuffer is read in place, and a part of any other ArrayBuffer is copied.
   *
   * Rejects if the pool has no capacity, if the chunk is over the limit, and if the pool is closed or a worker died.
   */
  async push(bytes: Uint8Array): Promise<PoolOutcome> {
    if (this.#closeError !== undefined) throw this.#closeError
    if (!this.hasCapacity) throw new RangeError(`${this.pendingMax} chunks are pending; await waitForCapacity before the next push`)
    checkLength(bytes.length)
    const transferred = this.#buffers.transfer(bytes)
    return await new Promise((resolve, reject) => {
      const chunk = { bytes: transferred, resolve, reject }
      this.#pending.push(chunk)
      this.#waiting.push(chunk)
      this.#dispatch()
    })
  }

  /** Ends all workers; pending chunks reject. */
  async close(): Promise<void> {
    this.#fail(new Error('the pool was closed'))
    await Promise.all(this.#slots.map(({ worker }) => worker.end()))
  }

  /** Sends waiting chunks to the workers with the fewest. */
  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const seat = this.#slots.reduce((best, other) => (other.held.length < best.held.length ? other : best))
      if (seat.held.length >= limits.chunksPerWorkerMax) return
      const chunk = this.#waiting.shift()!
      seat.held.push(chunk)
      seat.worker.send(chunk.bytes)
    }
  }

  #completeChunk(seat: WorkerSlot, outcome: PoolOutcome): void {
    const chunk = seat.held.shift()
    if (chunk === undefined) return
    chunk.outcome = outcome
    this.#dispatch()
    this.#resolveCompleted()
  }

  /** Resolves the oldest chunks up to the first that is not completed. */
  #resolveCompleted(): void {
    for (let first = this.#pending[0]; first?.outcome !== undefined; first = this.#pending[0]) {
      const { outcome, resolve } = first
      this.#pending.shift()
      this.#counts.events += outcome.eventCount
      this.#counts.unrouted += outcome.unroutedCount
      this.#counts.matches += outcome.matches.length
      resolve(outcome)
    }
    this.#notifyCapacity()
  }

  #fail(error: Error): void {
    if (this.#closeError !== undefined) return
    this.#closeError = error
    for (const { reject } of this.#pending.splice(0)) reject(error)
    this.#waiting.length = 0
    for (const { held } of this.#slots) held.length = 0
    this.#notifyCapacity()
  }

  #notifyCapacity(): void {
    const waiters = this.#capacityWaiters
    this.#capacityWaiters = []
    for (const resolve of waiters) resolve()
  }
}

function checkLength(byteLength: number): void {
  if (byteLength <= limits.chunkBytesMax) return
  throw new RangeError(`the chunk has ${byteLength} bytes; at most ${limits.chunkBytesMax} are allowed`)
}
