import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Engine } from '../src/index.ts'
import { compileObjects } from './compile-objects.ts'
import { nearlyFlatEvents } from './flat-events.ts'
import { encodeLines, printMatches } from './compare-push-paths.ts'
import { detectionMatches } from './detection-matches.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_122)

/** The engine and kernel on a platform without WebAssembly. */
type Bare = { readonly Engine: typeof Engine; readonly isAvailable: boolean }
let bare: Bare | undefined

beforeAll(async () => {
  vi.stubGlobal('WebAssembly', undefined)
  vi.resetModules()
  const { Kernel } = await import('../src/kernel/kernel.ts')
  bare = { Engine: (await import('../src/index.ts')).Engine, isAvailable: Kernel.isAvailable }
  vi.unstubAllGlobals()
})

afterAll(() => vi.resetModules())

test(`bytes match like events without WebAssembly, seed ${seed}`, () => {
  if (bare === undefined) throw new Error('the engine was not loaded')
  const { Engine: BareEngine, isAvailable } = bare
  expect(isAvailable).toBe(false)
  const logsources = [{ product: 'windows' }, { category: 'process_creation' }, { product: 'linux' }]
  const { ruleSet } = compileObjects(logsources.flatMap((logsource) => [{ Image: 'who' }, ['who']].map((selection) => (
    { logsource, detection: { selection, condition: 'selection' } }
  ))))
  let matchCount = 0
  fc.assert(fc.property(fc.array(nearlyFlatEvents, { maxLength: 12, size: 'max' }), (batch) => {
    const bytes = encodeLines([...batch.map((event) => JSON.stringify(event)), '{', ' \r', ''])
    const expected = new Engine(ruleSet).pushBytes(bytes)
    const outcome = new BareEngine(ruleSet).pushBytes(bytes)
    expect(printMatches(outcome.matches)).toEqual(printMatches(expected.matches))
    expect(detectionMatches(outcome.matches).map(({ text }) => text)).toEqual(detectionMatches(expected.matches).map(({ text }) => text))
    expect(outcome.malformed).toEqual(expected.malformed)
    expect([outcome.lineCount, outcome.eventCount]).toEqual([expected.lineCount, expected.eventCount])
    matchCount += outcome.matches.length
  }), { seed, numRuns: 200 })
  expect(matchCount).toBeGreaterThan(300)
})
