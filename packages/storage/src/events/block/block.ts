import type { Arrivals } from './arrivals.ts'
import type { Dictionary } from './dictionary.ts'
import type { Codes, Numbers } from './numbers-codec.ts'
import type { BlockFilter } from './bloom-filter.ts'
import type { EventTemplate } from './event-template.ts'
import type { FrameFilters } from './frame-filters.ts'

/**
 * A columnar block: events of one tenant and day that are searched together. It is either a memtable of the newest
 * events or part of a segment. Rows are ordered by template, then by arrival.
 */
export type Block = {
  readonly bounds: BlockBounds
  /** Its bytes on the disk; in memory, those of its events. */
  readonly byteCount: number
  /** The Bloom filter, checked before the block is opened; undefined where there is none. */
  readonly filter: () => Promise<BlockFilter | undefined>
  /** The same without values, in a fraction of the memory: it rules out by texts only. */
  readonly textFilter: () => Promise<BlockFilter | undefined>
  /** The filters of its frames, read before it is opened; undefined where there are none. */
  readonly frameFilters: () => Promise<FrameFilters | undefined>
  /** Whether the block takes no more rows, so that what was found in it can be cached. */
  readonly isCacheable: boolean
  /** Reads the directory, which every other access needs. */
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
  readonly templates: readonly TemplateRows[]
  readonly times: () => Promise<Numbers>
  readonly sequences: () => Promise<Numbers>
  /** Indexes of `eventSeverities`. */
  readonly severities: () => Promise<Numbers>
  readonly arrivals: () => Promise<Arrivals>
  /** The values of a path; undefined where no template has it. */
  readonly column: (pathKey: string) => BlockColumn | undefined
  /**
   * Paths of the columns in which keywords may find values with texts; undefined where scanning all columns is as fast.
   */
  readonly findColumns: (texts: RequiredTexts) => Promise<ReadonlySet<string> | undefined>
  /** The Bloom filter of the block, and the same without values. */
  readonly filter: () => Promise<BlockFilter | undefined>
  readonly textFilter: () => Promise<BlockFilter | undefined>
}

/** A template and the range of its rows in the block. */
type TemplateRows = { readonly template: EventTemplate; readonly start: number; readonly count: number }

export type BlockColumn =
  | {
      readonly kind: 'dictionary'
      readonly range: NumberRange | undefined
      /** The stored size of the dictionary; 0 in memory. */
      readonly byteCount: number
      /** The values; where not all are needed, long dictionaries are read in part. */
      readonly dictionary: (needed?: NeededValues) => Promise<Dictionary>
      /** The codes of the rows of a template that has the column, by its index. */
      readonly codes: () => Promise<CodesByTemplate>
    }
  | {
      readonly kind: 'numbers'
      readonly range: NumberRange | undefined
      /** The JSON token of a number of the column. */
      readonly tokenOf: (number: number) => string
      readonly valueOf: (number: number) => string | number
      readonly numbers: () => Promise<(shapeIndex: number) => Float64Array>
    }

/** Lists of case-folded texts, the most selective one first; a value contains one text of each. There is at least one list. */
export type RequiredTexts = readonly (readonly string[])[]

/** The values that may contain texts, or those with some codes. */
export type NeededValues = { readonly texts: RequiredTexts } | { readonly codes: Iterable<number> }

export type CodesByTemplate = (shapeIndex: number) => Codes | readonly number[]

/** The range of all numeric values; undefined where there are none. */
export type NumberRange = readonly [min: number, max: number]
