import { parseTimespan } from '../sigma/timespan.ts'
import { findEntry } from '../sigma/yaml-document.ts'
import type { YamlMap, YamlScalar } from '../sigma/yaml-document.ts'
import { defineCheckFamily } from './define-checks.ts'
import { allOrNone, rewriteScalar } from './edits.ts'
import type { LintDocument } from './lint-document.ts'
import { findMap, findScalar, listScalars } from './lint-document.ts'

/** A correlation with its section taken apart. */
export type LintCorrelation = {
  readonly document: LintDocument
  readonly section: YamlMap
  readonly offset: number
  readonly type: string
  readonly rules: readonly YamlScalar[]
  readonly groupBy: readonly YamlScalar[]
  readonly condition: YamlMap | undefined
}

/** Correlation rules (sigma.md section 8), each by itself. */
export const correlationChecks = defineCheckFamily({
  name: 'correlations',
  frame: 'correlation',
  subjects: readCorrelations,
  checks: [
    {
      code: 'CORRELATION_OF_ONE_RULE', level: 'problem',
      text: 'A temporal correlation has a single rule, so that each of its matches is one.',
      bad: 'type: temporal\nrules:\n  - base\n!condition',
      good: 'type: temporal\nrules:\n  - base\n  - other\n!condition',
      find: ({ type, rules }) => !type.startsWith('temporal') || rules.length !== 1 ? undefined
        : { offset: rules[0]!.offset, message: `'${type}' needs several rules` },
    },
    {
      code: 'GROUP_BY_MISSING', level: 'advice',
      text: 'A correlation has no group-by, so that events of all users and hosts count together.',
      bad: '!group-by',
      good: 'group-by:\n  - User',
      find: ({ groupBy, offset }) => groupBy.length > 0 ? undefined
        : { offset, message: 'events of all users and hosts count together', hint: "add 'group-by'" },
    },
    {
      code: 'GROUP_BY_COUNTED', level: 'problem',
      text: 'The field whose values are counted is one of group-by, so that there is always one value.',
      bad: 'type: value_count\ncondition:\n  field: User\n  gte: 10\ngroup-by:\n  - User',
      good: 'type: value_count\ncondition:\n  field: Image\n  gte: 10\ngroup-by:\n  - User',
      find: ({ type, condition, groupBy }) => {
        const field = condition && findScalar(condition, 'field')
        if (type !== 'value_count' || field === undefined || !groupBy.some(({ text }) => text === field.text)) return
        return { offset: field.offset, message: `every group has one value of '${field.text}'` }
      },
    },
    {
      code: 'THRESHOLD_ALWAYS', level: 'advice',
      text: 'The threshold is reached by the first event.',
      bad: 'condition:\n  gte: 1',
      good: 'condition:\n  gte: 10',
      find: ({ type, condition }) => {
        const criteria = condition?.entries.filter(({ key }) => key !== 'field') ?? []
        const least = condition && readLowerBound(condition)
        // What is also bounded from above, or has to be equal, is only known when the window ends.
        if (!type.endsWith('_count') || criteria.length !== 1 || !/^gte?$/.test(criteria[0]!.key)) return
        if (least === undefined || least.value > 1) return
        return { offset: least.offset, message: `the first event reaches the threshold ${least.value}` }
      },
    },
    {
      code: 'THRESHOLD_NEVER', level: 'problem',
      text: 'No number fits the thresholds, or none that there can be.',
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
          return { offset: high.offset, message: 'a group without events does not exist, so that none has fewer than one' }
        }
        const isWhole = document.kind === 'correlation' && !/value_(?:sum|avg|median|percentile)/.test(type)
        return least > most && isWhole ? {
          offset: low!.offset, message: `there are only ${most} rules, so that ${least} never match`,
        } : undefined
      },
    },
    {
      code: 'TIMESPAN_FORM', level: 'style', fix: 'safe',
      text: 'A timespan has blanks or leading zeros.',
      bad: 'timespan: 05 m',
      good: 'timespan: 5m',
      find: ({ section, document }) => {
        const timespan = findScalar(section, 'timespan')
        const [, count = '', unit = ''] = /^\s*0*([1-9]\d*)\s*([smhdwMy])\s*$/.exec(timespan?.text ?? '') ?? []
        if (timespan === undefined || unit === '' || timespan.text === count + unit) return
        const edits = allOrNone([rewriteScalar(document.text, timespan, count + unit)])
        return { offset: timespan.offset, message: `'${timespan.text}' is written '${count}${unit}'`, edits }
      },
    },
    {
      code: 'TIMESPAN_UNIT', level: 'advice',
      text: 'A timespan is counted in weeks, months or years, which the specification does not have.',
      bad: 'timespan: 1w',
      good: 'timespan: 30d',
      find: ({ section }) => {
        const timespan = findScalar(section, 'timespan')
        const [, unit] = /^\s*\d+\s*([wMy])\s*$/.exec(timespan?.text ?? '') ?? []
        return timespan === undefined || unit === undefined ? undefined
          : {
            offset: timespan.offset, message: `the unit '${unit}' is not one of s, m, h and d`,
            hint: unit === 'M' ? "minutes are 'm'" : 'count in days',
          }
      },
    },
    {
      code: 'WINDOW_LONGER_THAN_RETENTION', level: 'problem',
      text: 'A window is longer than events are kept (where that is told).',
      bad: 'timespan: 100d',
      good: 'timespan: 5d',
      find: ({ section, document }) => {
        const { retentionMs } = document.collection
        const timespan = findScalar(section, 'timespan')
        const lengthMs = parseTimespan(timespan?.text ?? '')
        if (timespan === undefined || lengthMs === undefined || retentionMs === undefined || lengthMs <= retentionMs) return
        return {
          offset: timespan.offset,
          message: `the window of ${timespan.text} is longer than events are kept, ${retentionMs / 86_400_000} days`,
        }
      },
    },
    {
      code: 'ALIAS_UNUSED', level: 'advice',
      text: 'An alias is used neither by group-by nor as the field of the condition.',
      bad: 'aliases:\n  who:\n    base: User\n    other: User',
      good: 'aliases:\n  who:\n    base: User\n    other: User\ngroup-by:\n  - who',
      find: ({ section, groupBy, condition }) => {
        const fields = condition === undefined ? [] : listScalars(condition, 'field')
        const used = new Set([...groupBy, ...fields].map(({ text }) => text))
        return readAliases(section).filter(({ key }) => !used.has(key))
          .map(({ key, keyOffset }) => ({ offset: keyOffset, message: `nothing uses the alias '${key}'` }))
      },
    },
    {
      code: 'ALIAS_INCOMPLETE', level: 'advice',
      text: 'An alias does not say which field it is in each rule.',
      bad: 'aliases:\n  who:\n    base: User\ngroup-by:\n  - who',
      good: 'aliases:\n  who:\n    base: User\n    other: User\ngroup-by:\n  - who',
      find: ({ section, rules }) => readAliases(section).flatMap(({ key, keyOffset, value }) => {
        const absent = value.kind !== 'map' ? undefined : rules.find(({ text }) => findEntry(value, text) === undefined)
        return absent === undefined ? [] : [{
          offset: keyOffset, message: `in '${absent.text}' the alias '${key}' is the field '${key}' itself`,
        }]
      }),
    },
    {
      code: 'CORRELATION_WITH_DETECTION', level: 'problem',
      text: 'A correlation rule also has a detection or a logsource, which have no effect.',
      bad: '^logsource: { product: windows }',
      good: '',
      find: ({ document: { node } }) => ['detection', 'logsource'].flatMap((name) => {
        const entry = findEntry(node, name)
        return entry === undefined ? [] : [{
          offset: entry.keyOffset, message: `'${name}' has no effect in a correlation rule`, hint: 'make two documents of it',
        }]
      }),
    },
  ],
})

/** The correlation of a document, as a list of none or one. */
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

/** The entries of the aliases of a correlation. */
export function readAliases(section: YamlMap) {
  const aliases = findEntry(section, 'aliases')?.value
  return aliases?.kind === 'map' ? aliases.entries : []
}

export function findRepeated(scalars: readonly YamlScalar[]): readonly YamlScalar[] {
  const firsts = new Map(scalars.toReversed().map((scalar) => [scalar.text, scalar]))
  return scalars.filter((scalar) => firsts.get(scalar.text) !== scalar)
}

/** The least number that a condition takes, as far as `gt`, `gte` and `eq` say it of whole numbers. */
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
