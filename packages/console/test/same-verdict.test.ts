import type { CompileContextBody } from '@tripline/contract/console/rules/rule-authoring'
import type { ChangedRulePipelineBody } from '@tripline/contract/console/rules/rule-pipeline'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkRule } from '../src/workbench/check-rule.ts'
import { lacksBrowser, openConsole } from './open-console.ts'
import type { Console } from './open-console.ts'

const fixtures = join(import.meta.dirname, '..', '..', '..', 'fixtures')
const read = (path: string): string => readFileSync(join(fixtures, path), 'utf8')

/** Events of every product, as many as the page tries at once. */
const lines = globSync('events/*.ndjson', { cwd: fixtures }).sort().flatMap((path) => read(path).trim().split('\n').slice(0, 12))
const events = lines.map((line) => JSON.parse(line) as object)
const paths = [
  ...globSync('rules/*.yml', { cwd: fixtures }).filter((path) => !path.includes('.test.')).sort(),
  ...globSync('streams/**/*.yml', { cwd: fixtures }).sort(),
]

type Answer = { readonly results: readonly { readonly matched: boolean; readonly matched_conditions: readonly string[]; readonly explain: unknown }[] }

const other = 'title: Other\nlevel: low\nlogsource: { product: windows }\ndetection: { selection: { Image: none }, condition: selection }\n'

describe.skipIf(lacksBrowser)('the worker of the page and the server', () => {
  let world: Console
  let comparedCount = 0
  beforeAll(async () => {
    world = await openConsole({ other })
  })
  afterAll(async () => await world?.close())

  /** The answer of the server; undefined for a text that it refuses. */
  async function ask(definition: string, tried: readonly object[] = events): Promise<Answer | undefined> {
    try {
      return await world.call<Answer>('/v1/detection/rules/new/test', { method: 'POST', body: { events: tried, definition, explain: true } })
    } catch (error) {
      expect(String(error)).toMatch(/answered 400/)
      return undefined
    }
  }

  test.for(paths)('agree about %s', async (path) => {
    const text = read(path)
    const answer = await ask(text)
    const request = { text, filters: [], pipelines: [], rules: [], events: lines.join('\n') }
    const check = checkRule({ ...request, shown: 0 })
    const found = check.results.map(({ isMatch, conditions }) => ({ isMatch, conditions }))
    expect(found).toEqual(answer?.results.map(({ matched, matched_conditions: conditions }) => ({ isMatch: matched, conditions })) ?? [])
    comparedCount += found.length
    for (const shown of [0, found.findIndex(({ isMatch }) => isMatch)]) {
      if (shown < 0 || answer === undefined) continue
      expect(checkRule({ ...request, shown }).explanation).toEqual(answer.results[shown]?.explain)
    }
  })

  test.for<[title: string, value: string, matched: readonly boolean[] | undefined]>([
    ['that have values', '%admins%', [true, false, true]],
    ['within a text', 'a%admins%', [false, true, false]],
    ['that have none', '%others%', undefined],
  ])('agree about placeholders %s, which a pipeline replaces', async ([, value, matched]) => {
    const pipelines = '/v1/detection/rule-pipelines'
    const body = { name: value, text: `vars: { admins: [root, 0] }\ntransformations: [{ type: value_placeholders, include: [admins] }]\n` }
    const { pipeline } = await world.call<ChangedRulePipelineBody>(pipelines, { method: 'POST', body })
    const context = await world.call<CompileContextBody>('/v1/detection/compile-context')
    expect(context.placeholders).toEqual({ admins: ['root', '0'] })
    const text = `title: Placeholders\nlevel: low\nlogsource: { product: app }\ndetection: { s: { User|expand: "${value}" }, condition: s }\n`
    const users = ['root', 'aroot', '0'].map((User) => ({ _logsource: { product: 'app' }, User }))
    const answer = await ask(text, users)
    const check = checkRule({ ...context, text, rules: [], events: JSON.stringify(users), shown: 0 })
    expect(answer?.results.map(({ matched: isMatch }) => isMatch)).toEqual(matched)
    expect(check.results.map(({ isMatch }) => isMatch)).toEqual(matched ?? [])
    expect(check.explanation).toEqual(answer?.results[0]?.explain)
    await world.call(`${pipelines}/${pipeline.id}`, { method: 'DELETE' })
  })

  test('were compared on many events', () => {
    expect(comparedCount).toBeGreaterThan(2_000)
  })
})
