import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Engine, SavedRuleSetError, compileRules, explain, loadRuleSet, saveRuleSet } from '../src/index.ts'
import type { EventObject, Match, RuleSet } from '../src/index.ts'
import { headLength, magic, nodeKinds } from '../src/saved/saved-body.ts'
import { xxhash32 } from '../src/saved/xxhash32.ts'
import { compileObjects } from './compile-objects.ts'
import { encodeLines } from './compare-push-paths.ts'
import { correlations, ruleObjects, streams } from './generate/generate-correlations.ts'
import { placeholders } from './generate/generate-items.ts'
import { events, rules } from './generate/generate.ts'
import { getThreadCpuMs } from './processor-time.ts'
import { fixtureNames, readFixture, readFixtureEvents, readFixtureJson } from './read-fixtures.ts'
import { eachSharedLine, testWithShared } from './read-shared-data.ts'
import { activeFolders, sigmaRules, sigmaRulesFile } from './sigma-rules.ts'

// A rule set that was saved and loaded is the one that was compiled.

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_123)

function saveAndLoad(ruleSet: RuleSet): Promise<RuleSet> {
  return loadRuleSet(saveRuleSet(ruleSet))
}

let sigma: { readonly ruleSet: RuleSet; readonly compileMs: number } | undefined

/** The active rules of SigmaHQ, compiled once. */
function compileSigma(): { readonly ruleSet: RuleSet; readonly compileMs: number } {
  if (sigma !== undefined) return sigma
  const sources = sigmaRules(activeFolders)
  const start = getThreadCpuMs()
  const { ruleSet } = compileRules(sources)
  return (sigma = { ruleSet, compileMs: getThreadCpuMs() - start })
}

/** What a rule set consists of, without the detections as they were written. */
function listParts({ rules, correlations, filters }: RuleSet): object {
  const heads = rules.map(({ id, name, title, level, logsource, path, predicate, rule }) => {
    const attributes = Object.fromEntries(Object.entries(rule).filter(([attribute]) => attribute !== 'detection'))
    return { id, name, title, level, logsource, path, predicate, attributes }
  })
  return { rules: heads, correlations, filters }
}

function matchAll(ruleSet: RuleSet, batch: readonly EventObject[], options: ConstructorParameters<typeof Engine>[1] = {}): Match[] {
  const engine = new Engine(ruleSet, options)
  return [...engine.push(batch), ...engine.finish()]
}

/** What a log shows of matches, with the conditions that made them. */
function print(matches: readonly Match[]): string[] {
  return matches.map((match) => JSON.stringify(match))
}

