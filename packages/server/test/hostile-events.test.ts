import { alertListSchema, ruleMatchListSchema, searchResultSchema } from '@tripline/contract'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { killServerProcesses, logIn, waitForReady, startServerProcess } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'

// Events that are meant to be more than data, from the socket to the alert, the search and the WebSocket.

const folder = mkdtempSync(join(tmpdir(), 'tripline-hostile-'))
const rulePath = '/v1/detection/rules/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f00aa'
const rule = `title: Hostile
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f00aa
logsource: { product: test }
detection:
  selection: { kind: hostile }
  condition: selection
level: high
`

type Told = { readonly type: string; readonly data: { readonly [name: string]: unknown } }

let served: ServerProcess
let url: string
let headers: { authorization: string }
let told: Told[]

beforeAll(async () => {
  const ruleFile = join(folder, 'rule.yml')
  writeFileSync(ruleFile, rule)
  served = startServerProcess(['--data-dir', join(folder, 'data'), '--listen', '127.0.0.1:0', ruleFile])
  ;({ url } = await waitForReady(served))
  headers = await logIn(served, url)
  told = []
  const token = headers.authorization.slice('Bearer '.length)
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/ws/monitoring?token=${token}`)
  socket.addEventListener('message', ({ data }) => void told.push(JSON.parse(String(data)) as Told))
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  socket.send(JSON.stringify({ action: 'subscribe', topics: ['alerts'], id: 1 }))
  socket.send(JSON.stringify({ action: 'subscribe', topics: ['search'], id: 't', params: { query: 'kind:hostile' } }))
  await vi.waitUntil(() => told.filter(({ type }) => type === 'subscribed').length === 2, 300_000)
})
afterAll(() => {
  killServerProcesses()
  rmSync(folder, { recursive: true })
})

const escaped = String.raw

/** Fields beside those that make the event match, as JSON has them; and what a search shows of `x`, where it is of that name. */
const rows: readonly (readonly [title: string, fields: string, shown?: unknown])[] = [
  ['__proto__', '"__proto__":{"polluted":"x","kind":"other"},"x":1', 1],
  ['constructor.prototype', '"constructor":{"prototype":{"polluted":"x"}},"toString":"x","hasOwnProperty":1,"x":1', 1],
  ['a NUL', escaped`"x":"a\u0000b"`, 'a\0b'],
  ['a NUL in a name', escaped`"a\u0000b":1,"x":1`, 1],
  ['a lone surrogate', escaped`"x":"\ud800 a \udc00"`],
  ['a lone surrogate in a name', escaped`"\ud83d":1,"x":1`, 1],
  ['2^53 + 1', '"x":9007199254740993'],
  ['an integer of 400 digits', `"x":${'9'.repeat(400)}`],
  ['1e999', '"x":1e999,"y":-1e999'],
  ['what is too small for a double', '"x":[1e-999,-0]', [0, 0]],
  ['a name of 64 KiB', `"${'k'.repeat(65_536)}":1,"x":1`, 1],
  ['a text of 900 KB', `"x":"${'a'.repeat(900_000)}"`],
  ['a name twice', '"x":1,"x":2'],
  ['an empty name', '"":{"":1},"x":1', 1],
  ['10,000 fields', `${Array.from({ length: 9_900 }, (_, i) => `"k${i}":${i}`).join(',')},"x":1`, 1],
  ['64 levels', `"x":${'{"a":'.repeat(63)}1${'}'.repeat(63)}`],
  ['line separators and marks of direction', escaped`"x":"\u2028\u2029\u202e\ufeff\uffff"`, '\u2028\u2029\u202e\ufeff\uffff'],
  ['a page', '"x":"</script><img src=x onerror=alert(1)>"', '</script><img src=x onerror=alert(1)>'],
  ['a statement', `"x":"'; drop table alerts; --"`, "'; drop table alerts; --"],
  ['a formula', '"x":"=cmd|calc!A1"', '=cmd|calc!A1'],
  ['lines of a log', escaped`"x":"a\r\nset-cookie: a=b\r\n\u001b[2J"`, 'a\r\nset-cookie: a=b\r\n\x1b[2J'],
  ['a user and an address that are none', '"user":{"name":["a",null]},"source":{"ip":[1,{}]},"x":1', 1],
  ['instants that are none', '"@timestamp":{"$date":"x"},"timestamp":[[]],"x":1', 1],
  ['our own names', '"tenant":"other","match_id":"x","id":"made-up","x":1', 1],
]

test.for(rows.map((row, number) => [row[0], number] as const))('%s is data', async ([title, number]) => {
  const [, fields, shown] = rows[number]!
  const host = `h-${number}`
  const body = `{"_logsource":{"product":"test"},"kind":"hostile","host":"${host}",${fields}}`
  const sent = await fetch(`${url}/ingest/v1/events`, { method: 'POST', headers, body })
  expect([sent.status, await sent.json()]).toEqual([202, { accepted: 1, rejected: 0, errors: [], last_offset: number }])
  const ask = async (path: string): Promise<unknown> => {
    const answered = await fetch(`${url}${path}`, { headers })
    expect(answered.status, path).toBe(200)
    return await answered.json()
  }
  await vi.waitUntil(() => told.some(({ type, data }) => type === 'new_alert' && data['host'] === host), 300_000)
  const { alerts } = alertListSchema.parse(await ask('/v1/alerts?limit=500'))
  expect(alerts.filter(({ event }) => event.host === host)).toMatchObject([{ rule_title: 'Hostile' }])
  const { matches } = ruleMatchListSchema.parse(await ask(`${rulePath}/matches?limit=500`))
  expect(matches).toHaveLength(number + 1)
  // Events are stored and matched by different stages: an alert may come before its event can be found.
  const found = await vi.waitFor(async () => {
    const result = searchResultSchema.parse(await ask(`/v1/search?q=host:${host}`))
    expect(result.data, title).toHaveLength(1)
    return result
  }, 300_000)
  if (shown !== undefined) expect(found.data[0]?.fields['x']).toEqual(shown)
})

test.for(['2^53 + 1', 'an integer of 400 digits', '1e999'])('%s is shown as it arrived, by a search and an alert', async (title) => {
  const number = rows.findIndex(([name]) => name === title)
  const printed = `{"_logsource":{"product":"test"},"kind":"hostile","host":"h-${number}",${rows[number]?.[1]}}`
  const ask = (path: string): Promise<string> => fetch(`${url}${path}`, { headers }).then((answered) => answered.text())
  expect(await ask(`/v1/search?q=host:h-${number}`)).toContain(printed)
  const { alerts } = alertListSchema.parse(JSON.parse(await ask('/v1/alerts?limit=500')))
  const alert = alerts.find(({ event }) => event.host === `h-${number}`)
  expect(await ask(`/v1/alerts/${alert?.id}`)).toContain(printed)
})

test('a live tail shows all of them but the oversized one, which it counts', async () => {
  const countOf = (name: 'events' | 'dropped'): number => told.filter(({ type }) => type === 'tail_events')
    .reduce((sum, { data: { [name]: value } }) => sum + (Array.isArray(value) ? value.length : Number(value)), 0)
  await vi.waitUntil(() => countOf('events') + countOf('dropped') === rows.length, 300_000)
  expect(countOf('dropped')).toBe(1)
})

test('none of them appears in the log', () => {
  expect(served.printed.stderr).not.toMatch(/polluted|onerror|drop table|request failed/)
})
