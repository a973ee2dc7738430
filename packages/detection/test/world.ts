import type { Log } from '@tripline/common/log'
import { compileRules } from '@tripline/engine'
import type { Alert } from '@tripline/model/alert'
import { openState } from '@tripline/state/open-state'
import type { StateStore } from '@tripline/state/ports/state-store'
import { auditKey, tenantWith } from '@tripline/state/test/state-samples'
import type { Bus } from '@tripline/storage/bus/bus'
import type { BusSizes } from '@tripline/storage/bus/bus-sizes'
import { defaultBusSizes } from '@tripline/storage/bus/bus-sizes'
import { openLocalBus } from '@tripline/storage/bus/local/local-bus'
import type { FileSystem } from '@tripline/storage/disk/file-system'
import type { EventStore } from '@tripline/storage/events/event-store'
import { openSegmentEventStore } from '@tripline/storage/events/segment-store'
import { collect } from '@tripline/storage/test/events/conformance'
import { everything } from '@tripline/storage/test/events/predicates'
import { openSubFileSystem } from '@tripline/storage/test/sub-file-system'
import { setTimeout as pause } from 'node:timers/promises'
import type { FairConsumerBounds } from '../src/pipeline/fair-consumer.ts'
import { openPipeline } from '../src/pipeline/open-pipeline.ts'
import type { EventAccounting } from '../src/pipeline/compute-accounting.ts'
import type { RawEvent } from '../src/stages/event-message.ts'
import type { PipelineOptions } from '../src/pipeline/open-pipeline.ts'
import type { Pipeline } from '../src/pipeline/pipeline.ts'
import type { ActiveRules } from '../src/tenants/tenant-engine.ts'
import { readStoredAgain } from '../src/stages/second-copy.ts'
import { topics } from '../src/pipeline/topics.ts'

/** The pipeline and all its dependencies. */
export type World = {
  readonly bus: Bus
  readonly events: EventStore
  readonly state: StateStore
  readonly pipeline: Pipeline
  readonly logLines: readonly string[]
  readonly failures: unknown[]
  /** Closes all but the state. */
  readonly close: () => Promise<void>
}

export type WorldOptions = {
  readonly disk: FileSystem
  readonly state: StateStore
  readonly rules?: readonly string[]
  readonly sizes?: Partial<BusSizes>
  readonly now?: () => number
  readonly elapsedMs?: () => number
} & Partial<Pick<PipelineOptions, 'enrich' | 'onMatched' | 'checkpointMs' | 'loadRules' | 'queuedWorkMs' | 'bounds' | 'stateTotalMax'>>

/** Few messages in memory and in a batch, so that stages read dropped ones again and stop between them. */
export const smallBounds: FairConsumerBounds = {
  quantumMs: 0.2, batchMs: 0.3, sharedBatchMs: 0.3, heavyBatchMs: 0.3, batchBytesMax: 700,
  aheadEventsMax: 4, tenantAheadBytesMax: 2_000, aheadBytesMax: 3_000, aheadPollsMax: 2,
}

export const worldNowMs = Date.UTC(2026, 10, 20, 10)

/** Rules to run, all of version 1. */
export function rulesWith(texts: readonly string[], version = 1): ActiveRules {
  const { ruleSet, reports } = compileRules(texts.map((text, i) => ({ path: `rule-${i}.yml`, text })))
  const problem = reports.find(({ verdict }) => verdict !== 'compiled')
  if (problem !== undefined) throw new Error(`a rule of the test does not compile: ${JSON.stringify(problem)}`)
  return { ruleSet, versions: new Map([...ruleSet.rules, ...ruleSet.correlations].map(({ id }) => [id, version])) }
}

/** A state in memory with tenants 'a' and 'b'. */
export async function openTestState(path = ':memory:'): Promise<StateStore> {
  const state = await openState({ path, auditKey })
  for (const id of ['a', 'b']) await state.tenants.insert(tenantWith({ id, settings: {} }))
  return state
}

