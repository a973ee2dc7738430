import { expect, test } from 'vitest'
import { checkRule } from './check-rule.ts'

const memberId = '9d2f3c51-0000-4000-8000-000000000001'
const member = `title: Failed login
id: ${memberId}
level: low
logsource: { product: app }
detection: { selection: { action: fail }, condition: selection }
`
const correlation = `title: Many failed logins
level: high
correlation:
  type: event_count
  rules: [${memberId}]
  group-by: [user]
  timespan: 5m
  condition: { gte: 2 }
`
const events = [{ user: 'ann' }, { user: 'ann' }, {}].map((event, second) => ({
  _logsource: { product: 'app' }, action: 'fail', time: `2026-11-20T10:00:0${second}Z`, ...event,
}))
const check = (text: string, shown = 0) => checkRule({ text, filters: [], pipelines: [], rules: [{ text: member }], events: JSON.stringify(events), shown })

test('a correlation differs from a rule of single events, and its members are named by their titles', () => {
  const { isCorrelation, results, explanation } = check(correlation, 2)
  expect(isCorrelation).toBe(true)
  expect(results.map(({ isMatch }) => isMatch)).toEqual([false, true, false])
  expect(explanation).toMatchObject({
    children: [{
      children: [
        { node: 'rule Failed login', result: true },
        { node: 'the event has no user, by which the correlation groups', result: false },
        { node: 'user=ann reached 2>=2 at 2026-11-20T10:00:01.000Z', result: true },
      ],
    }],
  })
  expect(check(member).isCorrelation).toBe(false)
})

test.for<[what: string, text: string, names: string[]]>([
  ['a correlation', correlation, [memberId]],
  ['a filter', `title: F\nlogsource: { product: app }\nfilter: { rules: [${memberId}, b], s: { user: x }, condition: not s }\n`, [memberId, 'b']],
  ['a rule', member, []],
])('the server is asked for the rules that %s names', ([, text, names]) => {
  expect(check(text).refersTo).toEqual(names)
})

test('a filter of a rule that the server sent has nothing wrong', () => {
  const filter = `title: Not Ann\nid: 9d2f3c51-0000-4000-8000-000000000002\nstatus: stable\ndescription: Leaves Ann out.\nauthor: a\ndate: 2026-11-01
logsource: { product: app }\nfilter: { rules: [${memberId}], ann: { user: ann }, condition: not ann }\n`
  expect(check(filter).findings.map(({ message }) => message)).not.toContainEqual(expect.stringMatching(/no running/))
})
