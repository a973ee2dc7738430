import { decideAbsence, holdsAtClose } from './reference-absence.ts'
import { hasWay, isChain, seenIn, subsetsOf } from './reference-formula.ts'
import type { ReferenceCorrelation, ReferenceDecision, ReferenceEntry, ReferenceMoment } from './reference-types.ts'

/*
 * When the condition of a correlation comes to hold on one group: its moments are walked through again for every
 * instant at which something comes or goes.
 */

export function decideWindows(correlation: ReferenceCorrelation, moments: readonly ReferenceMoment[], startAt: number): ReferenceDecision[] {
  const { spanMs, window = 'sliding' } = correlation
  if (window === 'sliding') {
    if (isShare(correlation)) return decideShares(correlation, moments)
    return isAbsence(correlation) ? decideAbsence(correlation, moments) : decideSliding(correlation, moments)
  }
  const segments: ReferenceMoment[][] = []
  const boxOf = (at: number): number => Math.floor((startAt + at) / spanMs)
  for (const moment of moments) {
    const last = segments.at(-1)?.at(-1)
    const isSame = last !== undefined && (window === 'session' ? moment.at - last.at < spanMs : boxOf(moment.at) === boxOf(last.at))
    if (isSame) segments.at(-1)!.push(moment)
    else segments.push([moment])
  }
  return segments.flatMap((segment) => {
    const closesAt = window === 'session' ? segment.at(-1)!.at + spanMs : (boxOf(segment[0]!.at) + 1) * spanMs - startAt
    return isShare(correlation) ? decideShares(correlation, segment) : decideSegment(correlation, segment, closesAt)
  })
}

/** Whether it is about the part of a group that has one value. */
function isShare({ type, percentile }: ReferenceCorrelation): boolean {
  return type === 'value_percentile' && percentile === undefined
}

function isAbsence({ formula }: ReferenceCorrelation): boolean {
  return formula !== undefined && JSON.stringify(formula).includes('"not"')
}

/** Whether few events make it hold: bounds from above, and none from below. */
function isOfFew({ thresholds }: ReferenceCorrelation): boolean {
  return thresholds !== undefined && !Object.keys(thresholds).some((operator) => operator.startsWith('g'))
}

/** Whether it may begin to hold because events leave. */
function isTimed({ type, thresholds }: ReferenceCorrelation): boolean {
  if (type === 'value_sum' || type === 'value_avg' || type === 'value_median' || type === 'value_percentile') return true
  return Object.keys(thresholds ?? {}).some((operator) => !operator.startsWith('g'))
}

/** Windows that end at each instant at which an event comes, or leaves. */
function decideSliding(correlation: ReferenceCorrelation, moments: readonly ReferenceMoment[]): ReferenceDecision[] {
  const { spanMs, firing } = correlation
  const [few, timed] = [isOfFew(correlation), isTimed(correlation)]
  const decisions: ReferenceDecision[] = []
  let [begin, held, matchedAt] = [0, false, -Infinity]
  let firstAt: number | undefined
  let isJudged = false
  const forget = (): void => {
    [held, matchedAt, firstAt, isJudged] = [false, -Infinity, undefined, false]
  }
  const look = (at: number, end: number, windowMoments: readonly ReferenceMoment[], isArrival: boolean): void => {
    const window = entriesIn(windowMoments)
    const wasHeld = held
    held = holds(correlation, window)
    const isPast = at - matchedAt >= spanMs
    const isNew = !wasHeld
    const fires = isArrival
      ? { on_true: isNew || (isPast && !few), every: true, once_per_window: isPast, reset: true }[firing]
      : { on_true: isNew, every: isNew, once_per_window: isNew && isPast, reset: isNew }[firing]
    if (!held || !fires) return
    const newestAt = moments[end - 1]!.at
    const newest = window.length > 0 ? moments[end - 1]! : { at: newestAt, entries: entriesIn(moments.slice(begin, end).filter((one) => one.at === newestAt)) }
    decisions.push({ decidedAt: at, window, newest })
    matchedAt = at
    if (firing !== 'reset') return
    begin = end
    forget()
  }
  const instants = [...new Set(moments.flatMap(({ at }) => [at, at + spanMs]))].toSorted((a, b) => a - b)
  for (const at of instants) {
    const before = moments.filter((moment) => moment.at < at).length
    if (few && !isJudged && firstAt !== undefined && at === firstAt + spanMs) {
      isJudged = true
      look(at, before, moments.slice(begin, before).filter((moment) => moment.at >= at - spanMs), false)
    }
    const arrived = moments.filter((moment) => moment.at === at).length
    const left = moments.slice(begin, before).filter((moment) => moment.at > at - spanMs)
    const isLeave = moments.slice(begin, before).some((moment) => moment.at === at - spanMs)
    if (arrived === 0 && isLeave) {
      if (timed && (!few || isJudged)) look(at, before, left, false)
      if (left.length === 0) forget()
    }
    for (let end = before + 1; end <= before + arrived; end++) {
      if (firstAt === undefined) firstAt = at
      if (few && !isJudged) continue
      // Whether it ceased to hold is looked at just before, unless the event before is of the same instant.
      if (!timed && held && end === before + 1) {
        held = holds(correlation, entriesIn(moments.slice(begin, before).filter((moment) => moment.at >= at - spanMs)))
      }
      look(at, end, moments.slice(begin, end).filter((moment) => moment.at > at - spanMs), true)
    }
  }
  return decisions
}

