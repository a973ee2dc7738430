import type { Consumer, Message, PollOptions } from '../bus/bus.ts'
import { limits } from '../limits.ts'
import { createDetectionStalledError } from './backpressure-errors.ts'
import { classifyBusError } from './stage.ts'
import type { ErrorClass, StageOptions } from './stage.ts'

/** How a stage keeps what it knows. */
export type CheckpointOptions = {
  readonly consumer: Consumer
  /** Everything before this offset is in a checkpoint. */
  readonly coveredOffset: number
  /** Keeps what the stage knows now, which stands for all messages before an offset. */
  readonly save: (offset: number) => Promise<void>
  readonly elapsedMs: () => number
  /** Milliseconds between two checkpoints at least. */
  readonly checkpointMs: number
  readonly pause: StageOptions['pause']
  /** What an error of `save` means. One that passes leaves the checkpoint to the next time, and is told. */
  readonly judge: (error: unknown) => ErrorClass
  readonly onDelay: (error: unknown) => void
}

/**
 * Reads for a stage that remembers what it has seen. Messages are committed when a checkpoint stands for them, now and
 * then, so that after a restart what no checkpoint stands for comes again, and nothing else. Between two batches it does
 * what others ask for.
 */
export class CheckpointedConsumer implements Consumer {
  readonly #options: CheckpointOptions
  /** Messages that were taken while it was opened. */
  #buffered: readonly Message[] = []
  #savedOffset: number
  #doneOffset: number
  #dueMs: number
  #hasBatch = false
  #jobs: Job[] = []
  #wake = new AbortController()
  #watched: AbortSignal | undefined
  #isEnded = false

  private constructor(options: CheckpointOptions) {
    this.#options = options
    this.#savedOffset = this.#doneOffset = options.coveredOffset
    this.#dueMs = options.elapsedMs() + options.checkpointMs
  }

  /** Passes over the messages that a checkpoint stands for and that were not committed any more. */
  static async open(options: CheckpointOptions): Promise<CheckpointedConsumer> {
    const opened = new CheckpointedConsumer(options)
    const { consumer, coveredOffset } = options
    let passedOffset = 0
    while (opened.#buffered.length === 0) {
      const messages = await consumer.take({ max: limits.stage.batchMessagesMax, waitMs: 0 })
      if (messages.length === 0) break
      opened.#buffered = messages.filter(({ offset }) => offset >= coveredOffset)
      passedOffset = messages.at(-1)!.offset + 1
    }
    await consumer.commit(Math.min(coveredOffset, passedOffset))
    return opened
  }

  async take({ max, signal }: PollOptions): Promise<readonly Message[]> {
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

  /** Notes that the messages before an offset are done; they are committed with the next checkpoint. */
  async commit(offset: number): Promise<void> {
    this.#doneOffset = offset
    this.#hasBatch = false
  }

  /**
   * Does something between two batches, when all that was taken is done.
   *
   * @throws AppError UNAVAILABLE where that does not come in time, because what comes of a batch finds no room; then it
   *   is not done later either.
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

  /** Makes a checkpoint and commits what it stands for; to be called between two batches. */
  async checkpoint(): Promise<void> {
    const { save, consumer, elapsedMs, checkpointMs } = this.#options
    const begunMs = elapsedMs()
    const offset = this.#doneOffset
    await save(offset)
    await consumer.commit(offset)
    this.#savedOffset = offset
    const tookMs = elapsedMs() - begunMs
    this.#dueMs = elapsedMs() + Math.max(checkpointMs, tookMs * limits.pipeline.checkpointRestFactor)
  }

  /** Does nothing more between batches: the stage has ended, or cannot go on. */
  stop(): void {
    this.#isEnded = true
    for (const { reject } of this.#jobs.splice(0)) reject(new Error('the stage has ended'))
  }

  /** Makes a last checkpoint where the stage has done all that it took; nothing is asked afterwards. */
  async finish(): Promise<void> {
    if (this.#isDirty && !this.#hasBatch) await this.checkpoint()
  }

  get #isDirty(): boolean {
    return this.#doneOffset > this.#savedOffset
  }

  async #checkpointOrDelay(): Promise<void> {
    const { judge, onDelay, elapsedMs, checkpointMs } = this.#options
    try {
      await this.checkpoint()
    } catch (error) {
      if (judge(error) !== 'passes' && classifyBusError(error) !== 'passes') throw error
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

  /** Takes messages; waits for some until the time is over, or somebody wakes it. */
  async #pollNext(max: number, waitMs: number | undefined): Promise<readonly Message[]> {
    if (this.#buffered.length > 0) {
      const messages = this.#buffered.slice(0, max)
      this.#buffered = this.#buffered.slice(max)
      return messages
    }
    if (this.#wake.signal.aborted) this.#wake = new AbortController()
    if (this.#watched?.aborted === true) return []
    return await this.#options.consumer.take({ max, signal: this.#wake.signal, ...(waitMs !== undefined && { waitMs }) })
  }

  /** Whoever waits is woken when the stage is to end. */
  #watch(signal: AbortSignal | undefined): void {
    if (signal === undefined || signal === this.#watched) return
    this.#watched = signal
    signal.addEventListener('abort', () => this.#wake.abort(), { once: true })
  }
}

/** What is to be done between two batches; it settles its own promise and throws nothing. */
type Job = { readonly run: () => Promise<void>; readonly reject: (error: Error) => void }
