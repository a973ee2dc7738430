import { generateOtherLines, generateWindowsLines } from '../fleet/generate-events.ts'
import { RandomNumbers } from '../fleet/random.ts'
import type { WindowsShape } from '../fleet/shapes.ts'
import type { FeedEvent } from '../events/event-feed.ts'

/** A word that stands in a text of some of the events, one in so many. */
export type PlantedWord = { readonly word: string; readonly oneIn: number }

export type FleetFeedOptions = {
  readonly count: number
  readonly seed: number
  /** When the first event occurs, and over how many milliseconds they are spread evenly. */
  readonly from: number
  readonly spanMs: number
  readonly words: readonly PlantedWord[]
}

const shapes: readonly WindowsShape[] = ['flat', 'winlogbeat 8, ECS', 'evtx_dump']

/**
 * Generates batches of a fleet's events as they come from several collectors, one in four of another product than
 * Windows, oldest first. The same options give the same events.
 */
export function* generateFleetBatches({ count, seed, from, spanMs, words }: FleetFeedOptions, size: number): Generator<FeedEvent[]> {
  const random = new RandomNumbers(seed)
  for (let start = 0, batch = 0; start < count; start += size, batch++) {
    const lines = generateBatch(Math.min(size, count - start), seed + batch, batch)
    yield lines.map((line, i) => {
      const planted = words.filter(({ oneIn }) => random.below(oneIn) === 0).map(({ word }) => word)
      const text = planted.length === 0 ? line : `{"note":"ran ${planted.join(' and ')} once",${line.slice(1)}`
      return { occurredAt: Math.floor(from + ((start + i) / count) * spanMs), bytes: Buffer.from(text) }
    })
  }
}

/** A batch of one collector: three of four are of Windows. */
function generateBatch(count: number, seed: number, batch: number): string[] {
  const shape = shapes[batch % (shapes.length + 1)]
  return shape === undefined ? generateOtherLines({ seed, count }) : generateWindowsLines({ seed, count }, shape)
}
