import type { CorrelationCounts } from './correlation-options.ts'
import type { Contribution } from './contribution.ts'
import type { LegacyGroup, SavedGroup } from './fired-group.ts'
import type { Instant } from './time/time-scale.ts'

/** What a correlator knows, as `save` writes it. */
export type CorrelatorState = {
  /** Where the scale of its instants begins, in milliseconds since the epoch; undefined before the first event. */
  readonly baseMs: number | undefined
  readonly newestAt: Instant
  readonly watermark: Instant
  readonly counts: Pick<CorrelationCounts, 'late' | 'future' | 'undated' | 'ungrouped' | 'unmeasured' | 'evicted'>
  readonly correlations: Iterable<SavedCorrelation>
}

/** What one correlation knows. */
export type SavedCorrelation = {
  readonly id: string
  readonly definition: string
  /** The fields that its events carry for other correlations. */
  readonly carriedFields: readonly string[]
  readonly degradedUntil: Instant
  readonly groups: Iterable<SavedGroup>
  /** Groups of the first version of snapshots. */
  readonly legacyGroups?: readonly LegacyGroup[]
  readonly pending: Iterable<Contribution>
}

/** What a correlator knows before it has seen anything. */
export const noState: CorrelatorState = {
  baseMs: undefined,
  newestAt: -Infinity,
  watermark: -Infinity,
  counts: { late: 0, future: 0, undated: 0, ungrouped: 0, unmeasured: 0, evicted: 0 },
  correlations: [],
}

/** What became of saved state: the rules that go on from it, and those whose state is of no use any more. */
export type LoadedState = {
  readonly kept: readonly string[]
  readonly dropped: readonly { readonly id: string; readonly reason: 'gone' | 'changed' }[]
}

/** Groups that are taken in by one step: a fraction of a millisecond of work. */
export const stepGroupsMax = 500

/** Passes over what was saved of a correlation, in short steps of work: it may be read while it is iterated. */
export function* skipSaved({ groups, pending }: SavedCorrelation): Generator<undefined, void> {
  let count = 0
  for (const list of [groups, pending]) for (const _ of list) if (++count % stepGroupsMax === 0) yield
}

/** The same for all correlations, none of which goes on. */
export function* skipState({ correlations }: CorrelatorState): Generator<undefined, LoadedState> {
  for (const saved of correlations) yield* skipSaved(saved)
  return { kept: [], dropped: [] }
}
