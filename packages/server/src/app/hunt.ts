import { Correlator, Engine, parseJson } from '@tripline/engine'
import type { CompiledCorrelation, CompiledRule, CorrelationMatch, EventObject, Level, RuleSet } from '@tripline/engine'
import { normalizeEvent } from '@tripline/engine/evaluate'
import type { Predicate } from '@tripline/engine/predicate'
import { decodeUtf8 } from '../domain/decode-utf8.ts'
import { extractMatchEvent } from '../domain/match-event.ts'
import type { MatchEvent } from '../domain/match-event.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { EventStore, StoredEvent } from '../events/event-store.ts'
import { limits } from '../limits.ts'

/** Rules to run over the past, and which part of it: from `from` on, before `to`, in milliseconds since the epoch. */
export type Hunt = {
  readonly tenant: TenantId
  readonly ruleSet: RuleSet
  readonly from: number
  readonly to: number
}

export type HuntOptions = {
  readonly store: EventStore
  /** Milliseconds of a clock that never goes back. */
  readonly elapsedMs: () => number
  /** Events that are matched in one go; `limits.hunt.batchEventsMax` without it. */
  readonly batchEventsMax?: number
  readonly onProgress?: (progress: HuntProgress) => void
  /** Hears of every match, in the order in which they are found. */
  readonly onMatch?: (match: HuntMatch) => void
  /** Ends the hunt where it is; its result says that it is not whole. */
  readonly signal?: AbortSignal
}

export type HuntProgress = {
  /** Events that were read so far. */
  readonly eventCount: number
  readonly matchCount: number
  /** How far in the time of events it has come. */
  readonly at: number
}

/** A match in the past. */
export type HuntMatch = {
  readonly ruleId: string
  readonly title: string
  readonly level: Level | undefined
  /** When it was certain, in milliseconds since the epoch. */
  readonly at: number
  /** The event, or the newest of several, by its number among the tenant's. */
  readonly sequence: number
  readonly conditions: readonly string[]
  /** What a match shows of its event; undefined where only its group is known. */
  readonly event: MatchEvent | undefined
}

/** What a hunt found. */
export type HuntResult = {
  readonly matchCount: number
  /** Rules that matched, the most frequent first. */
  readonly rules: readonly RuleHits[]
  /** Matches over time; all of the range, also where there are none. */
  readonly buckets: readonly { readonly startsAt: number; readonly count: number }[]
  readonly bucketMs: number
  /** Who and what matches are about, the most frequent first. */
  readonly entities: { readonly [kind in EntityKind]: readonly { readonly value: string; readonly count: number }[] }
  /** The first matches. */
  readonly examples: readonly HuntMatch[]
  readonly eventCount: number
  readonly tookMs: number
  /** Whether it came to the end of the range. */
  readonly isWhole: boolean
  /** Blocks that could not be read, because their bytes are not what was written. */
  readonly damagedCount: number
}

export type RuleHits = {
  readonly ruleId: string
  readonly title: string
  readonly matchCount: number
  readonly firstAt: number
  readonly lastAt: number
}

export const entityKinds = ['user', 'host', 'processName'] as const
export type EntityKind = (typeof entityKinds)[number]

/**
 * Runs rules over stored events, oldest first, with the code that runs them on the stream: a match that live detection
 * would have made is found, correlations included. Windows end with the range.
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
    options.onProgress?.(run.progress)
  }
  run.finish()
  return { ...run.result, tookMs: options.elapsedMs() - startedAt, isWhole, damagedCount }
}

/** What events have to be read for: those that some rule may match; with very many rules, all of them. */
function buildReadPredicate({ rules }: RuleSet): Predicate {
  if (rules.length > limits.hunt.rulesAskedMax) return { kind: 'constant', value: true }
  return { kind: 'or', of: rules.map(({ predicate }) => predicate) }
}

/** Rules while they run over the past. */
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
    this.#correlator = new Correlator(hunt.ruleSet, { options: {} })
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

/** Events as the lines of a buffer. */
function joinLines(events: readonly StoredEvent[]): Uint8Array {
  const lineFeed = Buffer.from('\n')
  return Buffer.concat(events.flatMap(({ bytes }) => [bytes, lineFeed]))
}

/** The event of a stored one. */
export function parseStoredEvent({ bytes }: StoredEvent): EventObject {
  return parseJson(decodeUtf8(bytes)) as EventObject
}
