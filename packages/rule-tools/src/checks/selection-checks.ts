import type { YamlEntry, YamlMap, YamlNode } from '@tripline/engine/yaml'
import { listItems } from '../document/lint-document.ts'
import type { LintDocument } from '../document/lint-document.ts'
import { printNode } from '../document/print-node.ts'
import { limits } from '../limits.ts'
import { defineCheckFamily } from './define-checks.ts'
import { readComparison, entryImplies } from './implied-selection.ts'
import { shapesExclude } from './text-shape.ts'

const conditionKeywords = /^(?:and|or|not|of|them|all|any|1)$/i

/** Checks on the names and structure of selections. */
export const selectionChecks = defineCheckFamily({
  name: 'selections',
  frame: 'detection',
  subjects: ({ selections }) => selections,
  checks: [
    {
      code: 'SELECTION_NAME_CHARACTERS', level: 'problem',
      text: 'The name of a selection has characters that are not valid in a condition.',
      bad: 'my selection:\n  User: bob\nselection:\n  User: alice\ncondition: selection or 1 of my*',
      good: 'my_selection:\n  User: bob\nselection:\n  User: alice\ncondition: selection or 1 of my*',
      find: ({ name, entry }) => /^[\w-]+$/.test(name) ? undefined
        : {
          offset: entry.keyOffset, message: `a condition cannot refer to the selection '${name}'`, hint: 'use letters, digits, _ and -',
        },
    },
    {
      code: 'SELECTION_NAME_KEYWORD', level: 'problem',
      text: 'The name of a selection is a keyword of the condition language.',
      bad: 'not:\n  User: bob\ncondition: not',
      good: 'selection:\n  User: bob\ncondition: selection',
      find: ({ name, entry }) => !conditionKeywords.test(name) ? undefined
        : { offset: entry.keyOffset, message: `'${name}' is a keyword of the condition language` },
    },
    {
      code: 'SELECTION_NAME_NOT', level: 'advice',
      text: "The name of a selection begins with 'not', which the reference parser reads as the operator.",
      bad: 'nothing:\n  User: bob\ncondition: nothing',
      good: 'selection:\n  User: bob\ncondition: selection',
      find: ({ name, entry }) => !/^not./i.test(name) ? undefined
        : { offset: entry.keyOffset, message: `other tools read '${name}' as 'not ${name.slice(3)}'` },
    },
    {
      code: 'LIST_MIXES_KINDS', level: 'advice',
      text: 'A list has both maps and keywords.',
      bad: 'selection:\n  - User: bob\n  - mimikatz\ncondition: selection',
      good: 'selection:\n  - User: bob\n  - Image: mimikatz\ncondition: selection',
      find: ({ name, entry: { value } }) => {
        if (value.kind !== 'list') return
        const keyword = value.items.find(({ kind }) => kind === 'scalar')
        if (keyword === undefined || !value.items.some(({ kind }) => kind === 'map')) return
        const hint = "is ': ' missing after a field?"
        return {
          offset: keyword.offset, message: `'${name}' mixes maps with a keyword, which matches anywhere in the event`, hint,
        }
      },
    },
    {
      code: 'LIST_OF_ONE_MAP', level: 'style',
      text: 'A selection is a list with a single map.',
      bad: 'selection:\n  - User: bob\ncondition: selection',
      good: 'selection:\n  User: bob\ncondition: selection',
      find: ({ name, entry: { value } }) => value.kind !== 'list' || value.items.length !== 1 || value.items[0]!.kind !== 'map'
        ? undefined
        : { offset: value.offset, message: `'${name}' is a list with a single map`, hint: 'remove the hyphen' },
    },
    {
      code: 'LIST_OF_SAME_FIELD', level: 'style',
      text: 'A list of maps repeats one field; a list of values does the same.',
      bad: "selection:\n  - User: bob\n  - User: alice\ncondition: selection",
      good: 'selection:\n  User:\n    - bob\n    - alice\ncondition: selection',
      find: ({ name, entry: { value } }) => {
        if (value.kind !== 'list' || value.items.length < 2) return
        const keyOf = (item: YamlNode) => item.kind === 'map' && item.entries.length === 1 ? item.entries[0]!.key : ''
        const keys = new Set(value.items.map(keyOf))
        const [key = ''] = keys
        if (keys.size > 1 || key === '' || key.includes('|all')) return
        return {
          offset: value.offset, message: `every map of '${name}' has only '${key}'`,
          hint: `write one '${key}' with a list of values`,
        }
      },
    },
    {
      code: 'KEYWORD_SHORT', level: 'advice',
      text: 'A keyword is so short that nearly every event contains it.',
      bad: 'keywords:\n  - a\ncondition: keywords',
      good: 'keywords:\n  - mimikatz\ncondition: keywords',
      find: ({ items }) => items.flatMap(({ field, modifiers, values }) => field !== undefined || modifiers.length > 0 ? []
        : values.filter(({ text }) => text.replaceAll(/[*?\\]/g, '').length < 2)
          .map(({ text, offset }) => ({ offset, message: `nearly every event contains the keyword '${text}'` }))),
    },
    {
      code: 'FIELD_BLANKS', level: 'problem',
      text: 'The name of a field has spaces.',
      bad: 'selection:\n  Original FileName: bob\ncondition: selection',
      good: 'selection:\n  OriginalFileName: bob\ncondition: selection',
      find: ({ items }) => items.filter(({ field }) => field !== undefined && /\s/.test(field)).map(({ field = '', offset }) => (
        { offset, message: `the field name '${field}' has spaces`, hint: `write '${field.replaceAll(/\s+/g, '')}'` })),
    },
    {
      code: 'FIELD_CHARACTERS', level: 'problem',
      text: 'The name of a field has invisible or look-alike characters.',
      bad: 'selection:\n  Im\u0430ge: bob\ncondition: selection',
      good: 'selection:\n  Image: bob\ncondition: selection',
      find: ({ items }) => items.filter(({ field = '' }) => /[A-Za-z]/.test(field) && /[^\x20-\x7e]/.test(field))
        .map(({ field = '', offset }) => ({
          offset, message: `the field name '${field}' has characters that only look like Latin letters`,
        })),
    },
  ],
})

