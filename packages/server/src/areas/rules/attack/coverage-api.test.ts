import { encoded, encodedPowerShell } from '@tripline/detection/test/rules'
import { beforeEach, expect, test } from 'vitest'
import { openTestServer } from '../../../../test/open-test-server.ts'
import type { TestServer } from '../../../../test/open-test-server.ts'

const path = '/v1/detection/coverage'
const tagged = encodedPowerShell.replace(/^tags:\n(?: +-.*\n)*/m, '').replace('title:', 'tags: [attack.execution, attack.t1059.001]\ntitle:')
const id = '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([tagged])
})

type Coverage = { readonly techniques: readonly { readonly technique: string; readonly state: string; readonly rules: number }[] }

async function getTechnique(token?: string): Promise<object | undefined> {
  const { body } = await server.call('GET', path, { ...(token !== undefined && { token }) })
  return (body as Coverage).techniques.find(({ technique }) => technique === 'T1059.001')
}

test('a technique is covered once its rule is enabled and its events arrive', async () => {
  const counts = { rules: 1, enabled: 1, with_data: 0, effective: 0, matches: 0 }
  expect(await getTechnique()).toMatchObject({ state: 'no_data', tactics: ['execution'], ...counts })
  await server.call('PUT', `/v1/detection/rules/${id}`, { body: { enabled: false } })
  expect(await getTechnique()).toMatchObject({ state: 'disabled', ...counts, enabled: 0 })
  await server.call('PUT', `/v1/detection/rules/${id}`, { body: { enabled: true } })
  await server.call('POST', '/ingest/v1/events', { body: [encoded] })
  // What is counted is stored from time to time.
  server.io.elapsedNowMs += 60_000
  expect(await getTechnique()).toMatchObject({ state: 'matched', ...counts, with_data: 1, effective: 1, matches: 1, matched_30d: 1 })
  server.io.nowMs += 31 * 86_400_000
  expect(await getTechnique(await server.tokenOf(['viewer']))).toMatchObject({ state: 'matched', matches: 1, matched_30d: 0 })
})

test('a rule that names a technique by an earlier id counts for what it is now, and is found by both', async () => {
  server = await openTestServer([tagged.replace('attack.execution, attack.t1059.001', 'attack.defense-evasion, attack.t1562.001')])
  const { techniques } = (await server.call('GET', path)).body as Coverage
  expect(techniques.filter(({ rules }) => rules > 0).map(({ technique }) => technique)).toEqual(['T1685'])
  const isFound = async (technique: string): Promise<boolean> =>
    JSON.stringify((await server.call('GET', `/v1/detection/rules?technique=${technique}`)).body).includes(id)
  expect(await Promise.all(['T1685', 'T1562.001', 'T1562', 'T1686'].map(isFound))).toEqual([true, true, true, false])
})

test('totals and tactics count rules once', async () => {
  expect(await server.call('GET', path)).toMatchObject({
    status: 200, body: { totals: { rules: 1, untagged: 0 }, attack_version: expect.stringMatching(/^\d/) as string },
  })
})

test('a layer of the Navigator has techniques with the reason of a gap', async () => {
  const { status, body } = await server.call('GET', `${path}?format=navigator&layer=gaps`)
  expect(status).toBe(200)
  const { domain, techniques } = body as { readonly domain: string; readonly techniques: readonly { readonly techniqueID: string }[] }
  expect(domain).toBe('enterprise-attack')
  expect(techniques.map(({ techniqueID }) => techniqueID)).toContain('T1059.001')
})

test('an unknown layer is refused', async () => {
  expect(await server.call('GET', `${path}?format=navigator&layer=all`)).toMatchObject({ status: 400 })
})
