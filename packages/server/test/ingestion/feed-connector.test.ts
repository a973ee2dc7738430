import { afterEach, describe, expect, test } from 'vitest'
import { openEgress } from '../../src/egress/egress.ts'
import { checkFeed } from '../../src/ingestion/connectors/feeds/check-feed.ts'
import { parseFeedTarget } from '../../src/ingestion/connectors/feeds/feed-target.ts'
import { localPolicy, openFarServer } from './far-server.ts'
import type { FarServer } from './far-server.ts'
import { serveTaxii, stixIndicator, taxiiUser } from './far-taxii.ts'
import type { AddedObject, FarTaxii } from './far-taxii.ts'
import { openRunnerWorld } from './runner-world.ts'
import type { RunnerWorld } from './runner-world.ts'

const startMs = Date.UTC(2026, 10, 20, 12)
const dayMs = 86_400_000
const interval = { polling_interval: '60s' }

let world: RunnerWorld
let far: FarServer
afterEach(async () => {
  await world.close()
  await far.close()
})

/** The indicators of a tenant, by value: source, confidence and end. */
async function readIndicators(tenant = 'a'): Promise<{ readonly [value: string]: string }> {
  const { entries } = await world.state.indicators.list(tenant, { limit: 5_000 })
  return Object.fromEntries(entries.map(({ type, value, source, confidence, validUntil }) => {
    const end = validUntil === undefined ? 'for good' : new Date(validUntil).toISOString()
    return [value, `${type} ${source} ${confidence} ${end}`]
  }))
}

/** Lets an interval pass, and the check behind it. */
async function passInterval(): Promise<void> {
  await world.time.pass(75_000)
}

/** The same state a day later, after a restart. */
async function passDay(): Promise<void> {
  const { state, time } = world
  await world.runner.stop()
  world = await openRunnerWorld({ state, startMs: time.now() + dayMs })
  await world.runner.start()
  await world.time.pass(15_000)
}

