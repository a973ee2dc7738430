import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { isJsonObject } from '@tripline/common/json'
import { parseEvent } from '@tripline/engine'
import { extractTimeAndSeverity } from '@tripline/formats/event/extract-time-and-severity'
import type { TimeAndSeverity } from '@tripline/formats/event/extract-time-and-severity'
import type { TenantId } from '@tripline/model/tenant'
import type { CheckpointChange, CheckpointStore } from '@tripline/state/ports/checkpoint-store'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { Message } from '@tripline/storage/bus/bus'
import type { PipelineInstruments } from '../pipeline/pipeline-instruments.ts'
import { toStoredName } from '../pipeline/topics.ts'
import { forEachSlice } from '../pipeline/yield-between.ts'
import type { StageTurns } from '../pipeline/yield-between.ts'
import { parseCounts, printHeader, readHeader } from './checkpoint-header.ts'
import type { Rejection } from './dead-letter.ts'
import { DedupWindow, idsPrefix, shortenId } from './dedup-window.ts'
import type { DedupWindowHeader } from './dedup-window.ts'
import { printMessage, parseRawMessage } from './event-message.ts'
import type { StageResult, Output } from './stage.ts'
import type { TenantMappings } from './tenant-mappings.ts'

/** The accounting of a tenant's events in this stage, since the tenant was created. */
export type DeduplicatorTotals = {
  /** Events read from the topic. */
  readonly taken: number
  readonly deduplicated: number
  /** Events whose bytes were corrupted on the topic. */
  readonly lost: number
  readonly quarantined: ReadonlyMap<string, number>
}

type DeduplicatorOptions = StageTurns & {
  readonly state: Pick<StateStore, 'checkpoints' | 'tenants'>
  readonly instruments: Pick<PipelineInstruments, 'deduplicated'>
  readonly mappings: Pick<TenantMappings, 'load' | 'map'>
  /** Milliseconds of processor time of the thread, with which batches are measured. */
  readonly processorMs: () => number
  /** The accepted events of a tenant, which a checkpoint stores. */
  readonly getAccepted: (tenant: TenantId) => number
}

const stageName = toStoredName('deduplicate')

const noTotals: DeduplicatorTotals = { taken: 0, deduplicated: 0, lost: 0, quarantined: new Map() }

/** The stage between `raw-events` and `normalized-events`. */
export class Deduplicator {
  readonly #options: DeduplicatorOptions
  readonly #tenants: ReadonlyMap<TenantId, TenantState>
  readonly #opened = new Map<TenantId, TenantState>()

  private constructor(options: DeduplicatorOptions, lanes: ReadonlyMap<TenantId, TenantState>) {
    this.#options = options
    this.#tenants = lanes
  }

  /** Continues from the checkpoints of all tenants. */
  static async open(options: DeduplicatorOptions): Promise<Deduplicator> {
    const { checkpoints, tenants } = options.state
    const lanes = new Map<TenantId, TenantState>()
    for (const { id } of await tenants.list()) {
      const head = readHeader(await checkpoints.load(id, stageName, 'head'))
      if (head === undefined) continue
      lanes.set(id, createTenantState(head))
    }
    return new Deduplicator(options, lanes)
  }

