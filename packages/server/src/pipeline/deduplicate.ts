import { parseEvent } from '@tripline/engine'
import type { Message } from '../bus/bus.ts'
import { textOf } from '../domain/decode-utf8.ts'
import { isJsonObject } from '../domain/json.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { CheckpointChange, CheckpointStore } from '../store/checkpoint-store.ts'
import type { StateStore } from '../store/state-store.ts'
import { countsOf, printHead, readHead } from './checkpoint-header.ts'
import type { Refusal } from './dead-letter.ts'
import { SeenIds, idsPrefix, shortId } from './dedup-window.ts'
import type { SeenIdsHead } from './dedup-window.ts'
import { printMessage, readRaw } from './event-message.ts'
import type { RawMessage } from './event-message.ts'
import { readingOf } from './extract-time-and-severity.ts'
import type { EventReading } from './extract-time-and-severity.ts'
import type { Measure } from './pipeline-instruments.ts'
import type { Handled, Output } from './stage.ts'
import { inTurns } from './yield-between.ts'

/** What became of a tenant's events in this stage, since ever. */
export type NormalizeTotals = {
  /** Events taken off the topic. */
  readonly taken: number
  readonly deduplicated: number
  readonly quarantined: ReadonlyMap<string, number>
}

export type NormalizerOptions = {
  readonly state: Pick<StateStore, 'checkpoints' | 'tenants'>
  readonly measure: Pick<Measure, 'normalized'>
  readonly elapsedMs: () => number
}

/** The stage between `raw-events` and `normalized-events`. */
export class Normalizer {
  readonly #options: NormalizerOptions
  readonly #lanes: ReadonlyMap<TenantId, Lane>
  readonly #opened = new Map<TenantId, Lane>()
  readonly coveredOffset: number

  private constructor(options: NormalizerOptions, lanes: ReadonlyMap<TenantId, Lane>, coveredOffset: number) {
    this.#options = options
    this.#lanes = lanes
    this.coveredOffset = coveredOffset
  }

  /** Goes on from the checkpoints of all tenants. */
  static async open(options: NormalizerOptions): Promise<Normalizer> {
    const { checkpoints, tenants } = options.state
    const lanes = new Map<TenantId, Lane>()
    let coveredOffset = 0
    for (const { id } of await tenants.list()) {
      const head = readHead(await checkpoints.load(id, stageName, 'head'))
      if (head === undefined) continue
      coveredOffset = Math.max(coveredOffset, Number(head['coveredOffset']))
      lanes.set(id, laneOf(head))
    }
    return new Normalizer(options, lanes, coveredOffset)
  }

