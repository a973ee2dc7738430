import { WorkBudget } from '@tripline/engine'
import type { RuleTransform } from '@tripline/engine'
import { describe, expect, test } from 'vitest'
import { compileBuiltinRules } from './builtin-rules.ts'
import { loadTenantRules } from './load-tenant-rules.ts'
import { rewriteBuiltinRules } from './rewrite-builtin-rules.ts'
import type { RuleRewriting } from './rewriting.ts'

const id = (number: number): string => `0198f1c0-7a10-4c3e-9b1e-2f6a3a1f${String(number).padStart(4, '0')}`
const ruleText = (number: number, field: string): string => `title: Rule ${number}
id: ${id(number)}
name: rule_${number}
logsource: { category: process_creation }
detection: { s: { ${field}: a }, condition: s }
`
const correlationText = `title: Many
id: ${id(900)}
correlation: { type: event_count, rules: [rule_1], timespan: 1m, condition: { gte: 2 } }
`
const aggregationText = `title: Old
id: ${id(901)}
logsource: { category: process_creation }
detection: { s: { User: a }, timeframe: 1m, condition: s | count() > 5 }
`
const groupedText = correlationText.replace('Many', 'Many of a user').replace(id(900), id(902)).replace('timespan', 'group-by: [User], timespan')
const oldGroupedText = aggregationText.replace('Old', 'Old of a user').replace(id(901), id(903)).replace('User: a', 'Image: a').replace('count()', 'count() by User')
const texts = [...Array.from({ length: 100 }, (_, i) => ruleText(i + 1, i % 2 === 0 ? 'User' : 'Image')), correlationText, aggregationText, groupedText, oldGroupedText]
const library = compileBuiltinRules(texts.map((text, i) => ({ path: `${i}.yml`, text })), 0)

/** Gives every field `User` another name, and refuses rules of a title. */
function renaming(refused = 'none'): RuleRewriting {
  const detection: RuleTransform['detection'] = (rule) => {
    if (rule.title === refused) return { problem: 'not here' }
    const selections = Array.from(rule.detection.selections, ([name, selection]) => {
      const { body } = selection
      if (body.kind !== 'all') throw new Error(`a selection is ${body.kind}`)
      const of = body.of.map((item) => item.kind === 'item' && item.field === 'User' ? { ...item, field: 'actor' } : item)
      return [name, { ...selection, body: { ...body, of } }] as const
    })
    return { rule: { ...rule, detection: { ...rule.detection, selections: new Map(selections) } } }
  }
  const correlation: RuleTransform['correlation'] = (rule) => {
    if (rule.title === refused) return { problem: 'not here' }
    const groupBy = rule.correlation.groupBy.map((field) => field === 'User' ? 'actor' : field)
    return { rule: { ...rule, correlation: { ...rule.correlation, groupBy } } }
  }
  return { texts: ['renaming'], placeholders: {}, createTransform: () => ({ detection, correlation }) }
}

async function rewrite(rewriting = renaming(), budget = new WorkBudget(Infinity)) {
  let turnCount = 0
  const othersFirst = async (): Promise<void> => void turnCount++
  const rewritten = await rewriteBuiltinRules(library, { rewriting, budget, othersFirst })
  return { rewritten, turnCount }
}

