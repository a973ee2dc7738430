import { getErrorMessage } from '@tripline/common/error-message'
import type { TenantId } from '@tripline/model/tenant'
import { isTransientStateError } from '@tripline/state/ports/store-error'
import { BusError } from '@tripline/storage/bus/bus'
import type { Bus, Consumer, Message } from '@tripline/storage/bus/bus'
import { isResourceShortage } from '@tripline/storage/disk/file-system'
import { limits } from '../limits.ts'
import { encodeDeadLetter } from './dead-letter.ts'
import type { Rejection } from './dead-letter.ts'
import { deadLetterTopic } from '../pipeline/topics.ts'

/** The parts of a stage. */
export type StageOptions = {
  /** The name in dead letters. */
  readonly name: string
  readonly consumer: StageConsumer
  /**
   * Converts messages to what is to be published. The same messages may be handled again after a restart or an error:
   * the results must be the same, with derived ids, and after an exception nothing may have happened.
   */
  readonly handle: (messages: readonly Message[]) => Promise<StageResult>
  readonly publish: Bus['publish']
  /** Resolves after some time, or at once when the signal aborts. */
  readonly pause: (lengthMs: number, signal: AbortSignal) => Promise<void>
  /** Classifies an error of `handle`; default `classifyBusError`. */
  readonly classifyError?: ErrorClassifier
  /** Called with messages once they are handled and their results are published; a commit follows. */
  readonly onHandled?: (messages: readonly Message[]) => void
  /** Called with the number of a tenant's messages in a batch whose bytes are corrupted. */
  readonly onLost?: (tenant: TenantId, count: number) => void
}

/** What a stage needs of a consumer; messages of different tenants may come in any order. */
export type StageConsumer = {
  readonly poll: Consumer['poll']
  /** Called once the polled messages are handled, with the offset behind the last of them. */
  readonly commit: Consumer['commit']
}

/** The result of handling messages. */
export type StageResult = {
  /** In publishing order. */
  readonly outputs: readonly Output[]
  /** Messages that cannot be handled and become dead letters. */
  readonly rejected?: readonly Rejection[]
}

export type Output = { readonly topic: string; readonly tenant: TenantId; readonly bytes: Uint8Array }

/** Retry: it may recover by itself. Fatal: nothing can go on. Reject: the messages cause it. */
export type ErrorClass = 'retry' | 'fatal' | 'reject'
type ErrorClassifier = (error: unknown) => ErrorClass

/**
 * Runs a stage until the signal aborts: polls messages, handles them, publishes the results, commits. On abort the
 * batch in hand is finished, unless it waits for a retry; then its messages are delivered again.
 *
 * @throws the fatal error that stopped it: a failed bus or store.
 */
export async function runStage(options: StageOptions, signal: AbortSignal): Promise<void> {
  const stage = { ...options, signal }
  while (!signal.aborted) {
    try {
      const messages = await withRetry(stage, classifyBusError, () => stage.consumer.poll({ max: limits.stage.batchMessagesMax, signal }))
      if (messages.length > 0) await processBatch(stage, messages)
    } catch (error) {
      if (error instanceof StageStopped) return
      throw error
    }
  }
}

/** Classifies an error of the bus: a full one and a shortage of resources recover, a failed or closed one does not. */
export function classifyBusError(error: unknown): ErrorClass {
  if (isResourceShortage(error)) return 'retry'
  if (!(error instanceof BusError)) return 'reject'
  return error.code === 'FULL' || error.code === 'TENANT_FULL' ? 'retry' : 'fatal'
}

type Stage = StageOptions & { readonly signal: AbortSignal }

/** The signal aborted while a retry was pending. */
class StageStopped extends Error {}

/** Handles a batch completely, and only then commits it. */
async function processBatch(stage: Stage, messages: readonly Message[]): Promise<void> {
  const lost = Map.groupBy(messages.filter(({ lostCost }) => lostCost !== undefined), ({ tenant }) => tenant)
  for (const [tenant, { length }] of lost) stage.onLost?.(tenant, length)
  const { outputs, rejected = [] } = await handleOrBisect(stage, messages)
  const refusals = new Map(rejected.map((refusal) => [refusal.offset, refusal]))
  const letters = messages.flatMap((message) => {
    const refusal = refusals.get(message.offset)
    if (refusal === undefined) return []
    return [{ topic: deadLetterTopic, tenant: message.tenant, bytes: encodeDeadLetter(stage.name, message, refusal) }]
  })
  if (letters.length !== refusals.size) throw new Error(`the stage ${stage.name} rejected a message that was not in its batch`)
  for (const { topic, tenant, all } of groupForPublishing([...outputs, ...letters])) {
    await withRetry(stage, classifyBusError, () => stage.publish(topic, tenant, all))
  }
  stage.onHandled?.(messages)
  await withRetry(stage, classifyBusError, () => stage.consumer.commit(messages.at(-1)!.offset + 1))
}

/** Handles messages; if that keeps failing, bisects the batch to find the message that causes it. */
async function handleOrBisect(stage: Stage, messages: readonly Message[]): Promise<StageResult> {
  const { classifyError = classifyBusError } = stage
  let failure: unknown
  for (let attempt = 0; attempt < limits.stage.attemptsMax; attempt++) {
    try {
      const result = await withRetry(stage, classifyError, () => stage.handle(messages))
      checkOutputLengths(result.outputs)
      return result
    } catch (error) {
      if (error instanceof StageStopped || classifyError(error) === 'fatal') throw error
      failure = error
    }
  }
  const [first] = messages
  if (messages.length === 1 && first !== undefined) {
    return { outputs: [], rejected: [{ offset: first.offset, reason: 'failed', text: getErrorMessage(failure) }] }
  }
  const half = messages.length >> 1
  const before = await handleOrBisect(stage, messages.slice(0, half))
  const after = await handleOrBisect(stage, messages.slice(half))
  return { outputs: [...before.outputs, ...after.outputs], rejected: [...before.rejected ?? [], ...after.rejected ?? []] }
}

/** An output that no topic accepts is the fault of its message. */
function checkOutputLengths(outputs: readonly Output[]): void {
  const { messageBytesMax } = limits.bus
  const tooLong = outputs.find(({ bytes }) => bytes.length > messageBytesMax)
  if (tooLong === undefined) return
  throw new Error(`the output has ${tooLong.bytes.length} bytes; the limit of a message is ${messageBytesMax}`)
}

/** Runs work again with exponential backoff while it fails with a retryable error. */
async function withRetry<Result>({ pause, signal }: Stage, classify: ErrorClassifier, work: () => Promise<Result>): Promise<Result> {
  const { retryMs, retryMsMax } = limits.stage
  for (let waitMs: number = retryMs; ; waitMs = Math.min(waitMs * 2, retryMsMax)) {
    try {
      return await work()
    } catch (error) {
      if (classify(error) !== 'retry') throw error
    }
    if (!signal.aborted) await pause(waitMs, signal)
    if (signal.aborted) throw new StageStopped()
  }
}

type Publication = { readonly topic: string; readonly tenant: TenantId; readonly all: Uint8Array[] }

/** Groups outputs by topic and tenant, in order, into batches that the bus accepts. */
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

/**
 * Classifies a stage's error of the state database: a full, locked or read-only one may recover, everything else is a
 * bug.
 */
export function classifyStateError(error: unknown): ErrorClass {
  return isTransientStateError(error) || classifyBusError(error) === 'retry' ? 'retry' : 'fatal'
}
