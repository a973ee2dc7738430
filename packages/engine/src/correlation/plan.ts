import type { RuleAttributes } from '../sigma/rule.ts'
import type { CompiledCorrelation, CorrelationMember } from './compiled-correlation.ts'
import { isDecidedLater } from './group-condition.ts'

/** Where a match goes: to a correlation, as a match of one of its members. Both are numbers. */
export type Feed = { readonly correlation: number; readonly member: number }

/** A correlation in the order of its evaluation. */
export type PlannedCorrelation = {
  readonly rule: CompiledCorrelation
  /** What its matches feed. */
  readonly feeds: readonly Feed[]
  /**
   * How much later than its time an event may reach it, in milliseconds: correlations that it refers to may have to wait
   * for events to leave before they know what happened.
   */
  readonly delayMs: number
  /** Whether its matches are only for other correlations (`generate`). */
  readonly isSilent: boolean
  /** Fields besides its group that the correlations it feeds read from its matches: its events carry them. */
  readonly carriedFields: readonly string[]
}

/** A correlation that cannot run, because rules that it names are not in the rule set. */
export type IdleCorrelation = { readonly rule: CompiledCorrelation; readonly missing: readonly string[] }

/** Which matches go where. */
export type CorrelationPlan = {
  /** Each after those that it refers to. */
  readonly correlations: readonly PlannedCorrelation[]
  /** By number of a detection rule: what its matches feed; undefined where that is nothing. */
  readonly feedsOf: readonly (readonly Feed[] | undefined)[]
  /** By number of a detection rule: 1 where its matches are only for correlations. */
  readonly isSilent: Uint8Array
  readonly idle: readonly IdleCorrelation[]
}

/** What is known of the rules of a rule set: its correlations, and its detection rules by number. */
export type CorrelatedRules = {
  readonly correlations: readonly CompiledCorrelation[]
  readonly rules: { readonly length: number; readonly [number: number]: { readonly rule: Pick<RuleAttributes, 'custom'> } }
  /** The number of a detection rule. */
  readonly numberOf: (id: string) => number | undefined
}

/**
 * Orders correlations so that each comes after those that it refers to, and finds which rules feed which. A rule
 * that a correlation names makes no match of its own, unless one of those that name it says `generate`.
 */
export function planCorrelations(rules: CorrelatedRules): CorrelationPlan {
  const { ordered, idle } = sortByReference(rules)
  const places = new Map(ordered.map(({ id }, place) => [id, place]))
  const feeds = new Map<string, Feed[]>()
  const generated = new Set<string>()
  for (const [correlation, rule] of ordered.entries()) {
    for (const [member, { ruleId }] of rule.members.entries()) {
      feeds.set(ruleId, [...(feeds.get(ruleId) ?? []), { correlation, member }])
      if (rule.rule.correlation.generates) generated.add(ruleId)
    }
  }
  const delays: number[] = []
  for (const rule of ordered) {
    delays.push(Math.max(0, ...rule.members.map(({ ruleId }) => delayAfter(places.get(ruleId), ordered, delays))))
  }
  const isSilent = new Uint8Array(rules.rules.length)
  const feedsOf: (readonly Feed[] | undefined)[] = []
  for (const [id, own] of feeds) {
    const number = rules.numberOf(id)
    if (number === undefined) continue
    feedsOf[number] = own
    isSilent[number] = Number(!generated.has(id))
  }
  const carried = planCarriedFields(ordered, feeds)
  const correlations = ordered.map((rule, place) => {
    const own = feeds.get(rule.id) ?? []
    const isForOthers = own.length > 0 && !generated.has(rule.id)
    return { rule, feeds: own, delayMs: delays[place]!, isSilent: isForOthers, carriedFields: carried[place]! }
  })
  return { correlations, feedsOf, isSilent, idle }
}

/** The field of a member's events that a correlation means by a name. */
export function resolveField({ rule }: CompiledCorrelation, { name }: CorrelationMember, field: string): string {
  return rule.correlation.aliases.get(field)?.get(name) ?? field
}

/** By correlation: what those that it feeds read from its matches, for themselves and for those that they feed. */
function planCarriedFields(
  ordered: readonly CompiledCorrelation[], feeds: ReadonlyMap<string, readonly Feed[]>,
): (readonly string[])[] {
  const carried: (readonly string[])[] = ordered.map(() => [])
  for (const [place, rule] of [...ordered.entries()].toReversed()) {
    const read = (feeds.get(rule.id) ?? []).flatMap(({ correlation, member }) => {
      const outer = ordered[correlation]!
      const own = outer.members[member]!
      return [...own.groupFields, ...own.valueFields, ...carried[correlation]!.map((field) => resolveField(outer, own, field))]
    })
    const { groupBy } = rule.rule.correlation
    carried[place] = [...new Set(read)].filter((field) => !groupBy.includes(field))
  }
  return carried
}

function delayAfter(place: number | undefined, ordered: readonly CompiledCorrelation[], delays: readonly number[]): number {
  if (place === undefined) return 0
  const { correlation } = ordered[place]!.rule
  return delays[place]! + (isDecidedLater(correlation) ? correlation.timespanMs : 0)
}

/** Puts correlations into topological order; those that lack a rule, or refer to one that does, are idle. */
function sortByReference(
  rules: CorrelatedRules,
): { readonly ordered: readonly CompiledCorrelation[]; readonly idle: readonly IdleCorrelation[] } {
  const ordered: CompiledCorrelation[] = []
  const done = new Set<string>()
  const isThere = (id: string): boolean => done.has(id) || rules.numberOf(id) !== undefined
  let waiting = rules.correlations
  for (let before = -1; before !== waiting.length;) {
    before = waiting.length
    for (const rule of waiting) {
      if (!rule.members.every(({ ruleId }) => isThere(ruleId))) continue
      ordered.push(rule)
      done.add(rule.id)
    }
    waiting = waiting.filter(({ id }) => !done.has(id))
  }
  const idle = waiting.map((rule) => {
    return { rule, missing: rule.members.map(({ ruleId }) => ruleId).filter((id) => !isThere(id)) }
  })
  return { ordered, idle }
}
