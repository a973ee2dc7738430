import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Engine, compileRules } from '@tripline/engine'
import type { EventOptions, RuleSource } from '@tripline/engine'
import { expect, test } from 'vitest'
import { matchChunk, openPool } from '../src/index.ts'
import type { ChunkOutcome, MatchDetails } from '../src/index.ts'

// Real workers with our own rules, compared with one engine in this thread.

const fixtures = fileURLToPath(new URL('../../../fixtures/', import.meta.url))
const ruleSources = readAll('rules', '.yml')
const eventText = readAll('events', '.ndjson').map(({ text }) => text).join('')
const compile = { placeholders: JSON.parse(readFileSync(`${fixtures}placeholders.json`, 'utf8')) }

function readAll(folder: string, ending: string): RuleSource[] {
  const names = readdirSync(fixtures + folder, { recursive: true, encoding: 'utf8' }).toSorted()
  return names.filter((name) => name.endsWith(ending))
    .map((path) => ({ path, text: readFileSync(`${fixtures}${folder}/${path}`, 'utf8') }))
}

/** Chunks of some lines each, so that every worker gets several. */
function splitChunks(text: string, lineCount: number): Uint8Array[] {
  const lines = text.split(/(?<=\n)/)
  return Array.from({ length: Math.ceil(lines.length / lineCount) }, (_, index) => {
    return new Uint8Array(Buffer.from(lines.slice(index * lineCount, (index + 1) * lineCount).join('')))
  })
}

type Asked = {
  readonly include?: MatchDetails
  readonly events?: EventOptions
  readonly text?: string
  readonly lineCount?: number
}

/** The outcomes and counts of a pool, and those of one engine. */
async function bothAnswers(jobs: number, { include = {}, events = {}, text = eventText, lineCount = 20 }: Asked) {
  const { ruleSet } = compileRules(ruleSources, compile)
  const engine = new Engine(ruleSet, events)
  const outcomes = splitChunks(text, lineCount).map((bytes) => matchChunk(engine, bytes, include, events))
  // Matches are held back in the one engine that sees all of them, never in a pool.
  const { suppressed, invalid, ...counts } = engine.counts
  expect([suppressed, invalid]).toEqual([0, 0])
  const expected = { outcomes, counts }
  const pool = await openPool({ ruleSet, events, jobs, include })
  try {
    const pending: Promise<ChunkOutcome>[] = []
    for (const bytes of splitChunks(text, lineCount)) {
      await pool.waitForCapacity()
      pending.push(pool.push(bytes).then(({ matchMs, ...outcome }) => {
        expect(matchMs).toBeGreaterThanOrEqual(0)
        return outcome
      }))
    }
    return { expected, answered: { outcomes: await Promise.all(pending), counts: pool.counts } }
  } finally {
    await pool.close()
  }
}

const everything = { conditions: true, text: true, explanation: true }

test.for<[title: string, jobs: number, asked: Asked]>([
  ['one worker', 1, {}],
  ['two workers', 2, {}],
  ['three workers with everything asked for', 3, { include: everything }],
  ['two workers that try every rule on unknown events', 2, { events: { lenient: true }, include: { conditions: true } }],
  ['two workers that take events as they are', 2, { events: { taxonomy: 'none', lenient: true } }],
  ['two workers, a line each time', 2, { lineCount: 1, include: { text: true } }],
  ['lines that hold no event', 2, { text: `\n[]\n${eventText}nonsense\n\n${eventText}{` }],
])('%s answer as one engine does', async ([, jobs, asked]) => {
  const { expected, answered } = await bothAnswers(jobs, asked)
  expect(expected.counts.matches).toBeGreaterThan(0)
  expect(answered).toEqual(expected)
})

test('only what is asked for crosses the threads', async () => {
  const keysOf = async (include: MatchDetails): Promise<string[]> => {
    const { answered } = await bothAnswers(1, { include })
    return Object.keys(answered.outcomes.flatMap(({ matches }) => matches)[0] ?? {})
  }
  expect(await keysOf({})).toEqual(['row', 'rule'])
  expect(await keysOf({ text: true })).toEqual(['row', 'rule', 'text'])
  expect(await keysOf(everything)).toEqual(['row', 'rule', 'conditions', 'text', 'explanation'])
})

test('bytes in shared memory are matched', async () => {
  const bytes = Buffer.from(eventText)
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
  shared.set(bytes)
  const pool = await openPool({ ruleSet: compileRules(ruleSources, compile).ruleSet, jobs: 1 })
  const { matches } = await pool.push(shared)
  expect(matches).toEqual((await pool.push(new Uint8Array(bytes))).matches)
  expect(matches).not.toEqual([])
  await pool.close()
})
