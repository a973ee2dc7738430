import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

type Item = { readonly number: number; readonly work: number }

function openQueue(quantum = 5): FairQueue<Item> {
  return new FairQueue({ quantum, estimateWork: (_, { work }) => work })
}

function fill(queue: FairQueue<Item>, flow: string, works: readonly number[]): void {
  for (const [number, work] of works.entries()) queue.push(flow, { number, work })
}

function takeAll(queue: FairQueue<Item>, bounds = { itemsMax: 10, workMax: 10 }): string[] {
  const all: string[] = []
  while (!queue.isEmpty) all.push(...queue.take(bounds).map(({ flow, item }) => `${flow}${item.number}`))
  return all
}

test.for<readonly [title: string, flows: { readonly [flow: string]: readonly number[] }, order: string]>([
  ['one flow in its order', { a: [1, 1, 1] }, 'a0 a1 a2'],
  ['flows of equal work in turn, a quantum each', { a: [2, 2, 2, 2], b: [2, 2, 2, 2] }, 'a0 a1 b0 b1 a2 a3 b2 b3'],
  ['what a flow leaves of its quantum in its next turn', { a: [3, 3, 3], b: [5, 5, 5] }, 'a0 b0 a1 a2 b1 b2'],
  ['an item of more than a quantum after some rounds', { a: [11], b: [5, 5, 5, 5] }, 'b0 b1 a0 b2 b3'],
  ['cheap events beside expensive ones', { a: [5, 5, 5], b: [1, 1, 1, 1, 1, 1] }, 'a0 b0 b1 b2 b3 b4 a1 b5 a2'],
])('serves %s', ([, flows, order]) => {
  const queue = openQueue()
  for (const [flow, works] of Object.entries(flows)) fill(queue, flow, works)
  expect(takeAll(queue).join(' ')).toBe(order)
})

test('weights share the work', () => {
  const queue = new FairQueue<Item>({ quantum: 1, getWeight: (flow) => (flow === 'a' ? 3 : 1), estimateWork: (_, { work }) => work })
  for (const flow of ['a', 'b']) fill(queue, flow, Array.from({ length: 30 }, () => 1))
  const served = queue.take({ itemsMax: 24, workMax: 100 })
  expect(Map.groupBy(served, ({ flow }) => flow).get('a')?.length).toBe(18)
})

test('a flow pays in its next turns for work beyond the estimate', () => {
  const queue = openQueue()
  for (const flow of ['a', 'b']) fill(queue, flow, Array.from({ length: 20 }, () => 5))
  expect(queue.take({ itemsMax: 2, workMax: 10 }).map(({ flow }) => flow)).toEqual(['a', 'b'])
  queue.charge('a', 15)
  expect(queue.take({ itemsMax: 5, workMax: 100 }).map(({ flow }) => flow).join('')).toBe('bbbab')
})

test('the size bounds what is served at once, except a single larger item', () => {
  const queue = new FairQueue<Item>({ quantum: 5, estimateWork: () => 1, getSize: ({ number }) => (number + 1) * 10 })
  fill(queue, 'a', [1, 1, 1])
  const sizes: number[] = []
  while (!queue.isEmpty) sizes.push(queue.take({ itemsMax: 10, workMax: 10, sizeMax: 25 }).length)
  expect(sizes).toEqual([1, 1, 1])
})

describe('whatever is queued', () => {
  const works = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 30 })
  const flowsOf = fc.array(works, { minLength: 1, maxLength: 6 })

  test('each item is served once, in the order of its flow', () => {
    fc.assert(fc.property(flowsOf, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 30 }), (flows, itemsMax, workMax) => {
      const queue = openQueue()
      for (const [flow, list] of flows.entries()) fill(queue, String(flow), list)
      const served: Map<string, number[]> = new Map()
      while (!queue.isEmpty) {
        const batch = queue.take({ itemsMax, workMax })
        expect(batch.length).toBeGreaterThan(0)
        expect(batch.length === 1 || (batch.length <= itemsMax && batch.reduce((sum, { work }) => sum + work, 0) <= workMax)).toBe(true)
        for (const { flow, item } of batch) served.set(flow, [...served.get(flow) ?? [], item.number])
      }
      for (const [flow, list] of flows.entries()) expect(served.get(String(flow)) ?? []).toEqual([...list.keys()])
    }))
  })

  test('a flow waits for no more than a quantum and an item of each other flow, however much they have queued', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 50, max: 500 }), fc.integer({ min: 1, max: 5 }), (others, length, work) => {
      const queue = openQueue()
      for (let other = 0; other < others; other++) fill(queue, `loud${other}`, Array.from({ length }, () => work))
      queue.take({ itemsMax: 3, workMax: 10 })
      queue.push('quiet', { number: 0, work: 5 })
      let workBefore = 0
      for (;;) {
        const batch = queue.take({ itemsMax: 10, workMax: 10 })
        const at = batch.findIndex(({ flow }) => flow === 'quiet')
        workBefore += batch.slice(0, at === -1 ? batch.length : at).reduce((sum, served) => sum + served.work, 0)
        if (at !== -1) break
      }
      expect(workBefore).toBeLessThanOrEqual(others * 10)
    }))
  })
})
