import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { printShared, readShared } from './share.ts'

test.for([
  { text: '', events: '' },
  { text: 'title: Ä 한국어 \u0000', events: '{"Image":"C:\\\\a.exe"}' },
  { text: 'x'.repeat(200_000), events: 'y' },
])('what is packed is read again', async (shared) => {
  const fragment = await printShared(shared)
  expect(fragment).toMatch(/^#r=[\w-]+$/)
  expect(await readShared(fragment ?? '')).toEqual(shared)
})

test('what could not be read again is not packed', async () => {
  expect(await printShared({ text: 'x'.repeat(1_000_001), events: '' })).toBeUndefined()
})

test('a fragment that unpacks to too much is refused', async () => {
  const shared = JSON.stringify({ text: 'x'.repeat(2_000_000), events: '' })
  const fragment = `#r=${deflateRawSync(shared).toString('base64url')}`
  expect(fragment.length).toBeLessThan(10_000)
  expect(await readShared(fragment)).toBeUndefined()
})

test.for(['', '#', '#section', '#r=', '#r=%%%', '#r=AAAA'])('%j is no link', async (fragment) => {
  expect(await readShared(fragment)).toBeUndefined()
})
