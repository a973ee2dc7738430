import { describe, expect, test } from 'vitest'
import { DiagnosticCollector } from '../src/diagnostics.ts'
import { parsePattern } from '../src/predicate/pattern.ts'
import { parseCondition } from '../src/sigma/condition.ts'
import type { Condition } from '../src/sigma/condition.ts'
import { parseDetection } from '../src/sigma/detection.ts'
import type { DraftPart, DraftValue } from '../src/sigma/draft-value.ts'
import { modifyItem } from '../src/sigma/modify-item.ts'
import type { DetectionItem } from '../src/sigma/rule.ts'
import { LineIndex, readYaml } from '../src/sigma/yaml-document.ts'
import { hasShared, readSharedJson } from './read-shared-data.ts'

/** Recorded results of pySigma 1.5.0. */
type OraclePart = string | { w: string } | { ph: string }
type OracleCase = { key: string; value: unknown; out: { error?: string; link?: string; neg?: boolean; values?: unknown[] } }
type OracleFile = {
  escape: { in: string; parts: OraclePart[] }[]
  modifiers: OracleCase[]
  conditions: {
    detections: Record<string, unknown>
    cases: { cond: string | string[]; tree?: unknown[]; error?: string }[]
  }
}

const file = 'pysigma-oracle.json'
const oracle = (hasShared(file) ? readSharedJson(file) : undefined) as OracleFile | undefined

/** Encodings where pySigma is wrong, computed with Python's codecs, by key and value. */
const encodedBytes: Record<string, unknown[]> = {
  'f|wide é': [{ str: ['\xe9\0'] }],
  'f|utf16 é': [{ str: ['\ufeff\xe9\0'] }],
  'f|utf16be é': [{ str: ['\0\xe9'] }],
  'f|wide|base64 é': [{ str: ['6QA='] }],
  'f|wide ééé': [{ str: ['\xe9\0\xe9\0\xe9\0'] }],
  'f|utf16 ééé': [{ str: ['\ufeff\xe9\0\xe9\0\xe9\0'] }],
  'f|utf16be ééé': [{ str: ['\0\xe9\0\xe9\0\xe9'] }],
  'f|wide|base64 ééé': [{ str: ['6QDpAOkA'] }],
  'f|base64 foo\\*bar': [{ str: ['Zm9vKmJhcg=='] }],
  'f|base64|contains foo\\*bar': [{ str: [{ w: '*' }, 'Zm9vKmJhcg==', { w: '*' }] }],
  'f|base64|startswith foo\\*bar': [{ str: ['Zm9vKmJhcg==', { w: '*' }] }],
  'f|wide|base64 foo\\*bar': [{ str: ['ZgBvAG8AKgBiAGEAcgA='] }],
  'f|base64offset f': variants('Z', 'm'),
  'f|base64offset -': variants('L', 't'),
  'f|base64offset é': variants('w6', 'Op', 'Dq'),
  'f|base64offset foo\\*bar': variants('Zm9vKmJhc', 'ZvbypiYX', 'mb28qYmFy'),
  'f|base64offset|contains f': contained('Z', 'm'),
  'f|base64offset|contains -': contained('L', 't'),
  'f|base64offset|contains é': contained('w6', 'Op', 'Dq'),
  'f|base64offset|contains foo\\*bar': contained('Zm9vKmJhc', 'ZvbypiYX', 'mb28qYmFy'),
  'f|wide|base64offset|contains é': contained('6Q', 'kA', 'pA'),
  'f|wide|base64offset|contains ééé': contained('6QDpAOkA', 'kA6QDpA', 'pAOkA6Q'),
  'f|wide|base64offset|contains foo\\*bar': contained('ZgBvAG8AKgBiAGEAcg', 'YAbwBvACoAYgBhAHIA', 'mAG8AbwAqAGIAYQByA'),
  'f|utf16be|base64offset é': variants('AO', 'Dp', 'A6'),
  'f|utf16be|base64offset ééé': variants('AOkA6QDp', 'DpAOkA6', 'A6QDpAO'),
  'f|utf16be|base64offset foo\\*bar': variants('AGYAbwBvACoAYgBhAH', 'BmAG8AbwAqAGIAYQBy', 'AZgBvAG8AKgBiAGEAc'),
  'f|utf16|base64offset é': variants('//7pA', '/+6Q', '//ukA'),
  'f|utf16|base64offset ééé': variants('//7pAOkA6Q', '/+6QDpAOkA', '//ukA6QDpA'),
  'f|utf16|base64offset foo\\*bar': variants('//5mAG8AbwAqAGIAYQByA', '/+ZgBvAG8AKgBiAGEAcg', '//mYAbwBvACoAYgBhAHIA'),
  'f|utf16|base64offset foo': variants('//5mAG8Abw', '/+ZgBvAG8A', '//mYAbwBvA'),
  'f|utf16|base64offset fo': variants('//5mAG8A', '/+ZgBvA', '//mYAbw'),
  'f|utf16|base64offset f': variants('//5mA', '/+Zg', '//mYA'),
  'f|utf16|base64offset foobar': variants('//5mAG8AbwBiAGEAcg', '/+ZgBvAG8AYgBhAHIA', '//mYAbwBvAGIAYQByA'),
  'f|utf16|base64offset foo bar': variants('//5mAG8AbwAgAGIAYQByA', '/+ZgBvAG8AIABiAGEAcg', '//mYAbwBvACAAYgBhAHIA'),
  'f|utf16|base64offset  ab': variants('//4gAGEAYg', '/+IABhAGIA', '//iAAYQBiA'),
  'f|utf16|base64offset cmd': variants('//5jAG0AZA', '/+YwBtAGQA', '//mMAbQBkA'),
  'f|utf16|base64offset a\\b': variants('//5hAFwAYg', '/+YQBcAGIA', '//mEAXABiA'),
  'f|utf16|base64offset -': variants('//4tA', '/+LQ', '//i0A'),
}

