import type { NumberColumnKind } from './column-kind.ts'
import type { NumberRange } from './block.ts'
import type { FrameLocation, PartLocation } from './frame.ts'
import type { WrittenTemplate } from './event-templates.ts'

/** The directory of a block: what it holds and where, stored as compressed JSON behind the header. */
export type BlockDirectory = {
  /** Texts of the alias rules, which templates refer to by number. */
  readonly rules: readonly string[]
  readonly shapes: readonly (WrittenTemplate & { readonly count: number })[]
  readonly columns: readonly WrittenColumn[]
  readonly times: number
  readonly sequences: number
  readonly severities: number
  /** Absent where no pipeline accepted any of the events. */
  readonly arrivals?: number
  readonly catalog: number
  readonly parts: readonly PartLocation[]
  readonly frames: readonly FrameLocation[]
}

/** A column: its path, with the numbers of its parts. */
export type WrittenColumn = { readonly pathKey: string; readonly range: NumberRange | null } & (
  | { readonly dictionary: number; readonly size: number; readonly codes: number }
  | { readonly chunks: readonly DictionaryChunk[]; readonly size: number; readonly codes: number }
  | { readonly kind: NumberColumnKind; readonly numbers: number }
)

/** A part of a long dictionary, which is read alone: the values from a code on, up to the next chunk. */
export type DictionaryChunk = { readonly first: number; readonly part: number }
