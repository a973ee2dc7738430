import { AppError } from '@tripline/contract/app-error'
import { setImmediate as settled } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ImpatientSenders } from './impatient-senders.ts'
import { limits } from './limits.ts'

const { withinMs, holdMs, retryMs, heldMax } = limits.impatient

/** Senders whose time is moved by hand, and a share that has no room until some is made. */
function open() {
  const clock = { nowMs: 5_000 }
  const waits: { readonly ms: number; readonly end: () => void }[] = []
  const senders = new ImpatientSenders({
    elapsedMs: () => clock.nowMs, wait: (ms) => new Promise<void>((end) => void waits.push({ ms, end })),
  })
  const outcomes: string[] = []
  let room = 0
  const send = (tenant: string, name = tenant): void => {
    const admit = (): string => {
      if (room === 0) throw new AppError('RATE_LIMITED', 'over the share')
      room--
      return 'admitted'
    }
    void senders.admit(tenant, admit).catch((error: AppError) => error.code).then((outcome) => outcomes.push(`${name} ${outcome}`))
  }
  const pass = async (ms: number): Promise<void> => {
    for (let passedMs = 0; passedMs < ms && waits.length > 0; passedMs += retryMs) {
      clock.nowMs += retryMs
      waits.shift()?.end()
      await settled()
    }
  }
  return { clock, waits, outcomes, send, pass, makeRoom: (count: number) => (room = count) }
}

test('a tenant that waits is refused at once, and so is one that comes for the first time', async () => {
  const { clock, waits, outcomes, send } = open()
  send('a')
  send('b')
  await settled()
  clock.nowMs += withinMs
  send('a', 'a again')
  await settled()
  expect(outcomes).toEqual(['a RATE_LIMITED', 'b RATE_LIMITED', 'a again RATE_LIMITED'])
  expect(waits).toEqual([])
})

test('requests that do not wait are held, and taken in their order as soon as there is room', async () => {
  const { outcomes, send, pass, makeRoom } = open()
  send('a', '0')
  for (const name of ['1', '2', '3']) send('a', name)
  send('b')
  await pass(2 * retryMs)
  expect(outcomes).toEqual(['0 RATE_LIMITED', 'b RATE_LIMITED'])
  makeRoom(2)
  // What comes now comes behind those that wait.
  send('a', '4')
  await pass(retryMs)
  expect(outcomes.slice(2)).toEqual(['1 admitted', '2 admitted'])
  makeRoom(9)
  await pass(retryMs)
  expect(outcomes.slice(4)).toEqual(['3 admitted', '4 admitted'])
})

test('they are refused when they have waited long enough, and the next ones are held again', async () => {
  const { outcomes, waits, send, pass } = open()
  send('a', '0')
  send('a', '1')
  await pass(retryMs)
  send('a', '2')
  await pass(holdMs - 2 * retryMs)
  expect(outcomes).toEqual(['0 RATE_LIMITED'])
  await pass(retryMs)
  expect(outcomes).toEqual(['0 RATE_LIMITED', '1 RATE_LIMITED'])
  await pass(retryMs)
  expect(outcomes.at(-1)).toBe('2 RATE_LIMITED')
  expect(waits).toEqual([])
  send('a', '3')
  await settled()
  expect([outcomes.length, waits.length]).toEqual([3, 1])
})

test('no more are held than may be, and those after them are refused at once', async () => {
  const { outcomes, send } = open()
  for (let i = 0; i <= heldMax; i++) send('a')
  await settled()
  expect(outcomes).toEqual(['a RATE_LIMITED'])
  send('a', 'one more')
  await settled()
  expect(outcomes.slice(1)).toEqual(['one more RATE_LIMITED'])
})

test.for<[when: string, refusals: readonly AppError['code'][]]>([
  ['at once', ['UNAVAILABLE']], ['while it is held', ['RATE_LIMITED', 'RATE_LIMITED', 'UNAVAILABLE']],
])('another refusal ends a request: %s', async ([, refusals]) => {
  const senders = new ImpatientSenders({ elapsedMs: () => 0, wait: () => Promise.resolve() })
  const left = [...refusals]
  const refuse = (): never => {
    throw new AppError(left.shift()!, 'no')
  }
  if (refusals.length > 1) await expect(senders.admit('a', refuse)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  await expect(senders.admit('a', refuse)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})
