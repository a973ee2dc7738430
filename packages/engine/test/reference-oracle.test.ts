import { describe, expect } from 'vitest'
import { readSharedJson, testWithShared } from './read-shared-data.ts'
import { parseNetwork } from './reference/reference-cidr.ts'
import { conditionHolds } from './reference/reference-condition.ts'
import { applyModifier, plainValue } from './reference/reference-modifiers.ts'
import type { Value } from './reference/reference-modifiers.ts'
import { scanPattern } from './reference/reference-text.ts'
import type { Token } from './reference/reference-text.ts'
import { timeParts } from './reference/reference-time.ts'

/*
 * Compares the reference evaluator with recorded results of pySigma 1.5.0. Where pySigma has a bug or
 * docs/reference/sigma.md decides otherwise, the case is listed here with the documented result.
 */

const oracleFile = 'pysigma-oracle.json'

type Refusal = { readonly error: string }
type Part = string | { readonly w: string }
type Tree = null | string | readonly Tree[]
type OracleValue = {
  readonly expansion_or?: readonly OracleValue[]
  readonly str?: readonly (Part | { readonly ph: string })[]
  readonly cased?: readonly (Part | { readonly ph: string })[]
  readonly re?: string | readonly (Part | { readonly ph: string })[]
  readonly net?: string
  readonly cidr?: string
}
type ModifierOutcome = { readonly values: readonly OracleValue[] }
type ModifierCase = { readonly key: string; readonly value: unknown; readonly out: Refusal | ModifierOutcome }
type ConditionCase = { readonly cond: string | readonly string[] } & (Refusal | { readonly tree: readonly Tree[] })
type Oracle = {
  readonly escape: readonly { readonly in: string; readonly parts: readonly Part[] }[]
  readonly modifiers: readonly ModifierCase[]
  readonly conditions: {
    readonly detections: { readonly [name: string]: unknown }
    readonly cases: readonly ConditionCase[]
  }
}

describe('the reference evaluator and pySigma', () => {
  testWithShared([oracleFile], 'read wildcards and escapes alike', () => {
    const { escape } = readOracle()
    expect(escape.length).toBeGreaterThanOrEqual(40)
    for (const { in: source, parts } of escape) expect(partsOf(scanPattern(source)), source).toEqual(parts)
  })

  testWithShared([oracleFile], 'evaluate conditions alike, except for documented ones', () => {
    const { detections, cases } = readOracle().conditions
    expect(cases.length).toBeGreaterThanOrEqual(58)
    const names = Object.keys(detections)
    const letters = new Map(names.map((name) => [name, letterOf(detections[name])]))
    for (const expected of cases) {
      const conditions = [expected.cond].flat()
      const trees = documentedTrees(String(expected.cond)) ?? ('tree' in expected ? expected.tree : 'refused')
      for (const held of subsets(names)) {
        const selections = { names, holds: (name: string): boolean => held.has(name) }
        const heldLetters = new Set([...held].map((name) => letters.get(name) ?? ''))
        const answer = answerOf(() => conditions.map((condition) => conditionHolds(condition, selections)))
        const documented = trees === 'refused' ? trees : trees.map((tree) => treeHolds(tree, heldLetters))
        expect(answer, `${String(expected.cond)} with ${[...held].join()}`).toEqual(documented)
      }
    }
  })

  testWithShared([oracleFile], 'apply modifiers alike, except for documented cases', () => {
    const agreed = readOracle().modifiers.filter((modifierCase) => documentedDifference(modifierCase) === undefined)
    expect(agreed.length).toBeGreaterThanOrEqual(850)
    const ours = agreed.map(({ key, value }) => [key, value, answerOf(() => valuesOf(key, value))])
    const theirs = agreed.map(({ key, value, out }) => [key, value, 'error' in out ? 'refused' : expectedValues(out)])
    expect(ours).toEqual(theirs)
  })
})

/** The documented trees of conditions that pySigma rejects or drops; undefined when pySigma is right. */
function documentedTrees(condition: string): readonly Tree[] | 'refused' | undefined {
  const trees: { readonly [condition: string]: readonly Tree[] | 'refused' } = {
    'sel AND filter': [['and', 'a', 'd']],
    'sel And filter': [['and', 'a', 'd']],
    '1 OF sel*': [['or', 'a', 'b', 'c', 'h']],
    '1 of sel-x': ['h'],
    'not_a': ['i'],
    '1 of nomatch*': 'refused',
    'all of nomatch*': 'refused',
  }
  return Object.hasOwn(trees, condition) ? trees[condition] : undefined
}

