import { failedLogin } from '@tripline/detection/test/requests'
import { anySshLogin, sshLogin } from '@tripline/detection/test/rules'
import { alertsOf } from '@tripline/detection/test/world'
import { onlyTenant } from '@tripline/model/tenant'
import { describe, expect, test } from 'vitest'
import { openTestServer } from './open-test-server.ts'
import type { TestResponse } from './open-test-server.ts'

const ingest = '/ingest/v1/events'

const successAfterFailures = `title: Success after failures
correlation:
  type: temporal
  rules: [failed_login, any_login]
  group-by: [user]
  timespan: 1h
level: high
`
const login = anySshLogin.replace('logsource', 'name: any_login\nlogsource')

test('a flood of one group evicts nothing, and its correlation still fires', async () => {
  const server = await openTestServer([failedLogin, login, successAfterFailures])
  const failed = { ...sshLogin, message: 'Failed password', user: 'u' }
  await server.call('POST', ingest, { body: Array.from({ length: 10_100 }, (_, i) => ({ ...failed, host: `h${i % 7}` })) })
  // Silence ends the wait for events that come late.
  const pass = async (): Promise<void> => {
    server.io.nowMs += 60_000
    await server.tick()
  }
  await pass()
  const { body } = await server.call('GET', '/v1/pipeline/metrics')
  expect(body).toMatchObject({ books: { accepted: 10_100, evaluated: 10_100, in_flight: 0, state_evicted: 0 } })
  await server.call('POST', ingest, { body: [{ ...sshLogin, user: 'u' }] })
  await pass()
  const titles = (await alertsOf(server.app.state, onlyTenant)).map(({ ruleTitle }) => ruleTitle)
  expect(titles).toContain('Success after failures')
})

test('a tenant at its limits is throttled, and another is unaffected', async () => {
  const sizes = { topicBytesMax: 1_000_000, tenantBytesMax: 20_000, takeBytesMax: 1_000 }
  const server = await openTestServer([anySshLogin], { sizes, pipeline: { checkpointMs: 1_000_000 }, isPatient: false })
  const [greedy, modest] = [await server.tokenOf(['admin'], 'greedy'), await server.tokenOf(['admin'], 'modest')]
  const send = (token: string, host: string): Promise<TestResponse> => {
    return server.call('POST', ingest, { token, body: Array.from({ length: 20 }, () => ({ ...sshLogin, host })) })
  }
  let answered: TestResponse
  do answered = await send(greedy, 'flood')
  while (answered.status === 202)
  expect(answered).toMatchObject({ status: 429, headers: { 'retry-after': '2' }, body: { error: { code: 'RATE_LIMITED' } } })
  for (let i = 0; i < 601; i++) answered = await server.call('GET', '/v1/auth/me', { token: greedy })
  expect(answered.status).toBe(429)

  for (let i = 0; i < 3; i++) expect(await send(modest, `m${i}`)).toMatchObject({ status: 202, body: { accepted: 20, rejected: 0 } })
  expect(await server.call('GET', '/v1/auth/me', { token: modest })).toMatchObject({ status: 200, headers: { 'x-ratelimit-remaining': '599' } })
  await until(() => server.app.pipeline.accounting('modest').evaluated === 60)
  expect((await alertsOf(server.app.state, 'modest')).map(({ eventCount }) => eventCount)).toEqual([20, 20, 20])
})

describe('the limits of the console', () => {
  const remainingOf = ({ headers }: TestResponse): string | undefined => headers['x-ratelimit-remaining']

  test('are exact per user, and the headers are right', async () => {
    const server = await openTestServer([])
    const token = await server.tokenOf(['viewer'])
    const startedAt = server.io.nowMs
    const answers: TestResponse[] = []
    for (let i = 0; i < 601; i++) {
      answers.push(await server.call('GET', '/v1/auth/me', { token }))
      if (i === 0) pass(10_000)
    }
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 600 }, () => 200), 429])
    expect(answers.map(remainingOf)).toEqual([...Array.from({ length: 600 }, (_, i) => String(599 - i)), '0'])
    expect(new Set(answers.map(({ headers }) => headers['x-ratelimit-limit']))).toEqual(new Set(['600']))
    // The first request leaves the window 60 seconds after it came, which is in 50.
    expect(answers[600]?.headers).toMatchObject({ 'x-ratelimit-reset': String((startedAt + 60_000) / 1_000), 'retry-after': '50' })
    pass(49_999)
    expect((await server.call('GET', '/v1/auth/me', { token })).status).toBe(429)
    pass(1)
    expect((await server.call('GET', '/v1/auth/me', { token })).status).toBe(200)
    expect((await server.call('GET', '/v1/auth/me', { token })).status).toBe(429)

    function pass(ms: number): void {
      server.io.nowMs += ms
      server.io.elapsedNowMs += ms
    }
  })

  test('are exact per tenant, over all its users', async () => {
    const server = await openTestServer([])
    const tokens = await Promise.all(Array.from({ length: 11 }, () => server.tokenOf(['viewer'], 'crowded')))
    const statuses: number[] = []
    for (let i = 0; i < 6_001; i++) {
      const { status } = await server.call('GET', '/v1/auth/me', { token: tokens[i % tokens.length]! })
      statuses.push(status)
    }
    expect(statuses.findIndex((status) => status !== 200)).toBe(6_000)
    const outside = await server.tokenOf(['viewer'], 'quiet')
    expect(await server.call('GET', '/v1/auth/me', { token: outside })).toMatchObject({ status: 200 })
  })
})

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 2))
}
