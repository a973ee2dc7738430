import type { SubdomainSighting } from '@tripline/model/enrichment/subdomain'
import type { UserSighting } from '@tripline/state/ports/enrichment/directory-user-store'
import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { NameCollector } from './name-collector.ts'

/** A collector, and what it wrote. */
function open(
  onWrite: (count: number) => void = () => {},
  turns: ConstructorParameters<typeof NameCollector>[0]['turns'] = { next: () => Promise.resolve(1), elapsedMs: () => 0 },
) {
  const written: (UserSighting | SubdomainSighting)[] = []
  const observe = async (_tenant: string, sightings: readonly (UserSighting | SubdomainSighting)[]) => {
    onWrite(sightings.length)
    written.push(...sightings)
  }
  const collector = new NameCollector({
    subdomains: { observe }, directoryUsers: { observe }, loadOwnDomains: async () => ['acme.example', 'eu.acme.example'], now: () => 1,
    turns, newId: () => 'id',
  })
  const add = (event: object, receivedAt = 1_000) => collector.add('acme', [
    { bytes: Buffer.from(JSON.stringify(event)), occurredAt: receivedAt, severity: 'info', arrival: { offset: 1, receivedAt } },
  ])
  return { collector, written, add }
}

const show = (sighting: UserSighting | SubdomainSighting): string =>
  'source' in sighting ? [sighting.source, sighting.name, sighting.domain, sighting.ip].join(' ').trim() : [sighting.name, sighting.email].join(' ').trim()

test.for<[title: string, event: object, seen: string[]]>([
  ['Sysmon DNS', { EventID: 22, QueryName: 'Shop.acme.example', QueryResults: 'type: 5 cdn.example;::ffff:192.0.2.7;' }, ['dns shop.acme.example acme.example 192.0.2.7']],
  ['the most specific domain', { query: 'a.eu.acme.example', answers: ['192.0.2.8'] }, ['dns a.eu.acme.example eu.acme.example 192.0.2.8']],
  ['DNS in ECS', { dns: { question: { name: 'api.acme.example' }, answers: [{ data: '192.0.2.9' }] } }, ['dns api.acme.example acme.example 192.0.2.9']],
  ['TLS of Zeek', { server_name: 'mail.acme.example', 'id.resp_h': '192.0.2.10' }, ['tls mail.acme.example acme.example 192.0.2.10']],
  ['TLS of Suricata', { tls: { sni: 'vpn.acme.example' }, dest_ip: '192.0.2.11' }, ['tls vpn.acme.example acme.example 192.0.2.11']],
  ['HTTP of Zeek', { host: 'www.acme.example', uri: '/', 'id.resp_h': '192.0.2.12' }, ['http www.acme.example acme.example 192.0.2.12']],
  ['an address', { url: { full: 'https://wiki.acme.example/x?y' } }, ['http wiki.acme.example acme.example']],
  ['the domain itself', { QueryName: 'acme.example' }, ['dns acme.example acme.example']],
  ['another domain', { QueryName: 'notacme.example' }, []],
  ['a domain in the middle', { QueryName: 'acme.example.evil.test' }, []],
  ['a machine of the domain', { Computer: 'pc-7.acme.example', EventID: 1 }, []],
  ['a user', { Computer: 'pc-7', User: 'CORP\\Alice', EventID: 1 }, ['corp\\alice']],
  ['a user with an address', { user: { name: 'bob', email: 'Bob@acme.example' } }, ['bob bob@acme.example']],
  ['a login that is an address', { userPrincipalName: 'ann@acme.example' }, ['ann@acme.example ann@acme.example']],
  ['SYSTEM', { Computer: 'pc-7', User: 'NT AUTHORITY\\SYSTEM' }, []],
  ['a machine account', { TargetUserName: 'PC-7$', EventID: 4624 }, []],
  ['a number', { acct: '1000', type: 'USER_AUTH' }, []],
  ['nothing', { message: 'hello' }, []],
])('%s', async ([, event, seen]) => {
  const { collector, written, add } = open()
  add(event)
  await collector.flush()
  expect(written.map(show)).toEqual(seen)
})

test('names are written in parts, each in a turn', async () => {
  const { observedAtOnceMax } = limits.observations
  const steps: string[] = []
  let elapsedMs = 0
  const onWrite = (count: number): void => {
    steps.push(`${count}`)
    elapsedMs += 1_000
  }
  const { collector, add } = open(onWrite, { elapsedMs: () => elapsedMs, next: () => Promise.resolve(steps.push('turn')) })
  for (let i = 0; i < observedAtOnceMax + 1; i++) add({ User: `user-${i}` })
  await collector.flush()
  expect(steps.slice(steps.indexOf(`${observedAtOnceMax}`))).toEqual([`${observedAtOnceMax}`, 'turn', '1'])
})

test('what was seen minutes ago is not read again', async () => {
  const { collector, written, add } = open()
  await collector.flush()
  add({ QueryName: 'a.acme.example', User: 'ann' }, 1_000)
  add({ QueryName: 'a.acme.example', User: 'ann' }, 2_000)
  add({ QueryName: 'b.acme.example', User: 'ann' }, 3_000)
  await collector.flush()
  expect(written.map((sighting) => [show(sighting), sighting.at])).toEqual([
    ['ann', 1_000], ['dns a.acme.example acme.example', 1_000], ['dns b.acme.example acme.example', 3_000],
  ])
  add({ QueryName: 'a.acme.example' }, 3_000)
  await collector.flush()
  expect(written.length).toBe(3)
  add({ QueryName: 'a.acme.example' }, 1_000 + limits.observations.seenAgainMs)
  await collector.flush()
  expect(written.length).toBe(4)
})

test('a flood of made-up names costs a budget, and what it leaves out is counted', async () => {
  const { collector, written, add } = open()
  for (let i = 0; i < limits.observations.readMax + 300; i++) add({ QueryName: `made-up-${i}.acme.example` })
  await collector.flush()
  expect([written.length, collector.skippedCount]).toEqual([limits.observations.readMax, 300])
  for (let i = 0; i < limits.observations.queuedMax + 7; i++) add({ QueryName: 'made-up-1.acme.example' })
  await collector.flush()
  expect([written.length, collector.skippedCount]).toEqual([limits.observations.readMax, 307])
})

test('what cannot be written waits', async () => {
  let isFull = true
  const { collector, written, add } = open(() => {
    if (isFull) throw new Error('the disk is full')
  })
  add({ User: 'ann' })
  await expect(collector.flush()).rejects.toThrow('the disk is full')
  isFull = false
  await collector.flush()
  expect(written.map(show)).toEqual(['ann'])
})
