import type { TenantId } from '@tripline/model/tenant'
import type { Message } from '@tripline/storage/bus/bus'
import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { forEachSlice } from './yield-between.ts'

const { turnEventsMax, turnBytesMax } = limits.pipeline

const messagesOf = (tenant: string, count: number, byteCount = 1): readonly Message[] => {
  return Array.from({ length: count }, (_, offset) => ({ tenant, offset, bytes: new Uint8Array(byteCount) }))
}

type Slicing = { readonly messages: readonly Message[]; readonly turnMs?: number; readonly estimateMs?: (tenant: TenantId) => number }

/** The sizes of slices, and the tenants for which turns were taken. */
async function slice({ messages, turnMs = 1, estimateMs = () => 0 }: Slicing) {
  const turns: (readonly TenantId[])[] = []
  const slices: (readonly Message[])[] = []
  const takeTurn = async (tenants: readonly TenantId[]) => {
    turns.push(tenants)
    return turnMs
  }
  await forEachSlice({ takeTurn, estimateMs }, messages, (part) => slices.push(part))
  expect(slices.flat()).toEqual(messages)
  expect(turns.length).toBe(slices.length)
  return { sizes: slices.map(({ length }) => length), turns }
}

test.for<[title: string, slicing: Slicing, sizes: readonly number[]]>([
  ['its events', { messages: messagesOf('a', turnEventsMax + 1) }, [turnEventsMax, 1]],
  ['its bytes', { messages: messagesOf('a', 5, turnBytesMax / 2) }, [2, 2, 1]],
  ['its estimated time', { messages: messagesOf('a', 5), estimateMs: () => 1, turnMs: 2 }, [2, 2, 1]],
  ['the estimated time of one of two tenants', {
    messages: [...messagesOf('a', 3), ...messagesOf('b', 3)], estimateMs: (tenant) => (tenant === 'b' ? 1 : 0),
  }, [3, 1, 1, 1]],
  ['an event that takes longer than a turn', { messages: messagesOf('a', 3), estimateMs: () => 9 }, [1, 1, 1]],
  ['nothing at all', { messages: [] }, []],
])('a slice is full with %s', async ([, slicing, sizes]) => {
  expect((await slice(slicing)).sizes).toEqual(sizes)
})

test('each turn is taken for the tenants of all messages, each named once', async () => {
  const { turns } = await slice({ messages: [...messagesOf('a', 2), ...messagesOf('b', 1), ...messagesOf('a', 1)], estimateMs: () => 1 })
  expect(turns).toEqual(Array.from({ length: 4 }, () => ['a', 'b']))
})
