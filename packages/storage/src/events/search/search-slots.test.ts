import { expect, test } from 'vitest'
import { SearchSlots } from './search-slots.ts'

test('searches of a tenant wait for each other in order, and those of another tenant do not', async () => {
  const slots = new SearchSlots(2)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const search = (tenant: string, name: string): Promise<void> => slots.run(tenant, () => {
    begun.push(name)
    return new Promise((resolve) => ends.set(name, resolve))
  })
  const running = [search('a', 'a1'), search('a', 'a2'), search('a', 'a3'), search('a', 'a4'), search('b', 'b1')]
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  for (const name of ['a2', 'a1', 'b1', 'a3', 'a4']) {
    ends.get(name)!()
    await running[['a1', 'a2', 'a3', 'a4', 'b1'].indexOf(name)]
    await Promise.resolve()
  }
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4'])
})

test('a search that fails frees its slot', async () => {
  const slots = new SearchSlots(1)
  const failed = slots.run('a', () => Promise.reject(new Error('no')))
  const next = slots.run('a', async () => 'found')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('found')
})
