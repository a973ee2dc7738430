import { limits as engineLimits } from '@tripline/engine'
import type { YamlScalar } from '@tripline/engine/yaml'
import { listItems } from '../document/lint-document.ts'
import type { LintDocument, LintItem } from '../document/lint-document.ts'
import { defineCheckFamily } from './define-checks.ts'
import type { Finding } from './define-checks.ts'
import { allOrNone, rewriteKey, rewriteScalar } from './edits.ts'
import { pathFields } from './event-fields.ts'

type Regex = {
  readonly item: LintItem
  readonly scalar: YamlScalar
  readonly text: string
  readonly offset: number
  readonly ignoresCase: boolean
}

/** The source of a regular expression that matches literal text: ordinary and escaped characters. */
const literalSource = String.raw`(?:[^\\.^$*+?{}[\]|()]|\\[^\w\s])+`

const literalRegex = new RegExp(`^${literalSource}$`)
const anchoredLiteralRegex = new RegExp(`^\\^${literalSource}$|^${literalSource}\\$$|^\\^${literalSource}\\$$`)

/** Checks on regular expressions, which match anywhere in a value and are case-sensitive. */
export const regexChecks = defineCheckFamily({
  name: 'regular expressions',
  frame: 'selection',
  subjects: listRegexes,
  checks: [
    {
      code: 'REGEX_IS_TEXT', level: 'advice',
      text: "A regular expression is only literal text; 'contains' is faster.",
      bad: 'CommandLine|re: mimikatz',
      good: "CommandLine|re: 'mimi[kc]atz'",
      find: ({ text, offset, ignoresCase }) => !literalRegex.test(text) ? undefined
        : { offset, message: `'${text}' is literal text`, hint: `write 'contains${ignoresCase ? '' : '|cased'}'` },
    },
    {
      code: 'REGEX_IS_ANCHORED_TEXT', level: 'advice',
      text: 'A regular expression is anchored literal text; `startswith`, `endswith` or plain equality is faster.',
      bad: "CommandLine|re: '^mimikatz'",
      good: "CommandLine|re: '^mimi[kc]atz'",
      find: ({ text, offset, ignoresCase }) => {
        if (!anchoredLiteralRegex.test(text)) return
        const modifier = text.startsWith('^') ? text.endsWith('$') ? '' : 'startswith' : 'endswith'
        const words = [modifier, ignoresCase ? '' : 'cased'].filter((word) => word !== '').join('|')
        return {
          offset, message: `'${text}' is anchored literal text`,
          hint: words === '' ? 'compare the plain text' : `write '${words}'`,
        }
      },
    },
    {
      code: 'REGEX_OPEN_ENDS', level: 'style', fix: 'suggested',
      text: 'A regular expression begins or ends with `.*`, which only engines that compare whole values need.',
      bad: "CommandLine|re: '.*mimi[kc]atz.*'",
      good: "CommandLine|re: 'mimi[kc]atz'",
      find: ({ item, scalar, text, offset }) => {
        const changed = trimRegex(text)
        if (changed === text || changed === '') return
        const message = "a '.*' at the start or end has no effect, because regular expressions match anywhere; engines that compare whole "
          + 'values need it'
        return { offset, message, edits: allOrNone([rewriteScalar(item.document.text, scalar, changed)]) }
      },
    },
    {
      code: 'REGEX_INLINE_FLAG', level: 'style', fix: 'safe',
      text: "A regular expression begins with '(?i)'; use the modifier 'i' instead.",
      bad: "CommandLine|re: '(?i)mimi[kc]atz'",
      good: "CommandLine|re|i: 'mimi[kc]atz'",
      find: ({ item, text, offset }) => {
        if (!text.startsWith('(?i)')) return
        return {
          offset, message: "the flag '(?i)' is inside the regular expression", hint: "write '|re|i'", edits: moveInlineFlag(item),
        }
      },
    },
    {
      code: 'REGEX_MATCHES_ANYTHING', level: 'problem',
      text: 'A regular expression matches every value.',
      bad: "CommandLine|re: '.*'",
      good: "CommandLine|re: '[0-9]+'",
      find: ({ text, offset }) => !/^(?:\(\?[ims]+\))?(?:\^?(?:\.\*\??|\(\.\*\))*\$?)$/.test(text) ? undefined
        : { offset, message: `'${text}' matches every value` },
    },
    {
      code: 'REGEX_NEVER_MATCHES', level: 'problem',
      text: 'A regular expression has `^` or `$` in the middle and never matches.',
      bad: "CommandLine|re: 'mimi$katz'",
      good: String.raw`CommandLine|re: 'mimi\$k.tz'`,
      find: ({ item, text, offset }) => {
        if (item.modifiers.some((name) => /^(?:m|multiline)$/.test(name)) || /\(\?[is]*m/.test(text)) return
        const found = /(?<![\\[|(?*])\$(?=[a-z0-9])|(?<=[a-z0-9])(?<!\\\w)\^(?=[a-z0-9])/i.exec(removeCharacterClasses(text))
        return found === null ? undefined : {
          offset, message: `'${text}' never matches: it has '${found[0]}' in the middle`, hint: `write '\\${found[0]}'`,
        }
      },
    },
    {
      code: 'REGEX_UNESCAPED_DOT', level: 'advice',
      text: 'An unescaped dot in a file name matches any character.',
      bad: "CommandLine|re: 'mimi[kc]atz.exe'",
      good: String.raw`CommandLine|re: 'mimi[kc]atz\.exe'`,
      find: ({ text, offset }) => {
        const [, name = ''] = /[\w\])](\.(?:exe|dll|ps1|bat|cmd|vbs|js|com|net|org))(?![\w*+?{])/i.exec(text) ?? []
        if (name === '') return
        return { offset, message: `the dot in '${name}' matches any character`, hint: `write '\\${name}'` }
      },
    },
    {
      code: 'REGEX_CASE', level: 'advice',
      text: "A regular expression on a Windows path is case-sensitive, but paths are not.",
      bad: String.raw`Image|re: '\\[a-z]{4}\.exe$'`,
      good: String.raw`Image|re|i: '\\[a-z]{4}\.exe$'`,
      find: ({ item: { field = '' }, text, offset, ignoresCase }) => {
        if (ignoresCase || !pathFields.has(field) || !/[a-z]/i.test(text.replaceAll(/\\./g, ''))) return
        return { offset, message: `'${text}' is case-sensitive, but Windows paths are not`, hint: "add the modifier 'i'" }
      },
    },
    {
      code: 'REGEX_NESTED_REPETITION', level: 'advice',
      text: 'A regular expression nests repetitions, which is very slow in backtracking engines.',
      bad: "CommandLine|re: '(?:a+)+b'",
      good: "CommandLine|re: 'a+b'",
      find: ({ text, offset }) => {
        const found = /\((?:\?:)?(?:[\w.]|\\[wdsWDS])[+*]\)[+*]/.exec(text)?.[0]
        return found === undefined ? undefined : { offset, message: `'${found}' nests repetitions` }
      },
    },
    {
      code: 'REGEX_FLAG_WITHOUT_EFFECT', level: 'style',
      text: 'A flag has no effect on the regular expression.',
      bad: "CommandLine|re|i: '[0-9]{4}'",
      good: "CommandLine|re: '[0-9]{4}'",
      find: ({ item: { modifiers }, text, offset }) => {
        const hasLetters = /[a-z]|[^\x00-\x7f]/i.test(text.replaceAll(/\\./g, ''))
        const acts = { i: hasLetters, m: /[\^$]/.test(text), s: text.includes('.') }
        const idle = modifiers.find((name) => Object.hasOwn(acts, name) && !acts[name as keyof typeof acts])
        return idle === undefined ? undefined : { offset, message: `the flag '${idle}' has no effect on '${text}'` }
      },
    },
    {
      code: 'REGEX_WITH_WILDCARD', level: 'advice',
      text: 'A regular expression repeats a letter where a wildcard was probably intended.',
      bad: "CommandLine|re: 'powershell*[0-9]'",
      good: "CommandLine|re: 'powershell.*[0-9]'",
      find: ({ text, offset }) => {
        const found = /(?<!\\)[a-z0-9]\*/i.exec(removeCharacterClasses(text))?.[0]
        const hint = "write '.*' for any run of characters"
        return found === undefined ? undefined : { offset, message: `'${found}' repeats one character`, hint }
      },
    },
  ],
})

/** Removes `.*` at both ends of a regular expression, which has no effect on a search. */
function trimRegex(text: string): string {
  const start = text.replace(/^(?:\.\*)+(?![?+*{])/, '')
  return /(?:^|[^\\])(?:\\\\)*(?:\.\*)+$/.test(start) && !/[|(]\.\*$/.test(start) ? start.replace(/(?:\.\*)+$/, '') : start
}

function listRegexes(document: LintDocument): Regex[] {
  return listItems(document).filter(({ modifiers }) => modifiers.includes('re')).flatMap((item) => {
    const hasFlag = item.modifiers.some((name) => name === 'i' || name === 'ignorecase')
    const regexes = item.values.filter(({ value, text }) => typeof value === 'string' && text.length <= engineLimits.regexLengthMax)
    return regexes.map((scalar) => {
      const { text, offset } = scalar
      return { item, scalar, text, offset, ignoresCase: hasFlag || /^\(\?[ms]*i/.test(text) }
    })
  })
}

/** Replaces character classes and escapes by a letter, so that their content is not read as syntax. */
function removeCharacterClasses(text: string): string {
  return text.replaceAll(/\\[^]/g, '\\_').replaceAll(/\[[^\]]*\]/g, '_')
}

/** Returns the edits that turn an inline flag into a modifier, when all values of the item have the flag. */
function moveInlineFlag({ document, entry, modifiers, values, field, map }: LintItem): Finding['edits'] {
  if (entry === undefined || modifiers[0] !== 're' || !values.every(({ text }) => /^\(\?i\)./.test(text))) return undefined
  const key = [field, ...(modifiers.includes('i') ? modifiers : ['re', 'i', ...modifiers.slice(1)])].join('|')
  if (map?.entries.some((other) => other !== entry && other.key === key)) return undefined
  const rewritten = values.map((value) => rewriteScalar(document.text, value, value.text.slice('(?i)'.length)))
  return allOrNone([rewriteKey(document.text, entry, key), ...rewritten])
}
