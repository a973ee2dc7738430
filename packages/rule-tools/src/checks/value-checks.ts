import { parsePattern } from '@tripline/engine/predicate'
import type { YamlScalar } from '@tripline/engine/yaml'
import { listItems } from '../document/lint-document.ts'
import type { LintItem } from '../document/lint-document.ts'
import { limits } from '../limits.ts'
import { defineCheckFamily } from './define-checks.ts'
import type { Finding } from './define-checks.ts'
import { allOrNone, removeListItem, rewriteKey, rewriteScalar } from './edits.ts'
import { hostFields } from './event-fields.ts'
import { shapeImplies, readTextShape } from './text-shape.ts'
import type { TextShape } from './text-shape.ts'

/** Modifiers whose values are not text with wildcards. */
const rawModifiers: ReadonlySet<string> = new Set(['re', 'cidr', 'expand', 'fieldref', 'exists', 'lt', 'lte', 'gt', 'gte'])

/** A placeholder that the specification names, or a name of several words. */
const placeholderForm = /^%(?:Administrators|JumpServers|Workstations|Servers|DomainControllers|[a-z]+_[a-z_]+)%$/i

type Value = { readonly item: LintItem; readonly scalar: YamlScalar; readonly text: string; readonly offset: number }

/** Checks on single values as text with wildcards. */
export const valueChecks = defineCheckFamily({
  name: 'values',
  frame: 'selection',
  subjects: listValues,
  checks: [
    {
      code: 'WILDCARD_REDUNDANT', level: 'style', fix: 'safe',
      text: 'A wildcard at the start or end of a value repeats the modifier.',
      bad: "CommandLine|contains: '*mimikatz*'",
      good: "CommandLine|contains: 'mimikatz'",
      find: ({ item: { modifiers, document }, scalar, text, offset }) => {
        const hasStart = text.startsWith('*') && (modifiers.includes('contains') || modifiers.includes('endswith'))
        const hasEnd = endsWithWildcard(text) && (modifiers.includes('contains') || modifiers.includes('startswith'))
        const changed = text.slice(hasStart ? 1 : 0, hasEnd && text.length > 1 ? -1 : undefined)
        if (changed === text || changed === '') return
        const message = `the wildcards of '${text}' repeat the modifier '${modifiers.join('|')}'`
        return { offset, message, edits: allOrNone([rewriteScalar(document.text, scalar, changed)]) }
      },
    },
    {
      code: 'WILDCARD_DOUBLE', level: 'style', fix: 'safe',
      text: 'A value has two adjacent `*` wildcards.',
      bad: "CommandLine|contains: 'mimi**katz'",
      good: "CommandLine|contains: 'mimi*katz'",
      find: ({ item: { document }, scalar, text, offset }) => {
        // After a run of backslashes, only counting them shows whether a star is a wildcard.
        if (!/(?<!\\)\*\*/.test(text) || /\\\*/.test(text)) return
        const edits = allOrNone([rewriteScalar(document.text, scalar, text.replaceAll(/\*{2,}/g, '*'))])
        return { offset, message: `'${text}' has two adjacent wildcards, which match the same as one`, edits }
      },
    },
    {
      code: 'WILDCARD_ALONE', level: 'advice', fix: 'suggested',
      text: 'The value is only a wildcard, which matches whenever the field exists.',
      bad: "User: '*'",
      good: 'User|exists: true',
      find: ({ item: { field, modifiers, entry, values, document }, scalar, text, offset }) => {
        if (text !== '*' || field === undefined || modifiers.length > 0) return
        const edits = values.length > 1 || entry === undefined ? undefined
          : allOrNone([rewriteKey(document.text, entry, `${field}|exists`), rewriteUnquoted(scalar, 'true')])
        return {
          offset, message: `'${field}: *' matches whenever the field exists`, hint: `write '${field}|exists: true'`, edits,
        }
      },
    },
    {
      code: 'NUMBER_QUOTED', level: 'style', fix: 'suggested',
      text: 'A quoted number is compared as text, so other spellings of it do not match.',
      bad: "EventType: '4688'",
      good: 'EventType: 4688',
      find: ({ item: { field, modifiers }, scalar, text, offset }) => {
        if (field === undefined || modifiers.length > 0 || scalar.isPlain || !/^(?:0|[1-9]\d{0,14})$/.test(text)) return
        return {
          offset, message: `the number ${text} is quoted`, hint: 'remove the quotes',
          edits: allOrNone([rewriteUnquoted(scalar, text)]),
        }
      },
    },
    {
      code: 'CONTROL_CHARACTER', level: 'problem',
      text: 'A value has a control character.',
      bad: 'Image|endswith: "\\temp\\\\a.exe"',
      good: "Image|endswith: '\\temp\\a.exe'",
      find: ({ text, offset }) => {
        const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\t(?=\w)/.exec(text)?.[0]
        if (control === undefined || (control === '\t' && !/^\t|[\\:]\w*\t/.test(text))) return
        const code = control.charCodeAt(0).toString(16).padStart(2, '0')
        return {
          offset, message: `the value has the control character U+00${code}`,
          hint: 'in double quotes a backslash starts an escape; use single quotes',
        }
      },
    },
    {
      code: 'INVISIBLE_CHARACTER', level: 'problem',
      text: 'A value has an invisible character or typographic quotes.',
      bad: "CommandLine|contains: 'mimi\u200bkatz'",
      good: "CommandLine|contains: 'mimikatz'",
      find: ({ text, offset }) => {
        const found = /[\u00a0\u00ad\u200b\u200c\u200e-\u200f\u2060\ufeff\u201c\u201d]/.exec(text)?.[0]
        if (found === undefined || text.trim().length < 3) return
        return {
          offset, message: `the value has the character U+${found.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
        }
      },
    },
    {
      code: 'VALUE_BLANKS', level: 'advice',
      text: 'A value that is compared as a whole begins or ends with a space.',
      bad: "User: 'bob '",
      good: 'User: bob',
      find: ({ item: { field, modifiers }, text, offset }) => {
        const start = text.startsWith(' ') && !modifiers.some((name) => name === 'contains' || name === 'endswith')
        const end = text.endsWith(' ') && !modifiers.some((name) => name === 'contains' || name === 'startswith')
        if (field === undefined || field.includes('CommandLine') || (!start && !end) || text.trim() === '') return
        return { offset, message: `'${text}' ${start ? 'begins' : 'ends'} with a space, so the field must too` }
      },
    },
    {
      code: 'VALUE_SHORT', level: 'advice',
      text: 'The rule searches a field for a single letter or digit, which nearly every value contains.',
      bad: 'CommandLine|contains: a',
      good: 'CommandLine|contains: mimikatz',
      find: ({ item: { modifiers, values }, text, offset }) => {
        const isPlain = modifiers.every((name) => /^(?:contains|all|cased)$/.test(name))
        if (!modifiers.includes('contains') || !isPlain || !/^\w$/.test(text)) return
        if (modifiers.includes('all') && values.length > 1) return
        return { offset, message: `nearly every value contains '${text}'` }
      },
    },
    {
      code: 'PLACEHOLDER_NOT_EXPANDED', level: 'advice',
      text: "A value looks like a placeholder, but 'expand' is missing.",
      bad: "User: '%Administrators%'",
      good: "User|expand: '%Administrators%'",
      find: ({ item: { field }, text, offset }) => {
        if (field === undefined || !placeholderForm.test(text)) return
        return { offset, message: `'${text}' is compared as literal text`, hint: "add the modifier 'expand'" }
      },
    },
    {
      code: 'HOST_WITH_SCHEME', level: 'problem',
      text: 'A field with a host name is compared with a URL.',
      bad: "QueryName: 'https://example.org'",
      good: "QueryName: 'example.org'",
      find: ({ item: { field = '' }, text, offset }) => {
        if (!hostFields.has(field) || !/^(?:\w+:\/\/|[\w.-]+\.\w+\/.)/.test(text)) return
        return { offset, message: `'${field}' holds a host name, but '${text}' has a scheme or path` }
      },
    },
    {
      code: 'ADDRESSES_AS_TEXT', level: 'advice',
      text: 'Addresses are compared with the start of a network written as text.',
      bad: "SourceIp|startswith: '10.'",
      good: "SourceIp|cidr: '10.0.0.0/8'",
      find: ({ item: { field = '', modifiers }, text, offset }) => {
        const isStart = modifiers.length === 1 && modifiers[0] === 'startswith' ? /^\d{1,3}\.(?:\d{1,3}\.){0,2}$/.test(text)
          : modifiers.length === 0 && /^\d{1,3}\.(?:\d{1,3}\.){0,2}\*$/.test(text)
        if (!isStart || !/ip|addr/i.test(field)) return
        const bytes = text.replace('*', '').split('.').filter(Boolean)
        const network = [...bytes, 0, 0, 0].slice(0, 4).join('.')
        return {
          offset, message: `'${text}' is a network written as text`,
          hint: `write '${field}|cidr: ${network}/${bytes.length * 8}'`,
        }
      },
    },
    {
      code: 'HASH_LENGTH', level: 'problem',
      text: 'A hash has the wrong number of digits for its name.',
      bad: "Hashes|contains: 'MD5=0123456789abcdef'",
      good: "Hashes|contains: 'MD5=0123456789abcdef0123456789abcdef'",
      find: ({ text, offset }) => {
        const [, name = '', digits = ''] = /^(MD5|SHA1|SHA256|IMPHASH)=([\da-f]+)$/i.exec(text) ?? []
        const length = { MD5: 32, IMPHASH: 32, SHA1: 40, SHA256: 64 }[name.toUpperCase()]
        if (length === undefined || digits.length === length) return
        return { offset, message: `${name} has ${length} digits, not ${digits.length}` }
      },
    },
  ],
})

/** Checks over all values of an item. */
export const itemChecks = defineCheckFamily({
  name: 'items',
  frame: 'selection',
  subjects: listItems,
  checks: [
    {
      code: 'WILDCARDS_FOR_MODIFIER', level: 'style', fix: 'safe',
      text: 'Wildcards at the start or end of all values do the work of a modifier.',
      bad: "Image: '*\\cmd.exe'",
      good: "Image|endswith: '\\cmd.exe'",
      find: findModifierForWildcards,
    },
    {
      code: 'VALUE_REPEATED', level: 'style', fix: 'safe',
      text: 'A list has the same value twice, ignoring case.',
      bad: 'User:\n  - bob\n  - Bob',
      good: 'User:\n  - bob\n  - alice',
      find: ({ document, modifiers, values, field }) => {
        // Regular expressions and encoded values depend on case.
        const isExact = modifiers.some((name) => name !== 'all' && !/^(?:contains|startswith|endswith|windash)$/.test(name))
        const keyOf = ({ value, text }: YamlScalar) => `${typeof value} ${isExact ? text : text.toLowerCase()}`
        const firsts = new Map(values.toReversed().map((value) => [keyOf(value), value]))
        return values.filter((value) => firsts.get(keyOf(value)) !== value).map((value): Finding => {
          const edits = allOrNone([removeListItem(document.text, value)])
          return { offset: value.offset, message: `'${field ?? 'a list of keywords'}' has the value '${value.text}' twice`, edits }
        })
      },
    },
    {
      code: 'VALUE_COVERED', level: 'advice',
      text: 'A shorter value of the list already matches wherever this one does.',
      bad: 'CommandLine|contains:\n  - mimi\n  - mimikatz',
      good: 'CommandLine|contains:\n  - mimikatz\n  - lazagne',
      find: (item) => item.modifiers.includes('all') ? undefined : findCoveredPairs(item).map(({ value, by }) => (
        { offset: value.offset, message: `'${by.text}' in the same list already matches wherever '${value.text}' does` })),
    },
    {
      code: 'VALUE_IMPLIED', level: 'advice',
      text: "Another value of the 'all' list already implies this one.",
      bad: 'CommandLine|contains|all:\n  - mimi\n  - mimikatz',
      good: 'CommandLine|contains|all:\n  - mimikatz\n  - lsadump',
      find: (item) => !item.modifiers.includes('all') ? undefined : findCoveredPairs(item).map(({ value, by }) => (
        { offset: by.offset, message: `'${value.text}' in the same list already implies '${by.text}'` })),
    },
    {
      code: 'VALUES_EXCLUDE', level: 'problem',
      text: "The values of an 'all' list exclude each other.",
      bad: 'Image|endswith|all:\n  - cmd.exe\n  - net.exe',
      good: 'CommandLine|contains|all:\n  - cmd.exe\n  - net.exe',
      find: (item) => {
        const [first, second] = findExclusivePair(item) ?? []
        if (first === undefined || second === undefined) return
        return {
          offset: second.offset, message: `no single value of '${item.field}' satisfies both '${first.text}' and '${second.text}'`,
        }
      },
    },
  ],
})

function listValues(document: Parameters<typeof listItems>[0]): Value[] {
  return listItems(document).flatMap((item) => {
    if (item.modifiers.some((name) => rawModifiers.has(name))) return []
    return item.values.flatMap((scalar) =>
      typeof scalar.value === 'string' ? [{ item, scalar, text: scalar.text, offset: scalar.offset }] : [])
  })
}

/** Returns the edit that writes a scalar without quotes. */
function rewriteUnquoted({ text, textOffset, isPlain }: YamlScalar, changed: string) {
  if (textOffset === undefined || isPlain) return undefined
  return { offset: textOffset - 1, length: text.length + 2, text: changed }
}

function endsWithWildcard(text: string): boolean {
  return text.endsWith('*') && parsePattern(text).at(-1)?.kind === 'any'
}

/** Finds the modifier that replaces the wildcards at the start and end of a text, and the text without them. */
function removeWildcards(text: string): { readonly modifier: string; readonly text: string } | undefined {
  const start = text.startsWith('*')
  const end = endsWithWildcard(text) && text.length > 1
  const inner = text.slice(start ? 1 : 0, end ? -1 : undefined)
  const modifier = start && end ? 'contains' : start ? 'endswith' : end ? 'startswith' : undefined
  return modifier === undefined || inner === '' || /^\*|\*$/.test(inner) ? undefined : { modifier, text: inner }
}

function findModifierForWildcards({ document, entry, field, modifiers, values, map }: LintItem): Finding | undefined {
  if (field === undefined || entry === undefined || values.length === 0) return undefined
  if (modifiers.some((name) => name !== 'all' && name !== 'cased')) return undefined
  const rewritten = values.map((value) => typeof value.value === 'string' ? removeWildcards(value.text) : undefined)
  const modifier = rewritten[0]?.modifier
  if (modifier === undefined || rewritten.some((value) => value?.modifier !== modifier)) return undefined
  const key = [field, modifier, ...modifiers].join('|')
  const isFree = map?.entries.every((other) => other.key !== key) ?? false
  const valueEdits = values.map((value, i) => rewriteScalar(document.text, value, rewritten[i]!.text))
  const edits = isFree ? allOrNone([rewriteKey(document.text, entry, key), ...valueEdits]) : undefined
  return {
    offset: entry.keyOffset, message: `the wildcards of '${entry.key}' do the work of '${modifier}'`, hint: `write '${key}'`,
    edits,
  }
}

/** Reads the shapes of the values; empty when there are too many to compare in pairs. */
function readShapes({ field, modifiers, values }: LintItem) {
  if (values.length < 2 || values.length > limits.lintComparedValuesMax) return []
  return values.flatMap((value) => {
    const shape = readTextShape(value, modifiers, field)
    return shape === undefined ? [] : [{ value, shape }]
  })
}

/** Pairs each value with one value of the item that it implies. */
function findCoveredPairs(item: LintItem): { readonly value: YamlScalar; readonly by: YamlScalar }[] {
  const shapes = readShapes(item)
  return shapes.flatMap(({ value, shape }) => {
    const by = shapes.find((other) => !areEqualShapes(shape, other.shape) && shapeImplies(shape, other.shape))
    return by === undefined ? [] : [{ value, by: by.value }]
  })
}

function areEqualShapes(first: TextShape, second: TextShape): boolean {
  return shapeImplies(first, second) && shapeImplies(second, first)
}

function findExclusivePair(item: LintItem): readonly [YamlScalar, YamlScalar] | undefined {
  if (!item.modifiers.includes('all') || item.field === undefined) return undefined
  const isAnchored = (shape: TextShape) => !shape.opensStart || !shape.opensEnd
  const shapes = readShapes(item).filter(({ shape }) => isAnchored(shape))
  const [first] = shapes
  const other = shapes.find(({ shape }) => first !== undefined && anchoredShapesExclude(first.shape, shape))
  return first === undefined || other === undefined ? undefined : [first.value, other.value]
}

/** Whether two values with the same anchors exclude each other. */
function anchoredShapesExclude(first: TextShape, second: TextShape): boolean {
  if (first.opensStart !== second.opensStart || first.opensEnd !== second.opensEnd) return false
  return !shapeImplies(first, second) && !shapeImplies(second, first)
}