/** Why the documented result of modifiers differs; undefined when pySigma is right. */
function documentedDifference({ key, value, out }: ModifierCase): string | undefined {
  const modifiers = key.split('|').slice(1)
  const has = (...names: string[]): boolean => names.some((name) => modifiers.includes(name))
  const isAnchored = has('contains', 'startswith', 'endswith')
  const text = [value].flat().join()
  if (modifiers[0] === 're' && isAnchored) return '6.2: anchors change nothing of a search'
  if (has('utf16', 'utf16le')) return 'pySigma lacks utf16le and encodes the byte order mark as UTF-8'
  if (has('wide', 'utf16be', 'base64offset') && /[^ -~]/.test(text)) return 'encodings produce bytes'
  if (has('base64', 'base64offset') && text.includes('\\*')) return 'the unescaped value is encoded'
  if (has('base64offset') && text.length === 1 && !has('wide', 'utf16be')) return 'empty variants are dropped'
  if (isAnchored && typeof [value].flat()[0] === 'number') return 'an anchored number is compared as text'
  if (has('windash') && text.startsWith('\u2013')) return 'Unicode dashes are varied too'
  if (has('hour') && has('gt') && !('error' in out)) return 'the time part is not lost'
  if (value === 5.5 && has(...timeParts)) return 'numbers are not cut to integers'
  if (key === 'f|fieldref|cased' && !('error' in out && /[*5]/.test(text))) return 'fieldref accepts cased'
  if (key === '|exists') return 'rows-invalid.ts: the modifier alone does not see that the field is missing'
  return undefined
}

/** Lists the alternatives of each value of an item in the format of the oracle. */
function valuesOf(key: string, value: unknown): unknown[] {
  const transformers = key.split('|').slice(1).filter((modifier) => !['all', 'neq'].includes(modifier))
  const placeholders = { x: ['<x>'], y: ['<y>'], 'a b': ['<a b>'] }
  return [value].flat().map((scalar) => {
    const alternatives = transformers.reduce<Value[]>(
      (values, modifier) => values.flatMap((one) => applyModifier(one, modifier, placeholders)), [plainValue(scalar)])
    return alternatives.map(inOracleWords)
  })
}

function inOracleWords(value: Value): unknown {
  switch (value.kind) {
    case 'text': return value.isCased === true ? { cased: partsOf(value.tokens) } : { str: partsOf(value.tokens) }
    case 'number': return { num: value.number }
    case 'boolean': return { bool: value.boolean }
    case 'null': return { null: true }
    case 'exists': return { exists: value.isExpected }
    case 'regex': return { re: value.pattern, flags: [...value.flags].toSorted() }
    case 'network': return { net: value.network }
    case 'comparison':
      return value.part === undefined
        ? { cmp: value.comparison, n: value.number }
        : { ts_part: value.part, n: value.number }
    case 'reference': return { fieldref: value.field, starts: value.opensEnd, ends: value.opensStart }
  }
}

/** Converts the alternatives of the oracle: placeholders expanded, networks as bits. */
function expectedValues({ values }: ModifierOutcome): unknown[] {
  return values.map((value) => (value.expansion_or ?? [value]).map((alternative) => {
    const { str, cased, re, net, cidr: _cidr, ...rest } = alternative
    if (str !== undefined) return { str: filled(str) }
    if (cased !== undefined) return { cased: filled(cased) }
    if (typeof re === 'string') return { ...rest, re }
    if (re !== undefined) return { ...rest, re: filled(re).filter((part) => typeof part === 'string').join('') }
    return net === undefined ? rest : { net: parseNetwork(net) }
  }))
}

function filled(parts: readonly (Part | { readonly ph: string })[]): Part[] {
  return merged(parts.map((part) => (typeof part === 'object' && 'ph' in part ? `<${part.ph}>` : part)))
}

function partsOf(tokens: readonly Token[]): Part[] {
  return merged(tokens.map((token) => ('literal' in token ? token.literal : { w: token.wildcard })))
}

function merged(parts: readonly Part[]): Part[] {
  const whole: Part[] = []
  for (const part of parts) {
    const last = whole.at(-1)
    if (typeof part === 'string' && typeof last === 'string') whole[whole.length - 1] = last + part
    else whole.push(part)
  }
  return whole
}

function treeHolds(tree: Tree, held: ReadonlySet<string>): boolean {
  if (tree === null) throw new Error('pySigma made nothing of this condition.')
  if (typeof tree === 'string') return held.has(tree)
  const [link, ...parts] = tree
  const results = parts.map((part) => treeHolds(part, held))
  if (link === 'not') return !results[0]
  return link === 'and' ? !results.includes(false) : results.includes(true)
}

function readOracle(): Oracle {
  return readSharedJson(oracleFile) as Oracle
}

/** Returns the name of a selection in the trees of the oracle: its only field, or `<kw>` for keywords. */
function letterOf(selection: unknown): string {
  return typeof selection === 'object' && selection !== null && !Array.isArray(selection)
    ? Object.keys(selection).join() : '<kw>'
}

function subsets(names: readonly string[]): ReadonlySet<string>[] {
  return names.reduce<Set<string>[]>(
    (sets, name) => [...sets, ...sets.map((set) => new Set([...set, name]))], [new Set()])
}

function answerOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error) return 'refused'
    throw error
  }
}
