import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { getErrorMessage } from '@tripline/common/error-message'
import { isJsonObject } from '@tripline/common/json'
import { parseEvent } from '@tripline/engine'
import type { EventObject } from '@tripline/engine'
import type { TenantId } from '@tripline/model/tenant'
import type { CheckpointChange, CheckpointStore } from '@tripline/state/ports/checkpoint-store'
import type { Message } from '@tripline/storage/bus/bus'
import type { Rejection } from '../stages/dead-letter.ts'
import { parseNormalizedMessage } from '../stages/event-message.ts'
import type { EventHeader } from '../stages/event-message.ts'
import type { RuleCounts } from './rule-counts.ts'
import { AlertStormLimit } from '../stages/alert-storm-limit.ts'
import type { RuleStorm } from '../stages/alert-storm-limit.ts'
import { rejectUnreadable } from '../stages/store-events.ts'
import { parseCounts, printHeader, readHeader } from '../stages/checkpoint-header.ts'
import { SnapshotParts, readSnapshotHeader } from './snapshot-parts.ts'
import type { SnapshotHeader } from './snapshot-parts.ts'
import { TenantEngine, initialPosition } from './tenant-engine.ts'
import type { DetectedEvent, DetectionPosition, DetectedMatch, ActiveRules } from './tenant-engine.ts'

/** The name of the stage, in checkpoints and dead letters. */
export const detectStage = 'detect'

/** The accounting of a tenant's events in this stage, since the tenant was created. */
export type DetectTotals = {
  readonly evaluated: number
  /** Events whose bytes were corrupted on the topic. */
  readonly lost: number
  readonly quarantined: ReadonlyMap<string, number>
  /** Events that came too late for correlations, and correlation state evicted for space. */
  readonly late: number
  readonly stateEvicted: number
}

/** What a checkpoint tells of a tenant without opening an engine. */
export type DetectHeader = {
  /** All messages of the tenant before this offset on `normalized-events` are covered. */
  readonly coveredOffset: number
  readonly totals: DetectTotals
  readonly position: DetectionPosition
  /** Whether there are windows that only time ends. */
  readonly isWaiting: boolean
  readonly storms: readonly RuleStorm[]
  /** The parts that hold the engine's snapshot; undefined for a checkpoint of an earlier version. */
  readonly snapshot: SnapshotHeader | undefined
}

export const emptyHeader: DetectHeader = {
  coveredOffset: 0,
  totals: { evaluated: 0, lost: 0, quarantined: new Map(), late: 0, stateEvicted: 0 },
  position: initialPosition,
  isWaiting: false,
  storms: [],
  snapshot: undefined,
}

type TenantDetectorOptions = {
  readonly tenant: TenantId
  readonly rules: ActiveRules
  readonly counts: RuleCounts
  readonly header: DetectHeader
  readonly checkpoints: CheckpointStore
}

/** The detector of one tenant: its engine, its counts, and the matches that are to become alerts. */
export class TenantDetector {
  readonly engine: TenantEngine
  readonly counts: RuleCounts
  readonly stormLimit: AlertStormLimit
  /** Matches without alerts yet, oldest first. */
  readonly waiting: DetectedMatch[] = []
  isDirty = false
  lastTickAt = 0
  readonly #quarantined: Map<string, number>
  #lostCount: number
  #evaluatedCount: number
  /** The evaluated events whose matches have become alerts. */
  #confirmedCount: number
  /** The offset on `normalized-events` of the last handled message. */
  #handledOffset = -1
  /** The events for the next checkpoint that matches may show. */
  #events: Uint8Array = Buffer.from('[]')

  readonly #snapshot: SnapshotParts

  private constructor({ header, counts }: TenantDetectorOptions, detection: TenantEngine, snapshot: SnapshotParts) {
    this.#snapshot = snapshot
    this.engine = detection
    this.counts = counts
    this.stormLimit = new AlertStormLimit(header.storms)
    this.#quarantined = new Map(header.totals.quarantined)
    this.#lostCount = header.totals.lost
    this.#evaluatedCount = this.#confirmedCount = header.totals.evaluated
  }

  /** Continues from a checkpoint. */
  static async open(options: TenantDetectorOptions): Promise<TenantDetector> {
    const { tenant, checkpoints, rules, counts, header: { position: place } } = options
    const { parts, snapshot } = await SnapshotParts.load(checkpoints, { tenant, stage: detectStage }, options.header.snapshot)
    const events = await checkpoints.load(tenant, detectStage, 'events')
    const engine = new TenantEngine({ tenant, rules, counts, position: place })
    if (snapshot !== undefined && events !== undefined) await engine.restore(snapshot, events)
    return new TenantDetector(options, engine, parts)
  }

