import { ruleTestResultSchema } from '@tripline/contract'
import { describe, expect, test } from 'vitest'
import { openTestServer } from '../../../../test/open-test-server.ts'
import { limits } from '../../../limits.ts'

const ids = { failed: 1, login: 2, many: 3, chain: 4, unanswered: 5 }

function idOf(name: keyof typeof ids): string {
  return `0198f1c0-7a10-4c3e-9b1e-2f6a3a1f010${ids[name]}`
}

function loginRule(name: 'failed' | 'login', action: string): string {
  return `title: ${name}
id: ${idOf(name)}
name: ${name}
logsource: { product: app }
detection: { selection: { action: ${action} }, condition: selection }
`
}

const many = `title: Many failed logins
id: ${idOf('many')}
name: many
level: high
correlation: { type: event_count, rules: [failed], group-by: [user], timespan: 10m, condition: { gte: 3 } }
generate: true
`
const unanswered = `title: Failed and given up
id: ${idOf('unanswered')}
level: low
correlation: { type: temporal, rules: [failed, login], group-by: [user], timespan: 1m, condition: failed and not login }
`
const rules = [loginRule('failed', 'fail'), loginRule('login', 'ok'), many, unanswered]
const startedAt = Date.UTC(2026, 10, 20, 10)

function event(second: number, user: string, action: string): object {
  return { _logsource: { product: 'app' }, '@timestamp': new Date(startedAt + second * 1_000).toISOString(), user, action }
}

const chain = `title: Failed logins, then one that worked
correlation: { type: temporal_ordered, rules: [many, login], group-by: [user], timespan: 10m }
`
const failures = [0, 1, 2].map((second) => event(second, 'alice', 'fail'))

describe('a correlation rule on a stream', () => {
  test('is listed, and its matches show their newest event', async () => {
    const server = await openTestServer(rules)
    await server.call('POST', '/ingest/v1/events', { body: failures })
    // A match waits as long as events may come late, by their time, which the clock's follows some way behind.
    server.io.nowMs += limits.pipeline.silenceMs + limits.correlation.allowedLatenessMs + 1
    await server.tick()
    const { body } = await server.call('GET', `/v1/detection/rules/${idOf('many')}/matches`)
    expect(body).toMatchObject({ total_estimate: 1, matches: [{ event: { user: 'alice' } }] })
    expect(await server.call('GET', '/v1/detection/rules?level=high')).toMatchObject({
      body: { total_estimate: 1, rules: [{ id: idOf('many'), stats: { matches_total: 1 } }] },
    })
  })

  test('matches a window that ends without events, once the clock advances', async () => {
    const server = await openTestServer(rules)
    const matchCount = async (): Promise<unknown> => {
      const { body } = await server.call('GET', `/v1/detection/rules/${idOf('unanswered')}/matches`)
      return (body as { readonly total_estimate: number }).total_estimate
    }
    await server.call('POST', '/ingest/v1/events', { body: [event(0, 'alice', 'fail'), event(1, 'bob', 'fail'), event(2, 'bob', 'ok')] })
    server.io.nowMs += limits.pipeline.silenceMs + 50_000
    await server.tick()
    expect(await matchCount()).toBe(0)
    server.io.nowMs += 10_000 + limits.correlation.allowedLatenessMs
    await server.tick()
    expect(await matchCount()).toBe(1)
    await server.tick()
    expect(await matchCount()).toBe(1)
  })
})

describe('a test of a correlation rule', () => {
  const test3 = [...failures, event(3, 'alice', 'ok')]

  test.for<[title: string, id: string, body: object, results: (string[] | null)[]]>([
    ['of the store', idOf('many'), { events: failures }, [null, null, ['correlation: event_count 3>=3 by user=alice in 10m']]],
    ['that refers to rules of the store', 'new', { events: test3, definition: chain },
      [null, null, null, ['correlation: temporal_ordered 2>=2 by user=alice in 10m']]],
    ['over a rule of the store', idOf('many'), { events: failures, definition: many.replace('gte: 3', 'gte: 2') },
      [null, ['correlation: event_count 2>=2 by user=alice in 10m'], null]],
    ['with the rules that it refers to', 'new',
      { events: [event(0, 'bob', 'wave')], definition: `title: Wave\nname: wave\nlogsource: { product: app }
detection: { s: { action: wave }, condition: s }\n---\ntitle: Waves
correlation: { type: event_count, rules: [wave], timespan: 1m, condition: { gte: 1 } }` },
      [['correlation: event_count 1>=1 in 1m']]],
    ['whose events stand in no order', idOf('many'), { events: failures.toReversed() },
      [['correlation: event_count 3>=3 by user=alice in 10m'], null, null]],
    ['whose window ends with the events', idOf('unanswered'), { events: [event(0, 'eve', 'fail')] },
      [['correlation: temporal failed and not login by user=eve in 1m']]],
  ])('%s', async ([, id, body, results]) => {
    const server = await openTestServer(rules)
    const answer = await server.call('POST', `/v1/detection/rules/${id}/test`, { body })
    expect(answer.body).toEqual({
      results: results.map((conditions, index) => ({ event_index: index, matched: conditions !== null, matched_conditions: conditions ?? [] })),
    })
  })

  test('explains how close a group came', async () => {
    const server = await openTestServer(rules)
    const { body } = await server.call('POST', `/v1/detection/rules/${idOf('many')}/test?explain=true`, { body: { events: failures.slice(1) } })
    expect(ruleTestResultSchema.parse(body).results[1]?.explain).toEqual({
      node: 'correlation',
      result: false,
      children: [{
        node: 'event_count Many failed logins',
        result: false,
        children: [
          { node: 'rule failed', result: true, children: [] },
          { node: 'user=alice reached 2>=3 at 2026-11-20T10:00:02.000Z', result: false, children: [] },
        ],
      }],
    })
  })

  test.for<[what: string, definition: string, message: string]>([
    ['that refers to no rule', chain.replace('many', 'nobody'), "no running rule has the id or name 'nobody'"],
    ['that is broken', chain.replace('10m', '10'), "'correlation.timespan' must be a whole number above 0 with a unit, such as 30s, 5m, 1h or 7d"],
    ['of which two stand side by side', `${chain}---\n${unanswered.replace(idOf('unanswered'), idOf('chain'))}`,
      'a definition must hold one rule; this one holds 2'],
  ])('refuses a definition %s', async ([, definition, message]) => {
    const server = await openTestServer(rules)
    const answer = await server.call('POST', '/v1/detection/rules/new/test', { body: { events: failures, definition } })
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_RULE', message } } })
  })
})
