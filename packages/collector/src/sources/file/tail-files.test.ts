import { appendFile, copyFile, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FilePosition } from './file-position.ts'
import { FileTail } from './tail-files.ts'

let folder: string
let path: string
let elapsedMs: number
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tripline-tail-'))
  path = join(folder, 'app.log')
  elapsedMs = 0
})
afterEach(() => rm(folder, { recursive: true }))

type Options = { readonly positions?: readonly FilePosition[]; readonly startAt?: 'beginning' | 'end'; readonly paths?: readonly string[] }
const open = ({ positions = [], startAt = 'beginning', paths = [path] }: Options = {}): FileTail =>
  new FileTail({ paths, startAt, positions, elapsedMs: () => elapsedMs })

async function read(tail: FileTail): Promise<string[]> {
  const lines: string[] = []
  for await (const part of tail.read()) lines.push(...part.lines.map(String))
  return lines
}

/** As after a crash: a new process with the durable position. */
const restart = (tail: FileTail): FileTail => open({ positions: JSON.parse(JSON.stringify(tail.positions)) as FilePosition[] })

test('lines are read once they end', async () => {
  const tail = open()
  expect(await read(tail)).toEqual([])
  await writeFile(path, 'one\r\ntwo\nthr')
  expect(await read(tail)).toEqual(['one', 'two'])
  await appendFile(path, 'ee\n\nfour\n')
  expect(await read(tail)).toEqual(['three', 'four'])
  expect(await read(tail)).toEqual([])
})

test('lines that wait for others are read with them, or when the file has rested; after a restart, too', async () => {
  const countUnfinished = (lines: readonly Buffer[]): number => (lines.at(-1)?.toString().endsWith('+') === true ? 1 : 0)
  const wait = (positions: readonly FilePosition[] = []): FileTail =>
    new FileTail({ paths: [path], startAt: 'beginning', positions, elapsedMs: () => elapsedMs, countUnfinished })
  const tail = wait()
  await writeFile(path, 'one\ntwo+\n')
  expect(await read(tail)).toEqual(['one'])
  expect(await read(tail)).toEqual([])
  const again = wait(tail.positions)
  await appendFile(path, 'three\nfour+\n')
  expect(await read(again)).toEqual(['two+', 'three'])
  expect(await read(again)).toEqual([])
  elapsedMs += 10_000
  expect(await read(again)).toEqual(['four+'])
  expect(await read(again)).toEqual([])
})

test('a source may begin at the end; files that come later are read whole', async () => {
  await writeFile(path, 'old\nhalf')
  const tail = open({ startAt: 'end', paths: [join(folder, '*.log')] })
  expect(await read(tail)).toEqual([])
  await appendFile(path, ' new\n')
  await writeFile(join(folder, 'other.log'), 'other\n')
  expect(await read(tail)).toEqual(['half new', 'other'])
  expect(await read(restart(tail))).toEqual([])
})

describe.for([['running', (tail: FileTail) => tail], ['after a restart', restart]] as const)('%s', ([, again]) => {
  test('a rotated file is read to its end, and then its successor', async () => {
    await writeFile(path, '1\n2\n')
    const tail = open()
    expect(await read(tail)).toEqual(['1', '2'])
    await appendFile(path, '3\n')
    await rename(path, `${path}.1`)
    await writeFile(path, '4\n')
    expect(await read(again(tail))).toEqual(['3', '4'])
  })

  test('generations between two looks are found', async () => {
    await writeFile(`${path}.1`, 'before the source\n')
    await writeFile(path, '1\n')
    const tail = open()
    expect(await read(tail)).toEqual(['1'])
    for (const n of [2, 3, 4]) {
      await appendFile(path, `${n}\n`)
      await rename(`${path}.1`, `${path}.${n}.old`)
      await rename(path, `${path}.1`)
      await writeFile(path, '')
    }
    await appendFile(path, '5\n')
    // They may have been written at the same tick of the disk's clock.
    expect((await read(again(tail))).sort()).toEqual(['2', '3', '4', '5'])
  })

  test('a file that was copied and truncated is read on in its copy', async () => {
    await writeFile(path, '1\n2\n')
    const tail = open()
    expect(await read(tail)).toEqual(['1', '2'])
    await appendFile(path, '3\n')
    await copyFile(path, `${path}.1`)
    await truncate(path)
    await appendFile(path, '4\n')
    const second = again(tail)
    expect(await read(second)).toEqual(['3', '4'])
    await appendFile(path, '5\n')
    expect(await read(again(second))).toEqual(['5'])
  })

  test('a copy of a file that is not truncated yet is not read twice', async () => {
    await writeFile(path, '1\n2\n')
    const tail = open()
    await read(tail)
    await appendFile(path, '3\n')
    await copyFile(path, `${path}.1`)
    const second = again(tail)
    expect(await read(second)).toEqual(['3'])
    await truncate(path)
    await appendFile(path, '4\n')
    const third = again(second)
    expect(await read(third)).toEqual(['4'])
    expect(await read(again(third))).toEqual([])
  })

  test('a file that was truncated and written anew is read from its beginning', async () => {
    await writeFile(path, '1\n2\n')
    const tail = open()
    await read(tail)
    await writeFile(path, 'a\nb\nc\n')
    expect(await read(again(tail))).toEqual(['a', 'b', 'c'])
  })
})

test('the last line of a rotated file needs no end, after a while', async () => {
  await writeFile(path, '1\n2')
  const tail = open()
  expect(await read(tail)).toEqual(['1'])
  await rename(path, `${path}.1`)
  expect(await read(tail)).toEqual([])
  elapsedMs += 1_000
  expect(await read(tail)).toEqual(['2'])
})

test('a line that is too long is counted and skipped', async () => {
  await writeFile(path, `before\n${'x'.repeat(3_000_000)}\nafter\n`)
  const parts = []
  const tail = open()
  for await (const part of tail.read()) parts.push(part)
  expect(parts.flatMap(({ lines }) => lines.map(String))).toEqual(['before', 'after'])
  expect(parts.reduce((sum, { tooLongCount }) => sum + tooLongCount, 0)).toBe(1)
})

test('a long line is read whole', async () => {
  const long = 'x'.repeat(900_000)
  await writeFile(path, `${long}\nafter\n`)
  expect(await read(open())).toEqual([long, 'after'])
})
