import { encodedPowerShell } from '@tripline/detection/test/rules'
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyData } from '../../src/verification/verify-data.ts'
import { logInAt, pollUntil, serveAt } from './run-at.ts'
import type { ServerAt } from './run-at.ts'

const releasesFolder = join(import.meta.dirname, 'data-dirs')
const releases = (await readdir(releasesFolder, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name)

/** What `make-data-dir.ts` notes of a data directory. */
type Known = {
  readonly madeAt: number
  readonly admin: object
  readonly analyst: object
  readonly apiKey: string
  readonly ruleId: string
  readonly viewId: string
  readonly alertId: string
  readonly events: readonly object[]
}

test('at least one release left a data directory', () => {
  expect(releases).not.toEqual([])
})

describe.for(releases)('the data directory of release %s', (release) => {
  let work: string
  let known: Known
  let server: ServerAt
  let token: string
  let verifiedBefore: object
  const verify = async () => await verifyData(join(work, 'data'))
  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), 'tripline-upgrade-'))
    known = JSON.parse(await readFile(join(releasesFolder, `${release}.json`), 'utf8')) as Known
    await cp(join(releasesFolder, release), join(work, 'data'), { recursive: true })
    await writeFile(join(work, 'rules.yml'), encodedPowerShell)
    verifiedBefore = await verify()
    server = await serveAt(join(work, 'data'), known.madeAt + 3_600_000, join(work, 'rules.yml'))
    token = await logInAt(server, known.admin)
  })
  afterAll(async () => {
    await server.stop()
    await rm(work, { recursive: true })
  })
  const get = async (path: string) => {
    const { status, body } = await server.call('GET', path, token)
    expect([path, status]).toEqual([path, 200])
    return body
  }

  test('its users log in, with the passwords and roles that they had', async () => {
    const analystToken = await logInAt(server, known.analyst)
    const read = await server.call('GET', '/v1/alerts', analystToken)
    const refused = await server.call('GET', '/v1/users', analystToken)
    expect([read.status, refused.status]).toEqual([200, 403])
  })

  test('its rules, alerts and views are there', async () => {
    expect(await get(`/v1/detection/rules/${known.ruleId}`)).toMatchObject({ title: 'Any SSH login', origin: 'custom', enabled: true })
    expect(await get(`/v1/alerts/${known.alertId}`)).toMatchObject({ status: 'investigating' })
    const { alerts } = await get('/v1/alerts')
    expect(alerts).toHaveLength(known.events.length)
    expect(await get('/v1/views')).toMatchObject({ views: [{ id: known.viewId, name: 'Open' }] })
  })

  test('its events are found', async () => {
    expect(JSON.stringify(await get('/v1/search?q=host:db-2'))).toContain('event-3')
  })

  test('its stages continue where they were: a repeated event is recognised, a new one makes an alert', async () => {
    const send = (events: readonly object[]) => server.call('POST', '/ingest/v1/events', known.apiKey, events)
    const [, login] = known.events
    const answered = await send([...known.events, { ...login, id: 'event-new', host: 'db-9' }])
    expect([answered.status, answered.body['accepted']]).toEqual([202, known.events.length + 1])
    const { alerts } = await pollUntil(() => server.call('GET', '/v1/alerts', token), (body) => JSON.stringify(body).includes('db-9'))
    expect(alerts).toHaveLength(known.events.length + 1)
    const { books } = await pollUntil(
      () => server.call('GET', '/v1/pipeline/metrics', token), (body) => (body['books'] as { readonly in_flight: number }).in_flight === 0,
    )
    expect(books).toMatchObject({ accepted: 2 * known.events.length + 1, deduplicated: known.events.length, in_flight: 0 })
  })

  test('it verifies before and after the upgrade, and again after a restart', async () => {
    expect(verifiedBefore).toMatchObject({ damagedCount: 0, trails: [{ problem: undefined }] })
    expect(await server.stop()).toBe(0)
    expect(await verify()).toMatchObject({ damagedCount: 0, trails: [{ problem: undefined }] })
    server = await serveAt(join(work, 'data'), known.madeAt + 7_200_000, join(work, 'rules.yml'))
    expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([])
    token = await logInAt(server, known.admin)
  })
})
