import { expect, test } from 'vitest'
import { GrowableInt32Array } from './growable-int32-array.ts'

test('numbers keep their places while more are added', () => {
  const store = new GrowableInt32Array()
  const numbers = Array.from({ length: 1_000 }, (_, i) => (i % 2 === 0 ? i : ~i))
  expect(numbers.map((number) => store.add(number))).toEqual(numbers.map((_, i) => i))
  store.set(500, 2 ** 31 - 1)
  expect(Array.from({ length: store.length }, (_, i) => store.at(i))).toEqual(numbers.with(500, 2 ** 31 - 1))
})