describe(`saved and loaded, seed ${seed}`, () => {
  test('a copy of a rule matches under another id, once it has the predicate', async () => {
    const { ruleSet } = compileRules('title: T\nlogsource: {category: test}\ndetection: {s: {a: x}, condition: s}\n')
    const [compiled] = ruleSet.rules
    const { rules: [loaded] } = await saveAndLoad(ruleSet)
    for (const rule of [{ ...compiled!, id: 'other' }, { ...loaded!, predicate: loaded!.predicate, id: 'other' }]) {
      const matches = matchAll(ruleSet.applyChange({ put: [rule] }), [{ _logsource: { category: 'test' }, a: 'x' }])
      expect(matches.map((match) => match.rule.id)).toEqual([compiled!.id, 'other'])
    }
    expect(() => ruleSet.applyChange({ put: [{ ...loaded!, id: 'other' }] }))
      .toThrow('the rule other has no predicate; copy a loaded rule as { ...rule, predicate: rule.predicate }')
  })

  test('random rules are the same and match the same events', async () => {
    let matchCount = 0
    await fc.assert(fc.asyncProperty(fc.array(rules, { minLength: 1, maxLength: 6 }), fc.array(events, { minLength: 1, maxLength: 6 }), async (objects, batch) => {
      const { ruleSet } = compileObjects(objects, { placeholders })
      const loaded = await saveAndLoad(ruleSet)
      expect(listParts(loaded)).toEqual(listParts(ruleSet))
      const options = { taxonomy: 'none', lenient: true } as const
      const expected = matchAll(ruleSet, batch, options)
      matchCount += expected.length
      expect(print(matchAll(loaded, batch, options))).toEqual(print(expected))
      for (const [number, rule] of loaded.rules.entries()) {
        expect(explain(rule, batch[0]!, options)).toEqual(explain(ruleSet.rules[number]!, batch[0]!, options))
      }
    }), { seed, numRuns: 400 })
    expect(matchCount).toBeGreaterThan(400)
  })

  test('random correlations are the same and fire at the same events', async () => {
    let matchCount = 0
    await fc.assert(fc.asyncProperty(correlations, streams, async (correlated, stream) => {
      const { ruleSet } = compileObjects(ruleObjects(correlated))
      const loaded = await saveAndLoad(ruleSet)
      expect(listParts(loaded)).toEqual(listParts(ruleSet))
      const batch = stream.map(({ at, fields }) => ({ _logsource: { category: 'test' }, '@timestamp': new Date(Date.UTC(2026, 0, 5) + at).toISOString(), ...fields }))
      const expected = matchAll(ruleSet, batch)
      matchCount += expected.length
      expect(print(matchAll(loaded, batch))).toEqual(print(expected))
    }), { seed, numRuns: 200 })
    expect(matchCount).toBeGreaterThan(200)
  })

  test('the fixtures are the same, and a changed set can be saved again', async () => {
    const texts = ['rules', 'streams'].flatMap((folder) => fixtureNames(folder, '.yml').map((name) => readFixture(`${folder}/${name}`)))
    const { ruleSet } = compileRules(texts, { placeholders: readFixtureJson('placeholders.json', {}) })
    const batch = fixtureNames('events', '.ndjson').flatMap((name) => readFixtureEvents(`events/${name}`))
    const loaded = await saveAndLoad(ruleSet)
    expect(loaded.correlations.length).toBeGreaterThan(1)
    expect(loaded.filters.length).toBeGreaterThan(0)
    expect(listParts(loaded)).toEqual(listParts(ruleSet))
    const expected = print(matchAll(ruleSet, batch))
    expect(expected.length).toBeGreaterThan(50)
    expect(print(matchAll(loaded, batch))).toEqual(expected)
    const changed = loaded.applyChange({ put: ruleSet.rules.slice(0, 1), drop: [ruleSet.rules[1]!.id] })
    expect(listParts(await saveAndLoad(changed))).toEqual(listParts(ruleSet.applyChange({ drop: [ruleSet.rules[1]!.id] })))
  })

  testWithShared([sigmaRulesFile, 'events-windows-dev.ndjson.gz'], 'the rules of SigmaHQ find the same', async () => {
    const { ruleSet } = compileSigma()
    const loaded = await saveAndLoad(ruleSet)
    let lines: string[] = []
    let matchCount = 0
    const engines = [new Engine(ruleSet), new Engine(loaded)]
    const compare = (): void => {
      const bytes = encodeLines(lines)
      const [expected, found] = engines.map((engine) => engine.pushBytes(bytes).matches.map(({ rule, ...match }) => `${'row' in match ? match.row : ''} ${rule.id}`))
      expect(found).toEqual(expected)
      matchCount += found!.length
      lines = []
    }
    for (const line of eachSharedLine('events-windows-dev.ndjson.gz')) if (lines.push(line) === 5_000) compare()
    compare()
    expect(matchCount).toBeGreaterThan(1_000)
  })

  testWithShared([sigmaRulesFile], 'the rules of SigmaHQ load in a small fraction of the time of compiling them', async () => {
    const { ruleSet, compileMs } = compileSigma()
    const bytes = saveRuleSet(ruleSet)
    await loadRuleSet(bytes)
    const times: number[] = []
    for (let run = 0; run < 5; run++) {
      const start = getThreadCpuMs()
      await loadRuleSet(bytes)
      times.push(getThreadCpuMs() - start)
    }
    expect(compileMs / Math.min(...times)).toBeGreaterThan(25)
  })
})

