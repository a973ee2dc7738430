import type { EventObject } from '../../src/index.ts'
import type { ReferenceCorrelation, ReferenceEntry, ReferenceMoment } from './reference-types.ts'
import { decideWindows, valueOf } from './reference-windows.ts'

/*
 * The slow, obvious way to correlate, against which the engine is compared: it keeps every event, sorts them once all
 * are there, and decides each rule by looking at all events of a group again and again. Written from the decision
 * record docs/decisions/0017-event-time-correlations.md; shares no code with the engine.
 */

/** An event with when it happened; its place in the list is when it arrived. */
export type ReferenceEvent = { readonly at: number; readonly fields: EventObject; readonly rules: readonly string[] }

export type ReferenceMatch = {
  readonly rule: string
  readonly decidedAt: number
  readonly group: string
  readonly value: number | undefined
  /** Places of its events, each once, in order. */
  readonly events: readonly number[]
}

/**
 * What correlations, each after those that it names, find in a stream that has ended. Times are on any scale that spans
 * are on too; `startAt` is where its zero lies since the epoch, to which tumbling windows are aligned.
 */
export function referenceMatches(
  correlations: readonly ReferenceCorrelation[], stream: readonly ReferenceEvent[], latenessMs: number, startAt = 0,
): ReferenceMatch[] {
  const onTime = inTime(correlations, stream, latenessMs)
  const matches: (ReferenceMatch & { readonly occurrence: Occurrence })[] = []
  for (const correlation of correlations) {
    const occurrences = [
      ...onTime.map(({ at, place, fields, rules }) => ({ at, place, records: [fields], rules, isEvent: true })),
      ...matches.map(({ occurrence }) => occurrence),
    ]
    for (const [group, moments] of groupsOf(correlation, occurrences)) {
      for (const { decidedAt, window, newest, value = valueOf(correlation, window) } of decideWindows(correlation, moments, startAt)) {
        const places = [...new Set(window.map(({ place }) => place))]
        // What an outer correlation reads: the group, and the fields of each event; of an empty window, of the last one.
        const records = (window.length === 0 ? newest.entries : window).flatMap((entry) => entry.records)
        const occurrence = { at: newest.at, place: newest.entries.at(-1)!.place, records, rules: [correlation.name], isEvent: false }
        matches.push({ rule: correlation.name, decidedAt, group, value, events: places, occurrence })
      }
    }
  }
  return matches.map(({ occurrence: _occurrence, ...match }) => match)
}

type Placed = ReferenceEvent & { readonly place: number }

/** The events that are not too late when they arrive, in the order of their time and then of their arrival. */
function inTime(correlations: readonly ReferenceCorrelation[], stream: readonly ReferenceEvent[], latenessMs: number): Placed[] {
  const named = new Set(correlations.flatMap(({ rules }) => rules))
  let newestAt = -Infinity
  const onTime: Placed[] = []
  for (const [place, event] of stream.entries()) {
    if (!event.rules.some((rule) => named.has(rule)) || event.at < newestAt - latenessMs) continue
    newestAt = Math.max(newestAt, event.at)
    onTime.push({ ...event, place })
  }
  return onTime.toSorted((a, b) => a.at - b.at || a.place - b.place)
}

/** An event, or a match of a correlation, which has the fields of each event of its window. */
type Occurrence = {
  readonly at: number
  readonly place: number
  readonly records: readonly EventObject[]
  readonly rules: readonly string[]
  /** An event itself, not a match of a correlation. */
  readonly isEvent: boolean
}

function groupsOf(correlation: ReferenceCorrelation, occurrences: readonly Occurrence[]): Map<string, ReferenceMoment[]> {
  const entriesByGroup = new Map<string, ReferenceEntry[]>()
  for (const occurrence of occurrences.toSorted((a, b) => a.at - b.at || a.place - b.place)) {
    for (const [group, entry] of entriesOf(correlation, occurrence)) {
      entriesByGroup.set(group, [...(entriesByGroup.get(group) ?? []), entry])
    }
  }
  const groups = new Map<string, ReferenceMoment[]>()
  for (const [group, entries] of entriesByGroup) {
    const places = [...new Set(entries.map(({ place }) => place))]
    groups.set(group, places.map((place) => {
      const together = entries.filter((entry) => entry.place === place)
      return { at: together[0]!.at, entries: together }
    }))
  }
  return groups
}

/** What an occurrence is to each of its groups; values that several rules read from the same fields are there once. */
function entriesOf(correlation: ReferenceCorrelation, { at, place, rules, records }: Occurrence): Map<string, ReferenceEntry> {
  const fold = correlation.isCaseSensitive === true ? (text: string) => text : lower
  type Draft = { readonly rules: Set<string>; readonly values: Map<string, Set<string | number>>; readonly records: EventObject[] }
  const drafts = new Map<string, Draft>()
  for (const rule of correlation.rules.filter((name) => rules.includes(name))) {
    const fieldOf = (name: string): string => correlation.aliases[name]?.[rule] ?? name
    for (const record of records) {
      const values = valuesOf(correlation, record, fieldOf, fold)
      if (values === undefined) continue
      for (const texts of combinations(correlation.groupBy.map((name) => textsIn(record[fieldOf(name)], fold)))) {
        const group = JSON.stringify(texts.map(fold))
        const draft = drafts.get(group) ?? { rules: new Set<string>(), values: new Map<string, Set<string | number>>(), records: [] }
        drafts.set(group, draft)
        draft.rules.add(rule)
        const signature = JSON.stringify(correlation.fields.map(fieldOf))
        draft.values.set(signature, new Set([...(draft.values.get(signature) ?? []), ...values]))
        const aliased = Object.fromEntries(Object.keys(correlation.aliases).map((alias) => [alias, record[fieldOf(alias)]]))
        draft.records.push({ ...record, ...aliased, ...Object.fromEntries(correlation.groupBy.map((name, i) => [name, texts[i]])) })
      }
    }
  }
  return new Map(Array.from(drafts, ([group, draft]) => {
    const values = [...draft.values.values()].flatMap((some) => [...some])
    return [group, { at, place, rules: [...draft.rules], values, records: draft.records }]
  }))
}

/** The values that an occurrence brings; undefined where it lacks what is counted or reckoned with. */
function valuesOf(
  { type, fields, percentile }: ReferenceCorrelation, record: EventObject, fieldOf: (name: string) => string, fold: (text: string) => string,
): readonly (string | number)[] | undefined {
  if (fields.length === 0) return []
  const isOfTexts = type === 'value_count' || (type === 'value_percentile' && percentile === undefined)
  if (isOfTexts) {
    const tuples = combinations(fields.map((name) => textsIn(record[fieldOf(name)], fold)))
    return tuples.length === 0 ? undefined : tuples.map((texts) => JSON.stringify(texts.map(fold)))
  }
  const value = record[fieldOf(fields[0]!)]
  const number = typeof value === 'number' ? value : typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : NaN
  return Number.isNaN(number) ? undefined : [number]
}

/** The texts of a field, each once. */
function textsIn(value: unknown, fold: (text: string) => string): string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  const texts = values.filter((one) => one !== undefined && one !== null).map(String)
  return texts.filter((text, i) => texts.findIndex((other) => fold(other) === fold(text)) === i)
}

function lower(text: string): string {
  return text.toLowerCase()
}

function combinations(lists: readonly (readonly string[])[]): string[][] {
  return lists.reduce<string[][]>((all, list) => all.flatMap((texts) => list.map((text) => [...texts, text])), [[]])
}
