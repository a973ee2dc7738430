import { expect, test } from 'vitest'
import type { RuleMatch } from '../domain/match.ts'
import { memoryMatches } from './memory-matches.ts'
import type { MatchQuery, MatchStore } from './store.ts'

const everything: MatchQuery = { ruleId: 'r', from: undefined, to: undefined, order: 'newest_first', page: 1, size: 10 }

/** A match as `rule:id@time`. */
function matchOf(text: string): RuleMatch {
  const [, ruleId = '', id = '', at = ''] = /^(\w+):(\w+)@(\d+)$/.exec(text) ?? []
  const event = { processName: '', commandLine: '', user: '', host: '', statedTime: '' }
  return { id, ruleId, matchedAt: Number(at), event, verdict: 'unreviewed', reviewedBy: undefined, reviewedAt: undefined }
}

async function storeOf(tenant: string, matches: string): Promise<MatchStore> {
  const store = memoryMatches({ perRuleMax: 4, perTenantMax: 6 })
  for (const match of matches.split(' ')) await store.insert(tenant, [matchOf(match)])
  return store
}

test.for<[title: string, matches: string, query: Partial<MatchQuery>, answer: string]>([
  ['newest first', 'r:a@1 r:c@3 r:b@2', {}, 'c b a of 3'],
  ['oldest first', 'r:a@1 r:c@3 r:b@2', { order: 'oldest_first' }, 'a b c of 3'],
  ['equal times by id', 'r:b@1 r:a@1', { order: 'oldest_first' }, 'a b of 2'],
  ['the matches of one rule', 'r:a@1 s:b@2', {}, 'a of 1'],
  ['a rule without matches', 'r:a@1', { ruleId: 's' }, ' of 0'],
  ['from a time on, before another', 'r:a@1 r:b@2 r:c@3', { from: 2, to: 3 }, 'b of 1'],
  ['a page', 'r:a@1 r:b@2 r:c@3', { page: 2, size: 2 }, 'a of 3'],
  ['a page beyond the end', 'r:a@1', { page: 9 }, ' of 1'],
  ['a match that is handed over again', 'r:a@1 r:a@1', {}, 'a of 1'],
  ['the newest of too many of a rule', 'r:a@1 r:b@2 r:c@3 r:d@4 r:e@5', {}, 'e d c b of 4, some dropped'],
  ['the newest of too many of a tenant', 'r:a@1 r:b@2 s:c@3 s:d@4 t:e@5 t:f@6 t:g@7', {}, 'b of 1, some dropped'],
  ['a rule that kept all while another did not', 'r:a@1 s:b@1 s:c@2 s:d@3 s:e@4 s:f@5', {}, 'a of 1'],
])('%s', async ([, matches, query, answer]) => {
  const page = await (await storeOf('t', matches)).list('t', { ...everything, ...query })
  const ids = page.matches.map(({ id }) => id).join(' ')
  expect(`${ids} of ${page.total}${page.isIncomplete ? ', some dropped' : ''}`).toBe(answer)
})

test('a tenant does not see the matches of another', async () => {
  const store = await storeOf('t', 'r:a@1')
  expect(await store.list('u', everything)).toEqual({ matches: [], total: 0, isIncomplete: false })
  await store.insert('u', [matchOf('r:a@2')])
  expect((await store.list('t', everything)).matches).toMatchObject([{ matchedAt: 1 }])
})
