import { AppError } from '@tripline/contract/app-error'
import { expect, test } from 'vitest'
import { ImpatientSenders } from './impatient-senders.ts'
import { limits } from './limits.ts'

const { holdMs, heldMax } = limits.impatient

function open() {
  const clock = { nowMs: 5_000 }
  const waits: { readonly ms: number; readonly end: () => void }[] = []
  const senders = new ImpatientSenders({
    elapsedMs: () => clock.nowMs, wait: (ms) => new Promise<void>((end) => void waits.push({ ms, end })),
  })
  let isFull = true
  const admit = (): string => {
    if (isFull) throw new AppError('RATE_LIMITED', 'over the share')
    return 'admitted'
  }
  const send = (tenant: string): Promise<string> => senders.admit(tenant, admit).catch((error: AppError) => error.code)
  return { clock, waits, send, makeRoom: () => (isFull = false) }
}

test('a tenant that waits is refused at once, and so is one that comes for the first time', async () => {
  const { clock, waits, send } = open()
  expect(await send('a')).toBe('RATE_LIMITED')
  expect(await send('b')).toBe('RATE_LIMITED')
  clock.nowMs += holdMs
  expect(await send('a')).toBe('RATE_LIMITED')
  expect(waits).toEqual([])
})

test('a request that does not wait is held, and tried again', async () => {
  const { clock, waits, send, makeRoom } = open()
  await send('a')
  clock.nowMs += 300
  const held = [send('a'), send('a')]
  expect(waits.map(({ ms }) => ms)).toEqual([holdMs - 300, holdMs - 300])
  clock.nowMs += holdMs
  waits[0]!.end()
  expect(await held[0]).toBe('RATE_LIMITED')
  makeRoom()
  waits[1]!.end()
  expect(await held[1]).toBe('admitted')
})

test('no more are held than may be, and those after them are refused at once', async () => {
  const { waits, send } = open()
  await send('a')
  for (let i = 0; i < heldMax; i++) void send('a')
  expect(await send('a')).toBe('RATE_LIMITED')
  expect(waits).toHaveLength(heldMax)
})

test('another refusal is not held', async () => {
  const senders = new ImpatientSenders({ elapsedMs: () => 0, wait: () => Promise.reject(new Error('it waits')) })
  const refuse = (): never => {
    throw new AppError('UNAVAILABLE', 'the disk is full')
  }
  for (let i = 0; i < 2; i++) await expect(senders.admit('a', refuse)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})
