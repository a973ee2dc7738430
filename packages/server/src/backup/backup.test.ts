import { generateIdentity } from 'age-encryption'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newEvent, openSmallStore, writeDataDir } from '../../test/backup/backup-world.ts'
import { verifyData } from '../verification/verify-data.ts'
import { createBackup } from './create-backup.ts'
import { openRepository } from './open-repository.ts'
import type { RepositoryPlace } from './open-repository.ts'
import { restoreBackup } from './restore-backup.ts'
import { verifyBackups } from './verify-backup.ts'

const folder = mkdtempSync(join(tmpdir(), 'tripline-backup-'))
const dataDir = join(folder, 'data')
const now = () => Date.UTC(2026, 10, 23, 21, 33, 0)
let count = 0

beforeAll(async () => {
  await writeDataDir(dataDir, 220)
  writeFileSync(join(folder, 'passphrase'), 'correct horse battery\n')
  writeFileSync(join(folder, 'other'), 'another passphrase\n')
  writeFileSync(join(folder, 'age'), `# a comment\n${await generateIdentity()}\n`)
  writeFileSync(join(folder, 'credentials'), '[default]\naws_access_key_id = S3RVER\naws_secret_access_key = S3RVER\n')
})
afterAll(() => rmSync(folder, { recursive: true }))

const emptyPlace: RepositoryPlace = {
  repository: '', passphraseFile: '', ageIdentityFile: '', s3Endpoint: '', s3Region: 'us-east-1', s3CredentialsFile: '',
}

function newPlace(place: Partial<RepositoryPlace> = {}): RepositoryPlace {
  return { ...emptyPlace, repository: join(folder, `repository-${++count}`), passphraseFile: join(folder, 'passphrase'), ...place }
}

function newTarget(): string {
  return join(folder, `restored-${++count}`)
}

/** The numbers of the events that a data directory holds, in the order in which they came. */
async function readNumbers(dir: string): Promise<readonly number[]> {
  const store = await openSmallStore(dir)
  const numbers: number[] = []
  for (let sequence = 0; ; sequence++) {
    const event = await store.get('acme', sequence)
    if (event === undefined) break
    numbers.push((JSON.parse(event.bytes.toString()) as { number: number }).number)
  }
  await store.close()
  return numbers
}

const range = (length: number) => Array.from({ length }, (_, i) => i)

describe('a backup', () => {
  test.for<[kind: string, place: () => Partial<RepositoryPlace>]>([
    ['a passphrase', () => ({})],
    ['an age identity', () => ({ passphraseFile: '', ageIdentityFile: join(folder, 'age') })],
  ])('with %s is restored as it was, and verifies', async ([, place]) => {
    const repository = await openRepository(newPlace(place()), { creates: true })
    const { id, takenAt, sentBytes } = await createBackup(repository, { dataDir, now })
    expect([id.slice(0, 15), takenAt, sentBytes > 0]).toEqual(['20261123-213300', now(), true])
    expect(await verifyBackups(repository, [id])).toMatchObject({ backupCount: 1, problems: [] })
    const target = newTarget()
    await restoreBackup(repository, id, target)
    const before = await verifyData(dataDir)
    const after = await verifyData(target)
    expect(after).toEqual(before)
    expect([after.damagedCount, after.events?.eventCount, after.events?.segmentCount]).toEqual([0, 220, 1])
    expect(readFileSync(join(target, 'keys.json'), 'utf8')).toBe(readFileSync(join(dataDir, 'keys.json'), 'utf8'))
    expect(await readNumbers(target)).toEqual(range(220))
  })

  test('sends only what is new, and keeps what it was told to', async () => {
    const repository = await openRepository(newPlace(), { creates: true })
    const first = await createBackup(repository, { dataDir, now })
    const again = await createBackup(repository, { dataDir, now: () => now() + 1_000 })
    expect([first.sentBytes > 5_000, again.sentBytes]).toEqual([true, 0])
    const third = await createBackup(repository, { dataDir, now: () => now() + 2_000, keep: 1 })
    expect([third.removedCount, await repository.listIds()]).toEqual([2, [third.id]])
    expect((await verifyBackups(repository, [third.id])).problems).toEqual([])
  })

  test('that was interrupted continues where it was', async () => {
    const place = newPlace()
    const stopping = new AbortController()
    let reads = 0
    const pace = async (): Promise<void> => {
      if (++reads === 5) stopping.abort()
    }
    const interrupted = createBackup(await openRepository(place, { creates: true }), { dataDir, now, pace, signal: stopping.signal })
    await expect(interrupted).rejects.toThrow('abort')
    const repository = await openRepository(place)
    expect(await repository.listIds()).toEqual([])
    const whole = await createBackup(await openRepository(newPlace(), { creates: true }), { dataDir, now })
    const { id, sentBytes } = await createBackup(repository, { dataDir, now })
    expect(sentBytes).toBeLessThan(whole.sentBytes)
    expect((await verifyBackups(repository, [id])).problems).toEqual([])
  })

  test('is one moment of a store that is being written', async () => {
    const dir = join(folder, 'busy')
    await writeDataDir(dir, 0)
    const store = await openSmallStore(dir)
    const repository = await openRepository(newPlace(), { creates: true })
    let appended = 0
    let isOver = false
    const writing = (async () => {
      while (!isOver) {
        await store.append('acme', [newEvent(appended), newEvent(appended + 1), newEvent(appended + 2)])
        appended += 3
      }
    })()
    for (let i = 0; i < 3; i++) {
      const begin = appended
      while (appended < begin + 60) await new Promise((resolve) => setImmediate(resolve))
      const atLeast = appended
      const { id } = await createBackup(repository, { dataDir: dir, now: () => now() + i * 1_000 })
      const atMost = appended + 3
      const target = newTarget()
      await restoreBackup(repository, id, target)
      expect((await verifyData(target)).firstDamage).toBeUndefined()
      const numbers = await readNumbers(target)
      expect(numbers).toEqual(range(numbers.length))
      expect(numbers.length).toBeGreaterThanOrEqual(atLeast)
      expect(numbers.length).toBeLessThanOrEqual(atMost)
    }
    isOver = true
    await writing
    await store.close()
  })
})

