import { QGramIndex } from '../../packages/engine/src/candidates/q-gram-index.ts'
import { findRequirement } from '../../packages/engine/src/candidates/requirement.ts'
import { foldCase } from '../../packages/engine/src/event/fold-case.ts'
import type { CompiledRule, EventObject } from '@tripline/engine'
import { parseEvents } from '../open-corpus.ts'
import { measureInterleaved, computeMedianMs, printRatio } from '../measure-rounds.ts'
import type { Row, Suite } from '../suite.ts'

// The one file here that knows how candidates are found.

const needleCounts = [10, 100, 1_000, 10_000]
/** Different values that are searched; a loop over ten thousand needles takes milliseconds for each. */
const textsMax = 1_000

/** Which of many needles stand in a value: the index against one search for each needle. */
export const needlesSuite: Suite = {
  name: 'needles',
  title: 'Needles in values: the finder beside a loop of String.includes',
  async run(bench) {
    const needles = listNeedles(bench.corpus.compile(bench.corpus.sources).rules)
    const texts = listTexts(parseEvents(await bench.corpus.slices[0].read()))
    const rows: Row[] = []
    for (const count of new Set(needleCounts.map((wanted) => Math.min(wanted, needles.length)))) {
      const step = needles.length / count
      const chosen = Array.from({ length: count }, (_, i) => needles[Math.floor(i * step)]!)
      const finder = new QGramIndex(chosen.map((text) => ({ anchor: 'anywhere', text })))
      const withFinder = (): number => countHits(texts, (text, found) => finder.find(text, found))
      const withLoop = (): number => countHits(texts, (text, found) => {
        for (const [number, needle] of chosen.entries()) if (text.includes(needle)) found.push(number)
      })
      const foundCount = withFinder()
      const loopCount = withLoop()
      if (foundCount !== loopCount) throw new Error(`the finder found ${foundCount} needles, the loop ${loopCount}`)
      const times = await measureInterleaved([
        { name: 'finder', run: () => void withFinder() },
        { name: 'loop', run: () => void withLoop() },
      ], bench)
      const [finderTimes = [], loopTimes = []] = [times.get('finder'), times.get('loop')]
      const perText = (ms: number): number => Math.round((ms * 1e6) / texts.length)
      rows.push({
        case: `${count.toLocaleString('en')} needles`,
        counts: { needles: count, texts: texts.length, found: foundCount },
        figures: {
          'finder, ns per text': perText(computeMedianMs(finderTimes)),
          'loop, ns per text': perText(computeMedianMs(loopTimes)),
          'loop over finder': printRatio(loopTimes, finderTimes),
        },
      })
    }
    return rows
  },
}

/** Different needles of each text, in all. */
function countHits(texts: readonly string[], find: (text: string, found: number[]) => void): number {
  const lastText = new Map<number, number>()
  let count = 0
  for (const [number, text] of texts.entries()) {
    const found: number[] = []
    find(text, found)
    for (const needle of found) {
      if (lastText.get(needle) !== number) count++
      lastText.set(needle, number)
    }
  }
  return count
}

function listNeedles(rules: readonly CompiledRule[]): string[] {
  const requirements = rules.flatMap(({ predicate }) => findRequirement(predicate) ?? [])
  const texts = requirements.flatMap((needle) => (needle.kind === 'text' && needle.text !== '' ? [needle.text] : []))
  return [...new Set(texts)].sort()
}

/** Different values of events, case folded, evenly from all of them. */
function listTexts(events: readonly EventObject[]): string[] {
  const values = events.flatMap((event) => Object.values(event).filter((value) => typeof value === 'string'))
  const texts = [...new Set(values.filter(({ length }) => length >= 8).map(foldCase))]
  const step = Math.max(1, texts.length / textsMax)
  return Array.from({ length: Math.min(textsMax, texts.length) }, (_, i) => texts[Math.floor(i * step)]!)
}
