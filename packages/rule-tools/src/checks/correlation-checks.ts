import { parseTimespan } from '@tripline/engine'
import { findEntry } from '@tripline/engine/yaml'
import type { YamlMap, YamlScalar } from '@tripline/engine/yaml'
import type { LintDocument } from '../document/lint-document.ts'
import { findMap, findScalar, listScalars } from '../document/lint-document.ts'
import { defineCheckFamily } from './define-checks.ts'
import { allOrNone, rewriteScalar } from './edits.ts'

/** A correlation rule with its section parsed. */
export type LintCorrelation = {
  readonly document: LintDocument
  readonly section: YamlMap
  readonly offset: number
  readonly type: string
  readonly rules: readonly YamlScalar[]
  readonly groupBy: readonly YamlScalar[]
  readonly condition: YamlMap | undefined
}

/** Checks on one correlation rule. */
export const correlationChecks = defineCheckFamily({
  name: 'correlations',
  frame: 'correlation',
  subjects: readCorrelations,
  checks: [
    {
      code: 'CORRELATION_OF_ONE_RULE', level: 'problem',
      text: 'A temporal correlation names a single rule, so each match of that rule is a match.',
      bad: 'type: temporal\nrules:\n  - base\n!condition',
      good: 'type: temporal\nrules:\n  - base\n  - other\n!condition',
      find: ({ type, rules }) => !type.startsWith('temporal') || rules.length !== 1 ? undefined
        : { offset: rules[0]!.offset, message: `'${type}' needs at least two rules` },
    },
    {
      code: 'GROUP_BY_MISSING', level: 'advice',
      text: 'A correlation has no group-by, so it counts the events of all users and hosts together.',
      bad: '!group-by',
      good: 'group-by:\n  - User',
      find: ({ groupBy, offset }) => groupBy.length > 0 ? undefined
        : { offset, message: 'the correlation counts the events of all users and hosts together', hint: "add 'group-by'" },
    },
    {
      code: 'GROUP_BY_COUNTED', level: 'problem',
      text: 'The counted field is also a group-by field, so each group has one value.',
      bad: 'type: value_count\ncondition:\n  field: User\n  gte: 10\ngroup-by:\n  - User',
      good: 'type: value_count\ncondition:\n  field: Image\n  gte: 10\ngroup-by:\n  - User',
      find: ({ type, condition, groupBy }) => {
        const field = condition && findScalar(condition, 'field')
        if (type !== 'value_count' || field === undefined || !groupBy.some(({ text }) => text === field.text)) return
        return { offset: field.offset, message: `'${field.text}' is a group-by field, so each group has one value of it` }
      },
    },
    {
      code: 'THRESHOLD_ALWAYS', level: 'advice',
      text: 'The first event reaches the threshold.',
      bad: 'condition:\n  gte: 1',
      good: 'condition:\n  gte: 10',
      find: ({ type, condition }) => {
        const criteria = condition?.entries.filter(({ key }) => key !== 'field') ?? []
        const least = condition && readLowerBound(condition)
        // An upper bound or an exact count is decided only when the window ends.
        if (!type.endsWith('_count') || criteria.length !== 1 || !/^gte?$/.test(criteria[0]!.key)) return
        if (least === undefined || least.value > 1) return
        return { offset: least.offset, message: `the first event reaches the threshold ${least.value}` }
      },
    },
    {
      code: 'THRESHOLD_NEVER', level: 'problem',
      text: 'No number that can occur satisfies the thresholds.',
      bad: 'condition:\n  gte: 10\n  lt: 5',
      good: 'condition:\n  gte: 5\n  lt: 10',
      find: ({ type, condition, rules, document }) => {
        if (condition === undefined) return
        const [low, high] = [readLowerBound(condition), readUpperBound(condition)]
        const most = type.startsWith('temporal') ? rules.length : type === 'value_percentile' ? 100 : Infinity
        const least = low?.value ?? 0
        if (high !== undefined && least > high.value) return {
          offset: high.offset, message: `no number is at least ${least} and at most ${high.value}`,
        }
        if (high !== undefined && high.value < 1 && type.endsWith('_count')) {
          return { offset: high.offset, message: 'a group has at least one event, so it never has fewer than one' }
        }
        const isWhole = document.kind === 'correlation' && !/value_(?:sum|avg|median|percentile)/.test(type)
        return least > most && isWhole ? {
          offset: low!.offset, message: `the correlation names only ${most} rules, so ${least} never match`,
        } : undefined
      },
    },
    {
      code: 'TIMESPAN_FORM', level: 'style', fix: 'safe',
      text: 'A timespan has spaces or leading zeros.',
      bad: 'timespan: 05 m',
      good: 'timespan: 5m',
      find: ({ section, document }) => {
        const timespan = findScalar(section, 'timespan')
        const [, count = '', unit = ''] = /^\s*0*([1-9]\d*)\s*([smhdwMy])\s*$/.exec(timespan?.text ?? '') ?? []
        if (timespan === undefined || unit === '' || timespan.text === count + unit) return
        const edits = allOrNone([rewriteScalar(document.text, timespan, count + unit)])
        return { offset: timespan.offset, message: `write the timespan '${timespan.text}' as '${count}${unit}'`, edits }
      },
    },
    {
      code: 'TIMESPAN_MONTHS', level: 'problem', also: 'WINDOW_LONGER_THAN_RETENTION',
      text: 'A timespan uses the unit `M`, which is months: a capital letter where minutes were probably intended.',
      bad: 'timespan: 5M',
      good: 'timespan: 5m',
      find: ({ section }) => {
        const timespan = findScalar(section, 'timespan')
        const [, count] = /^\s*0*(\d+)\s*M\s*$/.exec(timespan?.text ?? '') ?? []
        return timespan === undefined || count === undefined ? undefined
          : {
            offset: timespan.offset,
            message: `'${timespan.text}' is ${count} months; the specification has s, m, h and d, and pySigma adds M for months`,
            hint: `for ${count} minutes write '${count}m', for months write days`,
          }
      },
    },
    {
      code: 'TIMESPAN_UNIT', level: 'advice',
      text: 'A timespan uses weeks or years, which the specification does not have.',
      bad: 'timespan: 1w',
      good: 'timespan: 30d',
      find: ({ section }) => {
        const timespan = findScalar(section, 'timespan')
        const [, unit] = /^\s*\d+\s*([wy])\s*$/.exec(timespan?.text ?? '') ?? []
        return timespan === undefined || unit === undefined ? undefined
          : {
            offset: timespan.offset, message: `the unit '${unit}' is not one of s, m, h and d`, hint: 'use days',
          }
      },
    },
    {
      code: 'WINDOW_LONGER_THAN_RETENTION', level: 'problem',
      text: 'A window is longer than the retention of events, when that is given.',
      bad: 'timespan: 100d',
      good: 'timespan: 5d',
      find: ({ section, document }) => {
        const { retentionMs } = document.collection
        const timespan = findScalar(section, 'timespan')
        const lengthMs = parseTimespan(timespan?.text ?? '')
        if (timespan === undefined || lengthMs === undefined || retentionMs === undefined || lengthMs <= retentionMs) return
        return {
          offset: timespan.offset,
          message: `the window of ${timespan.text} is longer than the retention of ${retentionMs / 86_400_000} days`,
        }
      },
    },
    {
      code: 'ALIAS_UNUSED', level: 'advice',
      text: 'Neither group-by nor the condition uses the alias.',
      bad: 'aliases:\n  who:\n    base: User\n    other: User',
      good: 'aliases:\n  who:\n    base: User\n    other: User\ngroup-by:\n  - who',
      find: ({ section, groupBy, condition }) => {
        const fields = condition === undefined ? [] : listScalars(condition, 'field')
        const used = new Set([...groupBy, ...fields].map(({ text }) => text))
        return readAliases(section).filter(({ key }) => !used.has(key))
          .map(({ key, keyOffset }) => ({ offset: keyOffset, message: `neither group-by nor the condition uses the alias '${key}'` }))
      },
    },
    {
      code: 'ALIAS_INCOMPLETE', level: 'advice',
      text: 'An alias has no field for one of the rules.',
      bad: 'aliases:\n  who:\n    base: User\ngroup-by:\n  - who',
      good: 'aliases:\n  who:\n    base: User\n    other: User\ngroup-by:\n  - who',
      find: ({ section, rules }) => readAliases(section).flatMap(({ key, keyOffset, value }) => {
        const absent = value.kind !== 'map' ? undefined : rules.find(({ text }) => findEntry(value, text) === undefined)
        return absent === undefined ? [] : [{
          offset: keyOffset, message: `the alias '${key}' names no field for '${absent.text}', so it reads the field '${key}' there`,
        }]
      }),
    },
    {
      code: 'CORRELATION_WITH_DETECTION', level: 'problem',
      text: 'A correlation rule has a detection or a logsource, which has no effect.',
      bad: '^logsource: { product: windows }',
      good: '',
      find: ({ document: { node } }) => ['detection', 'logsource'].flatMap((name) => {
        const entry = findEntry(node, name)
        return entry === undefined ? [] : [{
          offset: entry.keyOffset, message: `'${name}' has no effect in a correlation rule`, hint: 'move it to a rule of its own',
        }]
      }),
    },
  ],
})

