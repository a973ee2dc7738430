import { parseAddress } from '@tripline/common/address'
import { listWithParents } from '@tripline/common/domain-name'
import { listEnclosingNetworks, normalizeNetwork } from '@tripline/common/network'
import { unknownEnrichment } from '@tripline/model/enrichment/enrichment'
import type { Enrichment } from '@tripline/model/enrichment/enrichment'
import type { Indicator, IndicatorType } from '@tripline/model/enrichment/indicator'
import type { Observables } from '@tripline/model/enrichment/observables'
import { openMemoryState } from '@tripline/state/test/open-memory-state'
import type { IndicatorStore } from '@tripline/state/ports/enrichment/indicator-store'
import type { StateStore } from '@tripline/state/ports/state-store'
import { auditKey, statedAsset, statedIndicator, statedPerson, tenantWith } from '@tripline/state/test/state-samples'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createEnricher } from './enricher.ts'
import type { Enricher, EnrichmentTiming } from './enricher.ts'
import { HitBuffer } from './hit-buffer.ts'

type HitCounter = IndicatorStore['noteHits']

const nothing: Observables = { user: '', host: '', hostAddresses: [], addresses: [], hashes: [], domains: [], urls: [], emails: [] }
const md5 = 'd41d8cd98f00b204e9800998ecf8427e'

let state: StateStore
let measures: EnrichmentTiming[]
let statementCount: number
beforeEach(async () => {
  measures = []
  state = await openMemoryState({ auditKey, onStatement: () => statementCount++ })
  for (const id of ['a', 'b']) await state.tenants.insert(tenantWith({ id }))
  statementCount = 0
})
afterEach(() => state.close())

function enricherWith(answersMax?: number): Enricher {
  let nowMs = 0
  return createEnricher({
    stores: state, elapsedMs: () => (nowMs += 5), onEnriched: (_tenant, measure) => void measures.push(measure),
    ...(answersMax === undefined ? {} : { cacheEntriesMax: answersMax }),
  })
}

describe('user and machine', () => {
  const high = { criticality: 'high', os: 'Debian', ip: '10.0.0.5' }
  const finance = { department: 'finance', is_privileged: true }

  test.for<[title: string, subject: Partial<Observables>, known: Partial<Enrichment>]>([
    ['nobody and nothing', {}, {}],
    ['a user', { user: 'Alice' }, { user_context: finance }],
    ['a user of a domain', { user: 'CORP\\Alice' }, { user_context: finance }],
    ['a user by email', { user: 'alice@example.org' }, { user_context: finance }],
    ['a user of another domain', { user: 'alice@elsewhere.example' }, {}],
    ['a user who is not known', { user: 'bob' }, {}],
    ['a host', { host: 'web-1' }, { asset_context: high }],
    ['a host by its whole name', { host: 'web-1.corp.example' }, { asset_context: high }],
    ['a host that is not known', { host: 'web-2' }, {}],
    ['an address of the machine', { hostAddresses: ['192.0.2.1', '10.0.0.6'] }, { asset_context: high }],
    ['an address that it talked to', { addresses: ['10.0.0.5'] }, {}],
    ['the address that was seen', { host: 'web-1', addresses: ['10.0.0.6'] }, { asset_context: { ...high, ip: '10.0.0.6' } }],
    ['a host that is not known at an address that is', { host: 'web-2', hostAddresses: ['10.0.0.5'] }, { asset_context: high }],
  ])('%s', async ([, subject, known]) => {
    await state.assets.upsert('a', [statedAsset({ os: 'Debian', ipAddresses: ['10.0.0.5', '10.0.0.6'] })], 1)
    await state.directoryUsers.upsert('a', [statedPerson({ isPrivileged: true })], 1)
    const enricher = enricherWith()
    for (const _time of ['looked up', 'remembered']) {
      expect(await enricher.enrich('a', { ...nothing, ...subject }, 50)).toEqual({ ...unknownEnrichment, ...known })
    }
    expect(await enricher.enrich('b', { ...nothing, ...subject }, 50)).toEqual(unknownEnrichment)
  })
})

