import { BusError } from '../bus/bus.ts'
import type { Bus, Consumer, Message } from '../bus/bus.ts'
import { getErrorMessage } from '../domain/error-message.ts'
import type { TenantId } from '../domain/tenant.ts'
import { limits } from '../limits.ts'
import { encodeDeadLetter } from './dead-letter.ts'
import type { Rejection } from './dead-letter.ts'
import { deadLetterTopic } from './topics.ts'

/** What a stage is made of. */
export type StageOptions = {
  /** Stands in dead letters. */
  readonly name: string
  readonly consumer: Consumer
  /**
   * Makes of messages what is to be published. The same messages may come again, after a restart or an error: what
   * comes of them has to be the same, with ids that are derived, and where it throws nothing may have happened.
   */
  readonly handle: (messages: readonly Message[]) => Promise<StageResult>
  readonly publish: Bus['publish']
  /** Resolves after some time, or at once when the signal comes. */
  readonly pause: (lengthMs: number, signal: AbortSignal) => Promise<void>
  /** What an error of `handle` means; without it, as `classifyBusError` says. */
  readonly judge?: ErrorClassifier
}

/** What a function made of messages. */
export type StageResult = {
  /** In the order in which they are published. */
  readonly outputs: readonly Output[]
  /** Messages that cannot be handled: dead letters. */
  readonly refused?: readonly Rejection[]
}

export type Output = { readonly topic: string; readonly tenant: TenantId; readonly bytes: Uint8Array }

/** It may pass by itself; nothing can go on; or it lies in the messages. */
export type ErrorClass = 'passes' | 'stops' | 'refuses'
export type ErrorClassifier = (error: unknown) => ErrorClass

/**
 * Runs a stage: takes messages, calls the function, publishes what comes of them, commits, until the signal comes. Then
 * the messages in hand are finished, unless they wait for something that has to pass first: they come again.
 *
 * @throws what stopped it: a bus or a store that has failed.
 */
export async function runStage(options: StageOptions, signal: AbortSignal): Promise<void> {
  const stage = { ...options, signal }
  while (!signal.aborted) {
    const messages = await stage.consumer.take({ max: limits.stage.batchMessagesMax, signal })
    if (messages.length === 0) continue
    try {
      await processBatch(stage, messages)
    } catch (error) {
      if (error instanceof StageStopped) return
      throw error
    }
  }
}

/** What an error of the bus means: a full one empties, a failed or closed one does not come back. */
export function classifyBusError(error: unknown): ErrorClass {
  if (!(error instanceof BusError)) return 'refuses'
  return error.code === 'FULL' || error.code === 'TENANT_FULL' ? 'passes' : 'stops'
}

type Stage = StageOptions & { readonly signal: AbortSignal }

/** The signal came while something had to pass first. */
class StageStopped extends Error {}

/** Does all that is to be done with messages, and only then commits them. */
async function processBatch(stage: Stage, messages: readonly Message[]): Promise<void> {
  const { outputs, refused = [] } = await handleOrBisect(stage, messages)
  const refusals = new Map(refused.map((refusal) => [refusal.offset, refusal]))
  const letters = messages.flatMap((message) => {
    const refusal = refusals.get(message.offset)
    if (refusal === undefined) return []
    return [{ topic: deadLetterTopic, tenant: message.tenant, bytes: encodeDeadLetter(stage.name, message, refusal) }]
  })
  if (letters.length !== refusals.size) throw new Error(`the stage ${stage.name} refuses a message that it was not given`)
  for (const { topic, tenant, all } of groupForPublishing([...outputs, ...letters])) {
    await withRetry(stage, classifyBusError, () => stage.publish(topic, tenant, all))
  }
  await withRetry(stage, classifyBusError, () => stage.consumer.commit(messages.at(-1)!.offset + 1))
}

/** Calls the function; where it fails again and again, halves find the message that it fails at. */
async function handleOrBisect(stage: Stage, messages: readonly Message[]): Promise<StageResult> {
  const { judge = classifyBusError } = stage
  let failure: unknown
  for (let attempt = 0; attempt < limits.stage.attemptsMax; attempt++) {
    try {
      const result = await withRetry(stage, judge, () => stage.handle(messages))
      checkOutputLengths(result.outputs)
      return result
    } catch (error) {
      if (error instanceof StageStopped || judge(error) === 'stops') throw error
      failure = error
    }
  }
  const [first] = messages
  if (messages.length === 1 && first !== undefined) {
    return { outputs: [], refused: [{ offset: first.offset, reason: 'failed', text: getErrorMessage(failure) }] }
  }
  const half = messages.length >> 1
  const before = await handleOrBisect(stage, messages.slice(0, half))
  const after = await handleOrBisect(stage, messages.slice(half))
  return { outputs: [...before.outputs, ...after.outputs], refused: [...before.refused ?? [], ...after.refused ?? []] }
}

/** What no topic takes lies in the message that it was made of. */
function checkOutputLengths(outputs: readonly Output[]): void {
  const { messageBytesMax } = limits.bus
  const tooLong = outputs.find(({ bytes }) => bytes.length > messageBytesMax)
  if (tooLong === undefined) return
  throw new Error(`what is made of it has ${tooLong.bytes.length} bytes; at most ${messageBytesMax} are taken`)
}

/** Does something, and does it again, later and later, while it fails for a reason that may pass. */
async function withRetry<Result>({ pause, signal }: Stage, judge: ErrorClassifier, work: () => Promise<Result>): Promise<Result> {
  const { retryMs, retryMsMax } = limits.stage
  for (let waitMs: number = retryMs; ; waitMs = Math.min(waitMs * 2, retryMsMax)) {
    try {
      return await work()
    } catch (error) {
      if (judge(error) !== 'passes') throw error
    }
    if (!signal.aborted) await pause(waitMs, signal)
    if (signal.aborted) throw new StageStopped()
  }
}

type Publication = { readonly topic: string; readonly tenant: TenantId; readonly all: Uint8Array[] }

/** Outputs that go to one topic for one tenant, together and in their order, as many at once as a bus takes. */
function groupForPublishing(outputs: readonly Output[]): readonly Publication[] {
  const { publishMessagesMax, publishBytesMax } = limits.bus
  const done: Publication[] = []
  const open = new Map<string, { readonly publication: Publication; bytes: number }>()
  for (const { topic, tenant, bytes } of outputs) {
    const key = JSON.stringify([topic, tenant])
    let entry = open.get(key)
    const { length } = entry?.publication.all ?? []
    if (entry === undefined || length === publishMessagesMax || entry.bytes + bytes.length > publishBytesMax) {
      entry = { publication: { topic, tenant, all: [] }, bytes: 0 }
      open.set(key, entry)
      done.push(entry.publication)
    }
    entry.publication.all.push(bytes)
    entry.bytes += bytes.length
  }
  return done
}