describe('a TAXII collection', () => {
  const added = (number: number): string => `2026-11-01T00:00:${String(Math.floor(number / 1_000)).padStart(2, '0')}.${String(number % 1_000).padStart(3, '0')}001Z`

  async function open(objects: AddedObject[], settings: object = {}): Promise<FarTaxii> {
    const taxii = await serveTaxii(objects)
    far = taxii
    world = await openRunnerWorld({ startMs })
    await world.add({ api_root: `${taxii.url}/api1/`, collection: 'c-1', ...taxiiUser, ...interval, ...settings }, { type: 'taxii' })
    return taxii
  }

  test.for([true, false])('is read page by page, and then only what is new (names of pages: %s)', async (hasNext) => {
    const objects = Array.from({ length: 1_203 }, (_, n) => ({
      addedAt: added(n), object: stixIndicator(n, `[ipv4-addr:value = '198.51.${Math.floor(n / 250)}.${n % 250}']`),
    }))
    const taxii = await open(objects)
    taxii.hasNext = hasNext
    await world.runner.start()
    await world.time.pass(15_000)
    expect(Object.keys(await readIndicators())).toHaveLength(1_203)
    expect((await readIndicators())['198.51.0.7']).toBe('ip c1 50 for good')
    expect(await readIndicators('b')).toEqual({})
    expect(await world.healthOf()).toBe('healthy 0: 1203 entries read, 0 not usable')
    expect(taxii.asked).toHaveLength(3)
    taxii.objects.push({ addedAt: added(1_203), object: stixIndicator(1_203, "[domain-name:value = 'Evil.example']", { confidence: 90 }) })
    taxii.asked.length = 0
    await passInterval()
    expect(taxii.asked).toEqual([expect.stringContaining(`added_after=${encodeURIComponent(added(1_202))}`)])
    expect((await readIndicators())['evil.example']).toBe('domain c1 90 for good')
    await world.runner.stop()
    expect(await world.state.connectors.totals('a', 'c1')).toMatchObject({ receivedCount: 1_204, failedCount: 0 })
  })

  test('goes on after a restart where it was, and begins anew where the server has forgotten the page', async () => {
    const objects = Array.from({ length: 700 }, (_, n) => ({
      addedAt: added(n), object: stixIndicator(n, `[ipv4-addr:value = '198.51.${Math.floor(n / 250)}.${n % 250}']`),
    }))
    const taxii = await open(objects)
    const position = { source: 'c1', counts: { read: 500, created: 500, unusable: {} }, next: '500', addedLast: added(499) }
    await world.state.connectors.setCursor('a', 'c1', JSON.stringify(position))
    taxii.forgets = true
    await world.runner.start()
    await world.time.settle()
    // The first page was read, and the name of the second is not known either.
    expect(Object.keys(await readIndicators())).toHaveLength(500)
    expect(taxii.asked).toHaveLength(3)
    taxii.forgets = false
    world = await world.restart()
    await world.runner.start()
    await world.time.pass(15_000)
    expect(Object.keys(await readIndicators())).toHaveLength(700)
    expect(await world.healthOf()).toMatch(/^healthy 0: /)
  })

  test('counts what cannot be used, with the reason, and follows revocations and ends', async () => {
    const of = (number: number, pattern: string, rest: object = {}): AddedObject => ({ addedAt: added(number), object: stixIndicator(number, pattern, rest) })
    const taxii = await open([
      of(1, "[ipv4-addr:value = '198.51.100.0/24']"),
      of(2, "[file:hashes.'SHA-256' = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA']", { valid_until: '2026-12-01T00:00:00Z' }),
      of(3, "[url:value = 'http://evil.example/it\\'s']"),
      of(4, "[ipv4-addr:value = '192.0.2.1' OR ipv4-addr:value = '192.0.2.2']"),
      of(5, "[ipv4-addr:value = '192.0.2.1'] FOLLOWEDBY [ipv4-addr:value = '192.0.2.2']"),
      of(6, 'title: x', { pattern_type: 'sigma' }),
      of(7, "[process:name = 'x.exe']"),
      of(8, "[ipv4-addr:value ISSUBSET '128.0.0.0/1']"),
      of(9, "[ipv4-addr:value = '300.1.1.1']"),
      of(10, "[ipv4-addr:value = '192.0.2.9']", { valid_until: '2026-11-02T00:00:00Z' }),
      of(11, "[ipv4-addr:value = '192.0.2.10']", { revoked: true }),
      { addedAt: added(12), object: { type: 'malware', id: 'malware--1', name: 'x' } },
    ])
    await world.runner.start()
    await world.time.pass(15_000)
    const hash = 'a'.repeat(64)
    expect(await readIndicators()).toEqual({
      '198.51.100.0/24': 'cidr c1 50 for good', [hash]: 'hash c1 50 2026-12-01T00:00:00.000Z', "http://evil.example/it's": 'url c1 50 for good',
    })
    const health = await world.healthOf()
    for (const part of [
      '11 entries read, 8 not usable', '2: the pattern is not a single comparison', '1: the pattern is in another language than STIX',
      '1: the pattern compares what indicators do not have', '1: the value would match nearly everything', '1: the value does not fit its type',
      '2: it is no longer valid',
    ]) expect(health).toContain(part)
    taxii.objects.push(of(20, "[ipv4-addr:value = '198.51.100.0/24']", { revoked: true }))
    await passInterval()
    const ended = (await readIndicators())['198.51.100.0/24'] ?? ''
    expect(Date.parse(ended.split(' ').at(-1) ?? '')).toBeLessThanOrEqual(world.time.now())
  })

  test.for<[title: string, change: (taxii: FarTaxii) => void, settings: object, health: string]>([
    ['a wrong password', () => {}, { password: 'wrong' }, 'unhealthy 1: 401 from /api1/collections/c-1/objects/: check username and password'],
    ['a wrong collection', () => {}, { collection: 'c-2' }, 'unhealthy 1: 404 from /api1/collections/c-2/objects/: check api_root and collection'],
    ['a server of another version', (taxii) => (taxii.status = 406), {},
      'unhealthy 1: 406 from /api1/collections/c-1/objects/: the server does not speak TAXII 2.1'],
    ['a limited rate', (taxii) => (taxii.status = 429), {}, 'degraded 0: 429 from /api1/collections/c-1/objects/: rate limited by the source'],
  ])('%s makes it unhealthy or degraded, and says why', async ([, change, settings, health]) => {
    change(await open([], settings))
    await world.runner.start()
    await world.time.pass(15_000)
    expect((await world.healthOf()).replace(/ \d+:/, (count) => (count === ' 0:' ? count : ' 1:'))).toBe(health)
  })
})

