import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import { editDescription } from '@tripline/detection/rules/edit-definition'
import type { RuleRegistry } from '@tripline/detection/rules/rule-registry'
import type { SecretBox, SecretContext } from '@tripline/model/access/secret-box'
import { SubjectText } from '@tripline/model/compliance/erasure'
import type { Erasure } from '@tripline/model/compliance/erasure'
import type { TenantId } from '@tripline/model/tenant'
import type { ScheduledJob } from '@tripline/state/ports/job-store'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { Bus } from '@tripline/storage/bus/bus'
import type { EventStore } from '@tripline/storage/events/event-store'
import { TenantTurns } from '../runtime/tenant-turns.ts'
import { eraseFromRules } from './erase-from-rules.ts'
import { limits } from './limits.ts'

type RunnerDeps = {
  readonly state: StateStore
  readonly holders: Holders
  readonly queues: Queues
  readonly secrets: SecretBox
  readonly clock: Pick<Runtime, 'now'> & { readonly sleep: (ms: number, signal: AbortSignal) => Promise<void> }
  readonly log: Pick<Log, 'error' | 'info' | 'warn'>
}

/** What holds data of persons beside the state, and is asked to erase them. */
type Holders = { readonly events: Pick<EventStore, 'erase'>; readonly ruleBooks: Pick<RuleRegistry, 'change'> }

/** What holds events, and what was made of them, on their way to the store and the state. */
type Queues = {
  readonly bus: Pick<Bus, 'stats' | 'discard'>
  /** Topics of the bus with events on their way to the store, and that of messages that could not be handled. */
  readonly topics: readonly string[]
  /** `forget` drops what is remembered of the messages of the topic. */
  readonly deadLetters: { readonly topic: string; readonly forget: () => void }
  /** What this process remembers of events and writes to the state later, such as the users that events name. */
  readonly unwritten: readonly { readonly flush: () => Promise<void> }[]
  /** Events in memory that tests of connectors show. */
  readonly samples: { readonly forget: (tenant: TenantId) => void }
  /** Changes of the state on their way to what follows from them, such as incidents. */
  readonly outbox: {
    readonly getHead: (tenant: TenantId) => number
    readonly hasHandled: (tenant: TenantId, through: number) => boolean
  }
}

const everything = { kind: 'constant', value: true } as const
const system = { type: 'system', id: 'erasure', email: undefined } as const

/**
 * Carries out erasures, tenants in turns: events in the store, then what queues and dead letters still hold of them, then rules and
 * other texts in the state, after what this process remembers of events is written to it. Each step can be repeated, so what a
 * killed process left is carried out from the beginning.
 */
export class ErasureRunner {
  readonly #deps: RunnerDeps
  readonly #turns: TenantTurns

  constructor(deps: RunnerDeps) {
    this.#deps = deps
    this.#turns = new TenantTurns({ serve: (tenant) => this.#serve(tenant), failure: 'an erasure waits', log: deps.log })
  }

  /** Encrypts the texts that identify a person, for as long as their erasure waits. */
  seal(tenant: TenantId, requestId: string, identifiers: readonly string[]): string {
    return this.#deps.secrets.seal(getContext(tenant, requestId), JSON.stringify(identifiers))
  }

  /** A tenant has an erasure that waits. */
  wake(tenant: TenantId): void {
    this.#turns.wake(tenant)
  }

  /** The job that carries out what waits. */
  createJob(): ScheduledJob {
    const { checkMs, firstMs } = limits.erasure
    return {
      name: 'erasures', everyMs: checkMs, afterStartMs: firstMs, failure: 'erasures could not be carried out',
      run: async () => {
        const { tenants, erasures } = this.#deps.state
        for (const { id } of await tenants.list()) if ((await erasures.listUnfinished(id)).length > 0) this.wake(id)
        await this.untilIdle()
      },
    }
  }

  untilIdle(): Promise<void> {
    return this.#turns.untilIdle()
  }

  /** Ends after the step in hand; the erasure is carried out again at the next start. */
  stop(): Promise<void> {
    return this.#turns.stop()
  }