const text = `
title: Whoami
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0301
level: high
tags: [attack.execution]
author: Someone
description: Rückfragen
logsource: { product: app }
detection: { selection: { cmd|re: 'who.m[i]', at|gte: -0.0 }, condition: selection }`

describe('a loaded rule', () => {
  test('has its attributes, and says that its detection is not there', async () => {
    const [rule] = (await saveAndLoad(compileRules(text).ruleSet)).rules
    expect(rule).toMatchObject({ title: 'Whoami', level: 'high', tags: ['attack.execution'], author: 'Someone', description: 'Rückfragen' })
    expect(JSON.stringify(rule)).toBe(JSON.stringify(compileRules(text).ruleSet.rules[0]))
    expect(() => rule!.rule.detection).toThrow('compile the text of the rule')
  })

  test('does not change when the bytes do', async () => {
    const bytes = saveRuleSet(compileRules(text).ruleSet)
    const { rules } = await loadRuleSet(bytes)
    bytes.fill(0)
    expect(rules[0]!.author).toBe('Someone')
  })
})

describe('bytes that are no saved rule set are refused:', () => {
  const saved = saveRuleSet(compileRules(text).ruleSet)
  const change = (at: number, value: number): Uint8Array => saved.with(at, value)

  test.for([
    ['none', new Uint8Array(), 'not_a_rule_set', 'no saved rule set'],
    ['a rule text', new TextEncoder().encode(text), 'not_a_rule_set', 'no saved rule set'],
    ['the state of an engine', new Engine(compileRules(text).ruleSet).snapshot(), 'not_a_rule_set', 'no saved rule set'],
    ['a later format', change(17, 3), 'unknown_version', 'has format 3, but this version reads format 2; compile and save it again'],
    ['the mark alone', saved.subarray(0, 14), 'truncated', 'should have 34 bytes and has 14'],
    ['a part', saved.subarray(0, -1), 'truncated', `should have ${saved.length} bytes and has ${saved.length - 1}`],
    ['more than it', new Uint8Array([...saved, 0]), 'truncated', `has ${saved.length + 1}`],
    ['one changed byte', change(60, saved[60]! ^ 1), 'damaged', 'does not have the checksum'],
    ['another checksum', change(30, saved[30]! ^ 1), 'damaged', 'does not have the checksum'],
  ] as const)('%s', async ([, bytes, code, message]) => {
    const error = await loadRuleSet(bytes).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(SavedRuleSetError)
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) })
  })

  test('any changed byte', async () => {
    await fc.assert(fc.asyncProperty(fc.nat(saved.length - 1), fc.integer({ min: 1, max: 255 }), async (at, bits) => {
      await expect(loadRuleSet(change(at, saved[at]! ^ bits))).rejects.toThrow(SavedRuleSetError)
    }), { seed, numRuns: 300 })
  })

  test('nodes that refer to none before them, when they are read', async () => {
    const bytes = saved.slice()
    const view = new DataView(bytes.buffer)
    const [nodesAt, nodesLength] = [headLength + view.getUint32(magic.length + 4), view.getUint32(magic.length + 8)]
    bytes.set(new TextEncoder().encode(`[[${nodeKinds.not},0]]`.padEnd(nodesLength)), nodesAt)
    view.setUint32(headLength - 4, xxhash32(bytes.subarray(headLength)))
    const { rules } = await loadRuleSet(bytes)
    expect(() => rules[0]!.predicate).toThrow(expect.objectContaining({
      name: 'SavedRuleSetError', code: 'damaged', message: 'the rule set is damaged: there is no node 0 before the one that refers to it',
    }))
  })

  test('what is no Uint8Array, and options that do not exist', async () => {
    await expect(loadRuleSet(text as never)).rejects.toThrow('loadRuleSet takes the bytes')
    await expect(loadRuleSet(saved, { kernal: false } as never)).rejects.toThrow("unknown option 'kernal' of loadRuleSet; did you mean 'kernel'?")
  })
})