describe('rules that came with the server, under pipelines', () => {
  test('share what comes out as it was', async () => {
    const { rewritten } = await rewrite()
    const changed = [...rewritten.rules].filter(([key, loaded]) => loaded !== library.rules.get(key)).map(([, { rule }]) => rule.title)
    expect(changed).toHaveLength(53)
    expect(changed).toEqual(expect.arrayContaining(['Old', 'Old of a user', 'Many of a user']))
    expect(changed).not.toContain('Many')
    const groups = new Map(rewritten.running.correlations.map(({ title, members }) => [title, members[0]?.groupFields]))
    expect(groups.get('Many of a user')).toEqual(['actor'])
    expect(groups.get('Old of a user')).toEqual(['actor'])
    expect(rewritten.running.rules.map(({ id: key }) => key)).toEqual(library.running.rules.map(({ id: key }) => key))
    expect(rewritten.running.get(id(2))).toBe(library.running.get(id(2)))
    expect(rewritten.running.get(id(1))?.predicate).not.toEqual(library.running.get(id(1))?.predicate)
    expect(rewritten.all.get(id(1))).toBe(rewritten.running.get(id(1)))
    expect(rewritten.rules.get(id(1))?.rule).toEqual(library.rules.get(id(1))?.rule)
  })

  test('are compiled in steps between which others have their turn', async () => {
    expect((await rewrite()).turnCount).toBeGreaterThanOrEqual(4)
  })

  test('are listed with the reason where they are refused, and what refers to them stays', async () => {
    const { rewritten } = await rewrite(renaming('Rule 1'))
    expect(rewritten.rules.get(id(1))).toMatchObject({ parts: [], problem: 'not here', rule: { title: 'Rule 1' } })
    expect(rewritten.running.get(id(1))).toBeUndefined()
    expect(rewritten.running.correlations.map(({ title }) => title)).toContain('Many')
  })

  test('and correlations are, too', async () => {
    const { rewritten } = await rewrite(renaming('Many'))
    expect(rewritten.rules.get(id(900))).toMatchObject({ parts: [], problem: 'not here' })
    expect(rewritten.running.correlations.map(({ title }) => title)).not.toContain('Many')
  })

  test('end where the budget does', async () => {
    const budget = new WorkBudget(1_000)
    const { turnCount } = await rewrite(renaming(), budget)
    expect(budget.isExceeded).toBe(true)
    expect(turnCount).toBeLessThan(10)
  })
})

describe('rules of a tenant, under pipelines', () => {
  const state = { isEnabled: true, lifecycle: 'published', version: 1, exceptions: [], createdAt: 0, updatedAt: 0 } as const
  const stored = (number: number, definition: string, more: object = {}) => {
    return { ...library.rules.get(id(1))!.rule, ...state, id: id(number), origin: 'custom' as const, definition, ...more }
  }
  const load = async (rules: readonly ReturnType<typeof stored>[], budget = new WorkBudget(Infinity)) => {
    const { rewritten } = await rewrite(renaming('Refused'))
    return loadTenantRules(rewritten, rules, { nowMs: 0, budget, othersFirst: async () => {} })
  }

  test('are rewritten too, with correlations over them, and listed where they are refused', async () => {
    const many = groupedText.replace(id(902), id(912)).replace('rule_1', 'rule_910')
    const book = await load([
      stored(910, ruleText(910, 'User')), stored(911, ruleText(911, 'User').replace('Rule 911', 'Refused')), stored(912, many),
      // The word alone makes no correlation of it.
      stored(913, `${ruleText(913, 'User')}description: no correlation\n`),
    ])
    const fieldOf = (number: number) => JSON.stringify(book.running.get(id(number))?.predicate)
    expect(fieldOf(910)).toContain('actor')
    expect(fieldOf(913)).toContain('actor')
    expect(book.get(id(911))).toMatchObject({ parts: [], problem: 'not here' })
    expect(book.get(id(912))).toMatchObject({ problem: undefined, parts: [{ members: [{ ruleId: id(910), groupFields: ['actor'] }] }] })
  })

  test('keep the switches of rules that came with the server and are refused', async () => {
    const { rewritten } = await rewrite(renaming('Rule 1'))
    const switched = { ...stored(1, ''), origin: 'builtin' as const, isEnabled: false, version: 4 }
    const book = await loadTenantRules(rewritten, [switched], { nowMs: 0, budget: new WorkBudget(Infinity), othersFirst: async () => {} })
    expect(book.get(id(1))).toMatchObject({ problem: 'not here', rule: { isEnabled: false, version: 4 } })
  })
})
