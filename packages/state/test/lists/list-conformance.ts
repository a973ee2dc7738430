import type { Comparison, Filter, ListPlace, SortKey } from '@tripline/model/lists/filter'
import { operatorsByKind } from '@tripline/model/lists/list-fields'
import type { FieldKind, ListField, ListFields } from '@tripline/model/lists/list-fields'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ListSelection } from '../../src/ports/list-query.ts'
import { createMemoryList } from '../../src/ports/memory-list.ts'
import type { StateStore } from '../../src/ports/state-store.ts'
import { channelMessageSample, deliverySample, notificationSample, webhookSample } from './delivery-samples.ts'
import { addresses, tactics, tags, techniques, texts } from './list-sample.ts'
import type { ListSample } from './list-sample.ts'
import {
  alertSample, assetSample, auditSample, directoryUserSample, findingSample, incidentSample, indicatorSample, matchSample,
  playbookRunSample, requestSample, subdomainSample, timelineSample,
} from './list-samples.ts'
import { listSlowly, selectSlowly } from './slow-list.ts'

/** The behaviour of every list of a state store, by pages and as a whole. */
export function describeLists(store: () => StateStore): void {
  describeList(store, alertSample)
  describeList(store, matchSample)
  describeList(store, incidentSample)
  describeList(store, timelineSample)
  describeList(store, playbookRunSample)
  describeList(store, auditSample)
  describeList(store, assetSample)
  describeList(store, findingSample)
  describeList(store, directoryUserSample)
  describeList(store, indicatorSample)
  describeList(store, subdomainSample)
  describeList(store, requestSample)
  describeList(store, webhookSample)
  describeList(store, deliverySample)
  describeList(store, channelMessageSample)
  describeList(store, notificationSample)
}

/** More than all entries that a run adds, one on each page. */
const pagesMax = 40

const parameters = { seed: Number(process.env['TRIPLINE_SEED'] ?? 7), numRuns: 25 }

const someSeeds = fc.array(fc.nat(1_000), { maxLength: 14 })

function describeList<Entry>(store: () => StateStore, sample: ListSample<Entry>): void {
  const { name, of, reader } = sample
  let tenants = 0
  let numbers = 0

  /** A new tenant with the entries of some seeds, and another with entries of its own. */
  const openTenant = async (seeds: readonly number[]): Promise<string> => {
    const [tenant, other] = [`${name} ${++tenants}`, `others of ${name} ${tenants}`]
    for (const id of [tenant, other]) {
      await store().tenants.insert({ id, name: '', isActive: true, settings: {}, version: 1, createdAt: 1, updatedAt: 1 })
    }
    await store().transaction(async (stores) => {
      for (const seed of seeds) await sample.add(stores, tenant, { number: ++numbers, seed })
      for (const seed of seeds.slice(0, 3)) await sample.add(stores, other, { number: ++numbers, seed })
    })
    return tenant
  }
  const readAll = async (tenant: string): Promise<readonly Entry[]> => (await of(store()).list(tenant, { limit: 1_000 })).entries
  /** Adds an entry, or removes some. */
  const change = async (tenant: string, seed: number): Promise<void> => {
    const all = await readAll(tenant)
    const entry = all[seed % Math.max(1, all.length)]
    if (seed % 2 === 0 && entry !== undefined) await sample.remove(store(), tenant, entry)
    else await sample.add(store(), tenant, { number: ++numbers, seed })
  }

  describe(`the list of ${name}`, () => {
    test('has the pages of a slow list and of a list in memory, while entries come and go', async () => {
      const changes = fc.array(fc.nat(1_000), { maxLength: 6 })
      await fc.assert(fc.asyncProperty(someSeeds, someQuery(reader.fields), changes, async (seeds, query, changes) => {
        const tenant = await openTenant(seeds)
        const memory = createMemoryList(readAll, reader)
        let after: ListPlace | undefined
        let pageCount = 0
        do {
          expect(++pageCount, 'pages of a list that ends').toBeLessThanOrEqual(pagesMax)
          const asked = { ...query, ...(after !== undefined && { after, skip: 0 }) }
          const page = await of(store()).list(tenant, asked)
          expect(page).toEqual(listSlowly(await readAll(tenant), reader, asked))
          expect(await memory.list(tenant, asked)).toEqual(page)
          after = page.next
          const seed = changes.pop()
          if (seed !== undefined) await change(tenant, seed)
        } while (after !== undefined)
      }), parameters)
    })

    test('has every entry on one page, whichever way it is paged', async () => {
      await fc.assert(fc.asyncProperty(someSeeds, someQuery(reader.fields), async (seeds, { skip: _skip, ...query }) => {
        const tenant = await openTenant(seeds)
        const whole = selectSlowly(await readAll(tenant), reader, query)
        const byNumber: Entry[] = []
        for (let skip = 0; skip < whole.length; skip += query.limit) {
          byNumber.push(...(await of(store()).list(tenant, { ...query, skip })).entries)
        }
        expect(byNumber).toEqual(whole)
        const byCursor: Entry[] = []
        for (let after: ListPlace | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
          const page = await of(store()).list(tenant, { ...query, ...(after !== undefined && { after }) })
          byCursor.push(...page.entries)
          expect(byCursor.length).toBeLessThanOrEqual(whole.length)
          after = page.next
        }
        expect(byCursor).toEqual(whole)
      }), parameters)
    })

    test('is scanned as it was when the scan began', async () => {
      const changes = fc.array(fc.nat(1_000), { maxLength: 6 })
      const asked = fc.tuple(someSeeds, someQuery(reader.fields), fc.integer({ min: 1, max: 5 }), changes)
      await fc.assert(fc.asyncProperty(asked, async ([seeds, { skip: _skip, limit: _limit, ...selection }, rowsMax, changes]) => {
        const tenant = await openTenant(seeds)
        for (const list of [of(store()), createMemoryList(readAll, reader)]) {
          const before = selectSlowly(await readAll(tenant), reader, selection)
          const seen: Entry[] = []
          for await (const entries of list.scan(tenant, selection, { signal: new AbortController().signal, rowsMax })) {
            expect(entries.length).toBeGreaterThan(0)
            expect(entries.length).toBeLessThanOrEqual(rowsMax)
            seen.push(...entries)
            const seed = changes.pop()
            if (seed !== undefined) await change(tenant, seed)
          }
          expect(seen).toEqual(before)
        }
      }), parameters)
    })

    test('is not scanned further once the signal aborts', async () => {
      const tenant = await openTenant([1, 2, 3, 4, 6])
      const aborting = new AbortController()
      const scan = async () => {
        for await (const _entries of of(store()).scan(tenant, {}, { signal: aborting.signal, rowsMax: 1 })) aborting.abort(new Error('enough'))
      }
      await expect(scan()).rejects.toThrow('enough')
    })
  })
}

