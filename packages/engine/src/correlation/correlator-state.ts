import type { CorrelationCounts } from './correlation-options.ts'
import type { Contribution, SavedGroup } from './window.ts'

/** What a correlator knows, as `save` writes it. */
export type CorrelatorState = {
  readonly newestAt: number
  readonly watermark: number
  readonly counts: Pick<CorrelationCounts, 'late' | 'future' | 'undated' | 'ungrouped' | 'unmeasured' | 'evicted'>
  readonly correlations: Iterable<{
    readonly id: string
    readonly definition: string
    readonly groups: Iterable<SavedGroup>
    readonly pending: Iterable<Contribution>
  }>
}

/** What a correlator knows before it has seen anything. */
export const noState: CorrelatorState = {
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
