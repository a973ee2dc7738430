import { describe, expect, test } from 'vitest'
import { createEventIds } from './event-id.ts'
import type { EventRef } from './event-id.ts'

const key = Buffer.alloc(32, 7)
const ids = createEventIds(key, 'one')
const ref: EventRef = { occurredAt: Date.UTC(2026, 10, 22), by: 'offset', number: 41 }

describe('an id gives back its reference', () => {
  test.for<EventRef>([
    ref, { ...ref, by: 'sequence' }, { ...ref, number: 0 }, { ...ref, number: 2 ** 52 }, { ...ref, occurredAt: -1 },
    { ...ref, occurredAt: 8.64e15 }, { ...ref, occurredAt: -8.64e15 },
  ])('%j', (one) => {
    const id = ids.print(one)
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(ids.parse(id)).toEqual(one)
    expect(createEventIds(key, 'one').print(one)).toBe(id)
  })
})

test('different references, tenants and keys give different ids', () => {
  const refs: readonly EventRef[] = [ref, { ...ref, by: 'sequence' }, { ...ref, number: 42 }, { ...ref, occurredAt: ref.occurredAt + 1 }]
  const printers = [ids, createEventIds(key, 'two'), createEventIds(Buffer.alloc(32, 8), 'one')]
  const printed = printers.flatMap(({ print }) => refs.map(print))
  expect(new Set(printed).size).toBe(printed.length)
})

describe('a text that is no id of the tenant is none', () => {
  test.for<[title: string, id: string]>([
    ['an empty text', ''],
    ['a UUID', '0197a2f0-0000-7000-8000-000000000000'],
    ['capital letters', ids.print(ref).toUpperCase()],
    ['a digit less', ids.print(ref).slice(1)],
    ['zeros', '0'.repeat(32)],
    ['an id of another tenant', createEventIds(key, 'two').print(ref)],
    ['an id of another installation', createEventIds(Buffer.alloc(32, 8), 'one').print(ref)],
  ])('%s', ([, id]) => {
    expect(ids.parse(id)).toBeUndefined()
  })
})