const text = fc.constantFrom(...texts, 'WEB', '_', '%', 'b', 'rule1')

const valuesByKind: { readonly [kind in FieldKind]: fc.Arbitrary<string | number> } = {
  text, word: text, level: text, flag: fc.constantFrom(0, 1), ip: fc.constantFrom(...addresses.slice(1)), number: fc.nat(6), instant: fc.nat(24),
  texts: fc.constantFrom(...tags, 'p'), addresses: fc.constantFrom(...addresses.slice(1)), tactic: fc.constantFrom(...tactics, 'exec'),
  technique: fc.constantFrom(...techniques, 'T1'),
}

/** Values of fields by their kind: those that entries have, and others. */
function valuesOf({ kind, words, ranks }: ListField): fc.Arbitrary<string | number> {
  if (ranks !== undefined) return fc.constantFrom(...Object.keys(ranks))
  if (words !== undefined) return fc.constantFrom(...Object.values(words))
  return valuesByKind[kind]
}

/** Comparisons of every field by every operator that its kind takes. */
function someComparison(fields: ListFields): fc.Arbitrary<Comparison> {
  const pairs = Object.entries(fields).flatMap(([field, facts]) => operatorsByKind[facts.kind].map((operator) => ({ field, facts, operator })))
  return fc.constantFrom(...pairs).chain(({ field, facts, operator }): fc.Arbitrary<Comparison> => {
    const value = valuesOf(facts)
    switch (operator) {
      case 'in': case 'nin': return fc.array(value, { maxLength: 3 }).map((value) => ({ field, operator, value }))
      case 'between': return fc.tuple(value, value).map((value) => ({ field, operator, value }))
      case 'exists': return fc.boolean().map((value) => ({ field, operator, value }))
      case 'cidr': return fc.constantFrom('10.0.0.0/16', '2001:db8::/32').map((value) => ({ field, operator, value }))
      default: return value.map((value) => ({ field, operator, value }))
    }
  })
}

function someFilter(fields: ListFields): fc.Arbitrary<Filter> {
  const leaf = someComparison(fields)
  const parts = fc.array(leaf, { minLength: 1, maxLength: 3 })
  return fc.oneof(leaf, parts.map((and): Filter => ({ and })), parts.map((or): Filter => ({ or })), leaf.map((not): Filter => ({ not })))
}

type SomeQuery = ListSelection & { readonly limit: number; readonly skip?: number }

function someQuery(fields: ListFields): fc.Arbitrary<SomeQuery> {
  const sorted = Object.keys(fields).filter((field) => fields[field]?.isSorted === true)
  const key: fc.Arbitrary<SortKey> = fc.record({ field: fc.constantFrom(...sorted), direction: fc.constantFrom('asc', 'desc') })
  return fc.record({
    order: fc.uniqueArray(key, { selector: ({ field }) => field, maxLength: 3 }), limit: fc.integer({ min: 1, max: 6 }),
    where: fc.array(someFilter(fields), { maxLength: 2 }), text: fc.constantFrom('', 'WEB', '_', 'ä', 'm1'), skip: fc.nat(4),
  }, { requiredKeys: ['limit'] })
}