describe('values', () => {
  test.for<[type: IndicatorType, value: string, subject: Partial<Observables>, score: number]>([
    ['ip', '192.0.2.7', { addresses: ['192.0.2.7'] }, 80],
    ['ip', '192.0.2.7', { addresses: ['192.0.2.8'] }, 0],
    ['cidr', '192.0.2.0/24', { addresses: ['192.0.2.7'] }, 80],
    ['cidr', '192.0.2.0/24', { addresses: ['192.0.3.7'] }, 0],
    ['cidr', '192.0.2.7/32', { addresses: ['192.0.2.7'] }, 80],
    ['cidr', '2001:db8::/32', { addresses: ['2001:db8::1'] }, 80],
    ['cidr', '::/0', { addresses: ['2001:db8::1'] }, 80],
    ['cidr', '::/0', { addresses: ['192.0.2.7'] }, 0],
    ['domain', 'evil.example', { domains: ['evil.example'] }, 80],
    ['domain', 'evil.example', { domains: ['a.b.evil.example'] }, 80],
    ['domain', 'evil.example', { domains: ['notevil.example'] }, 0],
    ['domain', 'a.evil.example', { domains: ['evil.example'] }, 0],
    ['hash', md5, { hashes: [md5] }, 80],
    ['url', 'http://evil.example/a', { urls: ['http://evil.example/a'] }, 80],
    ['url', 'http://evil.example/a', { urls: ['http://evil.example/b'] }, 0],
    ['email', 'mallory@evil.example', { emails: ['mallory@evil.example'] }, 80],
    ['email', 'evil.example@evil.example', { domains: ['evil.example'] }, 0],
  ])('%s %s in %j scores %i', async ([type, value, subject, score]) => {
    await state.indicators.upsert('a', [statedIndicator({ type, value, reputationScore: 80, validFrom: 1 })], 1)
    const { threat_intel } = await enricherWith().enrich('a', { ...nothing, ...subject }, 50)
    expect(threat_intel).toEqual({ known_malicious: score >= 50, reputation_score: score })
  })

  test.for<[scores: number[], malicious: boolean, score: number]>([
    [[49], false, 49],
    [[50], true, 50],
    [[10, 90, 30], true, 90],
    [[0], false, 0],
  ])('%j together are %s and score %i', async ([scores, malicious, score]) => {
    const stated = scores.map((reputationScore, i) => statedIndicator({ source: `${i}`, reputationScore, validFrom: 1 }, `${i}`))
    await state.indicators.upsert('a', stated, 1)
    const { threat_intel } = await enricherWith().enrich('a', { ...nothing, addresses: ['192.0.2.7'] }, 50)
    expect(threat_intel).toEqual({ known_malicious: malicious, reputation_score: score })
  })

  test('hits are counted when flushed', async () => {
    await state.indicators.upsert('a', [statedIndicator({ validFrom: 1, validUntil: 60 })], 1)
    const enricher = enricherWith()
    for (const at of [50, 40, 70]) await enricher.enrich('a', { ...nothing, addresses: ['192.0.2.7'] }, at)
    expect((await state.indicators.get('a', 'i1'))?.hitCount).toBe(0)
    await enricher.flush()
    await enricher.flush()
    expect(await state.indicators.get('a', 'i1')).toMatchObject({ hitCount: 2, lastHitAt: 50 })
  })

  test('hits that could not be written are kept', async () => {
    await state.indicators.upsert('a', [statedIndicator({ validFrom: 1 })], 1)
    await state.indicators.upsert('b', [statedIndicator({ validFrom: 1 })], 1)
    let isBroken = true
    const noteHits: HitCounter = (...hits) => (isBroken ? Promise.reject(new Error('on purpose')) : state.indicators.noteHits(...hits))
    const hits = new HitBuffer({ noteHits })
    for (const tenant of ['a', 'b', 'a']) hits.add(tenant, 'i1', 50)
    await expect(hits.flush()).rejects.toThrow('on purpose')
    isBroken = false
    await hits.flush()
    expect((await state.indicators.get('a', 'i1'))?.hitCount).toBe(2)
    expect((await state.indicators.get('b', 'i1'))?.hitCount).toBe(1)
  })

  test('many hits are flushed automatically', async () => {
    const addresses = Array.from({ length: 1_000 }, (_, i) => `10.0.${i >> 8}.${i & 255}`)
    await state.indicators.upsert('a', addresses.map((value, i) => statedIndicator({ value, validFrom: 1 }, `i${i}`)), 1)
    await enricherWith().enrich('a', { ...nothing, addresses }, 50)
    expect((await state.indicators.get('a', 'i999'))?.hitCount).toBe(1)
  })
})

