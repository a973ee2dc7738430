import { isChain, seenIn, termsOf } from './reference-formula.ts'
import type { ReferenceTerm } from './reference-formula.ts'
import type { ReferenceCorrelation, ReferenceDecision, ReferenceEntry, ReferenceMoment } from './reference-types.ts'

/*
 * Conditions with `not`. Each way to make the condition true is completed by an event, and begins with the oldest of
 * the newest events that it needs. It is judged a timespan after it began, unless one of the rules that must not be
 * seen was: for `temporal` within a timespan before its completion or until then, for `temporal_ordered` since it began.
 */

type Candidate = { readonly at: number; readonly isImmediate: boolean; readonly end: number; readonly window: readonly ReferenceMoment[] }

export function decideAbsence(correlation: ReferenceCorrelation, moments: readonly ReferenceMoment[]): ReferenceDecision[] {
  const { spanMs, firing } = correlation
  const terms = termsOf(correlation)
  const decisions: ReferenceDecision[] = []
  let [begin, matchedAt] = [0, -Infinity]
  for (let rest = candidatesOf(correlation, terms, moments); rest.length > 0;) {
    const [next, ...others] = rest
    const { at, isImmediate, end, window } = next!
    rest = others
    // A group of which nothing is left is forgotten, and with it when it made a match.
    const newest = moments.findLastIndex((moment) => moment.at < at || (isImmediate && moment.at === at))
    const isQuiet = moments.some((moment, i) => i > begin && moment.at <= at && moment.at - moments[i - 1]!.at > spanMs && matchedAt < moment.at)
    if (isQuiet) matchedAt = -Infinity
    if ((firing === 'on_true' || firing === 'once_per_window') && at - matchedAt < spanMs) continue
    decisions.push({ decidedAt: at, window: window.flatMap(({ entries }) => entries), newest: moments[isImmediate ? end - 1 : newest]! })
    matchedAt = at
    if (firing !== 'reset') continue
    matchedAt = -Infinity
    begin = end
    rest = candidatesOf(correlation, terms, moments, begin)
  }
  return decisions
}

/** Whether a window that closes whole fulfils the condition. */
export function holdsAtClose(correlation: ReferenceCorrelation, window: readonly ReferenceEntry[]): boolean {
  const seen = seenIn(window)
  return termsOf(correlation).some((term) => {
    if (term.unseen.length === 0 || !term.seen.every((rule) => seen.includes(rule))) return false
    if (correlation.type === 'temporal') return !term.unseen.some((rule) => seen.includes(rule))
    // In order: what must not be seen was not since the newest beginning of the rest.
    const starts = [...window.keys()].filter((i) => term.seen.length === 0 || startsChain(term.seen, window, i))
    const startAt = window[starts.at(-1) ?? -1]?.at
    return startAt !== undefined && !window.some(({ at, rules }) => at >= startAt && term.unseen.some((rule) => rules.includes(rule)))
  })
}

function startsChain(rules: readonly string[], window: readonly ReferenceEntry[], i: number): boolean {
  const onwards = window.filter((other, j) => j >= i || other.place === window[i]!.place)
  return window[i]!.rules.includes(rules[0]!) && isChain(rules.slice(1), onwards)
}

/** Everything that may be decided on the moments from one on, in order, each instant once. */
function candidatesOf(
  correlation: ReferenceCorrelation, terms: readonly ReferenceTerm[], moments: readonly ReferenceMoment[], begin = 0,
): Candidate[] {
  const { spanMs } = correlation
  const own = moments.slice(begin)
  const immediate = terms.filter(({ unseen }) => unseen.length === 0)
  const candidates = terms.flatMap((term) => own.flatMap((moment, i): Candidate[] => {
    // What is decided with an event is not judged again later.
    const isDecided = immediate.some((other) => beginningOf(correlation, other, own.slice(0, i + 1)) !== undefined)
    if (isDecided && term.unseen.length > 0) return []
    const beganAt = beginningOf(correlation, term, own.slice(0, i + 1))
    if (beganAt === undefined) return []
    if (term.unseen.length === 0) {
      const window = own.slice(0, i + 1).filter(({ at }) => at > moment.at - spanMs)
      return [{ at: moment.at, isImmediate: true, end: begin + i + 1, window }]
    }
    const dueAt = beganAt + spanMs
    const isCancelled = own.some(({ at, entries }) => {
      const isBefore = correlation.type === 'temporal' ? at <= moment.at - spanMs : at < beganAt
      return !isBefore && at < dueAt && seenIn(entries).some((rule) => term.unseen.includes(rule))
    })
    if (isCancelled || dueAt === Infinity) return []
    const window = own.filter(({ at }) => beganAt <= at && at < dueAt)
    return [{ at: dueAt, isImmediate: false, end: begin + own.filter(({ at }) => at < dueAt).length, window }]
  }))
  const sorted = candidates.toSorted((a, b) => a.at - b.at || Number(a.isImmediate) - Number(b.isImmediate) || a.end - b.end)
  return sorted.filter(({ at, isImmediate, end }, i) => {
    return !sorted.slice(0, i).some((other) => other.at === at && other.isImmediate === isImmediate && (!isImmediate || other.end === end))
  })
}

/** When what a term needs began that the newest moment completes; undefined where it completes nothing. */
function beginningOf(
  { type, spanMs }: ReferenceCorrelation, { seen }: ReferenceTerm, moments: readonly ReferenceMoment[],
): number | undefined {
  const newest = moments.at(-1)!
  if (seen.length === 0) return newest.at
  const rules = seenIn(newest.entries)
  const inside = moments.filter(({ at }) => at > newest.at - spanMs)
  if (type === 'temporal') {
    if (!seen.some((rule) => rules.includes(rule))) return undefined
    const lasts = seen.map((rule) => inside.findLast(({ entries }) => seenIn(entries).includes(rule))?.at)
    return lasts.some((at) => at === undefined) ? undefined : Math.min(...lasts.map((at) => at!))
  }
  if (!rules.includes(seen.at(-1)!)) return undefined
  const window = inside.flatMap(({ entries }) => entries)
  return window.findLast((_, i) => startsChain(seen, window, i))?.at
}
