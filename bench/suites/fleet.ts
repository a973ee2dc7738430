import { createSample } from 'tripline/measuring'
import { generateOtherLines, generateWindowsLines } from '../fleet/generate-events.ts'
import { windowsShapes } from '../fleet/shapes.ts'
import type { WindowsShape } from '../fleet/shapes.ts'
import { measureMatching } from '../measure-rounds.ts'
import type { Row, Suite } from '../suite.ts'

const seed = 2026
/** Flat events are ten times as fast; a long stream fills the memories of values and shows what they cost then. */
const flatCount = 60_000
const nestedCount = 20_000

/** The events that are measured, by the name of their row. */
const streams: readonly { readonly name: string; readonly lines: () => string[] }[] = [
  { name: 'flat', lines: () => generateWindowsLines({ seed, count: flatCount }, 'flat') },
  { name: 'flat, process creation only', lines: () => generateWindowsLines({ seed, count: nestedCount }, 'flat', [1, 4688]) },
  ...Object.keys(windowsShapes).filter((shape) => shape !== 'flat').map((shape) => (
    { name: shape, lines: () => generateWindowsLines({ seed, count: nestedCount }, shape as WindowsShape) }
  )),
  { name: 'other products', lines: () => generateOtherLines({ seed, count: nestedCount }) },
]

/** All rules on events of a fleet, whose values are new in each event. */
export const fleetSuite: Suite = {
  name: 'fleet',
  title: 'Events of a fleet, whose values are new in each event, by shape',
  ownEvents: 'events that bench/fleet makes',
  run({ corpus, ...bench }) {
    const { rules } = corpus.compile(corpus.sources)
    const rows: Row[] = []
    for (const { name, lines } of streams) rows.push(measureMatching(name, rules, createSample(lines()), { corpus, ...bench }))
    return rows
  },
}
