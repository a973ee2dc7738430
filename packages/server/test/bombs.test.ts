import { encodedPowerShell } from '@tripline/detection/test/rules'
import { expectProcessorTime, getThreadCpuMs } from '@tripline/engine/test/processor-time'
import { setImmediate as turn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Route } from '../src/http/route.ts'
import { openTestServer } from './open-test-server.ts'
import type { TestResponse, Call } from './open-test-server.ts'

// What is meant to exhaust the process, against every route that there is. A new route is here by itself; what its bodies
// and queries are filled with is made of its schemas.

const server = await openTestServer([encodedPowerShell])
const rulePath = '/v1/detection/rules/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'
const json = { 'content-type': 'application/json' }

/** Milliseconds of processor time for which one bomb may keep all others waiting; longer where it is a rule, and taken. */
const turnMsMax = 1_000
const takenTurnMsMax = 3_000

type Bomb = readonly [title: string, method: string, path: string, call: Call]

/** Sends a bomb; it may be refused, or answered where it was none, and meanwhile others get their turns. */
async function expectDefused([title, method, path, call]: Bomb): Promise<TestResponse> {
  // The limit of requests is another test's business.
  server.io.elapsedNowMs += 120_000
  server.io.logLines.length = 0
  let longestMs = 0
  let lastMs = getThreadCpuMs()
  let isDone = false
  // A route before may have ended the session.
  const token = call.token ?? await server.tokenOf(['admin'])
  const answering = server.call(method, path, { ...call, token }).finally(() => (isDone = true))
  while (!isDone) {
    await turn()
    const nowMs = getThreadCpuMs()
    longestMs = Math.max(longestMs, nowMs - lastMs)
    lastMs = nowMs
  }
  const answered = await answering
  const { status } = answered
  expect(status, title).toBeLessThan(500)
  expect(server.io.logLines.join('\n'), title).not.toContain('request failed')
  expectProcessorTime(longestMs, status < 400 ? takenTurnMsMax : turnMsMax, `${title} keeps others waiting`)
  return answered
}

const deep = (open: string, close: string, count: number): string => open.repeat(count) + close.repeat(count)
const nameOf = ({ method, path }: Route): string => `${method} ${path}`
const at = ({ path }: Route, id = 'made-up'): string => path.replaceAll(/:\w+/g, encodeURIComponent(id))

/** Names that a schema has at its top. */
function namesOf(schema: z.ZodType | undefined): readonly string[] {
  if (schema === undefined) return []
  const { properties = {} } = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as { properties?: object }
  return Object.keys(properties)
}

