import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { Correlator, Engine, parseJson } from '@tripline/engine'
import type { CompiledCorrelation, CompiledRule, CorrelationMatch, EventObject, Level, RuleSet } from '@tripline/engine'
import { normalizeEvent } from '@tripline/engine/evaluate'
import type { Predicate } from '@tripline/engine/predicate'
import { extractMatchEvent } from '@tripline/model/match-event'
import type { MatchEvent } from '@tripline/model/match-event'
import type { TenantId } from '@tripline/model/tenant'
import type { EventStore, StoredEvent } from '@tripline/storage/events/event-store'
import { limits } from '../../../limits.ts'

/** Rules to run over stored events from `from` (inclusive) to `to` (exclusive), in milliseconds since the epoch. */
export type Hunt = {
  readonly tenant: TenantId
  readonly ruleSet: RuleSet
  readonly from: number
  readonly to: number
}

export type HuntOptions = {
  readonly store: EventStore
  /** Milliseconds of a monotonic clock. */
  readonly elapsedMs: () => number
  /** Events per batch; `limits.hunt.batchEventsMax` by default. */
  readonly batchEventsMax?: number
  /** Called after each batch; the next one is read when it has ended. */
  readonly onProgress?: (progress: HuntProgress) => void | Promise<void>
  /** Called for each match, in the order found. */
  readonly onMatch?: (match: HuntMatch) => void
  /** Aborts the hunt; its result is then marked as not whole. */
  readonly signal?: AbortSignal
}

export type HuntProgress = {
  /** Events read so far. */
  readonly eventCount: number
  readonly matchCount: number
  /** The event time reached. */
  readonly at: number
}

/** A match in stored events. */
export type HuntMatch = {
  readonly ruleId: string
  readonly title: string
  readonly level: Level | undefined
  /** When it was decided, in milliseconds since the epoch. */
  readonly at: number
  /** Sequence number of the event, or of the newest of several. */
  readonly sequence: number
  readonly conditions: readonly string[]
  /** The event's summary; undefined if only the group is known. */
  readonly event: MatchEvent | undefined
}

/** The result of a hunt. */
export type HuntResult = {
  readonly matchCount: number
  /** Rules with matches, most frequent first. */
  readonly rules: readonly RuleHits[]
  /** Matches over time, including empty buckets. */
  readonly buckets: readonly { readonly startsAt: number; readonly count: number }[]
  readonly bucketMs: number
  /** Users, hosts and processes of the matches, most frequent first. */
  readonly entities: { readonly [kind in EntityKind]: readonly { readonly value: string; readonly count: number }[] }
  /** The first matches. */
  readonly examples: readonly HuntMatch[]
  readonly eventCount: number
  readonly tookMs: number
  /** Whether the whole range was read. */
  readonly isWhole: boolean
  /** Blocks that could not be read because their checksum is wrong. */
  readonly damagedCount: number
  /** Ids of the correlations that lost state to bound memory, so that matches may be missing. */
  readonly degradedRules: readonly string[]
}

export type RuleHits = {
  readonly ruleId: string
  readonly title: string
  readonly matchCount: number
  readonly firstAt: number
  readonly lastAt: number
}

const entityKinds = ['user', 'host', 'processName'] as const
type EntityKind = (typeof entityKinds)[number]

/**
 * Runs rules over stored events, oldest first, with the engine of the stream, so it finds every match that live detection
 * would have made, including correlations. Windows end with the range.
 */
export async function runHunt(hunt: Hunt, options: HuntOptions): Promise<HuntResult> {
  const startedAt = options.elapsedMs()
  const run = new HuntRun(hunt, options.onMatch)
  const predicate = buildReadPredicate(hunt.ruleSet)
  const { batchEventsMax = limits.hunt.batchEventsMax } = options
  const scan = options.store.scan({ ...hunt, predicate, batchEventsMax })
  let damagedCount = 0
  let isWhole = true
  for await (const batch of scan) {
    if (options.signal?.aborted === true) {
      isWhole = false
      break
    }
    run.push(batch.events)
    damagedCount = Math.max(damagedCount, batch.corruptedCount)
    await options.onProgress?.(run.progress)
  }
  run.finish()
  return { ...run.result, tookMs: options.elapsedMs() - startedAt, isWhole, damagedCount }
}

/** The predicate of events to read: those that some rule may match, or all of them for very many rules or regular expressions. */
function buildReadPredicate({ rules }: RuleSet): Predicate {
  const { rulesAskedMax, regexesAskedMax } = limits.hunt
  const asked: Predicate = { kind: 'or', of: rules.map(({ predicate }) => predicate) }
  const isAsked = rules.length <= rulesAskedMax && countRegexes(asked, regexesAskedMax) <= regexesAskedMax
  return isAsked ? asked : { kind: 'constant', value: true }
}

/** Counts regular expressions up to `max`: a predicate may share parts and be far larger than its text. */
function countRegexes(predicate: Predicate, max: number): number {
  if (predicate.kind === 'constant') return 0
  if (predicate.kind === 'test') return predicate.value.kind === 'regex' ? 1 : 0
  const parts = predicate.kind === 'and' || predicate.kind === 'or' ? predicate.of : [predicate.of]
  let count = 0
  for (const part of parts) {
    count += countRegexes(part, max - count)
    if (count > max) return count
  }
  return count
}