/** Windows that do not overlap: looked at with every event, and conditions that few events fulfil when they close. */
function decideSegment(correlation: ReferenceCorrelation, moments: readonly ReferenceMoment[], closesAt: number): ReferenceDecision[] {
  const { spanMs, firing } = correlation
  const [few, absence] = [isOfFew(correlation), isAbsence(correlation)]
  const decisions: ReferenceDecision[] = []
  let [begin, held, matchedAt] = [0, false, -Infinity]
  let isDecided = false
  for (const [i, moment] of moments.entries()) {
    if (few) continue
    const window = entriesIn(moments.slice(begin, i + 1))
    const wasHeld = held
    held = absence ? completes(correlation, window, moment) : holds(correlation, window)
    isDecided ||= held && absence
    const isPast = moment.at - matchedAt >= spanMs
    const isNew = !wasHeld && !absence
    const fires = { on_true: isNew || isPast, every: true, once_per_window: isPast, reset: true }[firing]
    if (!held || !fires) continue
    decisions.push({ decidedAt: moment.at, window, newest: moment })
    matchedAt = moment.at
    if (firing !== 'reset') continue
    ;[begin, held, matchedAt, isDecided] = [i + 1, false, -Infinity, false]
  }
  const rest = entriesIn(moments.slice(begin))
  if ((few || absence) && rest.length > 0) {
    const isClosing = absence ? !isDecided && holdsAtClose(correlation, rest) : holds(correlation, rest)
    if (isClosing) decisions.push({ decidedAt: closesAt, window: rest, newest: moments.at(-1)! })
  }
  return decisions
}

/** Whether a moment completes something that holds whatever may still come. */
function completes(correlation: ReferenceCorrelation, window: readonly ReferenceEntry[], moment: ReferenceMoment): boolean {
  return decideAbsence({ ...correlation, spanMs: Infinity, firing: 'every' }, [...momentsOf(window)])
    .some(({ newest }) => newest.at === moment.at && newest.entries[0] === moment.entries[0])
}

/** Entries as moments again. */
function momentsOf(window: readonly ReferenceEntry[]): ReferenceMoment[] {
  const byPlace = Map.groupBy(window, ({ place }) => place)
  return Array.from(byPlace.values(), (entries) => ({ at: entries[0]!.at, entries }))
}

/** How much of a window has each value of its newest event; each value makes matches of its own. */
function decideShares(correlation: ReferenceCorrelation, moments: readonly ReferenceMoment[]): ReferenceDecision[] {
  const { spanMs, firing, window: kind = 'sliding' } = correlation
  const decisions: ReferenceDecision[] = []
  let begin = 0
  const held = new Set<string | number>()
  const matchedAt = new Map<string | number, number>()
  for (const [i, moment] of moments.entries()) {
    const { at } = moment
    const window = entriesIn(moments.slice(begin, i + 1).filter((other) => kind !== 'sliding' || other.at > at - spanMs))
    const values = window.flatMap((entry) => entry.values)
    const decided: ReferenceDecision[] = []
    for (const value of new Set(moment.entries.flatMap((entry) => entry.values))) {
      const share = (100 * values.filter((other) => other === value).length) / values.length
      const isNew = !held.has(value)
      const isPast = at - (matchedAt.get(value) ?? -Infinity) >= spanMs
      const isMet = areMet(correlation, share)
      if (isMet) held.add(value)
      else held.delete(value)
      if (!isMet || !{ on_true: isNew || isPast, every: true, once_per_window: isPast, reset: true }[firing]) continue
      matchedAt.set(value, at)
      decided.push({ decidedAt: at, window, newest: moment, value: share })
    }
    decisions.push(...decided)
    if (firing !== 'reset' || decided.length === 0) continue
    begin = i + 1
    held.clear()
    matchedAt.clear()
  }
  return decisions
}

export function entriesIn(moments: readonly ReferenceMoment[]): readonly ReferenceEntry[] {
  return moments.flatMap(({ entries }) => entries)
}

function holds(correlation: ReferenceCorrelation, window: readonly ReferenceEntry[]): boolean {
  if (correlation.formula !== undefined) return hasWay(correlation, window)
  const value = valueOf(correlation, window)
  return value !== undefined && areMet(correlation, value)
}

function areMet({ thresholds }: ReferenceCorrelation, value: number): boolean {
  return Object.entries(thresholds ?? {}).every(([operator, bound]) => compare(operator, value, bound))
}

export function valueOf(correlation: ReferenceCorrelation, window: readonly ReferenceEntry[]): number | undefined {
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
      return numbers.length === 0 ? undefined : sum
    case 'value_avg':
      return numbers.length === 0 ? undefined : sum / numbers.length
    case 'value_median':
      return nearestRank(numbers, 50)
    case 'value_percentile':
      return nearestRank(numbers, percentile!)
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
