import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../test/run-captured.ts'

const folder = createFolder({
  'rules/a.yml': `title: Curl
id: 6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0001
level: high
logsource: { category: process_creation, product: linux }
detection: { s: { Image|endswith: /curl }, condition: s }
`,
  'words/b.yml': 'title: Words\nlogsource: { product: linux }\ndetection: { k: [evil], condition: k }\n',
  'long/c.yml': [
    'title: Long', 'logsource: { product: linux }', 'detection:', '  condition: s', '  s:', '    Hashes|contains:',
    ...Array.from({ length: 4_000 }, (_, at) => `      - ${String(at).padStart(64, '0')}`), '',
  ].join('\n'),
  'ecs.yml': 'transformations: [{ type: field_name_mapping, mapping: { Image: process.executable } }, { type: add_condition, name: c, conditions: { kind: start } }]',
})
afterAll(() => rmSync(folder, { recursive: true }))

const convert = async (line: string) => await runCaptured(`convert ${line}`, { cwd: folder })

test('prints a query for each rule', async () => {
  expect(await convert('rules --language kql --table DeviceProcessEvents')).toEqual({
    code: 0, stderr: '', stdout: "// Curl (6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0001)\nDeviceProcessEvents | where tostring(Image) endswith '/curl'\n",
  })
})

test('pipelines rename fields and add conditions', async () => {
  const { stdout } = await convert('rules --language lucene --json -p ecs.yml')
  expect(JSON.parse(stdout)).toMatchObject({ level: 'high', query: '(kind:start AND process.executable:*\\/curl)' })
})

test('says what a language cannot state, and fails', async () => {
  const { code, stdout, stderr } = await convert('rules words --language sqlite')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^-- Curl .*\nSELECT \* FROM "events" WHERE .*\n$/)
  expect(stderr).toBe('tripline: Words is not converted: sqlite cannot state a keyword, which is compared with every field\n')
})

test('says which query is longer than ClickHouse takes by default', async () => {
  const { code, stdout, stderr } = await convert('long --language clickhouse')
  expect(code).toBe(0)
  expect(Buffer.byteLength(stdout.slice(stdout.indexOf('\n') + 1).trimEnd())).toBe(Number(/(\d+) bytes/.exec(stderr)?.[1]))
  expect(stderr).toMatch(/^tripline: Long is converted to \d+ bytes: ClickHouse takes 262144 unless the profile or the client has a larger max_query_size\n$/)
  expect((await convert('long --language duckdb')).stderr).toBe('')
  expect((await convert('rules --language clickhouse')).stderr).toBe('')
})

test('needs a language', async () => {
  expect(await convert('rules')).toEqual({
    code: 2, stdout: '',
    stderr: "tripline: option '--language <language>' is missing for 'tripline convert'; it takes one of "
      + 'sqlite, postgresql, clickhouse, duckdb, lucene, esql, spl, kql\n',
  })
})

test.for<[name: string, language: string]>([
  ['splunk', 'spl'], ['kusto', 'kql'], ['sentinel', 'kql'], ['opensearch', 'lucene'], ['elasticsearch', 'lucene'], ['postgres', 'postgresql'],
])('%s is another name of %s', async ([name, language]) => {
  const converted = await convert(`rules --language ${name}`)
  expect(converted).toMatchObject({ code: 0, stdout: expect.stringContaining('curl') })
  expect(converted).toEqual(await convert(`rules --language ${language}`))
})
