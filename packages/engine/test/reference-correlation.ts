import type { EventObject } from '../src/index.ts'

/*
 * The slow, obvious way to correlate, against which the engine is compared: it keeps every event, sorts them once all
 * are there, and decides each rule by looking at all events of a group again and again. Written from sigma.md section 8
 * and decision 17, and shares no code with the engine.
 */

/** A correlation, as far as it matters; rules and fields by name. */
export type ReferenceCorrelation = {
  readonly name: string
  readonly type:
    | 'event_count' | 'value_count' | 'value_sum' | 'value_avg' | 'value_median' | 'value_percentile' | 'temporal' | 'temporal_ordered'
  readonly rules: readonly string[]
  readonly groupBy: readonly string[]
  /** By alias, by rule: a field. */
  readonly aliases: { readonly [alias: string]: { readonly [rule: string]: string } }
  readonly spanMs: number
  /** Operators with their bounds, or a formula over rules. */
  readonly thresholds: { readonly [operator: string]: number } | undefined
  readonly formula: ReferenceFormula | undefined
  readonly fields: readonly string[]
  readonly percentile: number | undefined
  readonly firing: 'on_true' | 'every' | 'once_per_window' | 'reset'
}

export type ReferenceFormula =
  | string
  | { readonly not: ReferenceFormula }
  | { readonly and: readonly ReferenceFormula[] }
  | { readonly or: readonly ReferenceFormula[] }

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

/** What correlations, each after those that it names, find in a stream that has ended. */
export function referenceMatches(
  correlations: readonly ReferenceCorrelation[], stream: readonly ReferenceEvent[], latenessMs: number,
): ReferenceMatch[] {
  const kept = inTime(correlations, stream, latenessMs)
  const matches: (ReferenceMatch & { readonly fields: EventObject })[] = []
  for (const correlation of correlations) {
    const occurrences = [
      ...kept.map(({ at, place, fields, rules }) => ({ at, place, fields, rules, isEvent: true })),
      ...matches.map(({ rule, fields, events }) => {
        const place = events.at(-1)!
        return { at: stream[place]!.at, place, fields, rules: [rule], isEvent: false }
      }),
    ]
    for (const [group, moments] of groupsOf(correlation, occurrences)) {
      for (const { decidedAt, window } of decide(correlation, moments)) {
        const value = valueOf(correlation, window)
        const places = [...new Set(window.map(({ place }) => place))]
        const fields = window[0]!.group
        matches.push({ rule: correlation.name, decidedAt, group, value, events: places, fields })
      }
    }
  }
  return matches.map(({ fields: _fields, ...match }) => match)
}

type Placed = ReferenceEvent & { readonly place: number }

/** The events that are not too late when they arrive, in the order of their time and then of their arrival. */
function inTime(correlations: readonly ReferenceCorrelation[], stream: readonly ReferenceEvent[], latenessMs: number): Placed[] {
  const named = new Set(correlations.flatMap(({ rules }) => rules))
  let newestAt = -Infinity
  const kept: Placed[] = []
  for (const [place, event] of stream.entries()) {
    if (!event.rules.some((rule) => named.has(rule)) || event.at < newestAt - latenessMs) continue
    newestAt = Math.max(newestAt, event.at)
    kept.push({ ...event, place })
  }
  return kept.toSorted((a, b) => a.at - b.at || a.place - b.place)
}

type Occurrence = {
  readonly at: number
  readonly place: number
  readonly fields: EventObject
  readonly rules: readonly string[]
  /** An event itself, not a match of a correlation. */
  readonly isEvent: boolean
}

/** What one occurrence, or one event that several rules match, is to a group. */
type Entry = {
  readonly at: number
  readonly place: number
  readonly rules: readonly string[]
  /** Its values: texts, without regard to case, or numbers. */
  readonly values: readonly (string | number)[]
  readonly group: EventObject
}

/** All that happened to a group with the same event: it is decided on together. */
type Moment = { readonly at: number; readonly entries: readonly Entry[] }

