import { expect, test } from 'vitest'
import { unknownAsset } from '../enrichment/asset.ts'
import type { Asset } from '../enrichment/asset.ts'
import { resolveSighting } from './resolve-sighting.ts'
import { getFirstLabel, isMachineAddress, isUniqueMacAddress, listIdentifiers } from './sighting.ts'
import type { Identifier, Sighting } from './sighting.ts'

const macA = '00:1b:44:11:3a:b7'
const macB = '00:1b:44:11:3a:b8'

type Known = Partial<Asset> & { readonly scanner?: string }

/** Assets by id: what they are, and what a scanner calls them. */
function indexOf(known: { readonly [id: string]: Known }): Parameters<typeof resolveSighting>[1] {
  const assets = Object.entries(known).map(([id, { scanner, ...facts }]): [Asset, Identifier[]] => {
    const identifiers: Identifier[] = scanner === undefined ? [] : [{ kind: 'scanner', value: scanner }]
    return [{ ...unknownAsset, ...facts, id, version: 1, editedVersion: 1, createdAt: 1, updatedAt: 1 }, identifiers]
  })
  const all = assets.map(([asset]) => asset)
  return {
    find: ({ kind, value }) => assets.filter(([asset, ids]) => listIdentifiers(asset, ids).some((own) => own.kind === kind && own.value === value))
      .map(([asset]) => asset),
    findNameless: (address) => all.filter(({ hostname, ipAddresses }) => hostname === '' && ipAddresses.includes(address)),
    findHolder: (address) => all.find(({ ipAddresses }) => ipAddresses.includes(address)),
    getScannerIds: ({ id }) => (known[id]?.scanner === undefined ? [] : [known[id].scanner]),
  }
}

type Seen = { readonly name?: string; readonly ip?: string; readonly mac?: string; readonly scanner?: string }

function sight({ name, ip, mac, scanner }: Seen): Sighting {
  return {
    id: 'new', at: 5, source: scanner === undefined ? 'events' : 'scanner', isInventory: scanner !== undefined, takesAddresses: false, logons: new Map(),
    identifiers: scanner === undefined ? [] : [{ kind: 'scanner', value: scanner }],
    facts: { hostname: name ?? '', ipAddresses: ip === undefined ? [] : [ip], macAddresses: mac === undefined ? [] : [mac] },
  }
}

test.for<[title: string, seen: Seen, known: { readonly [id: string]: Known }, target: string | undefined, absorbed: string]>([
  ['nothing is known', { name: 'web-1' }, {}, undefined, ''],
  ['the same name', { name: 'web-1' }, { a: { hostname: 'web-1' } }, 'a', ''],
  ['the full name of a short one', { name: 'web-1.corp.example' }, { a: { hostname: 'web-1' } }, 'a', ''],
  ['the short name of a full one', { name: 'web-1' }, { a: { hostname: 'web-1.corp.example' } }, 'a', ''],
  ['the short name of two full ones', { name: 'web-1' }, { a: { hostname: 'web-1.one' }, b: { hostname: 'web-1.two' } }, undefined, ''],
  ['the short name of two, one at the address', { name: 'web-1', ip: '10.0.0.2' },
    { a: { hostname: 'web-1.one' }, b: { hostname: 'web-1.two', ipAddresses: ['10.0.0.2'] } }, 'b', ''],
  ['two full names', { name: 'web-1.one' }, { a: { hostname: 'web-1.two' } }, undefined, ''],
  ['an address of a named machine says nothing of another name', { name: 'web-2', ip: '10.0.0.1' }, { a: { hostname: 'web-1', ipAddresses: ['10.0.0.1'] } }, undefined, ''],
  ['an address known without a name', { name: 'web-2', ip: '10.0.0.1' }, { a: { ipAddresses: ['10.0.0.1'] } }, 'a', ''],
  ['an address known without a name, of another interface', { name: 'web-2', ip: '10.0.0.1', mac: macA }, { a: { ipAddresses: ['10.0.0.1'], macAddresses: [macB] } }, undefined, ''],
  ['an address alone', { ip: '10.0.0.1' }, { a: { hostname: 'web-1', ipAddresses: ['10.0.0.1'] } }, 'a', ''],
  ['an interface', { mac: macA, ip: '10.0.0.9' }, { a: { hostname: 'web-1', macAddresses: [macA] } }, 'a', ''],
  ['an interface under another name: a docking station', { name: 'pc-2', mac: macA }, { a: { hostname: 'pc-1', macAddresses: [macA] } }, undefined, ''],
  ['an interface of containers', { mac: '02:42:ac:11:00:02' }, { a: { hostname: 'web-1', macAddresses: ['02:42:ac:11:00:02'] } }, undefined, ''],
  ['a scan of a renamed machine', { name: 'pc-2', mac: macA, scanner: 's:1' }, { a: { hostname: 'pc-1', macAddresses: [macA] } }, 'a', ''],
  ['a scan by its id, whatever else changed', { name: 'pc-2', mac: macB, scanner: 's:1' }, { a: { hostname: 'pc-1', scanner: 's:1' } }, 'a', ''],
  ['two ids of one scanner', { name: 'pc-1', mac: macA, scanner: 's:2' }, { a: { hostname: 'pc-1', macAddresses: [macA], scanner: 's:1' } }, undefined, ''],
  ['ids of two scanners', { name: 'pc-1', scanner: 't:2' }, { a: { hostname: 'pc-1', scanner: 's:1' } }, 'a', ''],
  ['a scan joins what events saw apart', { name: 'web-1.corp.example', ip: '10.0.0.1', mac: macA, scanner: 's:1' },
    { a: { hostname: 'web-1' }, b: { macAddresses: [macA] }, c: { ipAddresses: ['10.0.0.1'] } }, 'a', 'b c'],
  ['a scan does not join another name', { name: 'web-1', mac: macA, scanner: 's:1' },
    { a: { hostname: 'web-1' }, b: { hostname: 'pc-7', macAddresses: [macA] } }, 'a', ''],
])('%s', ([, seen, known, target, absorbed]) => {
  const resolution = resolveSighting(sight(seen), indexOf(known))
  expect([resolution.target?.id, resolution.absorbed.map(({ id }) => id).join(' ')]).toEqual([target, absorbed])
})

test.for<[address: string, isMachine: boolean]>([
  ['10.0.0.1', true], ['203.0.113.9', true], ['2001:db8::1', true], ['127.0.0.1', false], ['0.0.0.0', false], ['169.254.1.1', false],
  ['224.0.0.1', false], ['255.255.255.255', false], ['::1', false], ['::', false], ['fe80::1', false], ['ff02::1', false], ['x', false],
])('%s may be the address of a machine: %s', ([address, isMachine]) => {
  expect(isMachineAddress(address)).toBe(isMachine)
})

test.for<[mac: string, isUnique: boolean]>([
  [macA, true], ['52:54:00:12:34:56', true], ['01:00:5e:00:00:01', false], ['ff:ff:ff:ff:ff:ff', false], ['00:00:5e:00:01:07', false],
])('%s tells one machine from others: %s', ([mac, isUnique]) => {
  expect(isUniqueMacAddress(mac)).toBe(isUnique)
})

test('the first label of a name', () => {
  expect(['web-1', 'web-1.corp.example'].map(getFirstLabel)).toEqual(['web-1', 'web-1'])
})