/** Opens bus, events and pipeline on a disk; both lie beside each other there. */
export async function openWorld(given: WorldOptions): Promise<World> {
  const { disk, state, rules = [], sizes, now = () => worldNowMs, elapsedMs = () => performance.now(), ...options } = given
  const bus = await openLocalBus({ disk: openSubFileSystem(disk, 'bus'), topics, sizes: { ...defaultBusSizes, ...sizes } })
  const events = await openSegmentEventStore({
    disk: openSubFileSystem(disk, 'events-store'), elapsedMs: () => 0, readSecondCopy: readStoredAgain(bus),
  })
  const logLines: string[] = []
  const failures: unknown[] = []
  const pipeline = await openPipeline({
    bus, events, state,
    io: { now, elapsedMs },
    log: createLineLog(logLines),
    pause: (lengthMs, signal) => pause(Math.min(lengthMs, 5), undefined, { signal }).catch(() => {}),
    loadRules: async () => rulesWith(rules),
    onFailure: (error) => void failures.push(error),
    // Shares by measured time would make tests depend on the machine.
    queuedWorkMs: Infinity,
    ...options,
  })
  const close = async () => {
    await pipeline.close()
    await bus.close()
    await events.close()
  }
  return { bus, events, state, pipeline, logLines, failures, close }
}

/** Waits until all accepted events are handled, and ticks by detection: others may overtake those of a tenant. */
export async function untilIdle({ pipeline, bus, failures }: World, tenants = ['a', 'b']): Promise<void> {
  const deadline = performance.now() + 240_000
  for (;;) {
    const isDone = tenants.every((tenant) => pipeline.accounting(tenant).inFlight === 0)
    const storing = bus.stats('normalized-events').consumers.find(({ name }) => name === 'store')
    const detecting = pipeline.getProgress().find(({ consumer }) => consumer === 'detect')
    if (isDone && detecting?.lag.size === 0 && storing?.committedOffset === bus.stats('normalized-events').nextOffset) return
    if (failures.length > 0) throw failures[0]
    if (performance.now() > deadline) throw new Error(`still under way: ${JSON.stringify(tenants.map((tenant) => pipeline.accounting(tenant)))}`)
    await pause(1)
  }
}

export function rawEvent(event: object, id?: string): RawEvent {
  return { bytes: Buffer.from(JSON.stringify(event), 'utf8'), ...(id !== undefined && { id }) }
}

/** All alerts of a tenant by id. */
export async function alertsOf(state: StateStore, tenant = 'a'): Promise<readonly Alert[]> {
  const { entries: alerts } = await state.alerts.list(tenant, { limit: 10_000 })
  return [...alerts].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** The texts of all stored events of a tenant, in order of arrival. */
export async function storedTexts(events: EventStore, tenant = 'a'): Promise<readonly string[]> {
  const batches = await collect(events.scan({ tenant, from: 0, to: 1e15, predicate: everything, batchEventsMax: 1_000 }))
  const all = batches.flatMap((batch) => batch.events).sort((a, b) => a.sequence - b.sequence)
  return all.map(({ bytes }) => Buffer.from(bytes).toString('utf8'))
}

/** The imbalance of the event accounting; 0 if it balances. */
export function imbalanceOf({ accepted, evaluated, deduplicated, inFlight, lost, quarantined }: EventAccounting): number {
  return accepted - evaluated - deduplicated - inFlight - lost - [...quarantined.values()].reduce((sum, count) => sum + count, 0)
}

/** A log that keeps its entries as lines of JSON. */
function createLineLog(lines: string[]): Log {
  const write = (level: string) => (message: string, fields: object = {}): void => {
    lines.push(JSON.stringify({ level, message, ...fields }))
  }
  return { info: write('info'), warn: write('warn'), error: write('error') }
}
