import { describe, expect, test } from 'vitest'
import type { Predicate } from '@tripline/engine/predicate'
import type { EventSeverity } from '@tripline/formats/event/event-severity'
import type { EventPosition, EventQuery, EventStore, NewEvent, StoredEvent } from '../../src/events/event-store.ts'
import { all, any, compare, everything, exists, not, number, regex, text } from './predicates.ts'

/** A store under test. `settle` moves appended events to their final place, which a store may do at any moment. */
export type TestedStore = { readonly store: EventStore; readonly settle: () => Promise<void> }

/** An event of the tests: a time and a text. */
export function newEvent(occurredAt: number, event: string | object, severity?: EventSeverity): NewEvent {
  const bytes = Buffer.from(typeof event === 'string' ? event : JSON.stringify(event))
  return { occurredAt, bytes, ...(severity === undefined ? {} : { severity }) }
}

export function textOf({ bytes }: StoredEvent): string {
  return Buffer.from(bytes).toString('utf8')
}

/** A query over all times; tests override what they are about. */
export function queryOf(query: Partial<EventQuery>): EventQuery {
  const usual = { tenant: 't', from: 0, to: 1e15, predicate: everything, limit: 1_000, budgetMs: 60_000, extent: 'total' as const }
  return { ...usual, ...query }
}

/** Texts as they may arrive: all are JSON objects but the last ones, which are invalid. */
const texts = [
  '{"a":1}', '{}', '{ "a" : 1.0 , "b":\t"x" }', '{"a":{"b":{"c":"deep"}},"d":[1,{"e":[]}],"f":{}}', '{"big":9007199254740993}',
  '{"a":1e999}', '{"a":-0}', '{"a":"\\u0041\\/\\n\\\\"}', '{"\\u0061":"escaped key"}', '{"a":1,"a":2}', '{"__proto__":{"x":"1"}}',
  '{"a":"é😀Σ"}', '{"a":null,"b":true,"c":false}', '{"1":"one","0":"zero","x":"y"}', '{"a":[[1,"2"],{"b":3}]}', '{"a":"\u0000"}',
  '{"constructor":"x","hasOwnProperty":"y"}', `{"long":"${'x'.repeat(70_000)}"}`, `{${'"a":{'.repeat(60)}${'}'.repeat(61)}`,
  '{"@timestamp":"2026-11-21T10:00:00.000Z","EventID":"4688","Channel":"Security","Provider_Name":"P","CommandLine":"cmd /c x"}',
  '{"Event":{"System":{"EventID":1,"Channel":"Microsoft-Windows-Sysmon/Operational","Provider":{"#attributes":{"Name":"P"}}},"EventData":{"Image":"C:\\\\a.exe"}}}',
  'no JSON', '[1]', '"text"', '',
]

const events: readonly (object | string)[] = [
  { message: 'User alice logged in', user: 'alice', code: 4624, host: { name: 'WEB-1' } },
  { message: 'user BOB failed to log in', user: 'bob', code: 4625, host: { name: 'web-2' } },
  { message: 'disk almost full', code: '4625', tags: ['disk', 'warning'], free: 0.5 },
  { message: 'Straße Σίσυφος', user: null, list: [{ id: 1 }, { id: 2 }] },
  { EventID: 1, Channel: 'Microsoft-Windows-Sysmon/Operational', image: 'C:\\Windows\\cmd.exe', CommandLine: 'cmd /c "whoami"' },
  { EventID: 4688, Channel: 'Security', Provider_Name: 'P', NewProcessName: 'C:\\Windows\\cmd.exe', 'Threat Name': 'x' },
  { EventID: 4688, Channel: 'Security', SourceName: 'P', Hostname: 'h', NewProcessName: 'D:\\x.exe', Message: 'made' },
  { 'host.name': 'dotted', host: { name: 'nested' }, _id: 'secret-annotation' },
  { message: '', nested: {}, 'a.b': { c: 1 }, a: { b: [{ c: 'x' }, { c: ['y', 'z'] }] } },
  '{"list":[{"\\\\":1},{"\\u0062":7}]}',
]

