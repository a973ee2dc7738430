import type { Message, PollOptions } from '@tripline/storage/bus/bus'
import { limits } from '../limits.ts'
import { createDetectionStalledError } from '../pipeline/backpressure-errors.ts'
import type { FairConsumer } from '../pipeline/fair-consumer.ts'
import { classifyBusError } from './stage.ts'
import type { ErrorClass, StageConsumer, StageOptions } from './stage.ts'

/** How a stage stores checkpoints. */
type CheckpointOptions = {
  readonly consumer: Pick<FairConsumer, 'poll' | 'settle' | 'commitHandled'>
  /** Stores the stage's state, which covers all handled messages. */
  readonly save: () => Promise<void>
  readonly elapsedMs: () => number
  /** The least milliseconds between two checkpoints. */
  readonly checkpointMs: number
  readonly pause: StageOptions['pause']
  /** Classifies an error of `save`. After a transient one the checkpoint is retried later and `onDelay` is called. */
  readonly classifyError: (error: unknown) => ErrorClass
  readonly onDelay: (error: unknown) => void
}

/**
 * A consumer for a stateful stage. It commits messages when a checkpoint covers them, so after a restart exactly the
 * uncovered messages are delivered again. Between two batches it runs the tasks of other callers.
 */
export class CheckpointedConsumer implements StageConsumer {
  readonly #options: CheckpointOptions
  /** Since when handled messages wait for a checkpoint. */
  #dirtySinceMs: number | undefined
  #dueMs: number
  #hasBatch = false
  #jobs: Job[] = []
  #wake = new AbortController()
  #watched: AbortSignal | undefined
  #isEnded = false

  constructor(options: CheckpointOptions) {
    this.#options = options
    this.#dueMs = options.elapsedMs() + options.checkpointMs
  }

  async poll({ max, signal }: PollOptions): Promise<readonly Message[]> {
    this.#watch(signal)
    for (;;) {
      for (let job = this.#jobs.shift(); job !== undefined; job = this.#jobs.shift()) await job.run()
      if (signal?.aborted === true) return []
      const restMs = this.#dueMs - this.#options.elapsedMs()
      if (this.#isDirty && restMs <= 0) await this.#checkpointOrDelay()
      if (this.#jobs.length > 0) continue
      const messages = await this.#pollNext(max, this.#isDirty ? Math.max(0, this.#dueMs - this.#options.elapsedMs()) : undefined)
      if (messages.length === 0) continue
      this.#hasBatch = true
      return messages
    }
  }

  /** Records that the polled messages are handled; the next checkpoint commits them. */
  async commit(): Promise<void> {
    this.#dirtySinceMs ??= this.#options.elapsedMs()
    this.#options.consumer.settle()
    this.#hasBatch = false
  }

  /**
   * Runs a task between two batches, when everything polled is handled.
   *
   * @throws AppError UNAVAILABLE when that does not happen in time, because the batch's results cannot be published;
   *   then the task does not run later either.
   */
  runBetweenBatches<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#isEnded) {
        reject(new Error('the stage has ended'))
        return
      }
      const turn = new AbortController()
      const job: Job = {
        run: () => {
          turn.abort()
          return work().then(resolve, reject)
        },
        reject: (error) => {
          turn.abort()
          reject(error)
        },
      }
      this.#jobs.push(job)
      this.#wake.abort()
      void this.#waitForTimeout(turn.signal).then(() => {
        if (turn.signal.aborted) return
        this.#jobs = this.#jobs.filter((waiting) => waiting !== job)
        job.reject(createDetectionStalledError())
      })
    })
  }

  /** Stores a checkpoint and commits what it covers; call it between two batches. */
  async checkpoint(): Promise<void> {
    const { save, consumer, elapsedMs, checkpointMs } = this.#options
    const begunMs = elapsedMs()
    await save()
    await consumer.commitHandled()
    this.#dirtySinceMs = undefined
    const tookMs = elapsedMs() - begunMs
    this.#dueMs = elapsedMs() + Math.max(checkpointMs, tookMs * limits.pipeline.checkpointRestFactor)
  }

  /** Milliseconds for which handled messages have waited for a checkpoint; 0 if none waits. */
  get checkpointAgeMs(): number {
    return this.#dirtySinceMs === undefined ? 0 : this.#options.elapsedMs() - this.#dirtySinceMs
  }

  /** Rejects the waiting tasks: the stage has ended or failed. */
  stop(): void {
    this.#isEnded = true
    for (const { reject } of this.#jobs.splice(0)) reject(new Error('the stage has ended'))
  }

  /** Stores a last checkpoint if the stage has handled all it polled. No other call may follow. */
  async finish(): Promise<void> {
    if (this.#isDirty && !this.#hasBatch) await this.checkpoint()
  }

  get #isDirty(): boolean {
    return this.#dirtySinceMs !== undefined
  }

  async #checkpointOrDelay(): Promise<void> {
    const { classifyError, onDelay, elapsedMs, checkpointMs } = this.#options
    try {
      await this.checkpoint()
    } catch (error) {
      if (classifyError(error) !== 'retry' && classifyBusError(error) !== 'retry') throw error
      this.#dueMs = elapsedMs() + checkpointMs
      onDelay(error)
    }
  }

  async #waitForTimeout(signal: AbortSignal): Promise<void> {
    const { elapsedMs, pause } = this.#options
    const endMs = elapsedMs() + limits.pipeline.turnWaitMs
    for (let restMs = limits.pipeline.turnWaitMs; restMs > 0 && !signal.aborted; restMs = endMs - elapsedMs()) {
      await pause(restMs, signal)
    }
  }

  /** Polls messages; waits for some until the time is over or a task arrives. */
  async #pollNext(max: number, waitMs: number | undefined): Promise<readonly Message[]> {
    if (this.#wake.signal.aborted) this.#wake = new AbortController()
    if (this.#watched?.aborted === true) return []
    return await this.#options.consumer.poll({ max, signal: this.#wake.signal, ...(waitMs !== undefined && { waitMs }) })
  }

  /** Wakes the waiting poll when the stage is to end. */
  #watch(signal: AbortSignal | undefined): void {
    if (signal === undefined || signal === this.#watched) return
    this.#watched = signal
    signal.addEventListener('abort', () => this.#wake.abort(), { once: true })
  }
}

/** A task between two batches; it settles its own promise and throws nothing. */
type Job = { readonly run: () => Promise<void>; readonly reject: (error: Error) => void }