describe('a test of the settings of a TAXII collection', () => {
  test.for<[title: string, settings: object, expected: string]>([
    ['names the collections of the API root', { collection: 'c-2' },
      'connectivity fail 404 from /api1/collections/c-2/: check api_root and collection; the API root has c-1 (test list), c-4'],
    ['names the API roots of the server', { api_root: '/other/' },
      'connectivity fail 404 from /other/collections/c-1/: check api_root and collection; the server has the API roots <far>/api1/'],
    ['asks for nothing more where the collection is known', {}, 'connectivity pass 200 from /api1/'],
  ])('%s', async ([, settings, expected]) => {
    const taxii = await serveTaxii([])
    far = taxii
    world = await openRunnerWorld({ startMs })
    const { api_root: root = '/api1/', ...others } = { ...settings } as { readonly api_root?: string }
    const target = parseFeedTarget('taxii', { collection: 'c-1', ...taxiiUser, ...interval, ...others, api_root: taxii.url + root })
    const egress = openEgress(localPolicy, { elapsedMs: world.time.elapsedMs })
    const flow = { eventsInLastMinute: 0, hasSent: false, quietForMs: undefined, quietAfterMs: 0 }
    const { checks: [{ type, status, message } = {}] } = await checkFeed(target, { egress, now: world.time.now, flow })
    expect(`${type} ${status} ${message}`.replaceAll(taxii.url, '<far>')).toBe(expected)
  })
})