/** The results of a predicate, by the numbers of the events. */
const searches: readonly (readonly [title: string, predicate: Predicate, found: string])[] = [
  ['everything', everything, '0 1 2 3 4 5 6 7 8 9'],
  ['nothing', not(everything), ''],
  ['user is ALICE', text('user', 'ALICE'), '0'],
  ['message has in', text('message', '*in*'), '0 1'],
  ['message has log*in', text('message', '*log*in'), '0 1'],
  ['message has STRASSE, which is no fold of ß', text('message', '*STRASSE*'), ''],
  ['message has ΣΊΣΥΦ', text('message', '*ΣΊΣΥΦ*'), '3'],
  ['message is empty', text('message', ''), '8'],
  ['code is 4625', number('code', 4625), '1 2'],
  ['code is below 4625', compare('code', 'lt', 4625), '0'],
  ['free is above 0.25', compare('free', 'gt', 0.25), '2'],
  ['host.name is web-*', text('host.name', 'web-*'), '0 1'],
  ['host.name is dotted, not nested', text('host.name', '*ed'), '7'],
  ['host as JSON text', text('host', '*"name":"WEB-1"*'), '0'],
  ['tags has warning', text('tags', 'warning'), '2'],
  ['list.id is 2', number('list.id', 2), '3'],
  ['list.b of a key with an escape', number('list.b', 7), '9'],
  ['a.b.c is z', text('a.b.c', 'z'), '8'],
  ['user is there', exists('user'), '0 1 3'],
  ['user is not there', exists('user', false), '2 4 5 6 7 8 9'],
  ['user is null or absent', { ...text('user', ''), value: { kind: 'null' } }, '2 3 4 5 6 7 8 9'],
  ['nested is there', exists('nested'), '8'],
  ['Image under its other name', text('Image', '*\\cmd.exe'), '4 5'],
  ['Image of a renamed event', text('Image', 'd:*'), '6'],
  ['Computer of a renamed event', text('Computer', 'H'), '6'],
  ['ThreatName without its blank', text('ThreatName', 'X'), '5'],
  ['keyword whoami', text(undefined, '*WHOAMI*'), '4'],
  ['keyword warning in a list', text(undefined, 'warning'), '2'],
  ['no keyword in annotations', text(undefined, '*secret*'), ''],
  ['keyword 4625', number(undefined, 4625), '1 2'],
  ['keyword above 4687', compare(undefined, 'gt', 4_687), '5 6'],
  ['keyword WARN in a list, cased', text(undefined, '*WARN*', true), ''],
  ['keyword with wildcards', text(undefined, 'c:*\\cmd.???'), '4 5'],
  ['keyword in a nested object', text(undefined, '*EB-1'), '0'],
  ['keyword in a list in a nested object', text(undefined, 'z'), '8'],
  ['keyword in a number', text(undefined, '*462*'), '0 1 2'],
  ['keyword with quotation marks', text(undefined, '*"whoami"'), '4'],
  ['keyword in a renamed event', text(undefined, 'd:\\x*'), '6'],
  ['keyword beyond ASCII', text(undefined, '*σίσυφος'), '3'],
  ['keyword that is an annotation and not', any(text(undefined, '*secret*'), text(undefined, 'dotted')), '7'],
  ['annotation by its name', text('_id', '*annotation'), '7'],
  ['no keyword full, one is', all(text('message', '*disk*'), not(text(undefined, '*secret*'))), '2'],
  ['keyword as a regular expression', regex(undefined, 'DISK|[Aa]lmost full$'), '2'],
  ['keyword as a regular expression of no letters', regex(undefined, '^\\d{4}$'), '0 1 2 5 6'],
  ['regular expression', regex('message', '^[Uu]ser'), '0 1'],
  ['CommandLine is Image, which no event has', { ...text('CommandLine', ''), value: { kind: 'fieldRef', field: 'Image', relation: 'equals', isCased: false } }, ''],
  ['an element with id 1', { kind: 'elements', field: 'list', quantifier: 'any', of: number('id', 1) }, '3'],
  ['user and not bob', all(exists('user'), not(text('user', 'bob'))), '0 3'],
  ['alice or disk', any(text('user', 'alice'), text('message', 'disk*')), '0 2'],
]

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}

