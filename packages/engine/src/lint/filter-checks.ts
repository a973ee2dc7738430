import { findEntry } from '../sigma/yaml-document.ts'
import type { YamlMap, YamlScalar } from '../sigma/yaml-document.ts'
import type { Condition } from '../sigma/condition.ts'
import { defineCheckFamily } from './define-checks.ts'
import { findRepeated } from './correlation-checks.ts'
import type { LintDocument } from './lint-document.ts'
import { findMap, listScalars } from './lint-document.ts'

type LintFilter = {
  readonly document: LintDocument
  readonly section: YamlMap
  readonly offset: number
  readonly rules: readonly YamlScalar[]
}

/** Filter rules (sigma.md section 9): their condition is joined to that of the rules they are for, with `and`. */
export const filterChecks = defineCheckFamily({
  name: 'filters',
  frame: 'filter',
  subjects: readFilters,
  checks: [
    {
      code: 'FILTER_WITHOUT_NOT', level: 'problem',
      text: "A filter's condition does not begin with 'not', so that rules match only what it selects.",
      bad: 'condition: selection',
      good: 'condition: not selection',
      find: ({ document }) => document.conditions.flatMap(({ tree, scalar }) => tree === undefined || isExclusion(tree) ? []
        : [{
          offset: scalar.offset, message: `rules will match only where '${scalar.text}' holds`,
          hint: "add 'not' if that is to be left out",
        }]),
    },
    {
      code: 'FILTER_OF_EVERY_RULE', level: 'advice',
      text: 'A filter is for every rule of its logsource.',
      bad: 'rules: any',
      good: 'rules:\n  - base',
      find: ({ section, rules }) => {
        const entry = findEntry(section, 'rules')
        if (entry === undefined || (rules.length > 0 && rules[0]!.text !== 'any')) return
        return { offset: entry.keyOffset, message: 'the filter changes every rule of its logsource' }
      },
    },
    {
      code: 'FILTER_RULE_REPEATED', level: 'style',
      text: 'A filter names a rule twice.',
      bad: 'rules:\n  - base\n  - base',
      good: 'rules:\n  - base',
      find: ({ rules }) => findRepeated(rules).map(({ text, offset }) => ({ offset, message: `the rule '${text}' stands twice` })),
    },
    {
      code: 'FILTER_OF_CORRELATION', level: 'problem', also: 'DANGLING_REFERENCE',
      text: 'A filter is for a correlation rule, which filters do not change.',
      bad: 'rules:\n  - counted',
      good: 'rules:\n  - base',
      find: (filter) => findRulesOfKind(filter, 'correlation').map(({ text, offset }) => (
        { offset, message: `'${text}' is a correlation rule`, hint: 'name the rules that it counts' })),
    },
    {
      code: 'FILTER_OF_FILTER', level: 'problem', also: 'DANGLING_REFERENCE',
      text: 'A filter is for another filter.',
      bad: 'rules:\n  - base\n  - this_filter',
      good: 'rules:\n  - base',
      find: (filter) => findRulesOfKind(filter, 'filter').map(({ text, offset }) => (
        { offset, message: `'${text}' is a filter` })),
    },
    {
      code: 'FILTER_WITH_LEVEL', level: 'style',
      text: 'A filter states a level or status, which filters do not have.',
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

/** Whether a condition leaves events out and asks for nothing: every part of it is negated. */
function isExclusion(tree: Condition): boolean {
  return tree.kind === 'not' || ((tree.kind === 'and' || tree.kind === 'or') && tree.of.every(isExclusion))
}

function findRulesOfKind({ document, rules }: LintFilter, kind: LintDocument['kind']): readonly YamlScalar[] {
  return rules.filter(({ text }) => document.collection.findRule(text)?.kind === kind)
}
