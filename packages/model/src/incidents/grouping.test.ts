import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Level } from '@tripline/engine'
import { groupSlowly } from '../../test/group-slowly.ts'
import { groupingDefault, listGroupingEntities, planGrouping, titleIncident } from './grouping.ts'
import type { GroupedAlert, JoinableIncident } from './grouping.ts'
import { addToFacts, countEntities, noFacts } from './incident-facts.ts'

const levels = ['informational', 'low', 'medium', 'high', 'critical'] as const satisfies readonly Level[]
const hours = 3_600_000
const privateNetworks = ['10.0.0.0/8']

function alertWith({ host = '', user = '', ...rest }: Partial<GroupedAlert> & { readonly host?: string; readonly user?: string }): GroupedAlert {
  const event = { processName: '', commandLine: '', user, host, statedTime: '' }
  const facts = { id: 'm1', level: 'high', ruleTitle: 'Whoami', createdAt: 0, firstEventAt: 0, lastEventAt: 0, sourceIp: '', opensIncident: false } as const
  return { ...facts, attack: { tactics: [], techniques: [] }, event, ...rest }
}

const terms = {
  grouping: groupingDefault, ownNetworks: privateNetworks, at: 1_000, alertsMax: 3, roomForNew: 4, createId: () => 'new',
}

test.for<[title: string, alert: Parameters<typeof alertWith>[0], entities: string]>([
  ['a host and a user, without case', { host: 'WEB-1', user: 'Alice' }, 'host web-1, user alice'],
  ['an address of the internet', { sourceIp: '203.0.113.7' }, 'ip 203.0.113.7'],
  ['an address of the own networks', { sourceIp: '10.1.2.3' }, ''],
  ['the machine itself', { sourceIp: '127.0.0.1', host: 'localhost' }, ''],
  ['a host and a user that the event does not know', { host: 'unknown', user: '(unknown user)' }, ''],
  ['the unset user of auditd', { host: 'web-1', user: 'unset' }, 'host web-1'],
  ['an account that every machine has', { host: 'web-1', user: 'NT AUTHORITY\\SYSTEM' }, 'host web-1'],
  ['nothing', {}, ''],
])('what an alert is grouped by: %s', ([, alert, entities]) => {
  expect(listGroupingEntities(alertWith(alert), terms).map(({ kind, value }) => `${kind} ${value}`).join(', ')).toBe(entities)
})

test.for<[title: string, alerts: readonly Parameters<typeof alertWith>[0][], groups: string]>([
  ['one host', [{ id: 'a', host: 'h' }, { id: 'b', host: 'H', createdAt: 4 * hours }], 'new: a b'],
  ['one host, too far apart', [{ id: 'a', host: 'h' }, { id: 'b', host: 'h', createdAt: 4 * hours + 1 }], 'new: a | new2: b'],
  ['a chain', [{ id: 'a', host: 'h' }, { id: 'b', host: 'h', createdAt: 3 * hours }, { id: 'c', host: 'h', createdAt: 6 * hours }], 'new: a b c'],
  ['an earlier one comes late', [{ id: 'a', host: 'h', createdAt: 4 * hours }, { id: 'b', host: 'h' }], 'new: a b'],
  ['a host, then its user', [{ id: 'a', host: 'h', user: 'u' }, { id: 'b', host: 'i', user: 'u' }], 'new: a b'],
  ['a medium one', [{ id: 'a', host: 'h', level: 'medium' }, { id: 'b', host: 'h' }], 'new: b'],
  ['a medium one of a rule that says so', [{ id: 'a', host: 'h', level: 'medium', opensIncident: true }, { id: 'b', host: 'h' }], 'new: a b'],
  ['no entity', [{ id: 'a' }, { id: 'b' }], ''],
  ['no entity, of a rule that says so', [{ id: 'a', opensIncident: true }, { id: 'b', opensIncident: true }], 'new: a | new2: b'],
  ['a full incident', ['a', 'b', 'c', 'd'].map((id) => ({ id, host: 'h' })), 'new: a b c | new2: d'],
  ['more than may be opened', ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, host: id })), 'new: a | new2: b | new3: c | new4: d; refused e'],
])('%s', ([, alerts, groups]) => {
  let count = 0
  const plan = planGrouping(alerts.map(alertWith), [], { ...terms, createId: () => (++count === 1 ? 'new' : `new${count}`) })
  expect(printPlan(plan)).toBe(groups)
})

