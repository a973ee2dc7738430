import { Correlator, parseJson, readSnapshot, writeSnapshot } from '@tripline/engine'
import type { CorrelationCounts, CorrelationMatch, CorrelationOptions, EventObject, LoadedState, RuleSet } from '@tripline/engine'
import type { ChunkMatch } from '@tripline/pool'

/** Matches of a piece, told apart. */
export type CorrelatedChunk = {
  /** Those that are printed: not those that are for correlations only. */
  readonly matches: readonly ChunkMatch[]
  readonly correlations: readonly CorrelationMatch[]
}

/**
 * Correlates the matches of an input, piece after piece, wherever the pieces were matched. Numbers in the stream
 * are lines; with a saved state they go on from the inputs before.
 */
export class LineCorrelator {
  readonly #correlator: Correlator
  #lineCount = 0
  #previousLineCount = 0

  constructor(ruleSet: RuleSet, options: CorrelationOptions) {
    this.#correlator = new Correlator(ruleSet, { options })
  }

  get counts(): CorrelationCounts {
    return this.#correlator.counts
  }

  /** The line of this input that a number in the stream is, from 0; undefined for one of an input before. */
  getLine(sequence: number): number | undefined {
    return sequence < this.#previousLineCount ? undefined : sequence - this.#previousLineCount
  }

  /** Takes in the next piece. Its matches have the text of their event. */
  correlate(piece: { readonly matches: readonly ChunkMatch[]; readonly lineCount: number }): CorrelatedChunk {
    const start = this.#previousLineCount + this.#lineCount
    for (const { rule, row, text } of piece.matches) {
      if (!this.#correlator.isFed(rule)) continue
      if (text === undefined) throw new Error(`a match of rule ${rule} came without its event`)
      this.#correlator.takeEvent(rule, parseJson(text) as EventObject, { sequence: start + row })
    }
    this.#lineCount += piece.lineCount
    const matches = piece.matches.filter(({ rule }) => !this.#correlator.isSilent(rule))
    return { matches, correlations: this.#correlator.settle() }
  }

  /** Decides all that is open, as if no event ever came again. */
  finish(): CorrelationMatch[] {
    this.#correlator.advance(Infinity)
    return this.#correlator.settle()
  }

  /** What is open, for `load` before the next input. */
  save(): Uint8Array {
    return writeSnapshot({ ...this.#correlator.save(), sequence: this.#previousLineCount + this.#lineCount, suppressions: [] })
  }

  /** Goes on from what was saved. @throws SnapshotError for bytes that are none. */
  load(bytes: Uint8Array): LoadedState {
    const state = readSnapshot(bytes)
    this.#previousLineCount = state.sequence
    return this.#correlator.load(state)
  }
}