const hugeValues: readonly (readonly [title: string, value: string])[] = [
  ['parentheses', JSON.stringify('('.repeat(500_000))],
  ['NULs', `"${String.raw`\u0000`.repeat(100_000)}"`],
  ['lists', deep('[', ']', 64)],
  ['a long list', `[${'0,'.repeat(400_000)}0]`],
  ['a wide object', `{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":0`).join(',')}}`],
  ['a number', '1'.repeat(100_000)],
  ['1e999', '1e999'],
  ['__proto__', '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'],
]
const blanks = Buffer.alloc(17_000_000, ' ')

const routes = server.routes

describe('bodies', () => {
  const written = routes.filter(({ method }) => method !== 'GET')
  test.for(written.map((route) => [nameOf(route), route] as const))('%s', async ([, route]) => {
    const send = (title: string, body: string | Uint8Array, headers = json): Promise<TestResponse> => {
      return expectDefused([`${title} to ${nameOf(route)}`, route.method, at(route), { body, headers }])
    }
    const names = ['unknown', ...namesOf(route.body)]
    for (const [title, value] of hugeValues) {
      for (const name of names) await send(`${title} as ${name}`, `{${JSON.stringify(name)}:${value}}`)
    }
    await send('objects 100,000 deep', deep('{"a":', '}', 100_000))
    await send('lists 500,000 deep', '['.repeat(500_000))
    await send('a byte order mark and nothing', '\ufeff')
    await send('17 MB', blanks)
  })
})

describe('queries', () => {
  const read = routes.filter(({ method }) => method === 'GET')
  const values = ['('.repeat(14_000), '\0'.repeat(4_000), '%'.repeat(4_000), '1e999', '-1', '9'.repeat(20), '__proto__']
  test.for(read.map((route) => [nameOf(route), route] as const))('%s', async ([, route]) => {
    for (const name of ['unknown', ...namesOf(route.query)]) {
      for (const value of values) {
        const path = `${at(route)}?${name}=${encodeURIComponent(value)}`
        await expectDefused([`${name}=${value.slice(0, 9)} of ${nameOf(route)}`, 'GET', path, {}])
      }
    }
    await expectDefused([`2,000 parameters of ${nameOf(route)}`, 'GET', `${at(route)}?${'a=1&'.repeat(2_000)}`, {}])
  })
})

describe('ids', () => {
  const named = routes.filter(({ path }) => path.includes(':'))
  test.for(named.map((route) => [nameOf(route), route] as const))('%s', async ([, route]) => {
    for (const id of ['a'.repeat(14_000), '\0', '../../etc/passwd', '__proto__', 'constructor', '\u{10ffff}', "' or 1=1 --"]) {
      const call = route.method === 'GET' ? {} : { body: '{}', headers: json }
      const { status } = await expectDefused([`${id.slice(0, 20)} of ${nameOf(route)}`, route.method, at(route, id), call])
      expect(status, id.slice(0, 20)).toBeGreaterThanOrEqual(400)
    }
  })
})

describe('filters of lists', () => {
  const lists = routes.filter(({ query }) => namesOf(query).includes('filters'))
  const leaf = '{"field":"status","op":"eq","value":"open"}'
  const bombs: readonly string[] = [
    deep('{"and":[', ']}', 500), deep('{"not":', '}', 800), '{"and":['.repeat(900), `{"and":[${`${leaf},`.repeat(150)}${leaf}]}`,
    `{"field":"status","op":"in","value":[${'"open",'.repeat(1_100)}"open"]}`, deep('[', ']', 4_000), '"'.repeat(8_000),
    `{"field":"__proto__","op":"eq","value":1}`, `{"field":"title","op":"like","value":"${'%_'.repeat(3_000)}"}`,
  ]
  test('the table of lists is not empty', () => expect(lists.length).toBeGreaterThan(4))
  test.for(lists.map((route) => [nameOf(route), route] as const))('%s', async ([, route]) => {
    for (const bomb of bombs) {
      const path = `${at(route)}?filters=${encodeURIComponent(bomb)}`
      const { status } = await expectDefused([`${bomb.slice(0, 30)} of ${nameOf(route)}`, 'GET', path, {}])
      expect(status, bomb.slice(0, 50)).toBe(route.path.includes(':') ? status : 400)
    }
  })
})

describe('queries of a search', () => {
  // What each of very many queries comes to is the query package's own test; here they come over the wire.
  test.for<[title: string, text: string, status: number]>([
    ['100,000 parentheses', deep('(', ')', 100_000), 400],
    ['2,000 parentheses', deep('(', ')', 2_000), 400],
    ['1,000 NOT', `${'NOT '.repeat(1_000)}a`, 400],
    ['2,000 terms', 'a '.repeat(2_000), 400],
    ['4 MB of a word', 'a'.repeat(4_194_304), 413],
    ['a million quotes', '"'.repeat(500_000), 400],
    ['wildcards with one letter', `f:${'a*'.repeat(2_000)}`, 400],
    ['32 wildcards in each of 60 terms', `${'*a'.repeat(32)} `.repeat(60), 200],
    ['a regular expression', 'f:(a+)+$', 200],
    ['__proto__', '__proto__.polluted:*', 200],
  ])('%s', async ([title, text, status]) => {
    expect(await expectDefused([title, 'POST', '/v1/search', { body: { query: text } }])).toMatchObject({ status })
  })
})

describe('rules', () => {
  const definitionOf = (selection: unknown): string =>
    `title: Bomb\nlogsource: { category: test }\ndetection:\n  selection: ${JSON.stringify(selection)}\n  condition: selection\n`
  const good = definitionOf({ a: 'x' })
  const aliases = Array.from({ length: 10 }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(10).fill(`*l${i}`).join(', ')}]`)
  const numbered = (count: number, word: string): string[] => Array.from({ length: count }, (_, i) => `${word}${i}`)

  // What each of very many rules comes to is the engine's own test; here they come over the wire, in every way.
  test.for<[title: string, definition: string, isTaken?: true]>([
    ['lists 100,000 deep', '['.repeat(100_000)],
    ['maps 20,000 deep', '{a: '.repeat(20_000)],
    ['an alias bomb', `l0: &l0 [x, x]\n${aliases.join('\n')}\n${good}`],
    ['600 KB of keys', `${numbered(60_000, 'key').map((key) => `${key}: x`).join('\n')}\n${good}`],
    ['10,000 documents', '---\nx: y\n'.repeat(10_000)],
    ['a function', good.replace('"x"', '!!js/function "x"')],
    ['a count of counts', definitionOf({ 'a|re': '(a{1000}){1000}' })],
    ['groups 20,000 deep', definitionOf({ 'a|re': deep('(', ')', 20_000) })],
    ['a look ahead', definitionOf({ 'a|re': 'a(?=b)' })],
    ['25,000 values', definitionOf({ a: numbered(25_000, 'x') })],
    ['a condition 5,000 deep', good.replace(': selection', `: ${'('.repeat(5_000)}selection${')'.repeat(5_000)}`)],
    ['nested stars', definitionOf({ 'a|re': '(a*)*b' }), true],
    ['500 times anything', definitionOf({ 'a|re': `${'.*'.repeat(500)}x` }), true],
    ['20,000 regular expressions', definitionOf({ 'a|re': numbered(20_000, '^(?:abc|def)[a-z]{3,9}') })],
    ['1,000 nested repetitions', definitionOf({ 'a|re': numbered(1_000, '(?:(?:(?:[^a]|b){1,10}c){1,10}d){1,9}') })],
    ['1,000 large classes', definitionOf({ 'a|re|i': numbered(1_000, String.raw`(?:\p{L}\p{Lu}){300}`) })],
    ['20,000 needles', definitionOf({ 'a|contains': numbered(20_000, 'x') })],
    ['30,000 fields', definitionOf(Object.fromEntries(numbered(30_000, 'k').map((key) => [key, 1])))],
    ['5,000 needles', definitionOf({ 'a|contains': numbered(5_000, 'x') }), true],
    ['2,000 patterns that backtrack', definitionOf({ a: numbered(2_000, '*a*a*a*') }), true],
  ])('%s', async ([title, definition, isTaken = false]) => {
    const ways: readonly (readonly [method: string, path: string, body: object])[] = [
      ['POST', '/v1/detection/rules/new/test', { definition, events: [{ a: `${'a'.repeat(1_000)}!` }] }],
      ['POST', '/v1/detection/rules/new/backtest', { definition }],
      ['PUT', rulePath, { definition }],
      ['POST', '/v1/detection/rules', { definition }],
    ]
    const statuses: number[] = []
    for (const [method, path, body] of ways) {
      statuses.push((await expectDefused([`${title} by ${method} ${path}`, method, path, { body }])).status)
    }
    expect(statuses).toEqual(isTaken ? [200, 200, 200, 201] : [400, 400, 400, 400])
    await server.call('POST', `${rulePath}/reset`)
  })
})

