import { buildRule } from '@tripline/model/rule'
import type { Rule } from '@tripline/model/rule'
import { describe, expect, test } from 'vitest'
import { compileBuiltinRules } from './builtin-rules.ts'
import { loadRule } from './load-rule.ts'
import { RuleLoader, RuleRegistry } from './rule-registry.ts'
import type { RuleLoaderOptions, TenantRulesUpdate, RuleRegistryOptions } from './rule-registry.ts'
import type { TenantRules } from './tenant-rules.ts'

const id = '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'
const library = compileBuiltinRules([{ path: 'a.yml', text: `title: Dir
id: ${id}
logsource: { category: process_creation }
detection: { s: { Image: a }, condition: s }
` }], 0)

/** The swaps and writes, in order. */
function createWorld(options: Partial<RuleLoaderOptions & RuleRegistryOptions> = {}) {
  const log: string[] = []
  let offset = 0
  const loader = new RuleLoader({ library, loadStoredRules: async () => [], now: () => 0, onBroken: () => {}, ...options })
  const books = new RuleRegistry({
    loader,
    prepareRules: async () => {},
    useRules: async (tenant, { ruleSet, versions }, store) => {
      await store()
      log.push(`${tenant} runs ${ruleSet.rules.map((rule) => `${rule.title} ${versions.get(rule.id) ?? 1}`).join()}`)
      return { effectiveFromOffset: offset++ }
    },
    now: () => 0,
    ...options,
  })
  const workOf = (change: Partial<Rule>, store: () => Promise<void> = async () => void log.push(`stored ${JSON.stringify(change)}`)): TenantRulesUpdate => async (book) => {
    return { book: withRule(book, change), store }
  }
  return { books, log, workOf }
}

function withRule(book: TenantRules, change: Partial<Rule>): TenantRules {
  const { rule } = book.get(id)!
  const definition = rule.definition.replace(/^title: .*/, `title: ${change.title ?? rule.title}`)
  const origin = definition === library.rules.get(id)!.rule.definition ? 'builtin' : 'modified'
  const next = { ...rule, ...change, definition, origin, version: rule.version + 1 } as const
  return book.withChange({ put: [loadRule(next, { library, among: book.all, nowMs: 0 })] })
}

describe('a change', () => {
  test('is stored while the stream swaps to other rules', async () => {
    const { books, log, workOf } = createWorld()
    expect(await books.change('a', workOf({ title: 'List' }))).toEqual({ effectiveFromOffset: 0 })
    expect(await books.change('a', workOf({ isEnabled: false }))).toEqual({ effectiveFromOffset: 1 })
    // No part of a disabled rule runs.
    expect(await books.change('a', workOf({ title: 'Tree' }))).toEqual({ effectiveFromOffset: undefined })
    expect(await books.change('a', async (book) => ({ book }))).toEqual({ effectiveFromOffset: undefined })
    expect(log).toEqual(['stored {"title":"List"}', 'a runs List 2', 'stored {"isEnabled":false}', 'a runs ', 'stored {"title":"Tree"}'])
    expect((await books.get('a')).get(id)?.rule).toMatchObject({ title: 'Tree', isEnabled: false, version: 4 })
    expect((await books.get('b')).get(id)?.rule).toMatchObject({ title: 'Dir', isEnabled: true, version: 1 })
  })

  test.for<[title: string, change: Partial<Rule>]>([
    ['of what runs', { title: 'List' }],
    ['of what does not', { lifecycle: 'draft', isEnabled: false }],
  ])('%s that cannot be stored has no effect, and the next one runs', async ([, change]) => {
    const { books, log, workOf } = createWorld()
    const before = await books.get('a')
    await expect(books.change('a', workOf(change, () => Promise.reject(new Error('the disk is full'))))).rejects.toThrow('the disk is full')
    expect(await books.get('a')).toBe(before)
    expect(log).toEqual([])
    expect(await books.change('a', workOf(change))).toEqual({ effectiveFromOffset: 0 })
  })

  test('is prepared before the stream swaps to it', async () => {
    const prepared: string[] = []
    const { books, log, workOf } = createWorld({
      prepareRules: async (tenant, { rules }) => void prepared.push(`${tenant} ${rules.map(({ title }) => title).join()} after ${log.length}`),
    })
    await books.change('a', workOf({ title: 'List' }))
    await books.change('a', async (book) => ({ book }))
    expect(prepared).toEqual(['a List after 0'])
    expect(log).toHaveLength(2)
  })

  test('that the stream rejects has no effect', async () => {
    const { books, log, workOf } = createWorld({ useRules: () => Promise.reject(new Error('the pipeline is closed')) })
    const before = await books.get('a')
    await expect(books.change('a', workOf({ title: 'List' }))).rejects.toThrow('the pipeline is closed')
    expect([await books.get('a'), log]).toEqual([before, []])
  })

  test('waits for the one before, of its tenant only', async () => {
    const { books, log, workOf } = createWorld()
    const gate = Promise.withResolvers<undefined>()
    const first = books.change('a', workOf({ title: 'First' }, () => gate.promise))
    const second = books.change('a', workOf({ title: 'Second' }))
    await books.change('b', workOf({ title: 'Other' }))
    expect(log).toEqual(['stored {"title":"Other"}', 'b runs Other 2'])
    gate.resolve(undefined)
    await Promise.all([first, second])
    expect(log.slice(2)).toEqual(['a runs First 2', 'stored {"title":"Second"}', 'a runs Second 3'])
  })
})

