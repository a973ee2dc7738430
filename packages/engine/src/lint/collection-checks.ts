import { readAliases, readCorrelations } from './correlation-checks.ts'
import type { LintCorrelation } from './correlation-checks.ts'
import { defineCheckFamily } from './define-checks.ts'
import { getFileName } from './lint-collection.ts'
import type { LintDocument } from './lint-document.ts'
import { findMap, findScalar } from './lint-document.ts'

/** Rules against each other, over everything that is linted together. */
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
        return twin && { offset, message: `another rule is called '${title?.text}' too${describePlace(twin)}` }
      },
    },
    {
      code: 'DETECTION_REPEATED', level: 'problem',
      text: 'Another rule detects the same events: its logsource and detection are the same.',
      bad: 'title: Shell\n---\ntitle: Other Shell',
      good: 'title: Shell\n---\ntitle: Other Shell\ndetection:\n  selection:\n    User: bob\n  condition: selection',
      find: (document) => {
        const twin = document.collection.findEarlierTwin(document, 'detection')
        const offset = findMap(document, 'detection')?.offset ?? document.node.offset
        const title = twin && findScalar(twin.node, 'title')?.text
        return twin && { offset, message: `'${title ?? 'another rule'}' detects the same events${describePlace(twin)}` }
      },
    },
    {
      code: 'GROUP_BY_NOT_DERIVABLE', level: 'problem',
      text: 'A field of group-by is none that a correlation it names hands on: those of its own group-by and aliases.',
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
        return { offset: 0, message: `another file is called '${getFileName(document.path)}' too${describePlace(twin)}` }
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
    const handedOn = [...inner.groupBy.map(({ text }) => text), ...readAliases(inner.section).map(({ key }) => key)]
    return handedOn.includes(read) ? [] : [{
      offset, message: `the correlation '${name}' does not hand '${read}' on; it has ${handedOn.join(', ') || 'no group-by'}`,
    }]
  }))
}
