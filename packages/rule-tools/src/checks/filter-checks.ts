import type { Condition } from '@tripline/engine/authoring'
import { findEntry } from '@tripline/engine/yaml'
import type { YamlMap, YamlScalar } from '@tripline/engine/yaml'
import type { LintDocument } from '../document/lint-document.ts'
import { findMap, listScalars } from '../document/lint-document.ts'
import { findRepeated } from './correlation-checks.ts'
import { defineCheckFamily } from './define-checks.ts'

type LintFilter = {
  readonly document: LintDocument
  readonly section: YamlMap
  readonly offset: number
  readonly rules: readonly YamlScalar[]
}

/** Checks on filter rules, whose condition is joined with `and` to the conditions of the rules they apply to. */
export const filterChecks = defineCheckFamily({
  name: 'filters',
  frame: 'filter',
  subjects: readFilters,
  checks: [
    {
      code: 'FILTER_WITHOUT_NOT', level: 'problem',
      text: "The filter's condition does not exclude anything, so the rules match only the events it selects.",
      bad: 'condition: selection',
      good: 'condition: not selection',
      find: ({ document }) => document.conditions.flatMap(({ tree, scalar }) => tree === undefined || isExclusion(tree) ? []
        : [{
          offset: scalar.offset, message: `the rules match only events that match '${scalar.text}'`,
          hint: "add 'not' to exclude these events",
        }]),
    },
    {
      code: 'FILTER_OF_EVERY_RULE', level: 'advice',
      text: 'A filter applies to every rule of its logsource.',
      bad: 'rules: any',
      good: 'rules:\n  - base',
      find: ({ section, rules }) => {
        const entry = findEntry(section, 'rules')
        if (entry === undefined || (rules.length > 0 && rules[0]!.text !== 'any')) return
        return { offset: entry.keyOffset, message: 'the filter applies to every rule of its logsource' }
      },
    },
    {
      code: 'FILTER_RULE_REPEATED', level: 'style',
      text: 'A filter names a rule twice.',
      bad: 'rules:\n  - base\n  - base',
      good: 'rules:\n  - base',
      find: ({ rules }) => findRepeated(rules).map(({ text, offset }) => ({ offset, message: `the rule '${text}' is listed twice` })),
    },
    {
      code: 'FILTER_OF_CORRELATION', level: 'problem', also: 'DANGLING_REFERENCE',
      text: 'A filter names a correlation rule; filters apply only to detection rules.',
      bad: 'rules:\n  - counted',
      good: 'rules:\n  - base',
      find: (filter) => findRulesOfKind(filter, 'correlation').map(({ text, offset }) => (
        { offset, message: `'${text}' is a correlation rule`, hint: 'name the detection rules of the correlation' })),
    },
    {
      code: 'FILTER_OF_FILTER', level: 'problem', also: 'DANGLING_REFERENCE',
      text: 'A filter names another filter; filters apply only to detection rules.',
      bad: 'rules:\n  - base\n  - this_filter',
      good: 'rules:\n  - base',
      find: (filter) => findRulesOfKind(filter, 'filter').map(({ text, offset }) => (
        { offset, message: `'${text}' is a filter, not a detection rule` })),
    },
    {
      code: 'FILTER_WITH_LEVEL', level: 'style',
      text: 'A filter has a level or status, which has no effect.',
      bad: '^level: high',
      good: '',
      find: ({ document: { node } }) => ['level', 'status'].flatMap((name) => {
        const entry = findEntry(node, name)
        return entry === undefined ? [] : [{ offset: entry.keyOffset, message: `'${name}' has no effect in a filter` }]
      }),
    },
  ],
})

function readFilters(document: LintDocument): LintFilter[] {
  const entry = findEntry(document.node, 'filter')
  const section = findMap(document, 'filter')
  if (document.kind !== 'filter' || section === undefined || entry === undefined) return []
  return [{ document, section, offset: entry.keyOffset, rules: listScalars(section, 'rules') }]
}

/** Whether every part of a condition is negated, so that it only excludes. */
function isExclusion(tree: Condition): boolean {
  return tree.kind === 'not' || ((tree.kind === 'and' || tree.kind === 'or') && tree.of.every(isExclusion))
}

function findRulesOfKind({ document, rules }: LintFilter, kind: LintDocument['kind']): readonly YamlScalar[] {
  return rules.filter(({ text }) => document.collection.findRule(text)?.kind === kind)
}
