import fc from 'fast-check'
import { compileEventCheck, readEvent } from '@tripline/engine/evaluate'
import type { Predicate, ValueTest } from '@tripline/engine/predicate'
import { expect, test } from 'vitest'
import { decodeHeader } from '../block/block-header.ts'
import { encodeBlock } from '../block/encode-block.ts'
import { Memtable } from '../block/memtable.ts'
import { BlockCache } from '../segment/block-cache.ts'
import { StoredBlock } from '../segment/stored-block.ts'
import { compileBlockPruner } from './prune-blocks.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_121)

/** The filter of a block with these events. */
async function filterOf(texts: readonly string[]) {
  const block = new Memtable(1_000)
  for (const [i, text] of texts.entries()) block.add({ occurredAt: 0, sequence: i, severity: 0, bytes: Buffer.from(text), arrival: undefined })
  const bytes = await encodeBlock(block)
  const cache = new BlockCache(0)
  const stored = new StoredBlock(decodeHeader(bytes)!, {
    offset: 0, cache, filterCache: cache, read: async (at, length) => bytes.subarray(at, at + length),
  })
  return (await stored.filter())!
}

function testOf(field: string | undefined, value: ValueTest): Predicate {
  return { kind: 'test', field, value, written: { item: field ?? '', operator: 'eq' }, writtenValue: '' }
}

function textTest(field: string | undefined, text: string, [opensStart, opensEnd]: readonly [boolean, boolean] = [false, false]) {
  const any = { kind: 'any' } as const
  const pattern = [...(opensStart ? [any] : []), { kind: 'text' as const, text }, ...(opensEnd ? [any] : [])]
  return testOf(field, { kind: 'text', pattern, isCased: false })
}

const scalar = fc.oneof(
  fc.string({ unit: fc.constantFrom('ab', 'Cd', '1', '\\', '"', '\n', 'é', ':', ','), maxLength: 6 }),
  fc.constantFrom(0, 12_345, 1.5, true, false, null, '12345', '1.50', '2026-01-01T00:00:00.000Z'))
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
  object: fc.dictionary(fc.constantFrom('Name', 'key"x', 'more'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
}))
const fieldNames = ['a', 'b', 'b.Name', 'b.more', 'b.more.Name', '_note'] as const
const anyEvent = fc.dictionary(fc.constantFrom('a', 'b', '_note'), anyValue, { maxKeys: 3, noNullPrototype: true })
/** Some keep their whole text, because a key has an escape. */
const anyText = fc.oneof(anyEvent, anyEvent.map((event) => ({ ...event, 'q"': 1 }))).map((event) => JSON.stringify(event))

test(`never rules out a block that has a match (seed ${seed})`, async () => {
  let matchedCount = 0
  let ruledOutCount = 0
  await fc.assert(fc.asyncProperty(
    fc.array(anyText, { minLength: 1, maxLength: 4 }), fc.constantFrom(undefined, ...fieldNames), fc.nat(), fc.integer({ min: 1, max: 14 }),
    fc.tuple(fc.boolean(), fc.boolean()),
    async (texts, field, at, length, ends) => {
      const filter = await filterOf(texts)
      const { fields } = readEvent(texts[0]!).event
      // Parts of what fields are compared with: their texts, or the JSON text of an object.
      const own = field === undefined ? undefined : fields[field]
      const sources = [texts[0]!, texts.join(''), typeof own === 'string' ? own : JSON.stringify(own ?? '')]
      for (const source of sources) {
        const start = at % Math.max(1, source.length)
        for (const text of [source.slice(start, start + length), source]) {
          const predicates = [textTest(field, text, ends), textTest(field, text), textTest(field, text, [true, true])]
          for (const predicate of [...predicates, testOf(field, { kind: 'number', value: 12_345 })]) {
            const matches = compileEventCheck(predicate)(texts.map((one) => readEvent(one).event)).length > 0
            const may = compileBlockPruner(predicate)?.(filter) ?? true
            if (matches) expect([predicate, texts, may]).toEqual([predicate, texts, true])
            if (matches) matchedCount++
            if (!may) ruledOutCount++
          }
        }
      }
    }), { seed, numRuns: 600 })
  expect(matchedCount).toBeGreaterThan(300)
  expect(ruledOutCount).toBeGreaterThan(300)
})

test.for<[what: string, event: string, field: string, text: string]>([
  ['null in an object', '{"a":{"b":null}}', 'a', 'null'],
  ['a name in an object', '{"a":{"inside":1}}', 'a', 'inside'],
  ['a name of an empty object', '{"a":{"inside":{}}}', 'a', 'inside'],
  ['a name in a list', '{"a":[{"inside":1}]}', 'a', 'inside'],
  ['what goes over from one value to the next', '{"a":{"b":"first","c":"second"}}', 'a', 'first","c":"sec'],
  ['an escape in an object', '{"a":{"b":"one\\ntwo"}}', 'a', 'e\\ntw'],
  ['the inside of an escape', '{"a":{"b":"one\\ntwo"}}', 'a', 'ntwo'],
  ['a part of an annotation', '{"_note":"remarkable"}', '_note', 'mark'],
  ['an event that has a key twice', '{"a":"first","a":"second"}', 'a', 'econ'],
  ['hexadecimal digits', '{"a":"0f1e2d3c4b5a69788796a5b4c3d2e1f0"}', 'a', '4b5a69788796'],
])('leaves room for %s', async ([, event, field, text]) => {
  const predicate = textTest(field, text, [true, true])
  expect([...compileEventCheck(predicate)([readEvent(event).event])]).toEqual([0])
  expect(compileBlockPruner(predicate)?.(await filterOf([event]))).toBe(true)
})

const somewhere = textTest('a', 'found')
const nowhere = textTest('a', 'nowhere')
const absent = testOf('a', { kind: 'null' })

test.for<[what: string, predicate: Predicate, may: boolean | undefined]>([
  ['what is there', somewhere, true],
  ['what is nowhere', nowhere, false],
  ['a part of a text', textTest('a', 'oun', [true, true]), true],
  ['a part that is nowhere', textTest(undefined, 'bound', [true, true]), false],
  ['both of two', { kind: 'and', of: [somewhere, nowhere] }, false],
  ['both, of which one cannot be told', { kind: 'and', of: [absent, nowhere] }, false],
  ['one of two', { kind: 'or', of: [somewhere, nowhere] }, true],
  ['one of two that are nowhere', { kind: 'or', of: [nowhere, nowhere] }, false],
  ['one of two, of which one cannot be told', { kind: 'or', of: [absent, nowhere] }, undefined],
  ['what is not there', { kind: 'not', of: nowhere }, undefined],
  ['what is absent', absent, undefined],
  ['everything', { kind: 'constant', value: true }, undefined],
  ['nothing', { kind: 'constant', value: false }, false],
])('%s', async ([, predicate, may]) => {
  const filter = await filterOf(['{"a":"Found"}'])
  expect(compileBlockPruner(predicate)?.(filter)).toBe(may)
})
