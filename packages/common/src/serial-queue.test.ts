import { expect, test } from 'vitest'
import { SerialQueue } from './serial-queue.ts'

test('tasks run one at a time, and a failure affects its own caller only', async () => {
  const works = new SerialQueue()
  const events: string[] = []
  const work = (name: string, fails = false) => works.run(async () => {
    events.push(`${name} begins`)
    await new Promise((resolve) => setImmediate(resolve))
    events.push(`${name} ends`)
    if (fails) throw new Error(name)
    return name
  })
  const outcomes = Promise.allSettled([work('a'), work('b', true), work('c')])
  await works.done()
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  expect(await outcomes).toEqual([
    { status: 'fulfilled', value: 'a' }, { status: 'rejected', reason: new Error('b') }, { status: 'fulfilled', value: 'c' },
  ])
})
