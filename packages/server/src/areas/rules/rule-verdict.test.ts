import { ruleListSchema } from '@tripline/contract'
import { ruleFacetsSchema } from '@tripline/contract/console/rules/rule-summary'
import { encoded, encodedPowerShell, whoami } from '@tripline/detection/test/rules'
import { expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { RuleHealthReport } from './rule-health.ts'
import { judgeRule } from './rule-verdict.ts'

type Row = readonly [
  state: RuleHealthReport['state'], truePositives: number, falsePositives: number, cpuSharePercent: number, verdict: string | null,
]

test.for<Row>([
  ['not_running', 0, 99, 0, null],
  ['matched', 0, 0, 0, 'keep: healthy'],
  ['running', 0, 0, 0, 'keep: healthy'],
  ['matched', 3, 2, 0, 'keep: confirmed'],
  ['matched', 0, 4, 0, 'keep: healthy'],
  ['matched', 2, 3, 0, 'tune: many_false_positives'],
  ['matched', 1, 8, 0, 'tune: many_false_positives'],
  ['matched', 1, 9, 0, 'retire: mostly_false_positives'],
  ['matched', 2, 9, 0, 'tune: many_false_positives'],
  ['matched', 0, 0, 10, 'tune: costly'],
  ['matched', 0, 0, 9.9, 'keep: healthy'],
  ['broken', 5, 0, 0, 'tune: broken'],
  ['degraded', 0, 0, 0, 'tune: degraded'],
  ['idle', 0, 0, 50, 'tune: idle'],
  ['never_routed', 0, 0, 0, 'silent: never_routed'],
  ['field_never_seen', 0, 0, 0, 'silent: field_never_seen'],
  ['never_candidate', 0, 0, 0, 'silent: never_candidate'],
  ['never_matched', 0, 0, 0, 'silent: never_matched'],
])('%s, %i confirmed, %i false, %d percent: %s', ([state, truePositives, falsePositives, cpuSharePercent, verdict]) => {
  const found = judgeRule({ health: { state, problem: undefined }, verdicts: { truePositives, falsePositives }, cost: { cpuSharePercent } })
  expect(found && `${found.value}: ${found.reason}`).toBe(verdict)
})

test('a rule whose cost was not measured is not costly', () => {
  const health = { state: 'matched', problem: undefined } as const
  const verdict = judgeRule({ health, verdicts: { truePositives: 0, falsePositives: 0 }, cost: undefined })
  expect(verdict).toEqual({ value: 'keep', reason: 'healthy' })
})

test('the list tells what was judged in the last 7 days, and who saved a rule', async () => {
  const server = await openTestServer([encodedPowerShell, whoami])
  const path = '/v1/detection/rules'
  const read = async (token?: string) => {
    const { body } = await server.call('GET', `${path}?sort=title`, { ...(token && { token }) })
    return ruleListSchema.parse(body).rules.map(({ title, false_positive_share_7d: share, updated_by: by }) => [title, share, by])
  }
  const email = ((await server.call('GET', '/v1/auth/me')).body as { readonly email: string }).email
  const none = [['Encoded PowerShell', null, null], ['Whoami', null, null]]
  expect(await read()).toEqual(none)
  const other = await server.tokenOf(['viewer'], 'other')
  await server.call('POST', '/ingest/v1/events', { body: ['a', 'b', 'c', 'd'].map((host) => ({ ...encoded, host, Computer: host })) })
  await server.app.pipeline.untilIdle()
  const { alerts } = (await server.call('GET', '/v1/alerts')).body as { readonly alerts: readonly { readonly id: string }[] }
  const verdicts = ['false_positive', 'true_positive', 'false_positive', 'benign']
  expect(alerts.length).toBe(verdicts.length)
  for (const [i, { id }] of alerts.entries()) await server.call('PUT', `/v1/alerts/${id}`, { body: { verdict: verdicts[i] } })
  await server.call('PUT', `${path}/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0003`, { body: { definition: whoami.replace('Whoami', 'Who am I') } })
  expect(await read()).toEqual([['Encoded PowerShell', 0.6667, null], ['Who am I', null, email]])
  expect(await read(other)).toEqual(none)
  server.io.nowMs += 7 * 86_400_000 + 1
  expect(await read(await server.tokenOf(['viewer']))).toEqual([['Encoded PowerShell', null, null], ['Who am I', null, email]])
})

test('the list is filtered by what people said of the alerts of each rule', async () => {
  const server = await openTestServer([encodedPowerShell, whoami])
  const count = async (query: string) => ruleListSchema.parse((await server.call('GET', `/v1/detection/rules?${query}`)).body).rules.length
  const hosts = Array.from({ length: 5 }, (_, index) => `host-${index}`)
  await server.call('POST', '/ingest/v1/events', { body: hosts.map((host) => ({ ...encoded, host, Computer: host })) })
  await server.app.pipeline.untilIdle()
  expect([await count('verdict=keep'), await count('verdict=tune'), await count('verdict=keep,tune,retire,silent')]).toEqual([1, 0, 2])
  const { alerts } = (await server.call('GET', '/v1/alerts')).body as { readonly alerts: readonly { readonly id: string }[] }
  for (const { id } of alerts) await server.call('PUT', `/v1/alerts/${id}`, { body: { verdict: 'false_positive' } })
  expect([await count('verdict=keep'), await count('verdict=tune')]).toEqual([0, 1])
  const { body } = await server.call('GET', '/v1/detection/rules/summary?facets=verdict')
  expect(ruleFacetsSchema.parse(body).facets).toEqual([
    { field: 'verdict', distinct: 2, values: [{ value: 'silent', count: 1 }, { value: 'tune', count: 1 }] },
  ])
})