function groupsOf(correlation: ReferenceCorrelation, occurrences: readonly Occurrence[]): Map<string, Moment[]> {
  const entriesByGroup = new Map<string, Entry[]>()
  for (const occurrence of occurrences.toSorted((a, b) => a.at - b.at || a.place - b.place)) {
    const byGroup = new Map<string, Entry>()
    for (const rule of correlation.rules.filter((name) => occurrence.rules.includes(name))) {
      const fieldOf = (name: string): string => correlation.aliases[name]?.[rule] ?? name
      const values = valuesOf(correlation, occurrence, fieldOf)
      if (values === undefined) continue
      for (const texts of combinations(correlation.groupBy.map((name) => textsIn(occurrence.fields[fieldOf(name)])))) {
        const group = JSON.stringify(texts.map(lower))
        const { at, place } = occurrence
        const known = byGroup.get(group)
        const groupFields = Object.fromEntries(correlation.groupBy.map((name, i) => [name, texts[i]]))
        byGroup.set(group, known === undefined ? { at, place, rules: [rule], values, group: groupFields } : { ...known, rules: [...known.rules, rule] })
      }
    }
    for (const [group, entry] of byGroup) entriesByGroup.set(group, [...(entriesByGroup.get(group) ?? []), entry])
  }
  const groups = new Map<string, Moment[]>()
  for (const [group, entries] of entriesByGroup) {
    const places = [...new Set(entries.map(({ place }) => place))]
    groups.set(group, places.map((place) => {
      const together = entries.filter((entry) => entry.place === place)
      return { at: together[0]!.at, entries: together }
    }))
  }
  return groups
}

/** The values that an occurrence brings; undefined where it lacks what is counted or reckoned with. */
function valuesOf({ type, fields, percentile }: ReferenceCorrelation, occurrence: Occurrence, fieldOf: (name: string) => string): readonly (string | number)[] | undefined {
  if (fields.length === 0) return []
  const isOfTexts = type === 'value_count' || (type === 'value_percentile' && percentile === undefined)
  if (isOfTexts) {
    const tuples = combinations(fields.map((name) => textsIn(occurrence.fields[fieldOf(name)])))
    return tuples.length === 0 ? undefined : tuples.map((texts) => JSON.stringify(texts.map(lower)))
  }
  const value = occurrence.fields[fieldOf(fields[0]!)]
  const number = typeof value === 'number' ? value : typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : NaN
  return Number.isNaN(number) ? undefined : [number]
}

function textsIn(value: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((one) => one !== undefined && one !== null).map(String)
}

function lower(text: string): string {
  return text.toLowerCase()
}

function combinations(lists: readonly (readonly string[])[]): string[][] {
  return lists.reduce<string[][]>((all, list) => all.flatMap((texts) => list.map((text) => [...texts, text])), [[]])
}

type Decision = { readonly decidedAt: number; readonly window: readonly Entry[] }

function decide(correlation: ReferenceCorrelation, moments: readonly Moment[]): Decision[] {
  return isClosing(correlation) ? decideClosing(correlation, moments) : decideSliding(correlation, moments)
}

function isClosing({ type, percentile, thresholds, formula }: ReferenceCorrelation): boolean {
  if (formula !== undefined) return JSON.stringify(formula).includes('"not"')
  if (type === 'value_percentile' && percentile === undefined) return false
  return Object.keys(thresholds ?? {}).some((operator) => !operator.startsWith('g'))
}

/** Windows that begin with an event and are judged a timespan later; they do not overlap. */
function decideClosing(correlation: ReferenceCorrelation, moments: readonly Moment[]): Decision[] {
  const decisions: Decision[] = []
  let rest = moments
  while (rest.length > 0) {
    const endAt = rest[0]!.at + correlation.spanMs
    const inside = rest.filter(({ at }) => at < endAt)
    rest = rest.filter(({ at }) => at >= endAt)
    const early = inside.findIndex((_, i) => isDecided(correlation, entriesIn(inside.slice(0, i + 1))))
    if (early !== -1) decisions.push({ decidedAt: inside[early]!.at, window: entriesIn(inside.slice(0, early + 1)) })
    else if (holds(correlation, entriesIn(inside))) decisions.push({ decidedAt: endAt, window: entriesIn(inside) })
  }
  return decisions
}

/** A window that ends with each event. */
function decideSliding(correlation: ReferenceCorrelation, moments: readonly Moment[]): Decision[] {
  const { spanMs, firing } = correlation
  const decisions: Decision[] = []
  let begin = 0
  let held = false
  let matchedAt = -Infinity
  const isAboutNewest = correlation.type === 'value_percentile' && correlation.percentile === undefined
  for (const [i, { at }] of moments.entries()) {
    const windowAt = (instant: number, end: number): readonly Entry[] => {
      return entriesIn(moments.slice(begin, end).filter((moment) => moment.at > instant - spanMs && moment.at <= instant))
    }
    // Whether it ceased to hold is looked at just before, unless the event before is of the same instant.
    const isInstant = i > begin && moments[i - 1]!.at === at
    const stillHolds = isInstant || isAboutNewest || holds(correlation, windowAt(at - 1, i))
    const isNew = !held || !stillHolds
    const window = windowAt(at, i + 1)
    held = holds(correlation, window)
    const isPast = at - matchedAt >= spanMs
    const fires = { on_true: isNew || isPast, every: true, once_per_window: isPast, reset: true }[firing]
    if (!held || !fires) continue
    decisions.push({ decidedAt: at, window })
    matchedAt = at
    if (firing !== 'reset') continue
    begin = i + 1
    held = false
    matchedAt = -Infinity
  }
  return decisions
}

