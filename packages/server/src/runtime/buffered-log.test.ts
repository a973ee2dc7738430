import { describe, expect, test } from 'vitest'
import { BufferedLog } from './buffered-log.ts'

/** A buffer whose writes end when the test says so. */
function openBuffer(lengthMax = 1_000) {
  const writes: { readonly text: string; readonly resolve: () => void; readonly reject: (error: Error) => void }[] = []
  const buffer = new BufferedLog({
    lengthMax,
    write: (text) => new Promise((resolve, reject) => void writes.push({ text, resolve, reject })),
  })
  return { buffer, writes, settle: async () => void (await new Promise(setImmediate)) }
}

describe('a buffered log', () => {
  test('writes lines in order, one write at a time, and those of the meantime together', async () => {
    const { buffer, writes, settle } = openBuffer()
    for (const line of ['a', 'b']) buffer.add(line)
    await settle()
    for (const line of ['c', 'd']) buffer.add(line)
    await settle()
    expect(writes.map(({ text }) => text)).toEqual(['a\nb\n'])
    writes[0]!.resolve()
    await settle()
    expect(writes.map(({ text }) => text)).toEqual(['a\nb\n', 'c\nd\n'])
  })

  test('drops lines beyond its bound, counts them and says so', async () => {
    const { buffer, writes, settle } = openBuffer(20)
    for (let i = 0; i < 10; i++) buffer.add(`line ${i}`)
    expect(buffer.droppedCount).toBe(7)
    await settle()
    writes[0]!.resolve()
    await settle()
    buffer.add('again')
    await settle()
    expect(writes.map(({ text }) => text).join('')).toBe(
      'line 0\nline 1\nline 2\n{"level":"warn","message":"lines of the log were dropped","count":7}\nagain\n')
  })

  test('is flushed when everything is written', async () => {
    const { buffer, writes, settle } = openBuffer()
    await buffer.flush()
    buffer.add('a')
    let isFlushed = false
    const flushed = buffer.flush().then(() => (isFlushed = true))
    await settle()
    buffer.add('b')
    writes[0]!.resolve()
    await settle()
    expect([isFlushed, writes.length]).toEqual([false, 2])
    writes[1]!.resolve()
    await flushed
    expect(buffer.droppedCount).toBe(0)
  })

  test('counts lines as dropped that could not be written, and goes on', async () => {
    const { buffer, writes, settle } = openBuffer()
    for (const line of ['a', 'b']) buffer.add(line)
    await settle()
    writes[0]!.reject(new Error('EPIPE'))
    await buffer.flush()
    buffer.add('c')
    await settle()
    expect([buffer.droppedCount, writes.at(-1)?.text]).toEqual([2, 'c\n'])
  })
})
