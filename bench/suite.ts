import type { Corpus } from './open-corpus.ts'

/** One line of a suite's table. */
export type Row = {
  readonly case: string
  /** What must come out again on every machine; compared with `expected.json`. */
  readonly counts: { readonly [name: string]: number }
  /** What was measured; null where it could not be. */
  readonly figures: { readonly [name: string]: number | string | null }
}

/** What a suite measures with, the same for all. */
export type Bench = {
  readonly corpus: Corpus
  /** Milliseconds of processor time of this thread, in steps of some milliseconds. */
  readonly clock: () => number
  /** The same without steps, for what takes a millisecond or more: a look takes some microseconds itself. */
  readonly exactClock: () => number
  /** Bytes in use after garbage was collected. */
  readonly heapBytes: () => number
  readonly rounds: number
}

/** A named workload. */
export type Suite = {
  readonly name: string
  /** What it measures, as the heading of its table. */
  readonly title: string
  /** The events it makes for itself, where it does not run on those of the corpus. */
  readonly ownEvents?: string
  readonly run: (bench: Bench) => Promise<readonly Row[]> | readonly Row[]
}