test('a failed load is retried by the next call', async () => {
  const answers = [Promise.reject<Rule[]>(new Error('busy')), Promise.resolve<Rule[]>([])]
  const { books } = createWorld({ loadStoredRules: () => answers.shift()! })
  await expect(books.get('a')).rejects.toThrow('busy')
  expect((await books.get('a')).rules).toHaveLength(1)
  expect(await books.get('a')).toBe(await books.get('a'))
})

test('a stored rule that does not compile is reported, and the others run', async () => {
  const { rule } = library.rules.get(id)!
  const [part] = library.rules.get(id)!.parts
  const spoiled = buildRule(part!, { ...rule, definition: 'title: Spoiled', origin: 'custom' })
  const broken: (string | undefined)[] = []
  const { books } = createWorld({
    loadStoredRules: async () => [{ ...spoiled, id: '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0002' }],
    onBroken: (_, rules) => broken.push(...rules.map(({ problem }) => problem)),
  })
  expect((await books.get('a')).running.rules.map((running) => running.id)).toEqual([id])
  expect(broken).toEqual([expect.stringContaining('logsource')])
})

describe('rules of the server with one id', () => {
  const dir = library.rules.get(id)!.rule.definition
  const { rules, running, all } = compileBuiltinRules([
    { path: 'a/dir.yml', text: dir }, { path: 'b/dir.yml', text: dir }, { path: 'b/list.yml', text: dir.replace('Dir', 'List') },
  ], 0)

  test('a copy is one rule, a different one has an id of its own', () => {
    expect(running.rules.map((rule) => rule.title)).toEqual(['Dir', 'List'])
    expect(all.rules).toHaveLength(2)
    expect(Array.from(rules.values(), ({ rule }) => rule.title)).toEqual(['Dir', 'List'])
  })

  test('the text of the different one states its id, so that it can be edited', () => {
    const list = Array.from(rules.values(), ({ rule }) => rule).find(({ title }) => title === 'List')!
    expect(list.id).not.toBe(id)
    expect(list.definition).toBe(dir.replace('Dir', 'List').replace(id, list.id))
    const { parts } = loadRule({ ...list, origin: 'modified' }, { library, among: library.all, nowMs: 0 })
    expect(parts.map((part) => part.id)).toEqual([list.id])
  })
})
