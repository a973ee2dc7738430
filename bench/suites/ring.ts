import { Engine, RuleSet, parseEvent } from '@tripline/engine'
import type { EventObject } from '@tripline/engine'
import type { Bench, Row, Suite } from '../suite.ts'

/** What it takes to keep the last events, and to read them again. */
export const ringSuite: Suite = {
  name: 'ring',
  title: 'The ring of the last events',
  async run(bench) {
    const rows: Row[] = []
    for (const slice of bench.corpus.slices) {
      const { seen, timed } = await slice.read()
      const batches = [...seen, ...timed].map(({ texts }) => texts.map(parseLine))
      rows.push(measureRing(slice.name, batches, bench))
    }
    return rows
  },
}

function parseLine(text: string): EventObject {
  const parsed = parseEvent(text)
  if ('reason' in parsed) throw new Error(`a line of the corpus holds no event: ${parsed.reason}`)
  return parsed.event
}

/** Keeps copies of events, so that all of their memory is the ring's. */
function measureRing(name: string, batches: readonly (readonly EventObject[])[], { clock, heapBytes }: Bench): Row {
  const texts = batches.map((batch) => batch.map((event) => JSON.stringify(event)))
  const jsonBytes = texts.flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const engine = new Engine(new RuleSet([]), { ring: { eventsMax: Infinity, bytesMax: Infinity } })
  const before = heapBytes()
  let keepMs = 0
  for (const lines of texts) {
    const events = lines.map(parseLine)
    const startedAt = clock()
    engine.push(events)
    keepMs += clock() - startedAt
  }
  const ring = engine.ring!
  const keptBytes = heapBytes() - before
  const startedAt = clock()
  let readCount = 0
  for (const { rows } of ring.slices({ from: 0 })) readCount += rows.length
  const readMs = clock() - startedAt
  if (readCount !== ring.eventCount) throw new Error(`the ring gave ${readCount} of ${ring.eventCount} events`)
  return {
    case: name,
    counts: { events: ring.eventCount },
    figures: {
      'bytes per event': Math.round(keptBytes / ring.eventCount),
      'by its own reckoning': Math.round(ring.byteCount / ring.eventCount),
      'bytes of JSON': Math.round(jsonBytes / ring.eventCount),
      'keeping, ns per event': Math.round((keepMs * 1e6) / ring.eventCount),
      'reading by time, ns per event': Math.round((readMs * 1e6) / ring.eventCount),
    },
  }
}
