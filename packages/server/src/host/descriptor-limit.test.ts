import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { planConnections, readDescriptorLimit } from './descriptor-limit.ts'

test.for<[what: string, wanted: number, descriptors: number | undefined, connections: number]>([
  ['enough', 4_096, 4_224, 4_096],
  ['one too few', 4_096, 4_223, 4_095],
  ['no limit that is known', 4_096, undefined, 4_096],
  ['the least', 4_096, 144, 16],
  ['few wanted of few', 8, 136, 8],
])('%s', ([, wanted, descriptors, connections]) => {
  const { connectionsMax, warning } = planConnections(wanted, descriptors)
  expect(connectionsMax).toBe(connections)
  const remedy = `the limit of open files is ${descriptors}, so at most ${connections} of the configured ${wanted} connections are accepted; ` +
    `raise it to ${wanted + 128} with 'ulimit -n', or LimitNOFILE= of the systemd unit`
  expect(warning).toBe(connections === wanted ? undefined : remedy)
})

test.for([143, 128, 20])('too few: %s', (descriptors) => {
  expect(() => planConnections(4_096, descriptors)).toThrow(
    `the limit of open files is ${descriptors}, and the server needs at least 144; raise it to 4224 with 'ulimit -n'`)
})

const folder = mkdtempSync(join(tmpdir(), 'tripline-limits-'))
afterAll(() => rmSync(folder, { recursive: true }))

test.for<[text: string, limit: number | undefined]>([
  ['Limit                     Soft Limit           Hard Limit           Units\nMax open files            1024                 4096                 files\n', 1_024],
  ['Max open files            unlimited            unlimited            files\n', undefined],
  ['Max processes             7                    7                    processes\n', undefined],
  ['', undefined],
])('the limit is read from %j', async ([text, limit]) => {
  const path = join(folder, 'limits')
  writeFileSync(path, text)
  expect(await readDescriptorLimit(path)).toBe(limit)
})

test('a system without the file has no limit that is known, and any other fault is an error', async () => {
  expect(await readDescriptorLimit(join(folder, 'none'))).toBeUndefined()
  await expect(readDescriptorLimit(folder)).rejects.toThrow('EISDIR')
})
