import { expect, test } from 'vitest'
import { xxhash32 } from './xxhash32.ts'

// The values are those of the reference implementation.
test.for([
  ['', 0x02cc5d05], ['a', 0x550d7456], ['abc', 0x32d153ff], ['Nobody inspects the spammish repetition', 0xe2293b2f],
] as const)('the hash of %j', ([text, hash]) => {
  expect(xxhash32(new TextEncoder().encode(text))).toBe(hash)
})