/** Where the engine differs from pySigma, with the reason and the result of the engine. */
const betterModifiers: { decision: string; covers: (input: OracleCase) => boolean; ours: (input: OracleCase) => unknown }[] = [
  {
    decision: 'utf16le is a modifier, the same as wide',
    covers: ({ key }) => key === 'f|utf16le',
    ours: ({ value }) => answerOf('f|wide', value),
  },
  {
    decision: 'encodings work on bytes',
    covers: ({ key, value }) => encodedBytes[`${key} ${String(value)}`] !== undefined,
    ours: ({ key, value }) => ({ link: 'or', neg: false, values: encodedBytes[`${key} ${String(value)}`] }),
  },
  {
    decision: 'numbers become text under contains, startswith and endswith',
    covers: ({ key, value }) =>
      /contains|startswith|endswith/.test(key) && !/exists|fieldref|re|cidr|^f.cased/.test(key) && isNumeric(value),
    ours: ({ key, value }) => answerOf(key, Array.isArray(value) ? value.map(String) : String(value)),
  },
  {
    decision: 'the Unicode dashes are varied too',
    covers: ({ key, value }) => /windash/.test(key) && value === '\u2013x',
    ours: ({ key }) => answerOf(key, '-x'),
  },
  {
    decision: 'a comparison after a part of time compares the part',
    covers: ({ key, out }) => key === 'f|hour|gt' && out.error === undefined,
    ours: ({ value }) => ({
      link: 'or',
      neg: false,
      values: [value].flat().map((n) => ({ ts_part: 'hour', cmp: 'gt', n })),
    }),
  },
  {
    decision: 'parts of time are compared with the exact number, not cut to an integer',
    covers: ({ key, value }) => /^f\|(minute|hour|day|week|month|year)$/.test(key) && value === 5.5,
    ours: ({ key }) => ({ link: 'or', neg: false, values: [{ ts_part: key.slice(2), n: 5.5 }] }),
  },
  {
    decision: 'cased is allowed on a field reference',
    covers: ({ key, value }) => key === 'f|fieldref|cased' && typeof value !== 'number' && value !== 'oth*',
    ours: ({ value }) => answerOf('f|fieldref', value),
  },
]

function variants(...texts: string[]): unknown[] {
  return [{ expansion_or: texts.map((text) => ({ str: [text] })) }]
}

