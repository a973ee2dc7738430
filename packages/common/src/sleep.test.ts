import { expect, test } from 'vitest'
import { sleep } from './sleep.ts'

const hourMs = 3_600_000

test('resolves after its time', async () => {
  await expect(sleep(1, new AbortController().signal)).resolves.toBeUndefined()
})

test.for<[when: string, abort: (ending: AbortController) => void]>([
  ['before', (ending) => ending.abort()],
  ['while it waits', (ending) => void setImmediate(() => ending.abort())],
])('resolves when the signal aborts %s', async ([, abort]) => {
  const ending = new AbortController()
  abort(ending)
  await expect(sleep(hourMs, ending.signal)).resolves.toBeUndefined()
})
