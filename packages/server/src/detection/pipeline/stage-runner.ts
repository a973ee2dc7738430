import { getErrorMessage } from '@tripline/common/error-message'
import type { Bus } from '@tripline/storage/bus/bus'
import { limits } from '../../limits.ts'
import type { ConsumerProgress } from '../../metrics/metric-sources.ts'
import type { Log } from '../../runtime/log.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { StateStore, Stores } from '../../state/ports/state-store.ts'
import { CheckpointedConsumer } from '../stages/checkpointed-consumer.ts'
import { classifyStateError, runStage } from '../stages/stage.ts'
import type { StageOptions } from '../stages/stage.ts'
import { HandledMessages } from './handled-messages.ts'
import { sleep } from './sleep.ts'
import { topics } from './topics.ts'

export type StageRunnerOptions = {
  readonly bus: Bus
  readonly state: Pick<StateStore, 'transaction' | 'checkpoints'>
  readonly elapsedMs: Runtime['elapsedMs']
  readonly log: Log
  /** Resolves after some time, or at once when the signal aborts; default: the timers of the process. */
  readonly pause?: StageOptions['pause']
  /** The least milliseconds between two checkpoints; default `limits.pipeline.checkpointMs`. */
  readonly checkpointMs?: number
  /** Called once, when a stage cannot go on. */
  readonly onFailure?: (error: unknown) => void
}

/** A stage with checkpoints. */
export type CheckpointedStage = {
  /** Stores what is too large for one transaction ahead of a checkpoint, which names it. */
  readonly writeAhead?: (checkpoints: Stores['checkpoints']) => Promise<void>
  /** Stores a checkpoint; the returned function is called once that is durable. */
  readonly save: (checkpoints: Stores['checkpoints'], offset: number) => Promise<() => void>
  readonly coveredOffset: number
}

/** Runs the stages of a pipeline until it is closed or one of them fails, which ends all. */
export class StageRunner {
  readonly #options: StageRunnerOptions
  readonly #stop = new AbortController()
  readonly #running: Promise<void>[] = []
  readonly #consumers = new Map<string, CheckpointedConsumer>()
  /** By the name of the stage's consumer. */
  readonly #handled = new Map<string, HandledMessages>()
  #hasFailed = false

  constructor(options: StageRunnerOptions) {
    this.#options = options
  }

  /** Aborts when the stages are to end. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  get hasFailed(): boolean {
    return this.#hasFailed
  }

  /** Milliseconds for which handled messages have waited for a checkpoint, by stage. */
  get checkpointAges(): ReadonlyMap<string, number> {
    return new Map([...this.#consumers].map(([stage, { checkpointAgeMs }]) => [stage, checkpointAgeMs]))
  }

  /** What each consumer of each topic has handled and what waits; a consumer without a stage handles what it commits. */
  get progress(): readonly ConsumerProgress[] {
    return Object.keys(topics).flatMap((topic) => this.#options.bus.stats(topic).consumers.map((stats) => {
      const handled = this.#handled.get(stats.name)
      const { handledCount, lag } = handled?.getProgress(stats) ?? { handledCount: stats.committedOffset, lag: stats.lag }
      return { topic, consumer: stats.name, handledCount, lag }
    }))
  }

  /** Opens the consumer of a stage that continues from its checkpoint. */
  async openConsumer(topic: keyof typeof topics, name: string, stage: CheckpointedStage): Promise<CheckpointedConsumer> {
    const { bus, state, elapsedMs, log, pause = sleep, checkpointMs = limits.pipeline.checkpointMs } = this.#options
    const { nextOffset } = bus.stats(topic)
    if (stage.coveredOffset > nextOffset) {
      const known = `the state has handled ${stage.coveredOffset} messages of ${topic}`
      throw new Error(`${known}, but the bus has only ${nextOffset}: it is older, or belongs to another installation`)
    }
    const consumer = await CheckpointedConsumer.open({
      consumer: bus.consumer(topic, name),
      coveredOffset: stage.coveredOffset,
      save: async (offset) => {
        await stage.writeAhead?.(state.checkpoints)
        const onSaved = await state.transaction(({ checkpoints }) => stage.save(checkpoints, offset))
        onSaved()
      },
      elapsedMs,
      checkpointMs,
      pause,
      classifyError: classifyStateError,
      onDelay: (error) => log.warn('a checkpoint is delayed', { stage: name, error: getErrorMessage(error) }),
    })
    this.#consumers.set(name, consumer)
    return consumer
  }

  /** Starts a stage, which has the name of its consumer. */
  run(stage: Pick<StageOptions, 'name' | 'consumer' | 'handle' | 'classifyError'>): void {
    const { bus, log, pause = sleep } = this.#options
    const onLost: StageOptions['onLost'] = (tenant, count) => {
      log.error('messages are corrupted on disk and lost to a stage', { stage: stage.name, tenant, count })
    }
    const publish: Bus['publish'] = (topic, tenant, messages) => bus.publish(topic, tenant, messages)
    const handled = new HandledMessages()
    this.#handled.set(stage.name, handled)
    const onHandled: StageOptions['onHandled'] = (messages) => handled.add(messages)
    const running = runStage({ ...stage, publish, pause, onHandled, onLost }, this.#stop.signal)
    const failed = (error: unknown): void => this.fail(`the stage ${stage.name} has failed`, error)
    this.#running.push(running.catch(failed).then(() => {
      if (stage.consumer instanceof CheckpointedConsumer) stage.consumer.stop()
    }))
  }

  /** Ends all stages because of an error that none recovers from. */
  fail(message: string, error: unknown): void {
    const { log, onFailure } = this.#options
    log.error(message, { error: getErrorMessage(error) })
    if (this.#hasFailed) return
    this.#hasFailed = true
    this.#stop.abort()
    onFailure?.(error)
  }

  /** Finishes the batches in hand and, unless a stage has failed, stores a last checkpoint of each. */
  async close(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#running)
    for (const consumer of this.#consumers.values()) if (!this.#hasFailed) await consumer.finish()
  }
}
