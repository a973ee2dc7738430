import { Correlator, finishSteps, parseJson, readSnapshot, writeSnapshot } from '@tripline/engine'
import type { CorrelationCounts, CorrelationMatch, CorrelationOptions, EventObject, LoadedState, RuleSet } from '@tripline/engine'
import type { ChunkMatch } from '@tripline/pool'

/** The matches of a chunk, by kind. */
export type CorrelatedChunk = {
  /** The detection matches to print, without those that only correlations use. */
  readonly matches: readonly ChunkMatch[]
  readonly correlations: readonly CorrelationMatch[]
}

/**
 * Correlates the matches of an input, chunk by chunk, in whichever thread they were matched. Sequence numbers are
 * lines; with a saved state they continue from the earlier inputs.
 */
export class LineCorrelator {
  readonly #correlator: Correlator
  readonly #receivedAt: number | undefined
  #lineCount = 0
  #previousLineCount = 0

  constructor(ruleSet: RuleSet, options: CorrelationOptions, receivedAt?: number) {
    this.#correlator = new Correlator(ruleSet, { options })
    this.#receivedAt = receivedAt
  }

  get counts(): CorrelationCounts {
    return this.#correlator.counts
  }

  /** The line of a sequence number in this input, from 0; undefined for an event of an earlier input. */
  getLine(sequence: number): number | undefined {
    return sequence < this.#previousLineCount ? undefined : sequence - this.#previousLineCount
  }

  /** Adds the next chunk, whose matches have the text of their event. */
  correlate(piece: { readonly matches: readonly ChunkMatch[]; readonly lineCount: number }): CorrelatedChunk {
    const start = this.#previousLineCount + this.#lineCount
    for (const { rule, row, text } of piece.matches) {
      if (!this.#correlator.isFed(rule)) continue
      if (text === undefined) throw new Error(`a match of rule ${rule} came without its event`)
      this.#correlator.takeEvent(rule, parseJson(text) as EventObject, { sequence: start + row, receivedAt: this.#receivedAt })
    }
    this.#lineCount += piece.lineCount
    const matches = piece.matches.filter(({ rule }) => !this.#correlator.isSilent(rule))
    return { matches, correlations: this.#correlator.settle() }
  }

  /** Closes all windows, as at the end of the stream. */
  finish(): CorrelationMatch[] {
    this.#correlator.advance(Infinity)
    return this.#correlator.settle()
  }

  /** A snapshot of the open windows, for `load` before the next input. */
  save(): Uint8Array {
    return writeSnapshot({ ...this.#correlator.save(), sequence: this.#previousLineCount + this.#lineCount, suppressions: [] })
  }

  /** Restores a snapshot. @throws SnapshotError for bytes that are not one. */
  load(bytes: Uint8Array): LoadedState {
    const state = readSnapshot(bytes)
    this.#previousLineCount = state.sequence
    return finishSteps(this.#correlator.load(state))
  }
}
