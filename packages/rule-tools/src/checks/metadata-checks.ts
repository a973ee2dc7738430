import { levels, statuses } from '@tripline/engine'
import { findEntry } from '@tripline/engine/yaml'
import type { YamlEntry } from '@tripline/engine/yaml'
import type { LintDocument } from '../document/lint-document.ts'
import { findScalar } from '../document/lint-document.ts'
import { limits } from '../limits.ts'
import { defineCheckFamily } from './define-checks.ts'
import type { CheckRow, Finding } from './define-checks.ts'
import { allOrNone, removeLine, rewriteScalar } from './edits.ts'

/** Attributes of rules of any kind and of rule collections. */
const knownAttributes: ReadonlySet<string> = new Set(
  `title id name related taxonomy status description license author references date modified logsource detection fields
   falsepositives level tags scope correlation generate filter action sigma-version tests`.split(/\s+/),
)

const uuidForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Attributes of a rule that authors easily indent too far. */
const misplacedAttributes: readonly string[] = [
  'level', 'status', 'tags', 'falsepositives', 'fields', 'references', 'logsource', 'author', 'date',
]

/** Checks on the metadata of a rule. */
export const metadataChecks = defineCheckFamily({
  name: 'metadata',
  frame: 'rule',
  subjects: (document) => [document],
  checks: [
    ...requireAttribute('id', 'advice', 'nothing can refer to it reliably', ['detection', 'correlation', 'filter']),
    ...requireAttribute('status', 'style', 'its maturity is unknown', ['detection', 'correlation']),
    ...requireAttribute('level', 'advice', 'its matches have no severity', ['detection', 'correlation']),
    ...requireAttribute('description', 'optional', 'analysts see only the title of a match', ['detection', 'correlation']),
    ...requireAttribute('author', 'optional', 'it has no contact for questions', ['detection', 'correlation']),
    ...requireAttribute('date', 'optional', 'its age is unknown', ['detection', 'correlation']),
    {
      code: 'ID_NOT_RANDOM', level: 'style',
      text: 'The id is not a random UUID (version 4), so another rule may have the same one.',
      bad: 'id: 12345678-0000-0000-0000-000000000001',
      good: 'id: 5013cbb1-6a3a-4f4e-9a5c-6a1d1b2a0c11',
      find: ({ node }) => {
        const id = findScalar(node, 'id')
        if (id === undefined || !uuidForm.test(id.text) || /^.{14}4.{4}[89ab]/i.test(id.text)) return
        return { offset: id.offset, message: `the id ${id.text} is not a random UUID`, hint: 'generate one with uuidgen' }
      },
    },
    {
      code: 'ID_CASE', level: 'style', fix: 'safe',
      text: 'The id has upper-case letters; UUIDs are written in lower case.',
      bad: 'id: 5013CBB1-6a3a-4f4e-9a5c-6a1d1b2a0c11',
      good: 'id: 5013cbb1-6a3a-4f4e-9a5c-6a1d1b2a0c11',
      find: (document) => findUpperCase(document, 'id', /^[\da-f-]{36}$/i),
    },
    {
      code: 'LEVEL_CASE', level: 'style', fix: 'safe',
      text: 'The level has upper-case letters.',
      bad: 'level: High',
      good: 'level: high',
      find: (document) => findUpperCase(document, 'level', new RegExp(`^(?:${levels.join('|')})$`, 'i')),
    },
    {
      code: 'STATUS_CASE', level: 'style', fix: 'safe',
      text: 'The status has upper-case letters.',
      bad: 'status: Test',
      good: 'status: test',
      find: (document) => findUpperCase(document, 'status', new RegExp(`^(?:${statuses.join('|')})$`, 'i')),
    },
    {
      code: 'DATE_FORM', level: 'style', fix: 'safe',
      text: 'A date does not have the format YYYY-MM-DD.',
      bad: 'date: 2024/3/07',
      good: 'date: 2024-03-07',
      find: ({ node, text }) => ['date', 'modified'].flatMap((name) => {
        const date = findScalar(node, name)
        const [, year, month = '', day = ''] = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(date?.text ?? '') ?? []
        const printed = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
        if (date === undefined || year === undefined || printed === date.text) return []
        const edits = allOrNone([rewriteScalar(text, date, printed)])
        return [{ offset: date.offset, message: `'${name}' is ${date.text}; write ${printed}`, edits }]
      }),
    },
    {
      code: 'MODIFIED_BEFORE_DATE', level: 'problem',
      text: 'The date of the last change is before the date of the rule.',
      bad: 'date: 2024-03-07\nmodified: 2023-03-08',
      good: 'date: 2024-03-07\nmodified: 2024-03-08',
      find: ({ node }) => {
        const [date, modified] = [findScalar(node, 'date'), findScalar(node, 'modified')]
        if (date === undefined || modified === undefined || parseDay(modified.text) >= parseDay(date.text)) return
        return { offset: modified.offset, message: `'modified' is ${modified.text}, before 'date' ${date.text}` }
      },
    },
    {
      code: 'EMPTY_ATTRIBUTE', level: 'style', fix: 'safe',
      text: 'An attribute is empty.',
      bad: 'falsepositives:',
      good: 'falsepositives:\n  - Administrators',
      find: ({ node, text }) => node.entries.flatMap(({ key, keyOffset, value }) => {
        // A list or map is one node itself.
        const isEmpty = value.kind === 'scalar' ? value.value === null : value.size === 1
        if (!isEmpty || key === 'detection' || key === 'logsource') return []
        const edits = allOrNone([removeLine(text, keyOffset, /^[\w-]+:\s*(?:\[\]|\{\}|null|~)?$/)])
        return [{ offset: keyOffset, message: `the attribute '${key}' is empty`, edits }]
      }),
    },
    {
      code: 'MISSPELT_ATTRIBUTE', level: 'problem',
      text: 'An attribute is probably misspelled.',
      bad: 'falsepositive:\n  - Administrators',
      good: 'falsepositives:\n  - Administrators',
      find: ({ node }) => listCustomEntries(node.entries).flatMap(({ key, keyOffset }) => {
        const hint = findMisspelling(key)
        return hint === undefined ? [] : [{ offset: keyOffset, message: `'${key}' is not an attribute of Sigma`, hint }]
      }),
    },
    {
      code: 'CUSTOM_ATTRIBUTE_CASE', level: 'style',
      text: 'A custom attribute is not in lower case.',
      bad: 'MITRE: yes',
      good: 'mitre: yes',
      find: ({ node }) => listCustomEntries(node.entries).flatMap(({ key, keyOffset }) => {
        if (!/[A-Z ]/.test(key) || findMisspelling(key) !== undefined) return []
        return [{ offset: keyOffset, message: `the attribute '${key}' is not in lower case` }]
      }),
    },
    {
      code: 'ATTRIBUTE_INSIDE_DETECTION', level: 'problem',
      text: 'An attribute of the rule is inside the detection, where it is read as a selection.',
      bad: 'detection:\n  selection:\n    User: bob\n  level: high\n  condition: 1 of them',
      good: 'detection:\n  selection:\n    User: bob\n  condition: selection',
      find: (document) => document.kind !== 'detection' ? undefined : document.selections.flatMap(({ name, entry }) => {
        if (!misplacedAttributes.includes(name)) return []
        return [{
          offset: entry.keyOffset, message: `'${name}' is inside the detection, where it is read as a selection`,
          hint: 'indent it less',
        }]
      }),
    },
    {
      code: 'ATTRIBUTE_OUTSIDE_DETECTION', level: 'problem',
      text: 'The condition is outside the detection.',
      bad: 'condition: selection',
      good: 'custom: selection',
      find: ({ node }) => {
        const entry = findEntry(node, 'condition') ?? findEntry(node, 'selection') ?? findEntry(node, 'timeframe')
        const message = `'${entry?.key}' is outside the detection`
        return entry && { offset: entry.keyOffset, message, hint: 'indent it under detection' }
      },
    },
    {
      code: 'RELATED_TO_ITSELF', level: 'problem',
      text: 'The rule is related to itself.',
      bad: 'id: 5013cbb1-6a3a-4f4e-9a5c-6a1d1b2a0c11\nrelated:\n  - id: 5013cbb1-6a3a-4f4e-9a5c-6a1d1b2a0c11\n    type: similar',
      good: 'id: 5013cbb1-6a3a-4f4e-9a5c-6a1d1b2a0c11\nrelated:\n  - id: 6013cbb1-6a3a-4f4e-9a5c-6a1d1b2a0c11\n    type: similar',
      find: (document) => {
        const id = findScalar(document.node, 'id')?.text.toLowerCase()
        return listRelatedIds(document).filter(({ text }) => text.toLowerCase() === id)
          .map(({ offset }) => ({ offset, message: 'the rule is related to itself' }))
      },
    },
    {
      code: 'RELATED_REPEATED', level: 'advice',
      text: '`related` lists a rule twice.',
      bad: `related:${'\n  - id: 6013cbb1-6a3a-4f4e-9a5c-6a1d1b2a0c11\n    type: similar'.repeat(2)}`,
      good: 'related:\n  - id: 6013cbb1-6a3a-4f4e-9a5c-6a1d1b2a0c11\n    type: similar',
      find: (document) => {
        const ids = listRelatedIds(document)
        const firsts = new Map(ids.toReversed().map((id) => [id.text.toLowerCase(), id]))
        return ids.filter((id) => firsts.get(id.text.toLowerCase()) !== id)
          .map(({ text, offset }) => ({ offset, message: `'related' lists the rule ${text} twice` }))
      },
    },
    {
      code: 'RELATED_NOT_AN_ID', level: 'problem',
      text: '`related` refers to a rule by something other than its id.',
      bad: 'related:\n  - id: shell_started\n    type: similar',
      good: 'related:\n  - id: 6013cbb1-6a3a-4f4e-9a5c-6a1d1b2a0c11\n    type: similar',
      find: (document) => listRelatedIds(document).flatMap(({ text, offset }) =>
        uuidForm.test(text) ? [] : [{ offset, message: `'${text}' is not the id of a rule` }]),
    },
    {
      code: 'DEPRECATED_WITHOUT_SUCCESSOR', level: 'style',
      text: 'A deprecated rule does not name its successor.',
      bad: 'status: deprecated',
      good: 'status: test',
      find: ({ node }) => {
        const status = findScalar(node, 'status')
        if (status?.text.toLowerCase() !== 'deprecated' || findEntry(node, 'related') !== undefined) return
        return { offset: status.offset, message: 'the rule is deprecated but names no successor', hint: "add 'related'" }
      },
    },
  ],
})