/** The behaviour of every event store. */
export function describeEventStore(name: string, open: () => Promise<TestedStore>): void {
  const withEvents = async (batch: readonly NewEvent[]): Promise<EventStore> => {
    const { store, settle } = await open()
    const half = Math.ceil(batch.length / 2)
    await store.append('t', batch.slice(0, half))
    await settle()
    await store.append('t', batch.slice(half))
    return store
  }
  const sequencesOf = (found: readonly EventPosition[]): string => found.map(({ sequence }) => sequence).join(' ')

  describe(`${name}:`, () => {
    test.for(texts.map((one) => [one.slice(0, 80), one]))('returns %s as it came', async ([, one = '']) => {
      const { store, settle } = await open()
      const bytes = Buffer.from(one)
      await store.append('t', [{ occurredAt: 1, bytes }])
      await settle()
      expect(Buffer.from((await store.get('t', 0))!.bytes).equals(bytes)).toBe(true)
      expect((await store.search(queryOf({}))).events.map(textOf)).toEqual([one])
      await store.close()
    })

    test('returns bytes that are not UTF-8', async () => {
      const { store, settle } = await open()
      const bytes = Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xc3, 0x22, 0x7d])
      await store.append('t', [{ occurredAt: 1, bytes }])
      await settle()
      expect(Buffer.from((await store.get('t', 0))!.bytes).equals(bytes)).toBe(true)
      expect((await store.search(queryOf({ predicate: text('a', '\ufffd*') }))).total).toBe(1)
      await store.close()
    })

    test('finds what predicates match', async () => {
      const store = await withEvents(events.map((event) => newEvent(5, event)))
      const found: [string, string][] = []
      for (const [title, predicate] of searches) {
        const page = await store.search(queryOf({ predicate }))
        found.push([title, sequencesOf([...page.events].reverse())])
      }
      expect(found).toEqual(searches.map(([title, , want]) => [title, want]))
      await store.close()
    })

    test.for<[title: string, query: Partial<EventQuery>, found: string, total: number]>([
      ['newest first, by time and then by arrival', {}, '3 1 5 4 2 0', 6],
      ['from a time on, before another', { from: 20, to: 30 }, '5 4 2', 3],
      ['a page', { limit: 2 }, '3 1', 6],
      ['oldest first, by time and then by arrival', { order: 'oldest_first' }, '0 2 4 5 1 3', 6],
      ['a page from the oldest on', { order: 'oldest_first', limit: 2 }, '0 2', 6],
      ['oldest first after a place', { order: 'oldest_first', after: { occurredAt: 20, sequence: 4 } }, '5 1 3', 6],
      ['after a place', { after: { occurredAt: 20, sequence: 5 } }, '4 2 0', 6],
      ['after a place where no event is', { after: { occurredAt: 25, sequence: 0 } }, '5 4 2 0', 6],
      ['no events but a total', { limit: 0 }, '', 6],
      ['an empty range', { from: 30, to: 20 }, '', 0],
      ['a range that is no number', { from: Number.NaN }, '', 0],
      ['another tenant', { tenant: 'u' }, '', 0],
    ])('searches %s', async ([, query, found, total]) => {
      const store = await withEvents([10, 30, 20, 30, 20, 20].map((occurredAt) => newEvent(occurredAt, { occurredAt })))
      const page = await store.search(queryOf(query))
      expect([sequencesOf(page.events), page.total, page.isTotalExact]).toEqual([found, total, true])
      await store.close()
    })

    test('pages neither repeat nor skip while events arrive', async () => {
      const { store, settle } = await open()
      const times = Array.from({ length: 60 }, (_, i) => (i * 37) % 20)
      await store.append('t', times.map((time) => newEvent(time, { time })))
      const seen: number[] = []
      let after: EventPosition | undefined
      for (let page = 0; page < 100; page++) {
        const { events: found, cursor } = await store.search(queryOf({ limit: 7, extent: 'page', ...(after && { after }) }))
        seen.push(...found.map(({ sequence }) => sequence).filter((sequence) => sequence < times.length))
        await store.append('t', [newEvent(page % 25, { page })])
        if (page % 3 === 1) await settle()
        if (cursor === undefined) break
        after = cursor
      }
      expect(seen.toSorted((a, b) => a - b)).toEqual([...times.keys()])
      await store.close()
    })

    test('counts by time and severity', async () => {
      const minute = 60_000
      const store = await withEvents([
        newEvent(0, {}), newEvent(minute - 1, {}, 'high'), newEvent(minute, {}, 'high'), newEvent(30 * minute, { a: 1 }, 'low'),
      ])
      const range = { from: 0, to: 60 * minute }
      const page = await store.search(queryOf({ ...range, extent: 'histogram' }))
      const counted = page.histogram?.buckets.filter(({ count }) => count > 0)
      expect([page.histogram?.bucketMs, page.histogram?.buckets.length, page.histogram?.isExact]).toEqual([minute, 60, true])
      expect(counted).toEqual([
        { startsAt: 0, count: 2, bySeverity: { info: 1, high: 1 } },
        { startsAt: minute, count: 1, bySeverity: { high: 1 } },
        { startsAt: 30 * minute, count: 1, bySeverity: { low: 1 } },
      ])
      const partials = await collect(store.histogram({ tenant: 't', predicate: everything, budgetMs: 60_000, ...range }))
      expect(partials.at(-1)).toEqual(page.histogram)
      expect((await store.search(queryOf({ predicate: exists('a'), ...range, extent: 'histogram' }))).histogram?.total).toBe(1)
      await store.close()
    })

    test.for<[batchEventsMax: number, after: EventPosition | undefined, found: string]>([
      [10, undefined, '0 2 4 5 1 3'],
      [4, undefined, '0 2 4 5 1 3'],
      [10, { occurredAt: 20, sequence: 4 }, '5 1 3'],
    ])('scans oldest first, %d at once, after %o', async ([batchEventsMax, after, found]) => {
      const store = await withEvents([10, 30, 20, 30, 20, 20].map((occurredAt) => newEvent(occurredAt, { occurredAt })))
      const range = { tenant: 't', from: 0, to: 100, predicate: everything, batchEventsMax }
      const scanned = await collect(store.scan({ ...range, ...(after && { after }) }))
      expect(sequencesOf(scanned.flatMap((batch) => batch.events))).toBe(found)
      expect(Math.max(...scanned.map((batch) => batch.events.length))).toBeLessThanOrEqual(batchEventsMax)
      await store.close()
    })

    test('drops whole days, and keeps what arrives later for them', async () => {
      const day = 86_400_000
      const store = await withEvents([0, 1, 2, 3, 0, 1].map((days) => newEvent(days * day, { days })))
      await store.append('u', [newEvent(0, { of: 'another tenant' })])
      expect(await store.retain('t', 2 * day + 5, 500 * 86_400_000)).toEqual({ droppedDays: 2, droppedEvents: 4 })
      await store.append('t', [newEvent(day, { late: true })])
      expect(sequencesOf((await store.search(queryOf({}))).events)).toBe('3 2 6')
      expect((await store.stats('t')).eventCount).toBe(3)
      expect((await store.search(queryOf({ tenant: 'u' }))).total).toBe(1)
      expect(await store.retain('nobody', day, 500 * 86_400_000)).toEqual({ droppedDays: 0, droppedEvents: 0 })
      await store.close()
    })

    test('keeps the highest mark with its events', async () => {
      const { store, settle } = await open()
      expect(await store.getMark('t')).toBeUndefined()
      await store.append('t', [newEvent(0, {})])
      expect(await store.getMark('t')).toBeUndefined()
      await store.append('t', [newEvent(1, {})], 7)
      await store.append('t', [newEvent(2, {})], 5)
      await store.append('u', [newEvent(0, {})], 0)
      await settle()
      await store.retain('t', 100 * 86_400_000, 500 * 86_400_000)
      expect([await store.getMark('t'), await store.getMark('u'), await store.getMark('nobody')]).toEqual([7, 0, undefined])
      await store.close()
    })

    test('keeps tenants apart, whatever their names', async () => {
      const { store, settle } = await open()
      const names = ['a', 'A', 'a/b', '..', '../a', 'é', 'x-61', 't-a', 'con', ' ', 'a'.repeat(128)]
      for (const [i, tenant] of names.entries()) await store.append(tenant, [newEvent(i, { tenant })])
      await settle()
      for (const [i, tenant] of names.entries()) {
        const { events: found } = await store.search(queryOf({ tenant }))
        expect(found.map((event) => [event.sequence, event.occurredAt, textOf(event)])).toEqual([[0, i, JSON.stringify({ tenant })]])
      }
      await store.close()
    })

    test('erases what matches, of one tenant, and keeps all others as they were', async () => {
      const day = 86_400_000
      const batch = Array.from({ length: 60 }, (_, i) =>
        newEvent((i % 3) * day + i, { user: i % 7 === 0 ? 'alice' : `u${i}`, note: i % 11 === 0 ? 'of ALICE' : '' }, i % 2 === 0 ? 'high' : 'low'))
      const store = await withEvents(batch)
      await store.append('u', [newEvent(0, { user: 'alice' })])
      const before = await collect(store.scan({ tenant: 't', from: 0, to: 1e15, predicate: everything, batchEventsMax: 100 }))
      const named = text(undefined, '*alice*')
      const { eventCount } = await store.erase({ tenant: 't', predicate: named, isErased: ({ sequence }) => sequence !== 7 })
      const isLeft = ({ sequence }: EventPosition): boolean => sequence === 7 || (sequence % 7 !== 0 && sequence % 11 !== 0)
      const left = before.flatMap(({ events: found }) => found).filter(isLeft)
      expect(eventCount).toBe(60 - left.length)
      const after = await collect(store.scan({ tenant: 't', from: 0, to: 1e15, predicate: everything, batchEventsMax: 100 }))
      expect(after.flatMap(({ events: found }) => found)).toEqual(left)
      expect(sequencesOf((await store.search(queryOf({ predicate: named }))).events)).toBe('7')
      expect((await store.search(queryOf({ tenant: 'u', predicate: named }))).total).toBe(1)
      expect((await store.append('t', [newEvent(1, { user: 'new' })])).firstSequence).toBe(60)
      expect((await store.stats('t')).eventCount).toBe(left.length + 1)
      expect(await store.erase({ tenant: 'none', predicate: named })).toEqual({ eventCount: 0 })
      await store.close()
    })

    test('lists fields with their types and frequent values', async () => {
      const store = await withEvents([
        newEvent(0, { user: 'bob', n: 1 }), newEvent(1, { user: 'alice', host: { name: 'h' } }), newEvent(2, { user: 'bob', n: null, l: [] }),
      ])
      expect(await store.fields('t')).toEqual({ isCut: false, fields: [
        { name: 'host.name', eventCount: 1, types: ['text'], values: [{ text: 'h', count: 1 }] },
        { name: 'l', eventCount: 1, types: ['list'], values: [{ text: '[]', count: 1 }] },
        { name: 'n', eventCount: 2, types: ['number', 'null'], values: [{ text: '1', count: 1 }, { text: 'null', count: 1 }] },
        { name: 'user', eventCount: 3, types: ['text'], values: [{ text: 'bob', count: 2 }, { text: 'alice', count: 1 }] },
      ] })
      expect((await store.fields('u')).fields).toEqual([])
      // Asked again, and asked again once there are more.
      expect((await store.fields('t')).fields.map(({ name }) => name)).not.toContain('added')
      await store.append('t', [newEvent(3, { added: 1 })])
      expect((await store.fields('t')).fields.map(({ name }) => name)).toContain('added')
      await store.close()
    })

    test('lists the names of fields, and the same list until one is new', async () => {
      const store = await withEvents([newEvent(0, { user: 'bob', n: 1 }), newEvent(1, { host: { name: 'h' } })])
      const names = await store.fieldNames('t')
      expect(names).toEqual((await store.fields('t')).fields.map(({ name }) => name))
      expect(await store.fieldNames('u')).toEqual([])
      await store.append('t', [newEvent(2, { user: 'eve' })])
      expect(await store.fieldNames('t')).toEqual(names)
      await store.append('t', [newEvent(3, { added: 1 })])
      expect(await store.fieldNames('t')).toEqual(['added', ...names!])
      await store.close()
    })

    test.for<[title: string, refused: (store: EventStore) => Promise<unknown>, message: RegExp]>([
      ['an instant that is no number', (store) => store.append('t', [newEvent(Number.NaN, {})]), /not an instant/],
      ['an instant beyond all dates', (store) => store.append('t', [newEvent(8.65e15, {})]), /not an instant/],
      ['a part of a millisecond', (store) => store.append('t', [newEvent(0.5, {})]), /not an instant/],
      ['too many events at once', (store) => store.append('t', Array<NewEvent>(10_001).fill(newEvent(0, {}))), /10001/],
      ['no tenant', (store) => store.append('', []), /1 to 128/],
      ['a page that is too large', (store) => store.search(queryOf({ limit: 1_001 })), /1001/],
      ['a histogram of a million years', (store) => store.search(queryOf({ extent: 'histogram', to: 8e15 })), /days/],
    ])('refuses %s', async ([, refused, message]) => {
      const { store } = await open()
      await expect(refused(store)).rejects.toThrow(message)
      await store.append('t', [newEvent(-8.64e15, {}), newEvent(8.64e15, {})])
      expect((await store.stats('t')).eventCount).toBe(2)
      await store.close()
    })
  })
}