/** Checks that compare the selections of a rule. */
export const selectionListChecks = defineCheckFamily({
  name: 'selection lists',
  frame: 'detection',
  subjects: (document) => [document],
  checks: [
    {
      code: 'SELECTION_NAME_CASE', level: 'advice',
      text: 'The names of two selections differ only by case.',
      bad: 'Selection:\n  User: bob\nselection:\n  User: alice\ncondition: selection or Selection',
      good: 'other:\n  User: bob\nselection:\n  User: alice\ncondition: selection or other',
      find: ({ selections }) => findTwins(selections, ({ name }) => name.toLowerCase()).map(([selection, twin]) => (
        { offset: selection.entry.keyOffset, message: `'${selection.name}' differs from '${twin.name}' only by case` })),
    },
    {
      code: 'SELECTION_REPEATED', level: 'advice',
      text: 'Two selections are equal.',
      bad: 'one:\n  User: bob\ntwo:\n  User: bob\ncondition: one or two',
      good: 'one:\n  User: bob\ntwo:\n  User: alice\ncondition: one or two',
      find: ({ selections }) => findTwins(selections, ({ entry }) => printNode(entry.value)).map(([selection, twin]) => (
        { offset: selection.entry.keyOffset, message: `'${selection.name}' is equal to '${twin.name}'` })),
    },
    {
      code: 'FIELD_CASE_DIFFERS', level: 'problem',
      text: 'A field is spelled in two ways.',
      frame: 'rule',
      bad: 'logsource: { category: proxy }\ndetection:\n  a:\n    c-uri|contains: bob\n    C-Uri|endswith: b\n  condition: a',
      good: 'logsource: { category: proxy }\ndetection:\n  a:\n    c-uri|contains: bob\n    cs-host|endswith: b\n  condition: a',
      find: (document) => {
        const items = listItems(document).filter(({ field }) => field !== undefined)
        const spelt = findTwins(items, ({ field = '' }) => field.toLowerCase()).filter(([item, first]) => item.field !== first.field)
        return spelt.map(([{ field, offset }, first]) => ({ offset, message: `'${field}' is spelled '${first.field}' above` }))
      },
    },
  ],
})

