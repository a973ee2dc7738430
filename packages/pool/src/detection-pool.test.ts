import { Worker } from 'node:worker_threads'
import { compileRules } from '@tripline/engine'
import { afterEach, expect, test } from 'vitest'
import type { DetectionPool } from './detection-pool.ts'
import { limits } from './limits.ts'
import { startPoolWith, waitUntilReady } from './open-pool.ts'
import type { WorkerSetup } from './protocol.ts'

// Scripted workers that obey their chunks: how the pool dispatches, orders and ends, without rules.

const module = new URL('../test/scripted-worker.ts', import.meta.url)
const opened: DetectionPool[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.close()))
})

async function openScripted(jobs: number, title = 'a rule'): Promise<DetectionPool> {
  const start = (workerData: WorkerSetup): Worker => new Worker(module, { workerData })
  const text = `title: ${title}\nlogsource: { product: windows }\ndetection: { a: { b: c }, condition: a }`
  const pool = startPoolWith({ ruleSet: compileRules([{ text }]).ruleSet, jobs }, start)
  opened.push(pool)
  return await waitUntilReady(pool)
}

/** Pushes a chunk and returns the text that comes back, or the error. */
async function pushText(pool: DetectionPool, text: string): Promise<string> {
  try {
    const { malformed } = await pool.push(new Uint8Array(Buffer.from(text)))
    return malformed.map(({ reason }) => reason).join()
  } catch (error) {
    return String(error)
  }
}

test.for<[jobs: number, chunks: string[]]>([
  [1, ['slow', 'a', 'b']],
  [2, ['slow', 'a', 'b', 'slow too', 'c', 'd']],
  [3, ['slow', 'slow', 'a', 'b', 'slow', 'c']],
])('%i workers answer %o in this order', async ([jobs, chunks]) => {
  const pool = await openScripted(jobs)
  const answered: string[] = []
  await Promise.all(chunks.map(async (chunk) => answered.push(await pushText(pool, chunk))))
  expect(answered).toEqual(chunks)
  expect(pool.counts).toEqual({ events: chunks.length, unrouted: 0, matches: 0 })
})

test.for<[jobs: number, chunk: string, reason: string]>([
  [1, 'throw', 'Error: worker 1 of 1 ended: the chunk is on fire'],
  [2, 'throw', 'Error: worker 1 of 2 ended: the chunk is on fire'],
  [2, 'exit', 'Error: worker 1 of 2 ended: exit code 3'],
])('%i workers, one of which meets %s, reject pending and later chunks', async ([jobs, chunk, reason]) => {
  const pool = await openScripted(jobs)
  const pushed = [chunk, 'slow', 'a'].map((text) => pushText(pool, text))
  expect(await Promise.all(pushed)).toEqual([reason, reason, reason])
  expect(await pushText(pool, 'b')).toBe(reason)
  await pool.waitForCapacity()
})

test('opening rejects if a worker dies over its rules', async () => {
  await expect(openScripted(2, 'throw')).rejects.toThrow('a worker ended: the rules are on fire')
})

test('closing rejects pending and later chunks', async () => {
  const pool = await openScripted(1)
  const pushed = [pushText(pool, 'slow'), pushText(pool, 'a')]
  await pool.close()
  expect(await Promise.all(pushed)).toEqual(Array(2).fill('Error: the pool was closed'))
  expect(await pushText(pool, 'b')).toBe('Error: the pool was closed')
  await pool.close()
})

test('accepts as many chunks as it says, and more once the first is completed', async () => {
  const pool = await openScripted(2)
  const pushed = Array.from({ length: pool.pendingMax }, (_, index) => pushText(pool, `slow ${index}`))
  expect(pool.hasCapacity).toBe(false)
  expect(await pushText(pool, 'one more')).toBe('RangeError: 8 chunks are pending; await waitForCapacity before the next push')
  await pool.waitForCapacity()
  expect(pool.hasCapacity).toBe(true)
  expect(await pushText(pool, 'one more')).toBe('one more')
  await Promise.all(pushed)
})

test('rejects a chunk over the limit and leaves its bytes to the caller', async () => {
  const pool = await openScripted(1)
  const bytes = new Uint8Array(limits.chunkBytesMax + 1)
  await expect(pool.push(bytes)).rejects.toThrow('the chunk has 67108865 bytes; at most 67108864 are allowed')
  expect(bytes).toHaveLength(limits.chunkBytesMax + 1)
})

test.for<[what: string, bytes: Uint8Array, lengthAfter: number]>([
  ['bytes that fill their buffer are transferred', new Uint8Array([97, 98]), 0],
  ['a part of a larger buffer is copied', new Uint8Array([97, 98, 99]).subarray(0, 2), 2],
  ['a Buffer is copied, because it shares its memory with others', Buffer.from('ab'), 2],
  ['shared memory is read in place', sharedBytes([97, 98]), 2],
])('%s', async ([, bytes, lengthAfter]) => {
  const pool = await openScripted(1)
  const pushed = pool.push(bytes)
  expect(bytes).toHaveLength(lengthAfter)
  expect((await pushed).malformed).toEqual([{ line: 0, reason: 'ab' }])
})

test('a released buffer is lent again, and other bytes are ignored', async () => {
  const pool = await openScripted(1)
  const memory = pool.acquireBuffer(80)
  pool.releaseBuffer(new Uint8Array(500))
  pool.releaseBuffer(memory.subarray(0, 6))
  pool.releaseBuffer(memory)
  expect(pool.acquireBuffer(8).buffer).toBe(memory.buffer)
  expect(pool.acquireBuffer(8).buffer).not.toBe(memory.buffer)
})

test('a lent buffer is transferred although it is filled in part, and is reused', async () => {
  const pool = await openScripted(1)
  const memory = pool.acquireBuffer(80)
  memory.set(Buffer.from('memory'))
  const pushed = pool.push(memory.subarray(0, 6))
  expect(memory).toHaveLength(0)
  expect((await pushed).malformed).toEqual([{ line: 0, reason: 'a part of 90 bytes' }])
  expect(pool.acquireBuffer(8).buffer.byteLength).toBe(90)
  expect(() => pool.acquireBuffer(limits.chunkBytesMax + 1)).toThrow('the chunk has 67108865 bytes; at most 67108864 are allowed')
})

test.for<[what: string, earlierLength: number, where: string]>([
  ['a buffer that a worker has finished with is reused for a chunk of equal length', 6, 'a part of 6 bytes'],
  ['and for a shorter one', 80, 'a part of 90 bytes'],
  ['a longer one gets a new buffer, with a reserve for slightly longer ones', 5, 'a part of 6 bytes'],
  ['the buffer of a large chunk is not reused', limits.spareBytesMax, 'a part of 6 bytes'],
])('%s', async ([, earlierLength, where]) => {
  const pool = await openScripted(1)
  const part = (text: string): Uint8Array => new Uint8Array(Buffer.from(`${text}.`)).subarray(0, text.length)
  await pool.push(part('a'.repeat(earlierLength)))
  const { malformed } = await pool.push(part('memory'))
  expect(malformed).toEqual([{ line: 0, reason: where }])
})

test.for([0, -1, 1.5, Number.NaN, limits.jobsMax + 1])('rejects %d jobs', async (jobs) => {
  await expect(openScripted(jobs)).rejects.toThrow(`jobs is ${jobs}; a pool has 1 to 64 workers`)
})

function sharedBytes(values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(new SharedArrayBuffer(values.length))
  bytes.set(values)
  return bytes
}