test('without grouping only rules that say so open incidents', () => {
  const alerts = [alertWith({ id: 'a', host: 'h' }), alertWith({ id: 'b', host: 'h', opensIncident: true })]
  expect(printPlan(planGrouping(alerts, [], { ...terms, grouping: undefined }))).toBe('new: b')
})

test('an alert joins the oldest of several', () => {
  const joinable = ['young', 'old'].map((id): JoinableIncident => ({
    id, createdAt: id === 'old' ? 1 : 2, alertCount: 1,
    entities: [{ kind: 'host', value: 'h', alertCount: 1, firstAt: 0, lastAt: 0, firstEventAt: 0, lastEventAt: 0 }],
  }))
  expect(printPlan(planGrouping([alertWith({ id: 'a', host: 'h' })], joinable, terms))).toBe('old: a')
})

function printPlan({ groups, refused }: ReturnType<typeof planGrouping>): string {
  const shown = groups.map(({ incidentId, alerts }) => `${incidentId}: ${alerts.map(({ id }) => id).join(' ')}`).join(' | ')
  return refused.length === 0 ? shown : `${shown}; refused ${refused.map(({ id }) => id).join(' ')}`
}

const someAlert = fc.record({
  host: fc.constantFrom('', 'h1', 'H1', 'h2', 'localhost'), user: fc.constantFrom('', 'u1', 'u2', 'root'),
  sourceIp: fc.constantFrom('', '203.0.113.7', '10.0.0.1'), level: fc.constantFrom(...levels), createdAt: fc.nat(12).map((n) => n * hours),
  opensIncident: fc.boolean(),
})
const parameters = { seed: Number(process.env['TRIPLINE_SEED'] ?? 7), numRuns: 500 }

test('batches of any size make the incidents of a slow grouping', () => {
  const given = fc.tuple(fc.array(someAlert, { maxLength: 14 }), fc.integer({ min: 1, max: 5 }))
  fc.assert(fc.property(given, ([facts, batchSize]) => {
    const alerts = facts.map((alert, index) => alertWith({ ...alert, id: `m${index}` }))
    const held = new Map<string, GroupedAlert[]>()
    const refused: string[] = []
    let opened = 0
    for (let start = 0; start < alerts.length; start += batchSize) {
      const joinable = [...held].map(([id, members]): JoinableIncident =>
        ({ id, createdAt: Number(id), alertCount: members.length, entities: countEntities(members) }))
      const plan = planGrouping(alerts.slice(start, start + batchSize), joinable, {
        ...terms, at: start, roomForNew: terms.roomForNew - opened, createId: () => String(start + (++opened) / 100),
      })
      for (const { incidentId, alerts } of plan.groups) held.set(incidentId, [...held.get(incidentId) ?? [], ...alerts])
      refused.push(...plan.refused.map(({ id }) => id))
    }
    expect({ incidents: [...held.values()].map((members) => members.map(({ id }) => id)), refused }).toEqual(groupSlowly(alerts, { ...terms, windowMs: 4 * hours }))
  }), parameters)
})

test('what an incident knows of its alerts does not depend on their order', () => {
  fc.assert(fc.property(fc.shuffledSubarray([1, 2, 3, 4, 5], { minLength: 5 }), fc.array(someAlert, { minLength: 5, maxLength: 5 }), (order, facts) => {
    const alerts = facts.map((alert, index) => alertWith({ ...alert, id: `m${index}` }))
    const shuffled = order.flatMap((number) => alerts[number - 1] ?? [])
    expect(addToFacts(addToFacts(noFacts, shuffled.slice(0, 2)), shuffled.slice(2))).toEqual(addToFacts(noFacts, alerts))
  }), parameters)
})

test('a title names rule and place, within its length', () => {
  expect(titleIncident(alertWith({ host: 'web-1' }), 50)).toBe('Whoami on web-1')
  expect(titleIncident(alertWith({ user: 'alice' }), 50)).toBe('Whoami by alice')
  expect(titleIncident(alertWith({ host: 'web-1', ruleTitle: 'x'.repeat(90) }), 50)).toHaveLength(50)
})