/** A hunt in progress. */
class HuntRun {
  readonly #hunt: Hunt
  readonly #engine: Engine
  readonly #correlator: Correlator
  readonly #onMatch: ((match: HuntMatch) => void) | undefined
  readonly #hits = new Map<string, RuleHits>()
  readonly #counts: { readonly [kind in EntityKind]: Map<string, number> } = { user: new Map(), host: new Map(), processName: new Map() }
  readonly #examples: HuntMatch[] = []
  readonly #buckets: number[]
  readonly #bucketMs: number
  #eventCount = 0
  #matchCount = 0
  #at: number

  constructor(hunt: Hunt, onMatch: ((match: HuntMatch) => void) | undefined) {
    this.#hunt = hunt
    this.#onMatch = onMatch
    this.#engine = new Engine(hunt.ruleSet, { correlation: false })
    // The store orders events by milliseconds; correlations order them by nanoseconds.
    this.#correlator = new Correlator(hunt.ruleSet, { options: { allowedLatenessMs: 1 } })
    this.#at = hunt.from
    const { bucketCount } = limits.hunt
    this.#bucketMs = Math.max(1, Math.ceil((hunt.to - hunt.from) / bucketCount))
    this.#buckets = Array.from({ length: Math.ceil((hunt.to - hunt.from) / this.#bucketMs) }, () => 0)
  }

  get progress(): HuntProgress {
    return { eventCount: this.#eventCount, matchCount: this.#matchCount, at: this.#at }
  }

  get result(): Omit<HuntResult, 'tookMs' | 'isWhole' | 'damagedCount'> {
    return {
      matchCount: this.#matchCount,
      rules: [...this.#hits.values()].sort((a, b) => b.matchCount - a.matchCount),
      buckets: this.#buckets.map((count, bucket) => ({ startsAt: this.#hunt.from + bucket * this.#bucketMs, count })),
      bucketMs: this.#bucketMs,
      entities: { user: this.#listMostFrequent('user'), host: this.#listMostFrequent('host'),
        processName: this.#listMostFrequent('processName') },
      examples: this.#examples,
      eventCount: this.#eventCount,
      degradedRules: this.#correlator.health.filter(({ evicted }) => evicted > 0).map(({ id }) => id),
    }
  }

  push(events: readonly StoredEvent[]): void {
    const { matches } = this.#engine.pushBytes(joinLines(events))
    for (const match of matches) {
      if (match.kind === 'correlation') throw new Error(`the correlation ${match.rule.id} was run twice`)
      const { sequence, occurredAt } = events[match.row]!
      const number = this.#hunt.ruleSet.numberOf(match.rule.id)!
      if (this.#correlator.isFed(number)) this.#correlator.takeEvent(number, match.event, { sequence, receivedAt: occurredAt })
      if (this.#correlator.isSilent(number)) continue
      this.#recordMatch(match.rule, { at: occurredAt, sequence, conditions: match.conditions, event: match.event })
    }
    this.#recordCorrelations(this.#correlator.settle())
    this.#eventCount += events.length
    this.#at = events.at(-1)?.occurredAt ?? this.#at
  }

  finish(): void {
    this.#correlator.advance(Infinity)
    this.#recordCorrelations(this.#correlator.settle())
  }

  #recordCorrelations(matches: readonly CorrelationMatch[]): void {
    for (const { rule, decidedAt, newest, conditions, group } of matches) {
      this.#recordMatch(rule, { at: decidedAt, sequence: newest.sequence, conditions, event: Object.fromEntries(group) })
    }
  }

  #recordMatch(
    { id, title, level }: CompiledRule | CompiledCorrelation,
    { at, sequence, conditions, event }: { at: number; sequence: number; conditions: readonly string[]; event: EventObject },
  ): void {
    const shown = extractMatchEvent(normalizeEvent(event, 'auto'), limits.matches.fieldLengthMax)
    const match = { ruleId: id, title, level, at, sequence, conditions, event: shown }
    this.#matchCount++
    const finds = this.#hits.get(id)
    this.#hits.set(id, {
      ruleId: id, title, matchCount: (finds?.matchCount ?? 0) + 1,
      firstAt: Math.min(at, finds?.firstAt ?? at), lastAt: Math.max(at, finds?.lastAt ?? at),
    })
    // A window that ends with the range is decided after it.
    const bucket = Math.min(this.#buckets.length - 1, Math.floor((at - this.#hunt.from) / this.#bucketMs))
    if (bucket >= 0) this.#buckets[bucket]!++
    for (const kind of entityKinds) this.#count(kind, shown[kind])
    if (this.#examples.length < limits.hunt.examplesMax) this.#examples.push(match)
    this.#onMatch?.(match)
  }

  #count(kind: EntityKind, value: string): void {
    const counts = this.#counts[kind]
    if (value === '' || (counts.size >= limits.hunt.entitiesMax && !counts.has(value))) return
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }

  #listMostFrequent(kind: EntityKind): { value: string; count: number }[] {
    const counted = Array.from(this.#counts[kind], ([value, count]) => ({ value, count }))
    return counted.sort((a, b) => b.count - a.count).slice(0, limits.hunt.entitiesShownMax)
  }
}

/** Joins events as lines of one buffer. */
function joinLines(events: readonly StoredEvent[]): Uint8Array {
  const lineFeed = Buffer.from('\n')
  return Buffer.concat(events.flatMap(({ bytes }) => [bytes, lineFeed]))
}

/** Parses a stored event. */
export function parseStoredEvent({ bytes }: StoredEvent): EventObject {
  return parseJson(decodeUtf8(bytes)) as EventObject
}