function entriesIn(moments: readonly Moment[]): readonly Entry[] {
  return moments.flatMap(({ entries }) => entries)
}

function holds(correlation: ReferenceCorrelation, window: readonly Entry[]): boolean {
  if (correlation.formula !== undefined) return hasWay(correlation, window, seenIn(window))
  const value = valueOf(correlation, window)
  return value !== undefined && Object.entries(correlation.thresholds ?? {}).every(([operator, bound]) => compare(operator, value, bound))
}

/** Whether a formula holds whatever may still be seen. */
function isDecided(correlation: ReferenceCorrelation, window: readonly Entry[]): boolean {
  return correlation.formula !== undefined && hasWay(correlation, window, correlation.rules)
}

/**
 * Whether some of the rules that were seen, in order where that is asked, make the formula true, whichever of the
 * others that could have been seen were seen as well.
 */
function hasWay({ type, rules, formula }: ReferenceCorrelation, window: readonly Entry[], possible: readonly string[]): boolean {
  return subsetsOf(seenIn(window).toSorted((a, b) => rules.indexOf(a) - rules.indexOf(b))).some((way) => {
    const others = possible.filter((rule) => !way.includes(rule))
    const isTrue = subsetsOf(others).every((more) => isTrueOf(formula!, [...way, ...more]))
    return isTrue && (type === 'temporal' || isChain(way, window))
  })
}

function seenIn(window: readonly Entry[]): string[] {
  return [...new Set(window.flatMap(({ rules }) => rules))]
}

function subsetsOf<Item>(items: readonly Item[]): Item[][] {
  return items.reduce<Item[][]>((all, item) => [...all, ...all.map((subset) => [...subset, item])], [[]])
}

function isTrueOf(formula: ReferenceFormula, seen: readonly string[]): boolean {
  if (typeof formula === 'string') return seen.includes(formula)
  if ('not' in formula) return !isTrueOf(formula.not, seen)
  return 'and' in formula ? formula.and.every((part) => isTrueOf(part, seen)) : formula.or.some((part) => isTrueOf(part, seen))
}

/** Whether rules matched one after the other; an event may be of several of them. */
function isChain(rules: readonly string[], window: readonly Entry[]): boolean {
  if (rules.length === 0) return true
  return window.some((entry, i) => {
    const onwards = window.filter((other, j) => j >= i || other.place === entry.place)
    return entry.rules.includes(rules[0]!) && isChain(rules.slice(1), onwards)
  })
}

function valueOf(correlation: ReferenceCorrelation, window: readonly Entry[]): number | undefined {
  const { type, rules, percentile } = correlation
  const values = window.flatMap((entry) => entry.values)
  const numbers = values.filter((value) => typeof value === 'number').toSorted((a, b) => a - b)
  const sum = numbers.reduce((total, number) => total + number, 0)
  switch (type) {
    case 'event_count':
      return window.length
    case 'value_count':
      return new Set(values).size
    case 'value_sum':
      return window.length === 0 ? undefined : sum
    case 'value_avg':
      return window.length === 0 ? undefined : sum / window.length
    case 'value_median':
      return nearestRank(numbers, 50)
    case 'value_percentile': {
      if (percentile !== undefined) return nearestRank(numbers, percentile)
      const newest = values.at(-1)
      return newest === undefined ? undefined : (100 * values.filter((value) => value === newest).length) / values.length
    }
    case 'temporal':
      return seenIn(window).length
    case 'temporal_ordered':
      return Math.max(...subsetsOf(rules).filter((some) => isChain(some, window)).map(({ length }) => length))
  }
}

/** The first number that at least so many percent of the numbers do not exceed. */
function nearestRank(numbers: readonly number[], percentile: number): number | undefined {
  return numbers.find((_, i) => 100 * (i + 1) >= percentile * numbers.length)
}

function compare(operator: string, value: number, bound: number): boolean {
  switch (operator) {
    case 'gt': return value > bound
    case 'gte': return value >= bound
    case 'lt': return value < bound
    case 'lte': return value <= bound
    case 'eq': return value === bound
    default: return value !== bound
  }
}