describe('the lookup cache', () => {
  test('avoids the store, and is measured', async () => {
    const enricher = enricherWith()
    const subject = { ...nothing, user: 'alice', host: 'web-1', addresses: ['192.0.2.7', '192.0.2.8'], domains: ['evil.example'] }
    await enricher.enrich('a', subject, 50)
    const asked = statementCount
    // The user, the host by its name and by those it goes by, and the indicators in one.
    expect(asked).toBe(4)
    await enricher.enrich('a', subject, 50)
    expect(statementCount).toBe(asked)
    expect(measures).toEqual([{ durationMs: 5, hitCount: 0, missCount: 3 }, { durationMs: 5, hitCount: 3, missCount: 0 }])
  })

  test('looks up again after eviction', async () => {
    const enricher = enricherWith()
    await enricher.enrich('a', { ...nothing, user: 'alice' }, 50)
    await state.directoryUsers.upsert('a', [statedPerson({})], 1)
    enricher.invalidate('b')
    expect((await enricher.enrich('a', { ...nothing, user: 'alice' }, 50)).user_context.department).toBe('')
    enricher.invalidate('a')
    expect((await enricher.enrich('a', { ...nothing, user: 'alice' }, 50)).user_context.department).toBe('finance')
  })
})

test('random imports, removals and expiries: cache, lookup and slow search agree, seed 11', async () => {
  const address = fc.oneof(fc.constantFrom('10.0.0.1', '10.0.0.2', '10.1.0.1', '2001:db8::1', '2001:db8:1::1'), fc.ipV4())
  const domain = fc.constantFrom('evil.example', 'a.evil.example', 'b.a.evil.example', 'good.example')
  const network = fc.tuple(address, fc.nat(128)).map(([base, length]) => normalizeNetwork(`${base}/${length}`) ?? '10.0.0.0/8')
  const value = fc.oneof(
    fc.record({ type: fc.constant('ip' as const), value: address }),
    fc.record({ type: fc.constant('cidr' as const), value: network }),
    fc.record({ type: fc.constant('domain' as const), value: domain }),
  )
  const span = fc.record({ validFrom: fc.nat(50), validUntil: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }), reputationScore: fc.nat(100) })
  const step = fc.oneof(
    fc.record({ kind: fc.constant('import' as const), stated: fc.array(fc.tuple(value, span), { minLength: 1, maxLength: 4 }) }),
    fc.record({ kind: fc.constant('remove' as const), which: fc.nat(20) }),
    fc.record({
      kind: fc.constant('enrich' as const), at: fc.nat(120),
      addresses: fc.uniqueArray(address, { maxLength: 3 }), domains: fc.uniqueArray(domain, { maxLength: 2 }),
    }),
  )
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), fc.constantFrom(1, 3, 1_000), async (steps, answersMax) => {
      const tenant = `run ${run++}`
      await state.tenants.insert(tenantWith({ id: tenant }))
      const [remembering, forgetful] = [enricherWith(answersMax), enricherWith(0)]
      let number = 0
      for (const step of steps) {
        const { entries: known } = await state.indicators.list(tenant, { limit: 1_000 })
        if (step.kind === 'enrich') {
          const subject = { ...nothing, addresses: step.addresses, domains: step.domains }
          const expected = { ...unknownEnrichment, threat_intel: threatSlowly(known, subject, step.at) }
          expect(await remembering.enrich(tenant, subject, step.at)).toEqual(expected)
          expect(await forgetful.enrich(tenant, subject, step.at)).toEqual(expected)
          continue
        }
        if (step.kind === 'import') {
          await state.indicators.upsert(tenant, step.stated.map(([what, when]) => ({ id: `i${number++}`, facts: { ...what, ...when, source: 'feed' } })), 1)
        } else {
          await state.indicators.remove(tenant, known[step.which]?.id ?? 'none')
        }
        remembering.invalidate(tenant)
      }
    }),
    { seed: 11, numRuns: 60 },
  )
})

/** Looks at every indicator, and at no index. */
function threatSlowly(indicators: readonly Indicator[], { addresses, domains }: Observables, at: number): Enrichment['threat_intel'] {
  const named = indicators.filter(({ type, value, validFrom, validUntil = Number.MAX_SAFE_INTEGER }) => {
    const isNamed =
      (type === 'ip' && addresses.includes(value)) ||
      (type === 'cidr' && addresses.some((address) => listEnclosingNetworks(parseAddress(address) ?? new Uint8Array()).includes(value))) ||
      (type === 'domain' && domains.some((domain) => listWithParents(domain).includes(value)))
    return isNamed && validFrom <= at && at < validUntil
  })
  const score = Math.max(0, ...named.map(({ reputationScore }) => reputationScore))
  return { known_malicious: score >= 50, reputation_score: score }
}
