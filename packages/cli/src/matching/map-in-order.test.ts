import { expect, test } from 'vitest'
import { mapInOrder } from './map-in-order.ts'

/** Work that is done when the test says so. */
function desk() {
  const done = new Map<string, (isGood: boolean) => void>()
  const start = (item: string): Promise<string> => new Promise((resolve, reject) => {
    done.set(item, (isGood) => (isGood ? resolve(item) : reject(new Error(item))))
  })
  return {
    start,
    started: () => [...done.keys()].join(''),
    finish: (item: string, isGood = true) => done.get(item)?.(isGood),
  }
}

async function* itemsOf(text: string): AsyncGenerator<string> {
  yield* text
}

async function* failing(): AsyncGenerator<string> {
  yield 'a'
  throw new Error('no more')
}

/** Lets everything go on that can. */
const settle = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve) })

test.for([1, 2, 3, 10])('gives the results of all items in order, %i at once', async (countMax) => {
  const { start, finish, started } = desk()
  const results: string[] = []
  const taken = (async () => {
    for await (const result of mapInOrder(itemsOf('abcde'), countMax, start)) results.push(result)
  })()
  // The newest first, so that results come in the wrong order.
  for (let round = 0; round < 5; round++) {
    await settle()
    for (const item of started().split('').toReversed()) finish(item)
  }
  await taken
  expect(results.join('')).toBe('abcde')
})

test('begins as many as it may, and more when results are taken', async () => {
  const { start, finish, started } = desk()
  const results = mapInOrder(itemsOf('abcde'), 2, start)
  const first = results.next()
  await settle()
  expect(started()).toBe('ab')
  finish('b')
  finish('a')
  expect(await first).toEqual({ done: false, value: 'a' })
  await settle()
  expect(started()).toBe('ab')
  expect(await results.next()).toEqual({ done: false, value: 'b' })
  void results.next()
  await settle()
  expect(started()).toBe('abcd')
})

test('gives a result though the next item never comes', async () => {
  async function* stuck(): AsyncGenerator<string> {
    yield 'a'
    await new Promise(() => {})
  }
  const { value } = await mapInOrder(stuck(), 4, (item) => Promise.resolve(item)).next()
  expect(value).toBe('a')
})

test('fails as the items do, after the results before, and as the work does', async () => {
  const { start, finish } = desk()
  const ofItems = mapInOrder(failing(), 3, start)
  const first = ofItems.next()
  await settle()
  finish('a')
  expect((await first).value).toBe('a')
  await expect(ofItems.next()).rejects.toThrow('no more')
  const ofWork = mapInOrder(itemsOf('ab'), 2, start).next()
  await settle()
  finish('a', false)
  await expect(ofWork).rejects.toThrow('a')
})