function contained(...texts: string[]): unknown[] {
  return [{ expansion_or: texts.map((text) => ({ str: [{ w: '*' }, text, { w: '*' }] })) }]
}

/** A number, or a list of numbers and texts. */
function isNumeric(value: unknown): boolean {
  const elements = [value].flat()
  const isPlain = elements.every((element) => typeof element === 'number' || typeof element === 'string')
  return isPlain && elements.some((element) => typeof element === 'number')
}

/** The result of the engine for a field entry in the format of the oracle; `error` when the rule is rejected. */
function answerOf(key: string, value: unknown): unknown {
  const text = JSON.stringify({ selection: { [key]: value }, condition: 'selection' })
  const lines = new LineIndex(text)
  const collector = new DiagnosticCollector((offset) => ({ ...lines.position(offset), attribute: '' }))
  const { documents = [] } = readYaml(text)
  const [document] = documents
  if (document?.kind !== 'map') throw new Error(`not a map: ${text}`)
  const detection = parseDetection(document, { collector, hasArraySyntax: false })
  const body = detection.selections.get('selection')!.body
  const item = (body.kind === 'all' ? body.of[0] : body) as DetectionItem
  const values = modifyItem(item, { placeholders: {}, isStrict: false }, collector)
  const isRefused = collector.verdict === 'invalid' || collector.verdict === 'unsupported'
  if (isRefused) return { error: true }
  const missing = collector.diagnostics.filter((one) => one.kind === 'unconfigured')
  if (missing.length > 0) return { placeholders: missing.map((one) => /%.*%/.exec(one.message)?.[0]) }
  return {
    link: item.modifiers.includes('all') ? 'and' : 'or',
    neg: item.modifiers.includes('neq'),
    values: values.map(({ draft }) => print(draft, item.modifiers.includes('windash') || item.modifiers.includes('base64offset'))),
  }
}

function print(draft: DraftValue, isExpanded: boolean): unknown {
  switch (draft.kind) {
    case 'any':
      return { expansion_or: draft.of.map((one) => print(one, false)) }
    case 'text': {
      if (!isExpanded) return { [draft.isCased ? 'cased' : 'str']: parts(draft.parts) }
      return { expansion_or: spellings(draft.parts).map((one) => ({ str: parts(one) })) }
    }
    case 'number':
      return { num: draft.value }
    case 'boolean':
      return { bool: draft.value }
    case 'null':
      return { null: true }
    case 'exists':
      return { exists: draft.isPresent }
    case 'compare':
      return { cmp: draft.operator, n: draft.value }
    case 'timePart':
      return { ts_part: draft.part, ...(draft.operator === 'eq' ? {} : { cmp: draft.operator }), n: draft.value }
    case 'regex': {
      const flags = [draft.ignoresCase && 'i', draft.isMultiline && 'm', draft.dotMatchesNewline && 's'].filter(Boolean)
      return { re: draft.source, flags }
    }
    case 'cidr':
      return { net: draft.text }
    case 'fieldRef': {
      const starts = draft.relation === 'startswith' || draft.relation === 'contains'
      const ends = draft.relation === 'endswith' || draft.relation === 'contains'
      return { fieldref: draft.field, starts, ends }
    }
  }
}

/** Lists the 5^k spellings of `windash` in the order of the oracle. */
function spellings(of: readonly DraftPart[]): DraftPart[][] {
  return of.reduce<DraftPart[][]>(
    (starts, part) =>
      starts.flatMap((start) =>
        part.kind === 'oneOf'
          ? Array.from(part.characters, (text): DraftPart[] => [...start, { kind: 'text', text }])
          : [[...start, part]],
      ),
    [[]],
  )
}

function parts(of: readonly DraftPart[]): OraclePart[] {
  const printed: OraclePart[] = []
  for (const part of of) {
    const last = printed.at(-1)
    if (part.kind === 'any') printed.push({ w: '*' })
    else if (part.kind === 'one') printed.push({ w: '?' })
    else if (part.kind === 'placeholder') printed.push({ ph: part.name })
    else if (part.kind === 'text' && typeof last === 'string') printed[printed.length - 1] = last + part.text
    else if (part.kind === 'text') printed.push(part.text)
  }
  return printed
}

