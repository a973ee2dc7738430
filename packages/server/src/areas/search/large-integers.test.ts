import { expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'

const rule = 'title: One id\nlogsource: { product: app }\ndetection: { s: { record: 9007199254740993 }, condition: s }\nlevel: high\n'
/** Neighbours that a double cannot tell apart, and the end of 64 bits. */
const records = ['9007199254740992', '9007199254740993', '9007199254740994', '18446744073709551615']
const body = records.map((record, n) => `{"n":${n},"_logsource":{"product":"app"},"record":${record}}`).join('\n')

test('integers of 64 bits match, are searched and come back with their digits', async () => {
  const server = await openTestServer([rule], { startedAt: Date.UTC(2026, 10, 20, 10) })
  const sent = await server.call('POST', '/ingest/v1/events', { body, headers: { 'content-type': 'application/x-ndjson' } })
  expect(sent).toMatchObject({ status: 202, body: { accepted: records.length } })
  const find = async (query: string) => {
    const { body: page } = await server.call('GET', `/v1/search?q=${encodeURIComponent(query)}&sort=timestamp:asc`)
    const { data } = page as { readonly data: readonly { readonly fields: { readonly n: number } }[] }
    return data.map(({ fields }) => fields.n).toSorted((a, b) => a - b)
  }
  for (const [query, found] of [
    ['record:9007199254740992', [0]], ['record:9007199254740993', [1]], ['record:18446744073709551615', [3]],
    ['record:>9007199254740992', [1, 2, 3]], ['record:>=9007199254740993', [1, 2, 3]], ['record:<9007199254740993', [0]],
    ['record:[9007199254740993 TO 9007199254740994]', [1, 2]], ['record:18446744073709551616', []],
  ] as const) expect(await find(query), query).toEqual(found)
  const alerts = await server.call('GET', '/v1/alerts')
  expect(alerts).toMatchObject({ body: { alerts: [{ event_count: 1, rule_title: 'One id' }] } })
})
