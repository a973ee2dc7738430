import { SerialQueue } from '@tripline/common/serial-queue'
import { toStageName } from '@tripline/detection/pipeline/topics'
import { decodeDeadLetter } from '@tripline/detection/stages/dead-letter'
import type { DeadLetter } from '@tripline/detection/stages/dead-letter'
import { parseRawMessage } from '@tripline/detection/stages/event-message'
import type { RawMessage } from '@tripline/detection/stages/event-message'
import type { TenantId } from '@tripline/model/tenant'
import type { Bus, Message, MessageReader } from '@tripline/storage/bus/bus'
import { createHash } from 'node:crypto'
import { limits } from './limits.ts'
import { decodeRepeatMark, encodeRepeatMark } from './repeat-mark.ts'

/** A record that a stage could not handle. */
export type Failure = {
  readonly id: string
  readonly stage: string
  readonly reason: string
  readonly text: string
  /** When the record was received, and through which connector; undefined where its header cannot be read. */
  readonly receivedAt: number | undefined
  readonly connectorId: string | undefined
  /** The beginning of the record. */
  readonly excerpt: string
  readonly byteCount: number
  /** Whether the record is there in full and was not evaluated, so that it can be sent again. */
  readonly isRepeatable: boolean
  /** Whether it was sent again. */
  readonly isRepeated: boolean
  /** Its place on the topic. */
  readonly offset: number
}

type IndexOptions = { readonly bus: Pick<Bus, 'readKept' | 'publish'>; readonly topic: string }

/**
 * The newest failures of each tenant, of the topic of dead letters: its end is read once, and on from there with each request.
 * Which of them were sent again stands on the topic as well.
 */
export class FailureIndex {
  readonly topic: string
  readonly #bus: IndexOptions['bus']
  readonly #reads = new SerialQueue()
  readonly #failures = new Map<TenantId, Failure[]>()
  readonly #repeated = new Set<string>()
  #count = 0
  #reader: MessageReader | undefined

  constructor({ bus, topic }: IndexOptions) {
    this.#bus = bus
    this.topic = topic
  }

  /** The newest failures of a tenant, the newest first. */
  async list(tenant: TenantId): Promise<readonly Failure[]> {
    await this.#reads.run(() => this.#readOn())
    return (this.#failures.get(tenant) ?? []).toReversed().map((failure) => ({ ...failure, isRepeated: this.#repeated.has(failure.id) }))
  }

  /** Reads the records of failures of a tenant in full; those that are no longer stored are left out. */
  async readRecords(tenant: TenantId, failures: readonly Failure[]): Promise<ReadonlyMap<string, RawMessage>> {
    const found = new Map<string, RawMessage>()
    const offsets = new Map(failures.map(({ offset, id }) => [offset, id]))
    const [from, last] = [Math.min(...offsets.keys()), Math.max(...offsets.keys())]
    for await (const message of readAll(this.#bus.readKept(this.topic, { from }))) {
      if (message.offset > last) break
      const id = offsets.get(message.offset)
      if (message.tenant !== tenant || message.lostCost !== undefined || id !== computeFailureId(message)) continue
      const letter = decodeDeadLetter(message.bytes)
      const record = letter && parseRawMessage(letter.bytes)
      if (record !== undefined) found.set(id, record)
    }
    return found
  }

  /** Notes that failures were sent again, on the topic too, so that it is known after a start. */
  async markRepeated(tenant: TenantId, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    for (const id of ids) this.#repeated.add(id)
    await this.#bus.publish(this.topic, tenant, [encodeRepeatMark(ids)], { isControl: true })
  }

  /** Forgets everything, because the topic was written anew; the next request reads it again. */
  forget(): void {
    void this.#reads.run(() => {
      this.#failures.clear()
      this.#repeated.clear()
      this.#count = 0
      this.#reader = undefined
      return Promise.resolve()
    })
  }

  async #readOn(): Promise<void> {
    this.#reader ??= this.#bus.readKept(this.topic, { newestBytes: limits.failures.newestBytes })
    for await (const message of readAll(this.#reader)) {
      if (message.lostCost !== undefined) continue
      const letter = decodeDeadLetter(message.bytes)
      if (letter !== undefined) this.#add(message, letter)
      else this.#addMarks(message)
    }
  }

  /** Marks are of their tenant's failures alone, and stand behind them. */
  #addMarks({ tenant, bytes }: Message): void {
    const known = new Set(this.#failures.get(tenant)?.map(({ id }) => id))
    for (const id of decodeRepeatMark(bytes)) if (known.has(id)) this.#repeated.add(id)
  }

  #add(message: Message, letter: DeadLetter): void {
    const { tenantMax, allMax } = limits.failures
    const failures = this.#failures.get(message.tenant) ?? []
    this.#failures.set(message.tenant, failures)
    const failure = describeFailure(message, letter)
    // A stage that was killed may have told of a record twice.
    if (failures.some(({ id }) => id === failure.id)) return
    failures.push(failure)
    this.#count++
    if (failures.length > tenantMax) this.#dropOldest(failures)
    if (this.#count <= allMax) return
    this.#dropOldest([...this.#failures.values()].reduce((one, other) => (other.length > one.length ? other : one)))
  }

  #dropOldest(failures: Failure[]): void {
    const dropped = failures.shift()
    if (dropped !== undefined) this.#repeated.delete(dropped.id)
    this.#count--
  }
}

async function* readAll(reader: MessageReader): AsyncGenerator<Message> {
  const { readAtOnce } = limits.failures
  for (let read = await reader.read(readAtOnce); read.length > 0; read = await reader.read(readAtOnce)) yield* read
}

/** The same for a letter wherever it stands, since erasures move it; it tells nothing of other tenants. */
function computeFailureId({ tenant, bytes }: Message): string {
  return createHash('sha256').update(`${tenant}\n`).update(bytes).digest('base64url').slice(0, limits.failures.idLength)
}

function describeFailure(message: Message, { stage: storedStage, reason, text, cutBytes, bytes }: DeadLetter): Failure {
  const record = parseRawMessage(bytes)
  const event = record?.bytes ?? bytes
  const stage = toStageName(storedStage)
  return {
    id: computeFailureId(message), offset: message.offset, stage, reason, text,
    receivedAt: record?.head.receivedAt,
    connectorId: record?.head.connectorId,
    excerpt: Buffer.from(event.subarray(0, limits.failures.excerptBytesMax)).toString('utf8'),
    byteCount: event.length + cutBytes,
    // Later stages have stored the event, or evaluated it, before they failed: it would be there twice.
    isRepeatable: stage === 'deduplicate' && record !== undefined && cutBytes === 0,
    isRepeated: false,
  }
}