/** Converts the result of the oracle: errors without text, joined strings, no original CIDR text. */
function expected({ out }: OracleCase): unknown {
  if (out.error !== undefined) return { error: true }
  const names = JSON.stringify(out).match(/(?<="ph":")[^"]+/g)
  if (names !== null) return { placeholders: [...new Set(names)].map((name) => `%${name}%`) }
  return { link: out.link, neg: out.neg, values: out.values!.map(normalize) }
}

function normalize(value: unknown): unknown {
  const one = value as Record<string, unknown>
  if (one['expansion_or'] !== undefined) return { expansion_or: (one['expansion_or'] as unknown[]).map(normalize) }
  if (one['net'] !== undefined) return { net: one['net'] }
  for (const key of ['str', 'cased']) {
    if (one[key] === undefined) continue
    const joined: unknown[] = []
    for (const part of one[key] as unknown[]) {
      if (typeof part === 'string' && typeof joined.at(-1) === 'string') joined[joined.length - 1] += part
      else joined.push(part)
    }
    return { [key]: joined }
  }
  return one
}

/** The names in the order of the oracle file, because objects reorder names such as `1`. */
const selectionNames = ['sel', 'sel1', 'sel_2', 'filter', '_hid', 'them1', 'kw', '1', 'sel-x', 'not_a']

/** Conditions on which the engine differs from pySigma. */
const betterConditions: Record<string, unknown> = {
  'sel AND filter': ['and', 'a', 'd'],
  'sel And filter': ['and', 'a', 'd'],
  '1 OF sel*': ['or', 'a', 'b', 'c', 'h'],
  '1 of sel-x': 'h',
  'not_a': 'i',
  '1 of nomatch*': { error: 'unknown' },
  'all of nomatch*': { error: 'unknown' },
}

describe.skipIf(oracle === undefined)(`pySigma's recorded answers${oracle === undefined ? ` (skipped: no shared ${file})` : ''}`, () => {
  test.for((oracle?.escape ?? []).map((row): [string, OraclePart[]] => [row.in, row.parts]))(
    'reads the text %j',
    ([text, want]) => {
      expect(parts(parsePattern(text))).toEqual(want)
    },
  )

  test.for((oracle?.modifiers ?? []).map((row): [string, string, OracleCase] => [row.key, JSON.stringify(row.value), row]))(
    'reads %s: %s',
    ([, , input]) => {
      const better = betterModifiers.find((one) => one.covers(input))
      expect(answerOf(input.key, input.value)).toEqual(better?.ours(input) ?? expected(input))
    },
  )

  test.for((oracle?.conditions.cases ?? []).map((row): [string, typeof row] => [JSON.stringify(row.cond), row]))(
    'reads the condition %s',
    ([, { cond, tree, error }]) => {
      const detections = oracle!.conditions.detections
      const texts = [cond].flat()
      const better = betterConditions[String(cond)]
      const got = texts.map((text) => {
        const result = parseCondition(text, selectionNames)
        return result.tree === undefined ? { error: result.problems[0]!.kind } : printCondition(result.tree, detections)
      })
      if (better !== undefined) expect(got).toEqual([better])
      else if (error !== undefined) expect(got).toEqual([{ error: expect.any(String) }])
      else expect(got).toEqual(tree)
    },
  )
})

/** Prints a condition in the format of the oracle: selections by their field, keywords as an `or`. */
function printCondition(condition: Condition, detections: Record<string, unknown>): unknown {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return [condition.kind, ...condition.of.map((part) => printCondition(part, detections))]
    case 'not':
      return ['not', printCondition(condition.of, detections)]
    case 'selection': {
      const selection = detections[condition.name]
      return Array.isArray(selection) ? ['or', ...selection.map(() => '<kw>')] : Object.keys(selection as object)[0]
    }
    case 'quantifier': {
      const of = condition.names.map((name) => printCondition({ kind: 'selection', name }, detections))
      return of.length === 1 ? of[0] : [condition.isAll ? 'and' : 'or', ...of]
    }
  }
}