describe('events', () => {
  const gzip = { 'content-encoding': 'gzip' }
  const tenMegabytes = 10_000_000
  test.for<[title: string, body: () => string | Uint8Array, headers?: { readonly [name: string]: string }]>([
    ['64 KB that are 64 MB', () => gzipSync(Buffer.alloc(67_108_865, '{'), { level: 9 }), gzip],
    ['10 MB of brackets', () => '['.repeat(tenMegabytes)],
    ['10 MB of braces', () => '{'.repeat(tenMegabytes)],
    ['10 MB of line ends', () => '\n'.repeat(tenMegabytes)],
    ['10 MB of commas in a list', () => `[${','.repeat(tenMegabytes)}]`],
    ['10 MB of quotes', () => '"'.repeat(tenMegabytes)],
    ['10 MB of backslashes in a text', () => `{"a":"${'\\'.repeat(tenMegabytes)}`],
    ['an event of 10 MB', () => `{"a":"${'a'.repeat(tenMegabytes)}"}`],
    ['an event of 10 MB of fields', () => `{${Array.from({ length: 700_000 }, (_, i) => `"k${i}":0`).join(',')}}`],
    ['100,001 events', () => '{}\n'.repeat(100_001)],
    ['an event 1,000,000 deep', () => deep('{"a":', '}', 1_000_000)],
    ['a list 500,000 deep', () => deep('[', ']', 500_000)],
    ['NULs', () => Buffer.alloc(tenMegabytes)],
  ])('%s', async ([title, body, headers = {}]) => {
    const answered = await expectDefused([title, 'POST', '/ingest/v1/events', { body: body(), headers }])
    // What is no event for its size or depth alone is named by its number.
    if (answered.status === 202) expect(answered).toMatchObject({ body: { accepted: 0, rejected: 1 } })
    else expect([400, 413]).toContain(answered.status)
  })
})

describe('imports', () => {
  const csv = { 'content-type': 'text/csv' }
  const many = 16_000_000
  test.for<[title: string, body: () => string, headers: { readonly [name: string]: string }, status: number]>([
    ['16 MB of commas', () => ','.repeat(many), csv, 400],
    ['16 MB of quotes', () => '"'.repeat(many), csv, 400],
    ['16 MB of one field', () => `hostname\n${'a'.repeat(many)}`, csv, 400],
    ['16 MB of line ends', () => '\n'.repeat(many), csv, 400],
    ['100,001 rows', () => `hostname\n${'a\n'.repeat(100_001)}`, csv, 413],
    ['a column twice', () => 'hostname,hostname\na,b', csv, 400],
    ['a row 1,000,000 deep, told by its line', () => deep('[', ']', 1_000_000), { 'content-type': 'application/json' }, 200],
  ])('%s', async ([title, body, headers, status]) => {
    expect(await expectDefused([title, 'POST', '/v1/assets/import', { body: body(), headers }])).toMatchObject({ status })
  })
})

test('the server stays alive and leaks nothing', async () => {
  expect(await server.call('GET', '/readyz')).toMatchObject({ status: 200 })
  expect('polluted' in {}).toBe(false)
  expect(Object.keys(Object.prototype)).toEqual([])
})