/** Checks on items of one map that read the same field. */
export const mapChecks = defineCheckFamily({
  name: 'maps',
  frame: 'selection',
  subjects: listMaps,
  checks: [
    {
      code: 'IMPOSSIBLE_SELECTION', level: 'problem',
      text: 'Two items of a map require values that exclude each other.',
      bad: "Image|startswith: 'C:\\Windows'\nImage: 'D:\\a.exe'",
      good: "Image|startswith: 'C:\\Windows'\nImage|endswith: '\\a.exe'",
      find: ({ pairs }) => pairs.flatMap(([first, second]) => {
        const [a, b] = [readComparison(first), readComparison(second)]
        if (a === undefined || b === undefined) return []
        if (!a.shapes.every((one) => b.shapes.every((other) => shapesExclude(one, other)))) return []
        const message = `no single value of '${a.field}' satisfies both '${first.key}' and '${second.key}'`
        return [{ offset: second.keyOffset, message }]
      }),
    },
    {
      code: 'IMPLIED_ITEM', level: 'advice',
      text: 'Another item of the map already implies this item.',
      bad: "Image: 'C:\\Windows\\cmd.exe'\nImage|endswith: '\\cmd.exe'",
      good: "ParentImage: 'C:\\Windows\\cmd.exe'\nImage|endswith: '\\cmd.exe'",
      find: ({ pairs }) => pairs.flatMap(([first, second]) => {
        const [idle, other] = entryImplies(first, second) ? [second, first] : entryImplies(second, first) ? [first, second] : []
        if (idle === undefined || other === undefined) return []
        return [{ offset: idle.keyOffset, message: `'${other.key}' already implies '${idle.key}'` }]
      }),
    },
    {
      code: 'EMPTY_RANGE', level: 'problem',
      text: 'Two items of a map form an empty range.',
      bad: 'ProcessId|gt: 500\nProcessId|lt: 300',
      good: 'ProcessId|gt: 300\nProcessId|lt: 500',
      find: ({ pairs }) => pairs.flatMap(([first, second]) => {
        const from = readBound(first, /^gte?$/) ?? readBound(second, /^gte?$/)
        const to = readBound(first, /^lte?$/) ?? readBound(second, /^lte?$/)
        if (from === undefined || to === undefined) return []
        if (from.value < to.value || (from.value === to.value && from.isClosed && to.isClosed)) return []
        return [{
          offset: second.keyOffset, message: `no number satisfies both '${from.key}: ${from.value}' and '${to.key}: ${to.value}'`,
        }]
      }),
    },
    {
      code: 'EXISTS_CONTRADICTED', level: 'problem',
      text: 'A map requires a field to be absent and compares it with a value.',
      bad: 'User|exists: false\nUser: bob',
      good: 'User|exists: true\nParentUser: bob',
      find: ({ pairs }) => pairs.flatMap(([first, second]) => {
        const [absence, other] = isAbsence(first) ? [first, second] : [second, first]
        if (!isAbsence(absence) || isAbsence(other) || /\|(?:neq|exists)/.test(other.key) || holdsNull(other)) return []
        const message = `'${other.key}' compares a value, but '${absence.key}' requires the field to be absent`
        return [{ offset: other.keyOffset, message }]
      }),
    },
    {
      code: 'EXISTS_IMPLIED', level: 'style',
      text: 'A map requires a field to exist and compares it with a value, which already implies that.',
      bad: 'User|exists: true\nUser: bob',
      good: 'User|exists: true\nParentUser: bob',
      find: ({ pairs }) => pairs.flatMap(([first, second]) => {
        const [exists, other] = first.key.endsWith('|exists') ? [first, second] : [second, first]
        const isTrue = exists.value.kind === 'scalar' && exists.value.value === true
        if (!exists.key.endsWith('|exists') || !isTrue || /\|(?:neq|exists)/.test(other.key) || holdsNull(other)) return []
        return [{ offset: exists.keyOffset, message: `'${other.key}' already requires the field to exist` }]
      }),
    },
  ],
})

type EntryPairs = { readonly pairs: readonly (readonly [YamlEntry, YamlEntry])[] }

/** Lists the maps of all selections, each with the pairs of items that read the same field. */
function listMaps(document: LintDocument): EntryPairs[] {
  const maps = new Set(listItems(document).flatMap(({ map }) => map ?? []))
  return Array.from(maps, (map) => ({ pairs: listEntryPairs(map) }))
}

/** Lists the pairs of items of a map that read the same field. */
function listEntryPairs({ entries }: YamlMap): (readonly [YamlEntry, YamlEntry])[] {
  const byField = new Map<string, YamlEntry[]>()
  for (const entry of entries) {
    const [field = ''] = entry.key.split('|')
    const same = byField.get(field)
    if (field === '') continue
    if (same === undefined) byField.set(field, [entry])
    else if (same.length < limits.lintSameFieldItemsMax) same.push(entry)
  }
  return [...byField.values()].flatMap((same) =>
    same.flatMap((first, i) => same.slice(i + 1).map((second) => [first, second] as const)))
}

function readBound({ key, value }: YamlEntry, operators: RegExp) {
  const [, operator = '', ...rest] = key.split('|')
  if (!operators.test(operator) || rest.length > 0 || value.kind !== 'scalar' || typeof value.value !== 'number') return undefined
  return { key, value: value.value, isClosed: operator.endsWith('e') }
}

function isAbsence({ key, value }: YamlEntry): boolean {
  if (value.kind !== 'scalar') return false
  return key.endsWith('|exists') ? value.value === false : value.value === null && !key.includes('|')
}

function holdsNull({ value }: YamlEntry): boolean {
  const nodes = value.kind === 'list' ? value.items : [value]
  return nodes.some((node) => node.kind === 'scalar' && node.value === null)
}

/** Pairs each element with the first element that has the same key. */
function findTwins<Item>(items: readonly Item[], keyOf: (item: Item) => string): (readonly [Item, Item])[] {
  const firsts = new Map<string, Item>()
  return items.flatMap((item) => {
    const key = keyOf(item)
    const first = firsts.get(key)
    if (first === undefined) firsts.set(key, item)
    return first === undefined ? [] : [[item, first] as const]
  })
}