  /** The highest offset that any checkpoint covers. */
  get coveredOffset(): number {
    return Math.max(0, ...[...this.#tenants.values()].map(({ coveredOffset }) => coveredOffset))
  }

  /** All messages of a tenant before this offset are covered by its checkpoint. */
  getCoveredOffset(tenant: TenantId): number {
    return this.#tenants.get(tenant)?.coveredOffset ?? 0
  }

  getTotals(tenant: TenantId): DeduplicatorTotals {
    return (this.#opened.get(tenant) ?? this.#tenants.get(tenant))?.totals ?? noTotals
  }

  /**
   * Counts as lost the events that the last checkpoint knows as accepted and the topic does not have any more; returns the
   * number of accepted events.
   */
  recordMissing(tenant: TenantId, presentCount: number): number {
    const lane = this.#tenants.get(tenant)
    const missingCount = (lane?.savedAccepted ?? 0) - presentCount
    if (lane === undefined || missingCount <= 0) return presentCount
    lane.totals.taken += missingCount
    lane.totals.lost += missingCount
    return presentCount + missingCount
  }

  /** Maps events, extracts their time and severity, and drops those whose id was seen before. */
  async handle(messages: readonly Message[]): Promise<StageResult> {
    // Whatever may fail comes before the state changes.
    for (const tenant of new Set(messages.map((message) => message.tenant))) {
      await this.#openTenant(tenant)
      await this.#options.mappings.load(tenant)
    }
    const outputs: Output[] = []
    const rejected: Rejection[] = []
    const work = new Map<TenantState, Work>()
    const handleOne = (message: Message): void => {
      const lane = this.#opened.get(message.tenant)!
      lane.isDirty = true
      lane.totals.taken++
      if (message.lostCost !== undefined) {
        lane.totals.lost++
        return
      }
      const startedMs = this.#options.processorMs()
      const outcome = deduplicateMessage(message, lane.seen, this.#options.mappings)
      const done = getWork(work, lane, message.tenant)
      done.eventCount++
      done.durationMs += this.#options.processorMs() - startedMs
      if (outcome === 'seen') {
        lane.totals.deduplicated++
      } else if ('reason' in outcome) {
        lane.totals.quarantined.set(outcome.reason, (lane.totals.quarantined.get(outcome.reason) ?? 0) + 1)
        rejected.push(outcome)
        done.failedCount++
      } else {
        outputs.push({ topic: 'normalized-events', tenant: message.tenant, bytes: outcome.bytes })
        done.handedOnCount++
      }
    }
    await forEachSlice(this.#options, messages, (slice) => {
      for (const message of slice) handleOne(message)
    })
    for (const { tenant, ...batch } of work.values()) this.#options.instruments.deduplicated(tenant, batch)
    return { outputs, rejected }
  }

  /** Stores the state of tenants that changed, each with the offset before which its messages are handled. */
  async save(checkpoints: CheckpointStore, getHandledOffset: (tenant: TenantId) => number): Promise<() => void> {
    const dirty = [...this.#opened].filter(([, { isDirty }]) => isDirty)
    for (const [tenant, lane] of dirty) {
      const accepted = Math.max(lane.savedAccepted, this.#options.getAccepted(tenant))
      await checkpoints.save(tenant, stageName, toCheckpointChange(lane, { coveredOffset: getHandledOffset(tenant), accepted }))
    }
    return () => {
      for (const [, lane] of dirty) {
        lane.isDirty = false
        lane.seen.saved()
      }
    }
  }

  async #openTenant(tenant: TenantId): Promise<void> {
    if (this.#opened.has(tenant)) return
    const lane = this.#tenants.get(tenant) ?? createTenantState(undefined)
    const { checkpoints } = this.#options.state
    for (const part of await checkpoints.parts(tenant, stageName)) {
      const bytes = part.startsWith(idsPrefix) ? await checkpoints.load(tenant, stageName, part) : undefined
      if (bytes !== undefined) lane.seen.load(part, bytes)
    }
    this.#opened.set(tenant, lane)
  }
}

/** The work done for a tenant in a batch. */
type Work = { readonly tenant: TenantId; eventCount: number; durationMs: number; handedOnCount: number; failedCount: number }

function getWork(all: Map<TenantState, Work>, lane: TenantState, tenant: TenantId): Work {
  const work = all.get(lane) ?? { tenant, eventCount: 0, durationMs: 0, handedOnCount: 0, failedCount: 0 }
  all.set(lane, work)
  return work
}

type TenantState = {
  readonly seen: DedupWindow
  readonly totals: { taken: number; deduplicated: number; lost: number; readonly quarantined: Map<string, number> }
  /** The accepted events of the last checkpoint: there never are fewer. */
  readonly savedAccepted: number
  readonly coveredOffset: number
  isDirty: boolean
}

function createTenantState(head: { readonly [name: string]: unknown } | undefined): TenantState {
  const { taken = 0, deduplicated = 0, lost = 0, accepted = 0, coveredOffset = 0, quarantined, ids } = head ?? {}
  const totals = {
    taken: Number(taken), deduplicated: Number(deduplicated), lost: Number(lost), quarantined: parseCounts(quarantined),
  }
  return {
    seen: new DedupWindow(undefined, parseDedupHeader(ids)), totals, savedAccepted: Number(accepted),
    coveredOffset: Number(coveredOffset), isDirty: false,
  }
}

function parseDedupHeader(ids: unknown): DedupWindowHeader | undefined {
  return isJsonObject(ids) ? { generation: Number(ids['generation']), newerSince: Number(ids['newerSince']) } : undefined
}

function toCheckpointChange(
  { seen, totals: { quarantined, ...totals } }: TenantState, offsets: { readonly coveredOffset: number; readonly accepted: number },
): CheckpointChange {
  const head = printHeader({ ...offsets, ...totals, quarantined: Object.fromEntries(quarantined), ids: seen.header })
  const { put, drop } = seen.changes()
  return { put: new Map([...put, ['head', head]]), drop }
}

function deduplicateMessage(
  { tenant, offset, bytes: message }: Message, seen: DedupWindow, mappings: Pick<TenantMappings, 'map'>,
): { readonly bytes: Uint8Array } | Rejection | 'seen' {
  const raw = parseRawMessage(message)
  if (raw === undefined) return { offset, reason: 'unreadable', text: 'the message has no readable header' }
  const { head: { reading: ingestReading, ...head } } = raw
  const mapped = mappings.map(tenant, raw)
  const bytes = mapped ?? raw.bytes
  // A mapping may name another time than the one that ingest read.
  const reading = mapped === undefined && ingestReading !== undefined ? ingestReading : readTimeAndSeverity(bytes)
  if ('reason' in reading) return { offset, reason: 'not_an_event', text: reading.reason }
  if (head.id !== undefined && !seen.add(shortenId(head.id), head.receivedAt)) return 'seen'
  return { bytes: printMessage({ ...head, offset, occurredAt: head.receivedAt, ...reading }, bytes) }
}

function readTimeAndSeverity(bytes: Uint8Array): TimeAndSeverity | { readonly reason: string } {
  const parsed = parseEvent(decodeUtf8(bytes).trim())
  return 'reason' in parsed ? parsed : extractTimeAndSeverity(parsed.event)
}
