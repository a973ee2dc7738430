import { alertListSchema } from '@tripline/contract/console/alert'
import { exceptionPreviewSchema } from '@tripline/contract/console/rules/exception-preview'
import { encoded, encodedPowerShell, whoami } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import { newAlertWith } from '@tripline/state/test/state-samples'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../../test/open-test-server.ts'
import type { TestServer } from '../../../../test/open-test-server.ts'

const ruleId = '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'
const rulePath = `/v1/detection/rules/${ruleId}`
const except = (fields: object): object => ({ detection: { here: fields, condition: 'not here' } })
const correlation = `title: Many
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0009
correlation: { type: event_count, rules: [0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0003], group-by: [User], timespan: 15m, condition: { gte: 9 } }
`

describe('the preview of an exception', () => {
  let server: TestServer
  const preview = async (body: object, token?: string) =>
    await server.call('POST', `${rulePath}/exceptions/preview`, { body, ...(token !== undefined && { token }) })

  const mustCall = async (method: string, path: string, body: object): Promise<void> => {
    const { status } = await server.call(method, path, { body })
    if (status >= 400) throw new Error(`${method} ${path} answered ${status}`)
  }

  beforeAll(async () => {
    server = await openTestServer([encodedPowerShell, whoami, correlation])
    // Four alerts: the second event of alice joins the alert of her first, on another command line.
    const events = [
      { User: 'alice', Computer: 'web-1' }, { User: 'bob', Computer: 'web-1' }, { User: 'carol', Computer: 'web-2' },
      { User: 'dave', Computer: 'web-2' }, { User: 'alice', Computer: 'web-1', CommandLine: 'powershell -enc QQ==' },
    ]
    for (const fields of events) {
      await mustCall('POST', '/ingest/v1/events', { ...encoded, ...fields })
    }
    const { alerts } = alertListSchema.parse((await server.call('GET', '/v1/alerts')).body)
    const verdicts: { readonly [user: string]: object } = {
      bob: { verdict: 'false_positive' }, carol: { verdict: 'true_positive' },
    }
    for (const { id, event } of alerts) {
      const verdict = verdicts[event.user]
      if (verdict !== undefined) await mustCall('PUT', `/v1/alerts/${id}`, verdict)
    }
  })

  test('counts what it would have hidden by verdict, confirmed ones first among the examples', async () => {
    const { status, body } = await preview(except({ User: ['bob', 'carol', 'dave'] }))
    expect(status).toBe(200)
    const { examples, ...counts } = exceptionPreviewSchema.parse(body)
    expect(counts).toMatchObject({
      rule_id: ruleId, alerts: 4, hidden: 3, still_alerting: 1, not_evaluated: 0, events: 5, events_hidden: 3, truncated: false,
      by_verdict: { true_positive: 1, false_positive: 1, benign: 0, unreviewed: 1 },
    })
    expect(Date.parse(counts.to) - Date.parse(counts.from)).toBe(30 * 86_400_000)
    expect(examples.map(({ user }) => user).toSorted()).toEqual(['bob', 'carol', 'dave'])
    expect(examples[0]).toMatchObject({ user: 'carol', verdict: 'true_positive', host: 'web-2' })
  })

  test('tries the newest alerts as far as their events are not too long together', async () => {
    const evidence = 'x'.repeat(12_000_000)
    const alerts = [1, 2, 3].map((at) => newAlertWith({ id: `long ${at}`, ruleId, dedupKey: `long ${at}`, matchedAt: at, evidence }))
    await server.app.state.alerts.insert(onlyTenant, alerts)
    const { body } = await preview({ ...except({ User: 'bob' }), from: '1970-01-01T00:00:00Z', to: '1970-01-02T00:00:00Z' })
    expect(body).toMatchObject({ alerts: 2, not_evaluated: 2, events: 0, truncated: true })
  })

  test.for<[title: string, fields: object, hidden: number, eventsHidden: number]>([
    ['one of its events alone', { User: 'alice', 'CommandLine|endswith': 'QQ==' }, 0, 1],
    ['all of its events', { User: 'alice' }, 1, 2],
    ['another event', { User: 'eve' }, 0, 0],
  ])('an alert of which an exception excludes %s', async ([, fields, hidden, eventsHidden]) => {
    expect((await preview(except(fields))).body).toMatchObject({
      alerts: 4, hidden, still_alerting: 4 - hidden, events: 5, events_hidden: eventsHidden,
    })
  })

  test('is of the range, and changes nothing', async () => {
    const inRange = await preview({ ...except({ User: 'bob' }), from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' })
    expect(inRange.body).toMatchObject({ alerts: 0, hidden: 0, from: '2026-11-01T00:00:00.000Z' })
    expect(await server.call('GET', rulePath)).toMatchObject({ body: { version: 1, filters: [] } })
    await server.app.trail.flush()
    const { entries: [entry] } = await server.app.state.audit.list(onlyTenant, { limit: 1 })
    expect(entry).toMatchObject({ action: 'rule.exception_preview', outcome: 'success', target: { type: 'rule', id: ruleId } })
  })

  test('counts alerts apart that the rule no longer raises', async () => {
    const changed = encodedPowerShell.replace("' -enc'", "' -nothing'")
    expect(await server.call('PUT', `${rulePath}?force=true`, { body: { definition: changed } })).toMatchObject({ status: 200 })
    expect((await preview(except({ User: 'bob' }))).body).toMatchObject({ alerts: 4, hidden: 0, still_alerting: 0, not_evaluated: 4, events: 0, events_hidden: 0 })
    expect(await server.call('POST', `${rulePath}/reset`)).toMatchObject({ status: 200 })
  })

  test.for<[title: string, body: object, code: string]>([
    ['a selection that is none', { detection: { condition: 'not here' } }, 'INVALID_RULE'],
    ['an unknown modifier', except({ 'User|like': 'a' }), 'INVALID_RULE'],
    ['rules of its own', { detection: { here: { User: 'a' }, condition: 'not here', rules: 'any' } }, 'INVALID_RULE'],
    ['a range that ends before it begins', { ...except({ User: 'a' }), from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z' }, 'INVALID_BODY'],
    ['no detection', {}, 'INVALID_BODY'],
  ])('refuses %s', async ([, body, code]) => {
    expect(await preview(body)).toMatchObject({ status: 400, body: { error: { code } } })
  })

  test('is refused for correlations, for an unknown rule, of another tenant, and without the permission', async () => {
    const body = except({ User: 'bob' })
    const ofCorrelation = '/v1/detection/rules/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0009/exceptions/preview'
    expect(await server.call('POST', ofCorrelation, { body })).toMatchObject({ status: 400, body: { error: { code: 'INVALID_RULE' } } })
    expect(await server.call('POST', '/v1/detection/rules/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0007/exceptions/preview', { body })).toMatchObject({ status: 404 })
    expect(await preview(body, await server.tokenOf(['viewer']))).toMatchObject({ status: 403 })
    expect((await preview(body, await server.tokenOf(['analyst'], 'other'))).body).toMatchObject({ alerts: 0, hidden: 0 })
  })
})
