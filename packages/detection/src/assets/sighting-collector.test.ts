import type { Sighting } from '@tripline/model/assets/sighting'
import type { ObserveTerms } from '@tripline/state/ports/assets/asset-store'
import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { FairTurns } from '../fairness/fair-turns.ts'
import { SightingCollector } from './sighting-collector.ts'

const nothing = { assetIds: [], createdCount: 0, mergedCount: 0, evictedCount: 0 }

/** Returns the number of created assets. */
type Observe = (sightings: readonly Sighting[], terms: ObserveTerms) => number | void

/** A collector, and what it wrote. */
function open(observe: Observe = () => {}, turns: Pick<FairTurns, 'next' | 'elapsedMs'> = new FairTurns()) {
  const written: Sighting[] = []
  const collector = new SightingCollector({
    assets: {
      async observe(_tenant, sightings, terms) {
        const createdCount = observe(sightings, terms) ?? 0
        written.push(...sightings)
        return { ...nothing, createdCount }
      },
    },
    now: () => 1, newId: () => 'id', onObserved: () => {}, turns,
  })
  let offset = 0
  const add = (event: object, receivedAt = 1_000, occurredAt = receivedAt) => collector.add('acme', [
    { bytes: Buffer.from(JSON.stringify(event)), occurredAt, severity: 'info', arrival: { offset: offset++, receivedAt } },
  ])
  return { collector, written, add }
}

/** What a sighting says, short. */
const show = ({ source, facts: { hostname, ipAddresses, macAddresses, lastLogAt }, logons }: Sighting): string =>
  [source, hostname, ...ipAddresses ?? [], ...macAddresses ?? [], lastLogAt === undefined ? '' : 'sends', [...logons].join()].filter((part) => part !== '').join(' ')

test.for<[title: string, event: object, seen: string[]]>([
  ['Sysmon', { Computer: 'WEB-1.corp.example', EventID: 1, Channel: 'Microsoft-Windows-Sysmon/Operational', User: 'CORP\\ann' }, ['events web-1.corp.example sends']],
  ['ECS with addresses', { host: { name: 'web-1', ip: ['10.0.0.5', '127.0.0.1', 'fe80::1'], mac: ['00-1B-44-11-3A-B7'] } },
    ['events web-1 10.0.0.5 00:1b:44:11:3a:b7 sends']],
  ['a host that is an address', { host: '10.0.0.7', message: 'x' }, ['events 10.0.0.7 sends']],
  ['a logon over the network', { Computer: 'dc-1.corp.example', EventID: 4624, TargetUserName: 'ann', WorkstationName: 'PC-7', IpAddress: '10.0.0.7' },
    ['events dc-1.corp.example sends ann,1', 'events pc-7 10.0.0.7']],
  ['a logon with SSH', { hostname: 'web-1', program: 'sshd', user: 'bob', message: 'Accepted publickey for bob from 10.0.0.9 port 4 ssh2' }, ['events web-1 sends bob,1']],
  ['a lease of dhcpd', { hostname: 'gw', message: 'DHCPACK on 10.0.0.5 to 00:1b:44:11:3a:b7 (laptop-7) via eth0' },
    ['events gw sends', 'dhcp laptop-7 10.0.0.5 00:1b:44:11:3a:b7']],
  ['a lease of dnsmasq', { hostname: 'gw', message: 'DHCPACK(br0) 10.0.0.6 00:1b:44:11:3a:b8 phone' }, ['events gw sends', 'dhcp phone 10.0.0.6 00:1b:44:11:3a:b8']],
  ['a lease seen by Zeek', { _path: 'dhcp', mac: '00:1b:44:11:3a:b7', assigned_addr: '10.0.0.8', host_name: 'tv' }, ['dhcp tv 10.0.0.8 00:1b:44:11:3a:b7']],
  ['an offer is no lease', { hostname: 'gw', message: 'DHCPOFFER on 10.0.0.5 to 00:1b:44:11:3a:b7' }, ['events gw sends']],
  ['no machine', { message: 'hello' }, []],
  ['a name that says nothing', { host: 'localhost' }, []],
])('%s', async ([, event, seen]) => {
  const { collector, written, add } = open()
  add(event)
  await collector.flush()
  expect(written.map(show)).toEqual(seen)
})

