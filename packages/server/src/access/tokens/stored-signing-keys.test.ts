import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openInstallationKeys, readInstallationKeys, writeInstallationKeys } from '@tripline/state/installation-keys'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AuthFixture } from '../../../test/auth-fixture.ts'
import { rotateStoredSigningKeys, SigningKeyWatch } from './stored-signing-keys.ts'
import type { SigningKeyRecord } from './signing-keys.ts'

let folder: string
let world: AuthFixture
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tripline-keys-'))
  world = new AuthFixture()
})
afterEach(() => rmSync(folder, { recursive: true }))

test('keys that a command rotated are used from the next check on, once', async () => {
  const { signing } = await openInstallationKeys(folder, world)
  const used: (readonly SigningKeyRecord[])[] = []
  const watch = new SigningKeyWatch({ dataDir: folder, records: signing, use: async (records) => void used.push(records) })
  const before = watch.createdAt
  await watch.check()
  expect(used).toEqual([])
  world.pass(1_000)
  expect(await rotateStoredSigningKeys(folder, world)).toMatchObject({ retiredCount: 1 })
  await watch.check()
  await watch.check()
  expect(used).toHaveLength(1)
  expect(used[0]).toHaveLength(2)
  expect(watch.createdAt - before).toBe(1_000)
})

test('a key that is retired without another is used too', async () => {
  const keys = await openInstallationKeys(folder, world)
  const used: (readonly SigningKeyRecord[])[] = []
  const watch = new SigningKeyWatch({ dataDir: folder, records: keys.signing, use: async (records) => void used.push(records) })
  await rotateStoredSigningKeys(folder, world)
  await watch.check()
  const rotated = (await readInstallationKeys(folder))!
  const signing = rotated.signing.map((record) => ({ ...record, retiredAt: record.retiredAt === undefined ? undefined : record.retiredAt + 1 }))
  await writeInstallationKeys(folder, { ...rotated, signing })
  await watch.check()
  expect(used).toHaveLength(2)
})

test('a folder without keys is refused, and checked without an effect', async () => {
  await expect(rotateStoredSigningKeys(folder, world)).rejects.toThrow('has no keys.json')
  const use = async (): Promise<void> => {
    throw new Error('there are no keys to use')
  }
  await new SigningKeyWatch({ dataDir: folder, records: [], use }).check()
})
