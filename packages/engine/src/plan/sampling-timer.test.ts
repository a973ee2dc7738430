import { expect, test } from 'vitest'
import { SamplingTimer } from './sampling-timer.ts'

/** The time of some calls that take 10 ns each, and how often the clock was read. */
function timeOf(callCount: number): { readonly ns: number; readonly readCount: number } {
  let readCount = 0
  const times = new SamplingTimer(2, () => 10 * readCount++)
  for (let call = 0; call < callCount; call++) times.stop(1, times.start(1))
  let ns = 0
  times.drain((number, drained) => {
    expect(number).toBe(1)
    ns += drained
  })
  times.drain(() => expect.unreachable('drained twice'))
  return { ns, readCount }
}

test.for<[callCount: number, ns: number, readCount: number]>([
  [0, 0, 0],
  [1, 10, 2],
  [16, 160, 32],
  [17, 320, 34],
  [32, 320, 34],
  [33, 480, 36],
  [1600, 16000, 230],
])('%i calls are %i ns by %i looks at the clock', ([callCount, ns, readCount]) => {
  expect(timeOf(callCount)).toEqual({ ns, readCount })
})

test('a clock that is set back takes nothing away', () => {
  let at = 0
  const times = new SamplingTimer(1, () => (at -= 5))
  times.stop(0, times.start(0))
  times.drain(() => expect.unreachable('has a time'))
})