describe('a CSV feed', () => {
  type Feed = { body: string; etag: string; readonly seen: { readonly [name: string]: unknown }[] }

  async function open(body: string, settings: object = {}): Promise<Feed> {
    const feed: Feed = { body, etag: '"1"', seen: [] }
    far = await openFarServer((request, response) => {
      feed.seen.push(request.headers)
      if (request.headers['if-none-match'] === feed.etag) return void response.writeHead(304).end()
      response.writeHead(200, { 'content-type': 'text/csv', etag: feed.etag, 'last-modified': 'Fri, 20 Nov 2026 11:00:00 GMT' }).end(feed.body)
    })
    world = await openRunnerWorld({ startMs })
    await world.add({ api_root: `${far.url}/list.csv`, ...interval, ...settings }, { type: 'csv_feed' })
    return feed
  }

  test('is read when it has changed, and what it no longer names expires', async () => {
    const feed = await open('value,confidence,description\n192.0.2.1,80,one\nevil.example,,two\n', { expire_after_days: 2 })
    await world.runner.start()
    await world.time.pass(15_000)
    expect(await readIndicators()).toEqual({
      '192.0.2.1': 'ip c1 80 2026-11-23T00:00:00.000Z', 'evil.example': 'domain c1 50 2026-11-23T00:00:00.000Z',
    })
    expect(await world.healthOf()).toBe('healthy 0: 2 entries read, 0 not usable')
    await passInterval()
    expect(feed.seen).toHaveLength(2)
    expect(feed.seen[1]).toMatchObject({ 'if-none-match': '"1"', 'if-modified-since': 'Fri, 20 Nov 2026 11:00:00 GMT' })
    // The next day it is read whole, and what it names lives on.
    Object.assign(feed, { body: 'value\nevil.example\n', etag: '"2"' })
    await passDay()
    expect(await readIndicators()).toEqual({
      '192.0.2.1': 'ip c1 80 2026-11-23T00:00:00.000Z', 'evil.example': 'domain c1 50 2026-11-24T00:00:00.000Z',
    })
    await passDay()
    expect((await readIndicators())['evil.example']).toBe('domain c1 50 2026-11-25T00:00:00.000Z')
  })

  test.for<[title: string, body: string, settings: object, expected: { readonly [value: string]: string }, health: string]>([
    ['a list with comments', '# a list\n# of addresses\n192.0.2.1\n\n192.0.2.0/24 \n; old\n// older\n', {},
      { '192.0.2.1': 'ip', '192.0.2.0/24': 'cidr' }, '2 entries read, 0 not usable'],
    ['networks with remarks', '; DROP\n192.0.2.0/24 ; SBL1\n198.51.100.0/24 ; SBL2\n', {},
      { '192.0.2.0/24': 'cidr', '198.51.100.0/24': 'cidr' }, '2 entries read, 0 not usable'],
    ['a header in the last comment',
      '# ThreatFox\n#\n# "first_seen_utc","ioc_id","ioc_value","ioc_type","confidence_level"\n'
      + '"2026-11-01 00:00:00", "1", "192.0.2.7:443", "ip:port", "75"\n"2026-11-01 00:00:00", "2", "http://evil.example/a,b", "url", "100"\n'
      + '"2026-11-01 00:00:00", "3", "evil.exe", "filename", "100"\n',
      {}, { '192.0.2.7': 'ip', 'http://evil.example/a,b': 'url' }, '3 entries read, 1 not usable (1: the type is not one of indicators)'],
    ['addresses of pages with commas', 'http://evil.example/a,b\nhttp://evil.example/c\n', {},
      { 'http://evil.example/a,b': 'url', 'http://evil.example/c': 'url' }, '2 entries read, 0 not usable'],
    ['a hosts file', '# hosts\n0.0.0.0 evil.example\n127.0.0.1 localhost\n0.0.0.0 worse.example\n', {},
      { 'evil.example': 'domain', 'worse.example': 'domain' }, '3 entries read, 1 not usable (1: the value does not fit its type)'],
    ['a column by number', 'x;192.0.2.1\ny;192.0.2.2\n', { value_column: '2' }, { '192.0.2.1': 'ip', '192.0.2.2': 'ip' }, '2 entries read, 0 not usable'],
    ['a column by name, and a fixed type', 'id\tSample\n1\t' + 'A'.repeat(32) + '\n2\tnone\n', { value_column: 'sample', indicator_type: 'hash' },
      { ['a'.repeat(32)]: 'hash' }, '2 entries read, 1 not usable (1: the value does not fit its type)'],
  ])('is read as %s', async ([, body, settings, expected, health]) => {
    await open(body, settings)
    await world.runner.start()
    await world.time.pass(15_000)
    const found = Object.entries(await readIndicators()).map(([value, text]) => [value, text.split(' ')[0]])
    expect(Object.fromEntries(found)).toEqual(expected)
    expect(await world.healthOf()).toBe(`healthy 0: ${health}`)
  })

  test('keeps its source when the connector is renamed, and a score that a person set', async () => {
    const feed = await open('value,confidence\n192.0.2.1,80\n')
    await world.runner.start()
    await world.time.pass(15_000)
    const [indicator] = (await world.state.indicators.list('a', { limit: 1 })).entries
    await world.state.indicators.update('a', indicator?.id ?? '', { reputationScore: 0 }, { expectedVersion: undefined, at: startMs })
    await world.state.connectors.update('a', 'c1', { name: 'Renamed' }, { expectedVersion: undefined, at: startMs })
    world = await world.restart()
    Object.assign(feed, { body: 'value,confidence\n192.0.2.1,81\n', etag: '"2"' })
    await world.runner.start()
    await passInterval()
    expect(await readIndicators()).toMatchObject({ '192.0.2.1': expect.stringMatching(/^ip c1 81 /) })
    expect((await world.state.indicators.get('a', indicator?.id ?? ''))?.reputationScore).toBe(0)
  })

  test('sends a key in the header of the settings, and refuses a page that is no list', async () => {
    const feed = await open('<!DOCTYPE html>\n<html>\n<body>Log in</body>\n</html>\n', { password: 'k-1', auth_header: 'Auth-Key' })
    await world.runner.start()
    await world.time.pass(15_000)
    expect(feed.seen[0]).toMatchObject({ 'auth-key': 'k-1' })
    expect(await world.healthOf()).toMatch(/^unhealthy \d+: no row of the feed is usable: the value does not fit its type$/)
    expect(await readIndicators()).toEqual({})
  })
})
