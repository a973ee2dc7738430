import { aliasesOf, correlationsOf } from './correlation-checks.ts'
import type { Correlation } from './correlation-checks.ts'
import { defineFamily } from './define-checks.ts'
import { fileNameOf } from './lint-collection.ts'
import type { LintDocument } from './lint-document.ts'
import { mapOf, scalarOf } from './lint-document.ts'

/** Rules against each other, over everything that is linted together. */
export const collectionChecks = defineFamily({
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
        const twin = document.collection.earlierTwin(document, 'title')
        const title = scalarOf(document.node, 'title')
        const offset = title?.offset ?? document.node.offset
        return twin && { offset, message: `another rule is called '${title?.text}' too${placeOf(twin)}` }
      },
    },
    {
      code: 'DETECTION_REPEATED', level: 'problem',
      text: 'Another rule detects the same events: its logsource and detection are the same.',
      bad: 'title: Shell\n---\ntitle: Other Shell',
      good: 'title: Shell\n---\ntitle: Other Shell\ndetection:\n  selection:\n    User: bob\n  condition: selection',
      find: (document) => {
        const twin = document.collection.earlierTwin(document, 'detection')
        const offset = mapOf(document, 'detection')?.offset ?? document.node.offset
        const title = twin && scalarOf(twin.node, 'title')?.text
        return twin && { offset, message: `'${title ?? 'another rule'}' detects the same events${placeOf(twin)}` }
      },
    },
    {
      code: 'GROUP_BY_NOT_DERIVABLE', level: 'problem',
      text: 'A field of group-by is none that a correlation it names hands on: those of its own group-by and aliases.',
      bad: '^correlation\nrules:\n  - counted\n  - base\ngroup-by:\n  - Computer',
      good: '^correlation\nrules:\n  - counted\n  - base\ngroup-by:\n  - User',
      find: (document) => correlationsOf(document).flatMap(notDerivable),
    },
    {
      code: 'FILE_NAME_REPEATED', level: 'advice',
      text: 'Another file has the same name, in another folder.',
      bad: '^file rules/shell_started.yml\ntitle: Shell\n---\n^file other/shell_started.yml\ntitle: Other\nlogsource: { category: dns }',
      good: '^file rules/shell_started.yml\ntitle: Shell\n---\n^file other/shells_started.yml\ntitle: Other\nlogsource: { category: dns }',
      find: (document) => {
        const twin = document.collection.earlierTwin(document, 'fileName')
        if (twin === undefined || twin.path === document.path) return
        return { offset: 0, message: `another file is called '${fileNameOf(document.path)}' too${placeOf(twin)}` }
      },
    },
  ],
})

function placeOf({ path }: LintDocument): string {
  return path === '' ? '' : `, in ${path}`
}

function notDerivable({ document, section, groupBy, rules }: Correlation) {
  return groupBy.flatMap(({ text: field, offset }) => rules.flatMap(({ text: name }) => {
    const rule = document.collection.ruleOf(name)
    const inner = rule === undefined || rule === document ? undefined : correlationsOf(rule)[0]
    if (inner === undefined) return []
    const alias = aliasesOf(section).find(({ key }) => key === field)?.value
    const read = (alias?.kind === 'map' ? scalarOf(alias, name)?.text : undefined) ?? field
    const handedOn = [...inner.groupBy.map(({ text }) => text), ...aliasesOf(inner.section).map(({ key }) => key)]
    return handedOn.includes(read) ? [] : [{
      offset, message: `the correlation '${name}' does not hand '${read}' on; it has ${handedOn.join(', ') || 'no group-by'}`,
    }]
  }))
}
