import { rmSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../test/run-captured.ts'
import { mapLines } from './map-events.ts'

const rule = `title: Denied
logsource: { product: acme }
detection: { selection: { src_ip|cidr: 10.0.0.0/8, port|gte: 400 }, condition: selection }
`
const mapping = `mappings:
  - when: { vendor: acme }
    logsource: { product: acme }
    rename: { net.src: src_ip }
    types: { port: integer }
`
const events = [{ vendor: 'acme', net: { src: '10.0.0.1' }, port: '443' }, { vendor: 'other', src_ip: '10.0.0.1', port: 443 }]
const folder = createFolder({
  'rule.yml': rule, 'mapping.yml': mapping, 'broken.yml': 'mappings: 1', 'events.ndjson': events.map((event) => JSON.stringify(event)).join('\n'),
})
afterAll(() => rmSync(folder, { recursive: true }))

const tripline = (line: string) => runCaptured(line, { cwd: folder })

describe('--mapping', () => {
  test('makes rules match events of a source', async () => {
    expect((await tripline('detect rule.yml --input events.ndjson')).stdout).toBe('')
    const { code, stdout } = await tripline('detect rule.yml --input events.ndjson --mapping mapping.yml')
    expect([code, stdout.split('\n').filter((line) => line !== '').length]).toEqual([0, 1])
    expect((await tripline('explain rule.yml --input events.ndjson --mapping mapping.yml')).stdout).toContain('✓ line 1: Denied')
  })

  test.for<[line: string, code: number, message: string]>([
    ['--mapping nowhere.yml', 66, "--mapping 'nowhere.yml' cannot be read"],
    ['--mapping broken.yml', 65, "--mapping 'broken.yml': line 1, column 1: 'mappings' is no list of entries"],
  ])('%s ends with %i', async ([line, code, message]) => {
    const captured = await tripline(`detect rule.yml --input events.ndjson ${line}`)
    expect(captured.code).toBe(code)
    expect(captured.stderr).toContain(message)
  })
})

test('lines are mapped whatever chunks they come in, and others stay as they are', async () => {
  const text = '{"a":1}\nnonsense\n\n[1]\n{"b":9007199254740993}\n{"c":3}'
  for (const size of [1, 3, 1_000]) {
    const cut = async function* (): AsyncGenerator<Buffer> {
      for (let start = 0; start < text.length; start += size) yield Buffer.from(text.slice(start, start + size))
    }
    const parts: Buffer[] = []
    for await (const part of mapLines(cut(), (event) => ({ ...event, x: 0 }))) parts.push(part)
    expect(Buffer.concat(parts).toString()).toBe('{"a":1,"x":0}\nnonsense\n\n[1]\n{"b":9007199254740993,"x":0}\n{"c":3,"x":0}')
  }
})
