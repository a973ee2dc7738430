import { entryOf } from '../sigma/document.ts'
import type { YamlMap, YamlScalar } from '../sigma/document.ts'
import type { Condition } from '../sigma/condition.ts'
import { defineFamily } from './check.ts'
import { repeatedOf } from './correlation-checks.ts'
import type { LintDocument } from './lint-document.ts'
import { mapOf, scalarOf, scalarsOf } from './lint-document.ts'

type Filter = {
  readonly document: LintDocument
  readonly section: YamlMap
  readonly offset: number
  readonly rules: readonly YamlScalar[]
}

/** Filter rules (sigma.md section 9): their condition is joined to that of the rules they are for, with `and`. */
export const filterChecks = defineFamily({
  name: 'filters',
  frame: 'filter',
  subjects: filtersOf,
  checks: [
    {
      code: 'FILTER_WITHOUT_NOT', level: 'problem',
      text: "A filter's condition does not begin with 'not', so that rules match only what it selects.",
      bad: 'condition: selection',
      good: 'condition: not selection',
      find: ({ document }) => document.conditions.flatMap(({ tree, scalar }) => tree === undefined || excludes(tree) ? []
        : [{
          offset: scalar.offset, message: `rules will match only where '${scalar.text}' holds`,
          hint: "add 'not' if that is to be left out",
        }]),
    },
    {
      code: 'FILTER_WITHOUT_RULES', level: 'problem',
      text: 'A filter does not say for which rules it is.',
      bad: '!rules',
      good: 'rules:\n  - base',
      find: ({ section, offset }) => entryOf(section, 'rules') !== undefined ? undefined
        : { offset, message: 'the filter does not say for which rules it is', hint: "add 'rules', with ids or names" },
    },
    {
      code: 'FILTER_OF_EVERY_RULE', level: 'advice',
      text: 'A filter is for every rule of its logsource.',
      bad: 'rules: any',
      good: 'rules:\n  - base',
      find: ({ section, rules }) => {
        const entry = entryOf(section, 'rules')
        if (entry === undefined || (rules.length > 0 && rules[0]!.text !== 'any')) return
        return { offset: entry.keyOffset, message: 'the filter changes every rule of its logsource' }
      },
    },
    {
      code: 'FILTER_RULE_REPEATED', level: 'style',
      text: 'A filter names a rule twice.',
      bad: 'rules:\n  - base\n  - base',
      good: 'rules:\n  - base',
      find: ({ rules }) => repeatedOf(rules).map(({ text, offset }) => ({ offset, message: `the rule '${text}' stands twice` })),
    },
    {
      code: 'FILTER_RULE_MISSING', level: 'advice',
      text: 'A filter is for a rule that is not among those linted.',
      bad: 'rules:\n  - base\n  - nowhere',
      good: 'rules:\n  - base',
      find: ({ document, rules }) => missing(document, rules).length === rules.length ? undefined
        : missing(document, rules).map(({ text, offset }) => ({ offset, message: `there is no rule '${text}'` })),
    },
    {
      code: 'FILTER_WITHOUT_EFFECT', level: 'problem',
      text: 'None of the rules that a filter is for is among those linted.',
      bad: 'rules:\n  - nowhere',
      good: 'rules:\n  - base',
      find: ({ document, rules, offset }) => rules.length === 0 || missing(document, rules).length < rules.length ? undefined
        : { offset, message: 'none of the rules that the filter is for is here' },
    },
    {
      code: 'FILTER_OF_CORRELATION', level: 'problem',
      text: 'A filter is for a correlation rule, which filters do not change.',
      bad: 'rules:\n  - counted',
      good: 'rules:\n  - base',
      find: (filter) => rulesOfKind(filter, 'correlation').map(({ text, offset }) => (
        { offset, message: `'${text}' is a correlation rule`, hint: 'name the rules that it counts' })),
    },
    {
      code: 'FILTER_OF_FILTER', level: 'problem',
      text: 'A filter is for another filter.',
      bad: 'rules:\n  - base\n  - this_filter',
      good: 'rules:\n  - base',
      find: (filter) => rulesOfKind(filter, 'filter').map(({ text, offset }) => (
        { offset, message: `'${text}' is a filter` })),
    },
    {
      code: 'FILTER_LOGSOURCE', level: 'problem',
      text: 'A filter has another logsource than the rule that it is for, so that it has no effect there.',
      bad: '^logsource: { product: linux }',
      good: '^logsource: { product: windows }',
      find: ({ document, rules }) => rules.flatMap(({ text, offset }) => {
        const rule = document.collection.ruleOf(text)
        const [own, other] = [mapOf(document, 'logsource'), rule && mapOf(rule, 'logsource')]
        if (rule?.kind !== 'detection' || own === undefined || other === undefined) return []
        const key = ['category', 'product', 'service'].find((name) => {
          const wanted = scalarOf(own, name)?.text.toLowerCase()
          return wanted !== undefined && wanted !== scalarOf(other, name)?.text.toLowerCase()
        })
        return key === undefined ? [] : [{
          offset, message: `the ${key} of '${text}' is '${scalarOf(other, key)?.text ?? 'not set'}', not the filter's`,
        }]
      }),
    },
    {
      code: 'FILTER_WITH_LEVEL', level: 'style',
      text: 'A filter states a level or status, which filters do not have.',
      bad: '^level: high',
      good: '',
      find: ({ document: { node } }) => ['level', 'status'].flatMap((name) => {
        const entry = entryOf(node, name)
        return entry === undefined ? [] : [{ offset: entry.keyOffset, message: `'${name}' has no effect in a filter` }]
      }),
    },
  ],
})

function filtersOf(document: LintDocument): Filter[] {
  const entry = entryOf(document.node, 'filter')
  const section = mapOf(document, 'filter')
  if (document.kind !== 'filter' || section === undefined || entry === undefined) return []
  return [{ document, section, offset: entry.keyOffset, rules: scalarsOf(section, 'rules') }]
}

/** Whether a condition leaves events out and asks for nothing: every part of it is negated. */
function excludes(tree: Condition): boolean {
  return tree.kind === 'not' || ((tree.kind === 'and' || tree.kind === 'or') && tree.of.every(excludes))
}

function rulesOfKind({ document, rules }: Filter, kind: LintDocument['kind']): readonly YamlScalar[] {
  return rules.filter(({ text }) => document.collection.ruleOf(text)?.kind === kind)
}

function missing({ collection }: LintDocument, rules: readonly YamlScalar[]): readonly YamlScalar[] {
  return rules.filter(({ text }) => text !== 'any' && collection.ruleOf(text) === undefined)
}
