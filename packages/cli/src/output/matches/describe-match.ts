import type { EventObject, Level } from '@tripline/engine'
import { parseJson } from '@tripline/engine'
import { findEventTime, normalizeEvent, readPrimaryObservables } from '@tripline/engine/evaluate'
import type { LinePlace } from '../../framework/line-place.ts'
import type { LocatedCorrelation, LocatedMatch } from './print-match-line.ts'

/** A match as people read it: when, where, who, what. A text is empty where the event does not state it. */
export type DescribedMatch = {
  /** Milliseconds since the epoch; undefined of an event without a time. */
  readonly at: number | undefined
  readonly place: LinePlace | undefined
  readonly rule: {
    readonly id: string; readonly title: string; readonly level: Level | undefined; readonly path: string; readonly tags: readonly string[]
    readonly description: string | undefined; readonly references: readonly string[]
  }
  readonly host: string
  readonly user: string
  readonly process: string
  readonly commandLine: string
  readonly sourceAddress: string
  readonly conditions: readonly string[]
  /** The number of events of a correlation; undefined of a single event. */
  readonly eventCount: number | undefined
  /** The event as it is in the input; undefined of a correlation. */
  readonly text: string | undefined
}

/** Describes a match whose event comes along as text. */
export function describeMatch({ match, rule, place }: LocatedMatch): DescribedMatch {
  const event = normalizeEvent(match.text === undefined ? {} : parseJson(match.text) as EventObject, 'auto')
  return {
    at: findEventTime(event), place, rule: pickRule(rule), ...describeEntities(event), conditions: match.conditions ?? [],
    eventCount: undefined, text: match.text,
  }
}

/** Describes the match of a correlation, whose group says where and who. */
export function describeCorrelation({ match, locate }: LocatedCorrelation): DescribedMatch {
  const { rule, occurredAt, group, conditions, eventCount, newest } = match
  const { id, title, level, path, rule: { tags, description, references } } = rule
  return {
    at: Number.isFinite(occurredAt) ? occurredAt : undefined, place: locate(newest.sequence),
    rule: { id, title, level, path, tags, description, references },
    ...describeEntities(normalizeEvent(Object.fromEntries(group), 'auto')), conditions, eventCount, text: undefined,
  }
}

/** The techniques that a rule is about, such as `T1059.001`; its tactics if it names none. */
export function listTechniques({ tags }: DescribedMatch['rule']): string[] {
  const words = tags.map((tag) => tag.toLowerCase()).filter((tag) => tag.startsWith('attack.')).map((tag) => tag.slice('attack.'.length))
  const techniques = words.filter((word) => /^t\d{4}(?:\.\d{3})?$/.test(word)).map((word) => word.toUpperCase())
  return techniques.length > 0 ? techniques : words
}

/** The time of a match as text; empty without one. */
export function printTime(at: number | undefined): string {
  return at === undefined ? '' : new Date(at).toISOString()
}

function pickRule({ id, title, level, path, tags, description, references }: DescribedMatch['rule']): DescribedMatch['rule'] {
  return { id, title, level, path, tags, description, references }
}

type Entities = Pick<DescribedMatch, 'host' | 'user' | 'process' | 'commandLine' | 'sourceAddress'>

function describeEntities(event: ReturnType<typeof normalizeEvent>): Entities {
  const { host, account, user, process, commandLine, sourceAddress } = readPrimaryObservables(event)
  return { host: host === '' ? account : host, user, process, commandLine, sourceAddress }
}
