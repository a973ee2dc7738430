import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { readFileChunks } from './file-chunks.ts'

let folder = ''
beforeAll(() => { folder = mkdtempSync(join(tmpdir(), 'tripline-chunks-')) })
afterAll(() => rmSync(folder, { recursive: true }))

const size = limits.readBytesMax

test.for<[byteLength: number, lengths: number[]]>([
  [0, []],
  [1, [1]],
  [size, [size]],
  [size + 1, [size, 1]],
  [4 * size - 1, [size, size, size, size - 1]],
])('%i bytes come as %o, in two memories at most', async ([byteLength, lengths]) => {
  const bytes = Buffer.alloc(byteLength, 'a line of some bytes\n')
  const path = join(folder, `${byteLength}`)
  writeFileSync(path, bytes)
  const copies: Buffer[] = []
  const memories = new Set<ArrayBufferLike>()
  for await (const chunk of readFileChunks(path)) {
    copies.push(Buffer.from(chunk))
    memories.add(chunk.buffer)
  }
  expect(copies.map(({ length }) => length)).toEqual(lengths)
  expect(Buffer.concat(copies).equals(bytes)).toBe(true)
  expect(memories.size).toBe(Math.min(2, lengths.length))
})

test('says why a file cannot be opened or read', async () => {
  await expect(readFileChunks(join(folder, 'none')).next()).rejects.toThrow('ENOENT')
  await expect(readFileChunks(folder).next()).rejects.toThrow('EISDIR')
})

test('may be left before the end', async () => {
  const path = join(folder, 'long')
  writeFileSync(path, Buffer.alloc(3 * size))
  const chunks = readFileChunks(path)
  expect((await chunks.next()).done).toBe(false)
  expect(await chunks.return(undefined)).toEqual({ done: true, value: undefined })
})