describe('refuses', () => {
  test('a flipped byte of any object', async () => {
    const place = newPlace()
    const repository = await openRepository(place, { creates: true })
    const { id } = await createBackup(repository, { dataDir, now })
    const objects = readdirSync(place.repository, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'repository.json').map(({ parentPath, name }) => join(parentPath, name))
    expect(objects.length).toBeGreaterThan(5)
    for (const [i, path] of objects.entries()) {
      const bytes = readFileSync(path)
      const changed = Buffer.from(bytes)
      changed[(i * 7_919) % bytes.length]! ^= 1
      writeFileSync(path, changed)
      expect((await verifyBackups(repository, [id])).problems, path).toHaveLength(1)
      await expect(restoreBackup(repository, id, newTarget())).rejects.toThrow('is damaged')
      writeFileSync(path, bytes)
    }
    rmSync(objects[0]!)
    expect((await verifyBackups(repository, [id])).problems).toHaveLength(1)
  })

  test.for<[title: string, change: (place: RepositoryPlace) => Partial<RepositoryPlace>, problem: string]>([
    ['a wrong passphrase', () => ({ passphraseFile: join(folder, 'other') }), 'the passphrase does not open'],
    ['another kind of key', () => ({ passphraseFile: '', ageIdentityFile: join(folder, 'age') }), 'have a passphrase'],
    ['two kinds of keys', () => ({ ageIdentityFile: join(folder, 'age') }), 'and not both'],
    ['no key', () => ({ passphraseFile: '' }), 'backups are encrypted'],
    ['an empty repository', () => ({ repository: join(folder, 'nowhere') }), 'holds no backups'],
    ['a bucket without an endpoint', () => ({ repository: 's3://backups' }), '--s3-endpoint'],
    ['a bucket without a key', () => ({ repository: 's3://backups', s3Endpoint: 'https://s3.example' }), '--s3-credentials-file'],
  ])('%s', async ([, change, problem]) => {
    const place = newPlace()
    await openRepository(place, { creates: true })
    await expect(openRepository({ ...place, ...change(place) })).rejects.toThrow(problem)
  })

  test('a short passphrase, a directory that is not empty, a backup that is none', async () => {
    writeFileSync(join(folder, 'short'), 'abc\n')
    await expect(openRepository(newPlace({ passphraseFile: join(folder, 'short') }), { creates: true })).rejects.toThrow('at least 12')
    const repository = await openRepository(newPlace(), { creates: true })
    const { id } = await createBackup(repository, { dataDir, now })
    await expect(restoreBackup(repository, id, dataDir)).rejects.toThrow('is not empty')
    await expect(restoreBackup(repository, 'x', newTarget())).rejects.toThrow("there is no backup 'x'")
  })
})

describe('in an object store', () => {
  let server: S3rver | undefined
  afterEach(() => server?.close())

  test('it is restored as it was', async () => {
    mkdirSync(join(folder, 's3'))
    server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: join(folder, 's3'), configureBuckets: [{ name: 'backups', configs: [] }] })
    const { port } = await server.run()
    const place = newPlace({
      repository: 's3://backups/tripline', s3Endpoint: `http://127.0.0.1:${port}`, s3CredentialsFile: join(folder, 'credentials'),
    })
    const repository = await openRepository(place, { creates: true })
    await createBackup(repository, { dataDir, now })
    const { id, removedCount } = await createBackup(repository, { dataDir, now: () => now() + 1_000, keep: 1 })
    expect([removedCount, (await verifyBackups(repository, [id])).problems]).toEqual([1, []])
    const target = newTarget()
    await restoreBackup(await openRepository(place), id, target)
    expect(await verifyData(target)).toEqual(await verifyData(dataDir))
    await expect(openRepository({ ...place, repository: 's3://elsewhere' }, { creates: true })).rejects.toThrow("there is no bucket 'elsewhere'")
  })
})
