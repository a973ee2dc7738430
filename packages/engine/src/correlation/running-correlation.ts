import type { FieldValue } from '../event/value.ts'
import { limits } from '../limits.ts'
import type { CorrelationOptions } from './correlation-options.ts'
import { groupOf } from './correlation-match.ts'
import { stepGroupsMax } from './correlator-state.ts'
import type { SavedCorrelation } from './correlator-state.ts'
import type { FiredGroup, GroupStanding } from './fired-group.ts'
import { GroupWindows } from './group-windows.ts'
import { resolveField } from './plan.ts'
import type { PlannedCorrelation } from './plan.ts'
import { scoreField } from '../sigma/correlation.ts'
import { ContributionReader } from './read-contribution.ts'
import type { CarriedRecord } from './read-contribution.ts'
import { ReorderBuffer } from './time/reorder-buffer.ts'
import { nanosPerMs } from './time/time-scale.ts'
import type { Instant, TimeScale } from './time/time-scale.ts'

type StageOptions = {
  readonly options: CorrelationOptions
  readonly scale: TimeScale
  /** Whether some of what feeds it are correlations. */
  readonly isOuter: boolean
  /** The score that each member states. */
  readonly scores: readonly (number | undefined)[]
  readonly onStanding: ((standing: GroupStanding) => void) | undefined
}

/** One correlation while it runs: what waits for it, its windows, and how it reads what feeds it. */
export class RunningCorrelation {
  readonly planned: PlannedCorrelation
  readonly windows: GroupWindows
  readonly buffer: ReorderBuffer
  readonly readers: readonly ContributionReader[]
  /** Whether all that feeds it are detection rules, so that what comes in order need not wait. */
  readonly isDirect: boolean
  readonly delay: Instant

  constructor(planned: PlannedCorrelation, stageOptions: StageOptions, before: RunningCorrelation | undefined) {
    const { rule, carriedFields } = planned
    this.planned = planned
    this.delay = planned.delayMs * nanosPerMs
    this.isDirect = planned.delayMs === 0 && !stageOptions.isOuter
    this.readers = rule.members.map((member, i) => new ContributionReader(rule, member, {
      carriedFields: carriedFields.map((field) => resolveField(rule, member, field)), score: stageOptions.scores[i],
    }))
    const goesOn = before !== undefined && before.planned.rule.definition === rule.definition
    this.buffer = goesOn ? before.buffer : new ReorderBuffer()
    const isSame = goesOn && before.carries(carriedFields) && stageOptions.onStanding === undefined
    this.windows = isSame ? before.windows : createWindows(planned, stageOptions)
    // What the events of other rules are to carry is not known of those that are there.
    if (goesOn && !isSame) for (const group of before.windows.save()) this.windows.load(group, false)
  }

  /** Whether its events carry these fields. */
  carries(fields: readonly string[]): boolean {
    const { carriedFields } = this.planned
    return fields.length === carriedFields.length && fields.every((field, i) => field === carriedFields[i])
  }

  /** What the match of a group is to other correlations: the fields of each of its events, with those of the group. */
  recordsOf({ key, carried }: FiredGroup): CarriedRecord[] {
    const group = groupOf(this.planned.rule, key)
    if (carried.length === 0) return [group]
    return carried.map((text) => {
      const values: readonly FieldValue[] = JSON.parse(text)
      const record = new Map<string, FieldValue>(this.planned.carriedFields.map((field, i) => [field, values[i]]))
      for (const [field, value] of group) record.set(field, value)
      return record
    })
  }

  save(): SavedCorrelation {
    const { rule: { id, definition }, carriedFields } = this.planned
    const { degradedUntil } = this.windows
    return { id, definition, carriedFields, degradedUntil, groups: this.windows.save(), pending: [...this.buffer] }
  }

  /** Takes in what a correlation of the same definition knew, in short steps of work; it knows nothing itself. */
  *load({ carriedFields, degradedUntil, groups, legacyGroups = [], pending }: SavedCorrelation): Generator<undefined> {
    this.windows.degrade(degradedUntil)
    let count = 0
    for (const group of groups) {
      this.windows.load(group, this.carries(carriedFields))
      if (++count % stepGroupsMax === 0) yield
    }
    for (const group of legacyGroups) {
      this.windows.loadLegacy(group)
      if (++count % stepGroupsMax === 0) yield
    }
    for (const contribution of pending) {
      this.buffer.add(contribution)
      if (++count % stepGroupsMax === 0) yield
    }
  }
}

/**
 * Evicts groups, each time of the correlation that remembers most, until all together remember no more than a bound, or
 * `groupsMax` groups are gone. Returns whether all is done that can be.
 */
export function evictLargest(stages: readonly RunningCorrelation[], eventsMax: number, groupsMax = Infinity): boolean {
  let count = stages.reduce((sum, { windows }) => sum + windows.eventCount, 0)
  for (let evictedCount = 0; count > eventsMax; evictedCount++) {
    if (evictedCount === groupsMax) return false
    const { windows } = stages.reduce((most, stage) => (stage.windows.eventCount > most.windows.eventCount ? stage : most))
    const before = windows.eventCount
    if (!windows.evictOldest()) return true
    count -= before - windows.eventCount
  }
  return true
}

function createWindows({ rule, carriedFields }: PlannedCorrelation, { options, scale, onStanding }: StageOptions): GroupWindows {
  const { firing = 'on_true', hashSeed = 0x243f6a88, stateMax = {} } = options
  const bounds = {
    groupsMax: stateMax.groups ?? limits.correlationGroupsMax,
    eventsMax: stateMax.groupEvents ?? limits.matchEventsMax,
    instantsMax: stateMax.groupEvents ?? limits.groupInstantsMax,
    valuesMin: Math.min(stateMax.groupEvents ?? limits.groupValuesMin, limits.groupValuesMin),
    carriedMax: limits.carriedValuesMax,
  }
  // Rules that read the same fields bring the same values; the score of each is its own.
  const sources = rule.members.map(({ valueFields }, i) => (valueFields[0] === scoreField ? `${i}` : JSON.stringify(valueFields)))
  const valueSources = sources.map((source) => sources.indexOf(source))
  return new GroupWindows(rule.rule.correlation, {
    mode: firing, seed: hashSeed, bounds, scale, valueSources, carries: carriedFields.length > 0, onStanding,
  })
}