  get totals(): DetectTotals {
    const { late, evicted } = this.engine.correlation
    return { evaluated: this.#confirmedCount, lost: this.#lostCount, quarantined: this.#quarantined, late, stateEvicted: evicted }
  }

  /** The evaluated events since the tenant was created; their matches may still wait for alerts. */
  get evaluatedCount(): number {
    return this.#evaluatedCount
  }

  /** Handles messages of the tenant; repeated ones are skipped. */
  process(messages: readonly Message[]): readonly Rejection[] {
    const rejected: Rejection[] = []
    let { mark } = this.engine.position
    let together: { event: DetectedEvent; messageOffset: number }[] = []
    const evaluate = (): void => {
      rejected.push(...this.#evaluate(together))
      together = []
    }
    for (const message of messages) {
      if (message.offset <= this.#handledOffset) continue
      this.isDirty = true
      if (message.lostCost !== undefined) {
        this.#lostCount++
        continue
      }
      const read = parseNormalizedMessage(message.bytes)
      if (read === undefined) rejected.push(this.#quarantine(rejectUnreadable(message)))
      else if ('tickAt' in read) {
        evaluate()
        this.waiting.push(...this.engine.tick(read.tickAt))
      } else if (read.head.offset > mark) {
        mark = read.head.offset
        const event = toDetectedEvent(read.head, read.bytes)
        if ('reason' in event) {
          rejected.push(this.#quarantine({ offset: message.offset, reason: 'not_an_event', text: event.reason }))
          continue
        }
        if (together[0] !== undefined && !canEvaluateTogether(together[0].event, event)) evaluate()
        together.push({ event, messageOffset: message.offset })
      }
    }
    evaluate()
    this.#handledOffset = messages.at(-1)?.offset ?? this.#handledOffset
    return rejected
  }

  /** Records that alerts were created for all matches so far. */
  confirmEvaluated(): void {
    this.#confirmedCount = this.#evaluatedCount
  }

  /** Writes what is large ahead of a checkpoint; nothing may be processed until `changes` is called. */
  async writeAhead(checkpoints: CheckpointStore): Promise<void> {
    this.#events = await this.engine.saveEvents()
    await this.#snapshot.write(checkpoints, this.engine.snapshotChunks())
  }

  /** The changes for a checkpoint. */
  changes(coveredOffset: number): CheckpointChange {
    const { totals: { evaluated, lost, quarantined, late, stateEvicted }, engine } = this
    const counts = this.counts.changes()
    const snapshot = this.#snapshot.changes()
    const head = printHeader({
      coveredOffset, evaluated, lost, quarantined: Object.fromEntries(quarantined), late, stateEvicted,
      ...engine.position, isWaiting: engine.isWaiting, storms: this.stormLimit.save(), snapshot: snapshot.header,
    })
    return {
      put: new Map([...counts.put, ...snapshot.put, ['head', head], ['events', this.#events]]),
      drop: [...(counts.drop ?? []), ...(snapshot.drop ?? [])],
    }
  }

  /** Call it once the changes are stored. */
  saved(): void {
    this.isDirty = false
    this.counts.saved()
    this.#snapshot.saved()
  }

  /**
   * Evaluates events that arrived at one moment; if the engine fails, evaluates them one by one to isolate the cause.
   */
  #evaluate(together: readonly { readonly event: DetectedEvent; readonly messageOffset: number }[]): readonly Rejection[] {
    try {
      const { matches, malformed } = this.engine.evaluate(together.map(({ event }) => event))
      this.waiting.push(...matches)
      this.#evaluatedCount += together.length - malformed.length
      return malformed.map(({ line, reason }) => {
        return this.#quarantine({ offset: together[line]!.messageOffset, reason: 'not_an_event', text: reason })
      })
    } catch (error) {
      const [first] = together
      if (first === undefined || together.length > 1) return together.flatMap((one) => this.#evaluate([one]))
      this.engine.skip(first.event)
      return [this.#quarantine({ offset: first.messageOffset, reason: 'failed', text: getErrorMessage(error) })]
    }
  }

  #quarantine(refusal: Rejection): Rejection {
    this.#quarantined.set(refusal.reason, (this.#quarantined.get(refusal.reason) ?? 0) + 1)
    return refusal
  }
}

/** Reads the checkpoint header of a tenant; undefined without one. */
export async function loadDetectHeader(checkpoints: CheckpointStore, tenant: TenantId): Promise<DetectHeader | undefined> {
  const head = readHeader(await checkpoints.load(tenant, detectStage, 'head'))
  if (head === undefined) return undefined
  const { timeAt, storms, isWaiting, quarantined, snapshot } = head
  const number = (name: string): number => Number(head[name] ?? 0)
  return {
    coveredOffset: number('coveredOffset'),
    totals: {
      evaluated: number('evaluated'),
      lost: number('lost'),
      quarantined: parseCounts(quarantined),
      late: number('late'),
      stateEvicted: number('stateEvicted'),
    },
    position: {
      mark: number('mark'), sequence: number('sequence'), lastReceivedAt: number('lastReceivedAt'),
      timeAt: typeof timeAt === 'number' ? timeAt : undefined,
    },
    isWaiting: isWaiting === true,
    snapshot: readSnapshotHeader(snapshot),
    storms: (Array.isArray(storms) ? storms : []).filter(isJsonObject).map(({ ruleId, since, alertCount }) => {
      return { ruleId: String(ruleId), since: Number(since), alertCount: Number(alertCount) }
    }),
  }
}

/** Whether two events can be evaluated together: they arrived at one moment, and are both bytes or both objects. */
function canEvaluateTogether({ head: first, event }: DetectedEvent, { head, event: nextEvent }: DetectedEvent): boolean {
  return first.receivedAt === head.receivedAt && (event === undefined) === (nextEvent === undefined)
}

const lineFeed = 0x0a
const openBrace = 0x7b

/**
 * Leaves an event as bytes for the engine, which is faster than parsing it, unless it spans several lines or its
 * connector states the log source: that counts where the event does not state one itself.
 */
function toDetectedEvent(head: EventHeader, bytes: Uint8Array): DetectedEvent | { readonly reason: string } {
  const isLine = bytes[0] === openBrace && !bytes.includes(lineFeed)
  if (isLine && head.logsource === undefined) return { head, bytes, event: undefined }
  const parsed = parseEvent(decodeUtf8(bytes).trim())
  if ('reason' in parsed) return { reason: parsed.reason }
  const { event } = parsed
  const isDeclared = head.logsource === undefined || Object.hasOwn(event, '_logsource')
  return { head, bytes, event: isDeclared ? event : withLogsource(event, head.logsource) }
}

function withLogsource(event: EventObject, logsource: EventHeader['logsource']): EventObject {
  return { ...event, _logsource: logsource }
}
