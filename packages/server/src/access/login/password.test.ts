import { AppError } from '@tripline/contract/app-error'
import { scryptSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { AuthFixture } from '../../../test/auth-fixture.ts'
import { limits } from '../../limits.ts'
import { PasswordHasher } from './password.ts'
import type { ScryptParameters } from './password.ts'

/** Cheap: what is tested is not how long it takes. */
const cheap: ScryptParameters = { costLog2: 4, blockSize: 8, passes: 1 }
const openHasher = (parameters: ScryptParameters = cheap): PasswordHasher => new PasswordHasher(new AuthFixture(), parameters)
const password = 'correct horse battery'

test('uses the current parameters', async () => {
  const hasher = new PasswordHasher(new AuthFixture())
  const hash = await hasher.hash(password)
  expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await hasher.verify(password, hash)).toBe('right')
})

test('verifies a hash of another scrypt implementation', async () => {
  const salt = Buffer.alloc(16, 7)
  const key = scryptSync(password, salt, 32, { N: 16, r: 8, p: 1 })
  const print = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')
  expect(await openHasher().verify(password, `$scrypt$ln=4,r=8,p=1$${print(salt)}$${print(key)}`)).toBe('right')
})

test('the same password gets a different hash each time', async () => {
  const hasher = openHasher()
  expect(await hasher.hash(password)).not.toBe(await hasher.hash(password))
})

test.for<[title: string, tried: string]>([
  ['another case', 'Correct horse battery'],
  ['a letter less', 'correct horse batter'],
  ['a letter more', 'correct horse batteryy'],
  ['a NUL at the end', 'correct horse battery\0'],
  ['nothing', ''],
  ['the hash itself', '$scrypt$'],
  ['a million letters', 'a'.repeat(1_000_000)],
])('%s is wrong', async ([, tried]) => {
  const hasher = openHasher()
  expect(await hasher.verify(tried, await hasher.hash(password))).toBe('wrong')
})

test('composed and decomposed letters are equal', async () => {
  const hasher = openHasher()
  expect(await hasher.verify('pa\u0308sswort-lang', await hasher.hash('p\u00e4sswort-lang'))).toBe('right')
})

test('no password is right for an account without one', async () => {
  expect(await openHasher().verify(password, undefined)).toBe('wrong')
})

test.for<[passes: number, taken: boolean]>([[16, true], [17, false]])('a stored hash of %i passes is computed: %s', async ([passes, taken]) => {
  const hash = await openHasher({ ...cheap, passes }).hash(password)
  const verified = openHasher().verify(password, hash).catch((error: unknown) => String(error))
  expect(await verified).toBe(taken ? 'outdated' : 'Error: a stored password hash has an unknown format')
})

test('parameters that scrypt refuses are an error', async () => {
  await expect(openHasher({ ...cheap, costLog2: 0 }).hash(password)).rejects.toThrow('Invalid scrypt')
})

test('a hash with other parameters is right but outdated', async () => {
  const hash = await openHasher({ ...cheap, passes: 2 }).hash(password)
  expect(await openHasher().verify(password, hash)).toBe('outdated')
  expect(await openHasher().verify('another password', hash)).toBe('wrong')
})

test.for<[length: number]>([[0], [11], [257], [100_000]])('a new password of %i characters is refused', async ([length]) => {
  await expect(openHasher().hash('x'.repeat(length))).rejects.toThrow(
    new AppError('INVALID_PARAMETER', `the password has ${length} characters; use 12 to 256`))
})

test('a new password with a NUL is refused', async () => {
  await expect(openHasher().hash(`${password}\0`)).rejects.toThrow('the password contains a NUL character; remove it')
})

test.for<[length: number]>([[12], [256]])('a new password of %i characters is taken', async ([length]) => {
  const hasher = openHasher()
  const longest = 'kettle orbit '.repeat(20).slice(0, length - 1) + '7'
  expect(await hasher.verify(longest, await hasher.hash(longest))).toBe('right')
})

test.for<[title: string, hash: string]>([
  ['nothing', ''],
  ['plain text', password],
  ['too much memory', `$scrypt$ln=30,r=8,p=1$${'a'.repeat(22)}$${'a'.repeat(43)}`],
  ['too many passes', `$scrypt$ln=4,r=8,p=99$${'a'.repeat(22)}$${'a'.repeat(43)}`],
  ['no key', `$scrypt$ln=4,r=8,p=1$${'a'.repeat(22)}$`],
])('a stored hash that is %s is an error that does not show it', async ([, hash]) => {
  await expect(openHasher().verify(password, hash)).rejects.toThrow(/^a stored password hash has an unknown format$/)
})

describe('many at once', () => {
  test('are queued, and refused beyond the limit', async () => {
    const hasher = openHasher()
    const outcomes = await Promise.allSettled(
      Array.from({ length: limits.auth.passwordsWaitingMax + 2 }, () => hasher.hash(password)))
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(refused.length).toBe(2)
    expect(refused[0]).toMatchObject({ code: 'UNAVAILABLE' })
    expect(await hasher.hash(password)).toMatch(/^\$scrypt/)
  })
})
