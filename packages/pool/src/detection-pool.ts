import { BufferPool } from './buffer-pool.ts'
import { limits } from './limits.ts'
import type { PoolWorker } from './pool-worker.ts'
import type { PoolOutcome } from './protocol.ts'

/** What all workers have seen, of the pieces that are done. */
export type PoolCounts = {
  readonly events: number
  /** Events of unknown logsource that were tried on no rule. */
  readonly unrouted: number
  readonly matches: number
}

/** A piece that was pushed and not yet answered. */
type PendingChunk = {
  readonly bytes: Uint8Array
  readonly resolve: (outcome: PoolOutcome) => void
  readonly reject: (error: Error) => void
  outcome?: PoolOutcome
}

/** A worker and the pieces that it holds, oldest first. */
type WorkerSlot = { readonly worker: PoolWorker; readonly held: PendingChunk[] }

/**
 * Engines in threads of their own, all with the same rules, that share the pieces which are pushed. Outcomes come in
 * the order of the pieces. `openPool` makes one.
 */
export class DetectionPool {
  /** Resolves once every worker takes pieces; rejects if one died before. */
  readonly ready: Promise<void>
  /** How many pieces may be outstanding. */
  readonly pendingMax: number
  readonly #slots: readonly WorkerSlot[]
  readonly #buffers: BufferPool
  /** In the order they were pushed. */
  readonly #outstanding: PendingChunk[] = []
  /** Those among them that no worker holds yet. */
  readonly #waiting: PendingChunk[] = []
  #capacityWaiters: (() => void)[] = []
  readonly #counts = { events: 0, unrouted: 0, matches: 0 }
  /** Why the pool takes no more pieces. */
  #closeError: Error | undefined

  constructor(workers: readonly PoolWorker[]) {
    this.pendingMax = workers.length * limits.pendingPerWorkerMax
    this.ready = Promise.all(workers.map(({ ready }) => ready)).then(() => {})
    // Whoever does not wait for it hears of a death from what is pushed.
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

  /** Whether a piece is taken now. */
  get hasCapacity(): boolean {
    return this.#outstanding.length < this.pendingMax
  }

  /** Resolves when there is room for a piece, or the pool has ended. Of several who wait, the first to push has it. */
  async waitForCapacity(): Promise<void> {
    while (!this.hasCapacity && this.#closeError === undefined) {
      await new Promise<void>((resolve) => { this.#capacityWaiters.push(resolve) })
    }
  }

  /**
   * Memory to write a piece to that is pushed then, such as earlier pieces had. It holds anything; filled in part, that
   * part is pushed. Throws a RangeError when it is over the limit of a piece.
   */
  acquireBuffer(byteLength: number): Uint8Array {
    checkLength(byteLength)
    return this.#buffers.acquire(byteLength)
  }

  /** Takes back `memory` of the pool that is not pushed after all; of other bytes nothing is done. */
  releaseBuffer(bytes: Uint8Array): void {
    this.#buffers.release(bytes)
  }

  /**
   * Matches whole lines of NDJSON, as `Engine.pushBytes` does; resolves after all earlier pieces did. The bytes belong
   * to the pool from then on: those in `memory` of the pool and those that fill an ArrayBuffer are moved to a worker
   * and empty here at once, those in a SharedArrayBuffer are read there, and a part of any other ArrayBuffer is copied.
   *
   * Rejects when there is no room, when the piece is over its limit, and when the pool was closed or a worker died.
   */
  async push(bytes: Uint8Array): Promise<PoolOutcome> {
    if (this.#closeError !== undefined) throw this.#closeError
    if (!this.hasCapacity) throw new RangeError(`${this.pendingMax} pieces are outstanding, and no more are taken`)
    checkLength(bytes.length)
    const taken = this.#buffers.transfer(bytes)
    return await new Promise((resolve, reject) => {
      const piece = { bytes: taken, resolve, reject }
      this.#outstanding.push(piece)
      this.#waiting.push(piece)
      this.#dispatch()
    })
  }

  /** Ends all workers; what is outstanding rejects. */
  async close(): Promise<void> {
    this.#fail(new Error('the pool was closed'))
    await Promise.all(this.#slots.map(({ worker }) => worker.end()))
  }

  /** Gives waiting pieces to the workers that hold the fewest. */
  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const seat = this.#slots.reduce((best, other) => (other.held.length < best.held.length ? other : best))
      if (seat.held.length >= limits.chunksPerWorkerMax) return
      const piece = this.#waiting.shift()!
      seat.held.push(piece)
      seat.worker.send(piece.bytes)
    }
  }

  #completeChunk(seat: WorkerSlot, outcome: PoolOutcome): void {
    const piece = seat.held.shift()
    if (piece === undefined) return
    piece.outcome = outcome
    this.#dispatch()
    this.#resolveCompleted()
  }

  /** Resolves the oldest pieces, as far as they are done. */
  #resolveCompleted(): void {
    for (let first = this.#outstanding[0]; first?.outcome !== undefined; first = this.#outstanding[0]) {
      const { outcome, resolve } = first
      this.#outstanding.shift()
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
    for (const { reject } of this.#outstanding.splice(0)) reject(error)
    this.#waiting.length = 0
    for (const { held } of this.#slots) held.length = 0
    this.#notifyCapacity()
  }

  #notifyCapacity(): void {
    const told = this.#capacityWaiters
    this.#capacityWaiters = []
    for (const tell of told) tell()
  }
}

function checkLength(byteLength: number): void {
  if (byteLength <= limits.chunkBytesMax) return
  throw new RangeError(`the piece has ${byteLength} bytes; at most ${limits.chunkBytesMax} are taken`)
}
