import { changeBytes, changes } from '@tripline/formats/test/change-bytes'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeIndicator } from '@tripline/model/enrichment/indicator'
import type { FeedItem } from '../../src/ingestion/connectors/feeds/feed-item.ts'
import { readCsvFeed } from '../../src/ingestion/connectors/feeds/read-csv-feed.ts'
import { readStixObject } from '../../src/ingestion/connectors/feeds/read-stix.ts'
import { readStixPattern } from '../../src/ingestion/connectors/feeds/stix-pattern.ts'
import { stixIndicator } from './far-taxii.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 7)
const isFull = process.env['TRIPLINE_FULL'] === '1'
const at = Date.UTC(2026, 10, 20)

/** What comes out is an indicator in its canonical form, one that ended, or a reason. */
function expectSound(item: FeedItem): void {
  if ('unusable' in item) return expect(item.unusable).not.toBe('')
  const { type, value } = 'ended' in item ? item.ended : item.indicator
  expect(normalizeIndicator(type, value)).toBe(value)
}

const lists = [
  '# "first_seen","ioc_id","ioc_value","ioc_type","confidence_level"\n"2026-11-01","1","192.0.2.7:443","ip:port","75"\n"x","2","http://e.example/a,b","url","100"\n',
  '; DROP\n192.0.2.0/24 ; SBL1\r\n198.51.100.0/24 ; SBL2\n',
  '\u{feff}value\ttype\tvalid_until\nevil[.]example\tdomain\t2027-01-01T00:00:00Z\n',
  '0.0.0.0 evil.example\n0.0.0.0 worse.example\n',
].map((text) => Buffer.from(text))
const body = fc.oneof(
  fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
  fc.tuple(fc.constantFrom(...lists), changes).map(([list, made]) => changeBytes(list, made)),
  fc.array(fc.constantFrom('"', ',', ';', '\t', '\n', '\r', '#', '//', '192.0.2.1', 'ip', 'value', ' ', '\u0000'), { maxLength: 60 })
    .map((parts) => Buffer.from(parts.join(''))),
)

test(`a CSV feed of any bytes is read as indicators and reasons (TRIPLINE_SEED=${seed})`, async () => {
  const table = fc.record({
    valueColumn: fc.constantFrom(undefined, '2', 'value', '0'), indicatorType: fc.constantFrom(undefined, 'ip', 'hash'),
    delimiter: fc.constantFrom(undefined, ',', ''),
  })
  await fc.assert(fc.asyncProperty(body, table, async (bytes, table) => {
    let count = 0
    for await (const item of readCsvFeed(bytes, { table, confidence: undefined, expireAfterMs: 1_000 }, at)) {
      expectSound(item)
      count++
    }
    expect(count).toBeLessThanOrEqual(bytes.length)
  }), { seed, numRuns: isFull ? 20_000 : 500 })
})

const patterns = [
  "[ipv4-addr:value = '192.0.2.7']", "[file:hashes.'SHA-256' = 'aa']", "[url:value = 'http://e.example/it\\'s']",
  "[a:b = 1 AND c:d IN ('x', 'y')] FOLLOWEDBY [x:y LIKE '%'] WITHIN 5 SECONDS",
]
const pattern = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.tuple(fc.constantFrom(...patterns), changes).map(([text, made]) => changeBytes(Buffer.from(text), made).toString('utf8')),
  // Long runs of what begins a part: an expression that tries all ways through would not end.
  fc.tuple(fc.constantFrom('[', 'a:', "a:b.'", "\\'", 'a.', ' ', "[a:'x'.'x'."), fc.nat({ max: 8_000 })).map(([part, count]) => `[${part.repeat(count)}`),
)

test(`a STIX pattern of any text is a value or a reason (TRIPLINE_SEED=${seed})`, () => {
  fc.assert(fc.property(pattern, (text) => {
    const reading = readStixPattern(text)
    expectSound('unusable' in reading ? reading : { ended: reading })
  }), { seed, numRuns: isFull ? 50_000 : 2_000 })
})

test(`a STIX object with strange values is an indicator or a reason (TRIPLINE_SEED=${seed})`, () => {
  const strange = fc.oneof(fc.constantFrom<unknown[]>(null, -1, 1e308, true, '', [], {}, '9999-99-99', '2026-13-45T99:99:99Z'), fc.anything())
  const names = ['type', 'pattern', 'pattern_type', 'valid_from', 'valid_until', 'confidence', 'revoked', 'modified', 'name', 'description']
  fc.assert(fc.property(fc.constantFrom(...names), strange, (name, value) => {
    const item = readStixObject({ ...stixIndicator(1, "[ipv4-addr:value = '192.0.2.7']"), [name]: value }, { confidence: 50, expireAfterMs: 1_000 }, at)
    expect(item === undefined).toBe(name === 'type' && value !== 'indicator')
    if (item !== undefined) expectSound(item)
  }), { seed, numRuns: isFull ? 20_000 : 1_000 })
})
