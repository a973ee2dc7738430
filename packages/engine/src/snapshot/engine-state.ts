import type { CorrelatorState } from '../correlation/correlator-state.ts'
import type { SavedSuppression } from './body-parts.ts'

/** What an engine knows of its stream. */
export type EngineState = CorrelatorState & {
  /** The number in the stream of the next event. */
  readonly sequence: number
  readonly suppressions: Iterable<SavedSuppression>
}