/** Returns the correlation of a document as a list with at most one element. */
export function readCorrelations(document: LintDocument): LintCorrelation[] {
  const entry = findEntry(document.node, 'correlation')
  const section = findMap(document, 'correlation')
  if (document.kind !== 'correlation' || section === undefined || entry === undefined) return []
  const type = findScalar(section, 'type')?.text ?? ''
  const rules = listScalars(section, 'rules')
  const condition = findEntry(section, 'condition')?.value
  return [{
    document, section, offset: entry.keyOffset, type, rules, groupBy: listScalars(section, 'group-by'),
    condition: condition?.kind === 'map' ? condition : undefined,
  }]
}

/** Returns the entries of `aliases`. */
export function readAliases(section: YamlMap) {
  const aliases = findEntry(section, 'aliases')?.value
  return aliases?.kind === 'map' ? aliases.entries : []
}

export function findRepeated(scalars: readonly YamlScalar[]): readonly YamlScalar[] {
  const firsts = new Map(scalars.toReversed().map((scalar) => [scalar.text, scalar]))
  return scalars.filter((scalar) => firsts.get(scalar.text) !== scalar)
}

/** Returns the lowest whole number that `gt`, `gte` and `eq` accept. */
function readLowerBound(condition: YamlMap) {
  return readBound(condition, { gte: 0, gt: 1, eq: 0 })
}

function readUpperBound(condition: YamlMap) {
  return readBound(condition, { lte: 0, lt: -1, eq: 0 })
}

function readBound(condition: YamlMap, shifts: { readonly [operator: string]: number }) {
  for (const { key, value } of condition.entries) {
    const shift = Object.hasOwn(shifts, key) ? shifts[key] : undefined
    if (shift === undefined || value.kind !== 'scalar' || typeof value.value !== 'number') continue
    return { value: Number.isInteger(value.value) ? value.value + shift : value.value, offset: value.offset }
  }
  return undefined
}