  async #serve(tenant: TenantId): Promise<boolean> {
    const [oldest, next] = await this.#deps.state.erasures.listUnfinished(tenant)
    if (oldest === undefined) return false
    await this.#carryOut(tenant, oldest)
    return next !== undefined
  }

  async #carryOut(tenant: TenantId, begun: Erasure): Promise<void> {
    const { state, secrets, clock, log } = this.#deps
    const { requestId } = begun
    const running: Erasure = { ...begun, status: 'running' }
    await state.erasures.put(tenant, running)
    try {
      const identifiers = JSON.parse(secrets.open(getContext(tenant, requestId), begun.sealedIdentifiers)) as string[]
      const counts = await this.#erase(tenant, new SubjectText(identifiers))
      if (counts === undefined) return
      await this.#finish(tenant, { ...running, status: 'succeeded', ...counts })
      log.info('the data of a person was erased', { tenant, request: requestId, events: counts.eventCount, rows: counts.rowCount })
    } catch (error) {
      if (this.#turns.signal.aborted) return
      const message = getErrorMessage(error)
      log.error('the data of a person could not be erased', { tenant, request: requestId, error: message })
      await state.erasures.put(tenant, {
        ...running, status: 'failed', sealedIdentifiers: '', finishedAt: clock.now(),
        error: message.slice(0, limits.erasure.errorLengthMax),
      })
    }
  }

  /** Undefined where the server stops meanwhile. */
  async #erase(tenant: TenantId, subject: SubjectText): Promise<Pick<Erasure, 'eventCount' | 'rowCount' | 'kept'> | undefined> {
    const { state, holders: { events, ruleBooks }, clock: { now }, queues } = this.#deps
    const { bus, topics, deadLetters, unwritten, samples, outbox } = queues
    const { signal } = this.#turns
    // What was accepted before is stored and has made its alerts.
    await this.#waitForQueues()
    const isErased = ({ bytes }: { readonly bytes: Uint8Array }): boolean => subject.isInEvent(Buffer.from(bytes).toString('utf8'))
    const { eventCount } = await events.erase({ tenant, predicate: everything, isErased })
    if (signal.aborted) return undefined
    await bus.discard(deadLetters.topic, (message) => message.tenant !== tenant || !isErased(message))
    deadLetters.forget()
    for (const topic of topics) await this.#discard(topic)
    samples.forget(tenant)
    // Written later, this would bring names back.
    for (const buffer of unwritten) await buffer.flush()
    const ruleCount = await eraseFromRules({ state, ruleBooks, now }, tenant, subject)
    const head = outbox.getHead(tenant)
    await this.#retry('of changes', () => outbox.hasHandled(tenant, head))
    if (signal.aborted) return undefined
    const editRule = (definition: string): string => editDescription(definition, (text) => subject.replaceIn(text))
    const rowCount = ruleCount + await state.erasures.eraseTexts(tenant, subject, editRule)
    return { eventCount, rowCount, kept: await state.erasures.listKept(tenant, subject) }
  }

  /** Waits until every consumer has committed what the queues hold now. */
  async #waitForQueues(): Promise<void> {
    const { bus, topics } = this.#deps.queues
    const ends = new Map(topics.map((topic) => [topic, bus.stats(topic).nextOffset]))
    for (const [topic, end] of ends) {
      await this.#retry(topic, () => bus.stats(topic).consumers.every(({ committedOffset }) => committedOffset >= end))
    }
  }

  /** Deletes what a queue holds. Other tenants may publish meanwhile, so it may take some attempts. */
  async #discard(topic: string): Promise<void> {
    await this.#retry(topic, () => this.#deps.queues.bus.discard(topic))
  }

  async #retry(topic: string, isDone: () => boolean | Promise<boolean>): Promise<void> {
    const { queueCheckMs, queueMs } = limits.erasure
    const { signal } = this.#turns
    for (let waitedMs = 0; !await isDone(); waitedMs += queueCheckMs) {
      if (waitedMs >= queueMs) throw new Error(`the queue ${topic} still holds earlier events; begin the erasure again when it is empty`)
      await this.#deps.clock.sleep(queueCheckMs, signal)
      signal.throwIfAborted()
    }
  }

  async #finish(tenant: TenantId, erasure: Erasure): Promise<void> {
    const { state, clock } = this.#deps
    const at = clock.now()
    await state.transaction(async (stores) => {
      await stores.erasures.put(tenant, { ...erasure, sealedIdentifiers: '', finishedAt: at })
      await stores.dataSubjectRequests.update(tenant, erasure.requestId, { status: 'completed' }, { expectedVersion: undefined, at })
      await stores.audit.append(tenant, {
        at, actor: system, action: 'dsr.erased', target: { type: 'dsr', id: erasure.requestId }, outcome: 'success',
        diff: { events: erasure.eventCount, rows: erasure.rowCount }, ip: undefined, userAgent: undefined, requestId: undefined,
      })
    })
  }
}

/** The context in which the texts that identify a person are encrypted. */
function getContext(tenant: TenantId, requestId: string): SecretContext {
  return { tenant, owner: `erasure ${requestId}`, key: 'identifiers' }
}
