import type { Dictionary } from './dictionary.ts'
import type { Codes, Numbers } from './numbers-codec.ts'
import type { BlockFilter } from './bloom-filter.ts'
import type { EventTemplate } from './event-template.ts'

/**
 * Events of one tenant and day that are searched together, by column: some thousand in memory that were added
 * last, or a part of a segment. Its rows are ordered by shape, and within a shape by their arrival.
 */
export type Block = {
  readonly bounds: BlockBounds
  /** What the values of the block can be, to be asked before it is opened; undefined where nothing is known. */
  readonly filter: () => Promise<BlockFilter | undefined>
  /** What is needed before anything else is asked. */
  readonly open: () => Promise<BlockReader>
}

export type BlockBounds = {
  readonly rowCount: number
  readonly oldestAt: number
  readonly newestAt: number
  readonly firstSequence: number
  readonly lastSequence: number
}

export type BlockReader = {
  readonly rowCount: number
  readonly shapes: readonly TemplateRows[]
  readonly times: () => Promise<Numbers>
  readonly sequences: () => Promise<Numbers>
  /** Indexes of `eventSeverities`. */
  readonly severities: () => Promise<Numbers>
  /** The values of a path; undefined where no shape has it. */
  readonly column: (pathKey: string) => BlockColumn | undefined
  /**
   * Paths of the columns in which keywords may find one of some texts, case folded; undefined where that is not to be
   * told sooner than by asking them all.
   */
  readonly findColumns: (texts: readonly string[]) => Promise<ReadonlySet<string> | undefined>
  /** The filter of the block. */
  readonly filter: () => Promise<BlockFilter | undefined>
}

/** A shape and where its rows are among those of the block. */
export type TemplateRows = { readonly shape: EventTemplate; readonly start: number; readonly count: number }

export type BlockColumn =
  | {
      readonly kind: 'dictionary'
      readonly range: NumberRange | undefined
      /** Of the dictionary as it is stored; 0 in memory. */
      readonly byteCount: number
      readonly dictionary: () => Promise<Dictionary>
      /** The codes of the rows of a shape that has the column, by its index. */
      readonly codes: () => Promise<CodesByTemplate>
    }
  | {
      readonly kind: 'numbers'
      readonly range: NumberRange | undefined
      /** The token of a number of the column. */
      readonly tokenOf: (number: number) => string
      readonly valueOf: (number: number) => string | number
      readonly numbers: () => Promise<(shapeIndex: number) => Float64Array>
    }

export type CodesByTemplate = (shapeIndex: number) => Codes | readonly number[]

/** Of all values that state a number; undefined where none does. */
export type NumberRange = readonly [min: number, max: number]
