import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compileEventCheck, readEvent } from '@tripline/engine/evaluate'
import type { Predicate } from '@tripline/engine/predicate'
import { openSegmentEventStore } from '../../src/events/segment-store.ts'
import { collect } from './conformance.ts'
import { compare, number, regex, text } from './predicates.ts'
import { SimulatedDisk } from './simulated-disk.ts'

const folder = fileURLToPath(new URL('../../../../../shared/data/', import.meta.url))
const files = ['events-windows-dev.ndjson.gz', 'events-other-dev.ndjson.gz']
const missing = files.filter((name) => !existsSync(folder + name))
const eventsMax = process.env['TRIPLINE_FULL'] === '1' ? 8_000 : 2_000

test.skipIf(missing.length > 0)(
  `finds in real events what the engine finds${missing.length === 0 ? '' : ` (skipped: no shared ${missing.join(', ')})`}`,
  async () => {
    const lines = files.flatMap((name) => someLines(name))
    const store = await openSegmentEventStore({ disk: new SimulatedDisk(), elapsedMs: () => 0 })
    for (let from = 0; from < lines.length; from += 500) {
      const batch = lines.slice(from, from + 500).map((line, i) => ({ occurredAt: from + i, bytes: Buffer.from(line, 'latin1') }))
      await store.append('t', batch)
      if (from === 1_500) await store.flush()
    }
    const scan = (predicate: Predicate) => collect(store.scan({ tenant: 't', from: 0, to: 1e9, predicate, batchEventsMax: 10_000 }))
    const kept = (await scan({ kind: 'constant', value: true })).flatMap(({ events }) => events)
    expect(kept.map(({ bytes }) => Buffer.from(bytes).toString('latin1'))).toEqual(lines)
    await store.flush()

    const events = lines.map((line) => readEvent(Buffer.from(line, 'latin1').toString('utf8')).event)
    let foundCount = 0
    for (let i = 0; i < events.length; i += 97) {
      const fields = Object.entries(events[i]!.fields)
      const [field, value] = fields[i % fields.length]!
      for (const predicate of predicatesOf(field, value)) {
        const found = (await scan(predicate)).flatMap((batch) => batch.events.map(({ sequence }) => sequence))
        expect([JSON.stringify(predicate), found]).toEqual([JSON.stringify(predicate), [...compileEventCheck(predicate)(events)]])
        foundCount += found.length
      }
    }
    expect(foundCount).toBeGreaterThan(1_000)
    await store.close()
  },
)

/** Comparisons that find a value, in all ways in which blocks evaluate them, and some that do not. */
function predicatesOf(field: string, value: unknown): Predicate[] {
  if (typeof value === 'number') return [number(field, value), compare(field, 'gt', value), compare(field, 'lte', value)]
  if (typeof value !== 'string' || /[*?]/.test(value)) return []
  const middle = value.slice(value.length >> 2, (value.length >> 2) + 12)
  const literal = /^\w+/.exec(middle)?.[0]
  return [
    text(field, value.toUpperCase()), text(field, `${value.slice(0, 9)}*`), text(field, `*${value.slice(-9)}`), text(field, `*${middle}*`),
    text(field, middle), text(undefined, `*${middle}*`), text(undefined, value, true),
    ...(literal === undefined ? [] : [regex(field, literal)]),
  ]
}

/** Lines from all parts of a file, one character per byte. */
function someLines(name: string): string[] {
  const bytes = gunzipSync(readFileSync(folder + name))
  const lines: string[] = []
  for (let part = 0; part < eventsMax; part++) {
    const from = bytes.indexOf(10, Math.floor((part / eventsMax) * bytes.length)) + 1
    const to = bytes.indexOf(10, from)
    if (to > from) lines.push(bytes.toString('latin1', from, to))
  }
  return lines
}
