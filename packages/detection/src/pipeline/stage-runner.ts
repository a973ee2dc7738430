import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import { sleep } from '@tripline/common/sleep'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import type { Bus } from '@tripline/storage/bus/bus'
import { limits } from '../limits.ts'
import type { ConsumerProgress } from './pipeline.ts'
import { CheckpointedConsumer } from '../stages/checkpointed-consumer.ts'
import { classifyStateError, runStage } from '../stages/stage.ts'
import type { StageConsumer, StageOptions } from '../stages/stage.ts'
import { FairConsumer } from './fair-consumer.ts'
import type { FairConsumerBounds, FairConsumerOptions } from './fair-consumer.ts'
import { HandledMessages } from './handled-messages.ts'
import { topics, toStageName, toStoredName } from './topics.ts'

export type StageRunnerOptions = {
  readonly bus: Bus
  readonly state: Pick<StateStore, 'transaction' | 'checkpoints'>
  readonly elapsedMs: Runtime['elapsedMs']
  /** Tells heavy tenants from light ones. */
  readonly load?: FairConsumerOptions['load']
  /** The share of a tenant beside others; default: all have the same. */
  readonly getWeight?: FairConsumerOptions['getWeight']
  readonly log: Log
  /** Resolves after some time, or at once when the signal aborts; default: the timers of the process. */
  readonly pause?: StageOptions['pause']
  /** The least milliseconds between two checkpoints; default `limits.pipeline.checkpointMs`. */
  readonly checkpointMs?: number
  /** How far consumers read ahead, and the size of batches; default `limits.fairness`. */
  readonly bounds?: FairConsumerBounds
  /** Called once, when a stage cannot go on. */
  readonly onFailure?: (error: unknown) => void
}

/** A stage with checkpoints. */
type CheckpointedStage = {
  /** Stores what is too large for one transaction ahead of a checkpoint, which names it. */
  readonly writeAhead?: (checkpoints: Stores['checkpoints']) => Promise<void>
  /**
   * Stores a checkpoint, which covers the messages of each tenant before an offset; the returned function is called once that
   * is durable.
   */
  readonly save: (checkpoints: Stores['checkpoints'], getHandledOffset: (tenant: TenantId) => number) => Promise<() => void>
  /** All messages of a tenant before this offset are covered by its checkpoint. */
  readonly getCoveredOffset: (tenant: TenantId) => number
  /** The highest of these offsets. */
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
  readonly #fairConsumers = new Map<string, FairConsumer>()
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

  /** A stage has handled all messages of a tenant before this offset. */
  getHandledOffset(stage: string, tenant: TenantId): number {
    return this.#fairConsumers.get(stage)?.getHandledOffset(tenant) ?? 0
  }

  /** Bytes of a tenant's messages that wait for a stage. */
  getWaitingBytes(stage: string, tenant: TenantId): number {
    return this.#fairConsumers.get(stage)?.getWaitingBytes(tenant) ?? 0
  }

  /** Milliseconds for which handled messages have waited for a checkpoint, by stage. */
  get checkpointAges(): ReadonlyMap<string, number> {
    return new Map([...this.#consumers].map(([stage, { checkpointAgeMs }]) => [stage, checkpointAgeMs]))
  }

  /** What each consumer of each topic has handled and what waits; a consumer without a stage handles what it commits. */
  get progress(): readonly ConsumerProgress[] {
    return Object.keys(topics).flatMap((topic) => this.#options.bus.stats(topic).consumers.map((stats) => {
      const consumer = toStageName(stats.name)
      const handled = this.#handled.get(consumer)
      const { handledCount, lag } = handled?.getProgress(stats) ?? { handledCount: stats.committedOffset, lag: stats.lag }
      return { topic, consumer, handledCount, lag }
    }))
  }

  /** Opens the consumer of a stage without state: what it has handled is committed with each batch. */
  async openStatelessConsumer(
    topic: keyof typeof topics, name: string, estimateMs: FairConsumerOptions['estimateMs'],
  ): Promise<StageConsumer & Pick<FairConsumer, 'getHandledOffset'>> {
    const consumer = await this.#openFairConsumer(topic, name, { getCoveredOffset: () => 0, estimateMs }, 0)
    return {
      poll: (options) => consumer.poll(options),
      commit: async () => {
        consumer.settle()
        await consumer.commitHandled()
      },
      getHandledOffset: (tenant) => consumer.getHandledOffset(tenant),
    }
  }

  /** Opens the consumer of a stage that continues from its checkpoint. */
  async openConsumer(
    topic: keyof typeof topics, name: string, stage: CheckpointedStage,
    sharing: Pick<FairConsumerOptions, 'estimateMs' | 'turn' | 'isHeld'>,
  ): Promise<CheckpointedConsumer> {
    const { bus, state, elapsedMs, log, pause = sleep, checkpointMs = limits.pipeline.checkpointMs } = this.#options
    const { nextOffset } = bus.stats(topic)
    if (stage.coveredOffset > nextOffset) {
      const known = `the state has handled ${stage.coveredOffset} messages of ${topic}`
      throw new Error(`${known}, but the bus has only ${nextOffset}: it is older, or belongs to another installation`)
    }
    const getCoveredOffset = (tenant: TenantId): number => stage.getCoveredOffset(tenant)
    const consumer = await this.#openFairConsumer(topic, name, { ...sharing, getCoveredOffset }, stage.coveredOffset)
    const getHandledOffset = (tenant: TenantId): number => consumer.getHandledOffset(tenant)
    const checkpointed = new CheckpointedConsumer({
      consumer,
      save: async () => {
        await stage.writeAhead?.(state.checkpoints)
        const onSaved = await state.transaction(({ checkpoints }) => stage.save(checkpoints, getHandledOffset))
        onSaved()
      },
      elapsedMs,
      checkpointMs,
      pause,
      classifyError: classifyStateError,
      onDelay: (error) => log.warn('a checkpoint is delayed', { stage: name, error: getErrorMessage(error) }),
    })
    this.#consumers.set(name, checkpointed)
    return checkpointed
  }

  /** Starts a stage, which has the name of its consumer. */
  run(stage: Pick<StageOptions, 'name' | 'consumer' | 'handle' | 'classifyError'>): void {
    const { bus, log, pause = sleep } = this.#options
    const onLost: StageOptions['onLost'] = (tenant, count) => {
      log.error('messages are corrupted on disk and lost to a stage', { stage: stage.name, tenant, count })
    }
    const publish: Bus['publish'] = (topic, tenant, messages) => bus.publish(topic, tenant, messages)
    // A fair consumer records what it has handed out and the stage has handled.
    const handled = this.#handled.has(stage.name) ? undefined : new HandledMessages()
    if (handled !== undefined) this.#handled.set(stage.name, handled)
    const onHandled: StageOptions['onHandled'] = (messages) => handled?.add(messages)
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

  async #openFairConsumer(
    topic: keyof typeof topics, name: string,
    options: Pick<FairConsumerOptions, 'getCoveredOffset' | 'estimateMs' | 'turn' | 'isHeld'>, coveredOffset: number,
  ): Promise<FairConsumer> {
    const { bus, bounds, load, getWeight } = this.#options
    const handled = new HandledMessages()
    this.#handled.set(name, handled)
    const consumer = bus.consumer(topic, toStoredName(name))
    const opened = await FairConsumer.open({ ...options, consumer, handled, bounds, load, getWeight }, coveredOffset)
    this.#fairConsumers.set(name, opened)
    return opened
  }
}