  totalsOf(tenant: TenantId): NormalizeTotals {
    return (this.#opened.get(tenant) ?? this.#lanes.get(tenant))?.totals ?? noTotals
  }

  /** Finds when events happened and how bad they are, and holds back those whose ids came before. */
  async handle(messages: readonly Message[]): Promise<Handled> {
    // Whatever may fail comes before anything is remembered.
    for (const tenant of new Set(messages.map((message) => message.tenant))) await this.#laneOf(tenant)
    const outputs: Output[] = []
    const refused: Refusal[] = []
    const work = new Map<Lane, Work>()
    await inTurns(messages, (message) => {
      const lane = this.#opened.get(message.tenant)!
      lane.isDirty = true
      lane.totals.taken++
      const startedMs = this.#options.elapsedMs()
      const outcome = normalize(message, lane.seen)
      const done = workOf(work, lane, message.tenant)
      done.eventCount++
      done.durationMs += this.#options.elapsedMs() - startedMs
      if (outcome === 'seen') {
        lane.totals.deduplicated++
      } else if ('reason' in outcome) {
        lane.totals.quarantined.set(outcome.reason, (lane.totals.quarantined.get(outcome.reason) ?? 0) + 1)
        refused.push(outcome)
        done.failedCount++
      } else {
        outputs.push({ topic: 'normalized-events', tenant: message.tenant, bytes: outcome.bytes })
        done.handedOnCount++
      }
    })
    for (const { tenant, ...batch } of work.values()) this.#options.measure.normalized(tenant, batch)
    return { outputs, refused }
  }

  /** Keeps what is known of tenants of which something came. */
  async save(checkpoints: CheckpointStore, coveredOffset: number): Promise<() => void> {
    const dirty = [...this.#opened].filter(([, { isDirty }]) => isDirty)
    for (const [tenant, lane] of dirty) await checkpoints.save(tenant, stageName, changeOf(lane, coveredOffset))
    return () => {
      for (const [, lane] of dirty) {
        lane.isDirty = false
        lane.seen.saved()
      }
    }
  }

  async #laneOf(tenant: TenantId): Promise<void> {
    if (this.#opened.has(tenant)) return
    const lane = this.#lanes.get(tenant) ?? laneOf(undefined)
    const { checkpoints } = this.#options.state
    for (const part of await checkpoints.parts(tenant, stageName)) {
      const bytes = part.startsWith(idsPrefix) ? await checkpoints.load(tenant, stageName, part) : undefined
      if (bytes !== undefined) lane.seen.load(part, bytes)
    }
    this.#opened.set(tenant, lane)
  }
}

/** What was done with a tenant's events of a batch. */
type Work = { readonly tenant: TenantId; eventCount: number; durationMs: number; handedOnCount: number; failedCount: number }

function workOf(all: Map<Lane, Work>, lane: Lane, tenant: TenantId): Work {
  const work = all.get(lane) ?? { tenant, eventCount: 0, durationMs: 0, handedOnCount: 0, failedCount: 0 }
  all.set(lane, work)
  return work
}

const stageName = 'normalize'

const noTotals: NormalizeTotals = { taken: 0, deduplicated: 0, quarantined: new Map() }

type Lane = {
  readonly seen: SeenIds
  readonly totals: { taken: number; deduplicated: number; readonly quarantined: Map<string, number> }
  isDirty: boolean
}

function laneOf(head: { readonly [name: string]: unknown } | undefined): Lane {
  const { taken = 0, deduplicated = 0, quarantined, ids } = head ?? {}
  const totals = { taken: Number(taken), deduplicated: Number(deduplicated), quarantined: countsOf(quarantined) }
  return { seen: new SeenIds(undefined, idsHeadOf(ids)), totals, isDirty: false }
}

function idsHeadOf(ids: unknown): SeenIdsHead | undefined {
  return isJsonObject(ids) ? { generation: Number(ids['generation']), newerSince: Number(ids['newerSince']) } : undefined
}

function changeOf({ seen, totals: { taken, deduplicated, quarantined } }: Lane, coveredOffset: number): CheckpointChange {
  const head = printHead({ coveredOffset, taken, deduplicated, quarantined: Object.fromEntries(quarantined), ids: seen.head })
  const { put, drop = [] } = seen.changes()
  return { put: new Map([...put, ['head', head]]), drop }
}

function normalize({ offset, bytes: message }: Message, seen: SeenIds): { readonly bytes: Uint8Array } | Refusal | 'seen' {
  const raw = readRaw(message)
  if (raw === undefined) return { offset, reason: 'unreadable', text: 'the message has no head that can be read' }
  const reading = readingWith(raw)
  if ('reason' in reading) return { offset, reason: 'not_an_event', text: reading.reason }
  const { head: { reading: _, ...head }, bytes } = raw
  if (head.id !== undefined && !seen.add(shortId(head.id), head.receivedAt)) return 'seen'
  return { bytes: printMessage({ ...head, offset, occurredAt: head.receivedAt, ...reading }, bytes) }
}

/** What is read in an event: as it came with it, or else now. */
function readingWith({ head: { reading }, bytes }: RawMessage): EventReading | { readonly reason: string } {
  if (reading !== undefined) return reading
  const parsed = parseEvent(textOf(bytes).trim())
  return 'reason' in parsed ? parsed : readingOf(parsed.event)
}