test('events of a machine that was seen minutes ago are not read again, logons are', async () => {
  const { collector, written, add } = open()
  add({ hostname: 'web-1', n: 1 }, 1_000)
  add({ hostname: 'web-1', n: 2 }, 2_000)
  add({ hostname: 'web-1', user: 'ann', message: 'Accepted password for ann' }, 3_000)
  add({ hostname: 'web-1', user: 'ann', message: 'Accepted password for ann' }, 4_000)
  await collector.flush()
  expect(written.map((sighting) => [show(sighting), sighting.at])).toEqual([['events web-1 sends ann,2', 4_000]])
  add({ hostname: 'web-1', n: 3 }, 1_000 + limits.assets.seenAgainMs)
  await collector.flush()
  expect(written.length).toBe(2)
})

test('events of hours that arrive together tell when their machine was last seen', async () => {
  const { collector, written, add } = open()
  const arrival = 10 * 3_600_000
  for (let hour = 1; hour <= 7; hour++) add({ hostname: 'web-1', user: 'ann', n: hour }, arrival, hour * 3_600_000)
  add({ hostname: 'web-1', n: 8 }, arrival, 2 * 3_600_000)
  await collector.flush()
  expect(written.map((sighting) => [show(sighting), sighting.at, sighting.facts.lastLogAt])).toEqual([
    ['events web-1 sends', 7 * 3_600_000, 7 * 3_600_000],
  ])
  add({ hostname: 'web-1', n: 9 }, arrival, 8 * 3_600_000)
  add({ hostname: 'web-1', n: 10 }, arrival, 11 * 3_600_000)
  await collector.flush()
  expect(written.slice(1).map(({ at }) => at)).toEqual([arrival])
})

test('a flood of made-up names costs a budget, and what it leaves out is counted', async () => {
  const { collector, written, add } = open()
  for (let i = 0; i < limits.assets.readMax + 500; i++) add({ hostname: `made-up-${i}` })
  await collector.flush()
  expect(collector.skippedCount).toBe(500)
  expect(written.length).toBe(limits.assets.readMax)
  add({ hostname: 'next' })
  await collector.flush()
  expect(written.length).toBe(limits.assets.readMax + 1)
})

test('events wait for a turn of their tenant, and beyond a bound they are passed over and counted', async () => {
  const first = Promise.withResolvers<number>()
  const asked: string[] = []
  const turns = {
    elapsedMs: () => 0,
    next: (flow: string) => (asked.push(flow) === 1 ? first.promise : Promise.resolve(1)),
  }
  const { collector, written, add } = open(() => {}, turns)
  // The first is in hand.
  for (let i = 0; i < 1 + limits.assets.queuedMax + 3; i++) add({ hostname: 'web-1' })
  const flushed = collector.flush()
  expect([asked, collector.skippedCount, written.length]).toEqual([['acme'], 3, 0])
  first.resolve(1)
  await flushed
  expect(written.map(show)).toEqual(['events web-1 sends'])
})

test('sightings are written a few at a time, each part in a turn, and assets are counted once', async () => {
  const { observedAtOnceMax } = limits.assets
  const steps: string[] = []
  let elapsedMs = 0
  const turns = {
    elapsedMs: () => elapsedMs,
    next: () => Promise.resolve(steps.push('turn')),
  }
  const observe: Observe = ({ length }, { evicts }) => {
    steps.push(`${length} ${evicts}`)
    elapsedMs += 1_000
    return length === 1 ? 0 : length
  }
  const { collector, add } = open(observe, turns)
  for (let i = 0; i < 2 * observedAtOnceMax + 1; i++) add({ hostname: `web-${i}` })
  await collector.flush()
  const written = steps.slice(steps.findIndex((step) => step !== 'turn') - 1)
  expect(written).toEqual(['turn', `${observedAtOnceMax} later`, 'turn', `${observedAtOnceMax} later`, 'turn', '1 now'])
})

test('what cannot be written waits', async () => {
  let isFull = true
  const { collector, written, add } = open(() => {
    if (isFull) throw new Error('the disk is full')
  })
  add({ hostname: 'web-1' })
  await expect(collector.flush()).rejects.toThrow('the disk is full')
  isFull = false
  await collector.flush()
  expect(written.map(show)).toEqual(['events web-1 sends'])
})

test('a clock that is ahead binds nothing in the future', async () => {
  const { collector, written } = open()
  const bytes = Buffer.from('{"hostname":"web-1"}')
  collector.add('acme', [{ bytes, occurredAt: 9_000, severity: 'info', arrival: { offset: 1, receivedAt: 1_000 } }])
  await collector.flush()
  expect(written).toMatchObject([{ at: 1_000 }])
})