function listCustomEntries(entries: readonly YamlEntry[]): readonly YamlEntry[] {
  return entries.filter(({ key }) => !knownAttributes.has(key)).slice(0, limits.lintAttributesMax)
}

/** Suggests the attribute that a misspelled key probably means. */
function findMisspelling(key: string): string | undefined {
  const lower = key.toLowerCase()
  // A short name resembles many words.
  const near = [...knownAttributes].filter((name) => Math.abs(name.length - key.length) <= 1)
  const intended = key.length < 4 ? undefined : near.find((name) => isNear(lower, name))
  return intended === undefined ? undefined : `did you mean '${intended}'?`
}

/** Whether two names differ by one letter, by two swapped letters, or only by underscores and hyphens. */
function isNear(a: string, b: string): boolean {
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const [restA, restB] = [a.slice(start), b.slice(start)]
  const isSwapped = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2)
  return restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1) || isSwapped
    || a.replaceAll(/[-_ ]/g, '') === b.replaceAll(/[-_ ]/g, '')
}

/** Defines the check that an attribute is present; `!id` removes one from an example. */
function requireAttribute(
  name: string, level: 'advice' | 'style' | 'optional', why: string, kinds: readonly LintDocument['kind'][],
): CheckRow<LintDocument>[] {
  return [{
    code: `MISSING_${name.toUpperCase()}`, text: `The rule has no '${name}': ${why}.`, level, bad: `!${name}`, good: '',
    find: ({ kind, node }) => kinds.includes(kind) && findEntry(node, name) === undefined
      ? { offset: node.offset, message: `the rule has no '${name}': ${why}` } : undefined,
  }]
}

function findUpperCase({ node, text }: LintDocument, name: string, form: RegExp): Finding | undefined {
  const scalar = findScalar(node, name)
  if (scalar === undefined || !form.test(scalar.text) || scalar.text === scalar.text.toLowerCase()) return undefined
  const edits = allOrNone([rewriteScalar(text, scalar, scalar.text.toLowerCase())])
  return { offset: scalar.offset, message: `'${name}' has upper-case letters: ${scalar.text}`, edits }
}

function listRelatedIds({ node }: LintDocument) {
  const related = findEntry(node, 'related')?.value
  if (related?.kind !== 'list') return []
  return related.items.flatMap((item) => (item.kind === 'map' ? findScalar(item, 'id') : undefined) ?? [])
}

/** Converts a date to a number that can be compared. */
function parseDay(text: string): number {
  const [year = 0, month = 0, day = 0] = text.split(/[-/]/).map(Number)
  return year * 10_000 + month * 100 + day
}
