import type { LintDocument } from '../document/lint-document.ts'
import { findMap, findScalar, getFileName } from '../document/lint-document.ts'
import { readAliases, readCorrelations } from './correlation-checks.ts'
import type { LintCorrelation } from './correlation-checks.ts'
import { defineCheckFamily } from './define-checks.ts'

/** Checks that compare rules with each other, across all sources of one lint run. */
export const collectionChecks = defineCheckFamily({
  name: 'collections',
  frame: 'documents',
  subjects: (document) => [document],
  checks: [
    {
      code: 'TITLE_REPEATED', level: 'advice',
      text: 'Another rule has the same title.',
      bad: 'title: Shell\n---\ntitle: Shell\ndetection:\n  selection:\n    User: bob\n  condition: selection',
      good: 'title: Shell\n---\ntitle: Other Shell\ndetection:\n  selection:\n    User: bob\n  condition: selection',
      find: (document) => {
        const twin = document.collection.findEarlierTwin(document, 'title')
        const title = findScalar(document.node, 'title')
        const offset = title?.offset ?? document.node.offset
        return twin && { offset, message: `another rule has the same title '${title?.text}'${describePlace(twin)}` }
      },
    },
    {
      code: 'DETECTION_REPEATED', level: 'problem',
      text: 'Another rule has the same logsource and detection, so both match the same events.',
      bad: 'title: Shell\n---\ntitle: Other Shell',
      good: 'title: Shell\n---\ntitle: Other Shell\ndetection:\n  selection:\n    User: bob\n  condition: selection',
      find: (document) => {
        const twin = document.collection.findEarlierTwin(document, 'detection')
        const offset = findMap(document, 'detection')?.offset ?? document.node.offset
        const title = twin && findScalar(twin.node, 'title')?.text
        return twin && { offset, message: `'${title ?? 'another rule'}' has the same logsource and detection${describePlace(twin)}` }
      },
    },
    {
      code: 'GROUP_BY_NOT_DERIVABLE', level: 'problem',
      text: 'A group-by field does not exist in the matches of a referenced correlation, which have only its group-by fields and aliases.',
      bad: '^correlation\nrules:\n  - counted\n  - base\ngroup-by:\n  - Computer',
      good: '^correlation\nrules:\n  - counted\n  - base\ngroup-by:\n  - User',
      find: (document) => readCorrelations(document).flatMap(findUnderivableFields),
    },
    {
      code: 'FILE_NAME_REPEATED', level: 'advice',
      text: 'Another file has the same name, in another folder.',
      bad: '^file rules/shell_started.yml\ntitle: Shell\n---\n^file other/shell_started.yml\ntitle: Other\nlogsource: { category: dns }',
      good: '^file rules/shell_started.yml\ntitle: Shell\n---\n^file other/shells_started.yml\ntitle: Other\nlogsource: { category: dns }',
      find: (document) => {
        const twin = document.collection.findEarlierTwin(document, 'fileName')
        if (twin === undefined || twin.path === document.path) return
        return { offset: 0, message: `another file has the same name '${getFileName(document.path)}'${describePlace(twin)}` }
      },
    },
  ],
})

function describePlace({ path }: LintDocument): string {
  return path === '' ? '' : `, in ${path}`
}

function findUnderivableFields({ document, section, groupBy, rules }: LintCorrelation) {
  return groupBy.flatMap(({ text: field, offset }) => rules.flatMap(({ text: name }) => {
    const rule = document.collection.findRule(name)
    const inner = rule === undefined || rule === document ? undefined : readCorrelations(rule)[0]
    if (inner === undefined) return []
    const alias = readAliases(section).find(({ key }) => key === field)?.value
    const read = (alias?.kind === 'map' ? findScalar(alias, name)?.text : undefined) ?? field
    const fields = [...inner.groupBy.map(({ text }) => text), ...readAliases(inner.section).map(({ key }) => key)]
    return fields.includes(read) ? [] : [{
      offset,
      message: `matches of the correlation '${name}' have no field '${read}'; they have ${fields.join(', ') || 'no group-by fields'}`,
    }]
  }))
}
