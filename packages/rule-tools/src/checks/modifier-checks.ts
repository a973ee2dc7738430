import { listItems } from '../document/lint-document.ts'
import type { LintDocument, LintItem } from '../document/lint-document.ts'
import { limits } from '../limits.ts'
import { defineCheckFamily } from './define-checks.ts'
import type { Edit } from './define-checks.ts'
import { allOrNone, rewriteKey } from './edits.ts'

/** The range of each part of a time. */
const timeParts: ReadonlyMap<string, readonly [from: number, to: number]> = new Map([
  ['minute', [0, 59]], ['hour', [0, 23]], ['day', [1, 31]], ['week', [1, 53]], ['month', [1, 12]],
])

/** Checks on modifiers that do not do what they seem to. */
export const modifierChecks = defineCheckFamily({
  name: 'modifiers',
  frame: 'selection',
  subjects: (document: LintDocument) => listItems(document).filter(({ modifiers }) => modifiers.length > 0),
  checks: [
    {
      code: 'CASED_WITHOUT_LETTERS', level: 'style', fix: 'safe',
      text: "The modifier 'cased' has no effect because no value has a letter.",
      bad: "User|cased: '123-4'",
      good: 'User|cased: Bob',
      find: (item) => {
        const hasLetters = item.values.some(({ text }) => text.toLowerCase() !== text.toUpperCase())
        const isEncoded = item.modifiers.some((name) => !/^(?:cased|contains|startswith|endswith|all)$/.test(name))
        if (!item.modifiers.includes('cased') || hasLetters || isEncoded) return
        return { offset: item.offset, message: "'cased' has no effect on values without letters", edits: removeModifier(item, 'cased') }
      },
    },
    {
      code: 'WINDASH_WITHOUT_DASH', level: 'style', fix: 'safe',
      text: "The modifier 'windash' has no effect because no value has a dash or slash.",
      bad: 'CommandLine|windash|contains: whoami',
      good: "CommandLine|windash|contains: ' -enc'",
      find: (item) => {
        if (!item.modifiers.includes('windash') || item.values.some(({ text }) => /[-/\u2013-\u2015]/.test(text))) return
        return {
          offset: item.offset, message: "'windash' has no effect on values without dashes", edits: removeModifier(item, 'windash'),
        }
      },
    },
    {
      code: 'CONTAINS_ON_KEYWORDS', level: 'style',
      text: "The modifier 'contains' has no effect on keywords, which match anywhere in a value.",
      bad: "'|contains': mimikatz",
      good: "'|all':\n  - mimikatz\n  - lsadump",
      find: ({ field, modifiers, offset }) => field !== undefined || !modifiers.includes('contains') ? undefined
        : { offset, message: "'contains' has no effect on keywords, which match anywhere in a value" },
    },
    {
      code: 'EXPAND_WITHOUT_PLACEHOLDER', level: 'advice',
      text: "The modifier 'expand' has no effect because no value has a placeholder.",
      bad: 'User|expand: bob',
      good: "User|expand: '%users%'",
      find: ({ modifiers, values, offset }) => !modifiers.includes('expand') || values.some(({ text }) => /%[^%]+%/.test(text))
        ? undefined
        : { offset, message: "'expand' has no effect on values without placeholders" },
    },
    {
      code: 'BASE64_AT_ONE_OFFSET', level: 'advice', fix: 'suggested',
      text: "The search in Base64 data assumes one alignment of the text; 'base64offset' tries all three.",
      bad: 'CommandLine|base64|contains: IEX (New',
      good: 'CommandLine|base64offset|contains|cased: IEX (New',
      find: (item) => {
        const { document, entry, modifiers, offset } = item
        if (!modifiers.includes('base64') || !modifiers.includes('contains')) return
        const edits = entry && allOrNone([rewriteKey(document.text, entry, entry.key.replace('|base64', '|base64offset'))])
        return {
          offset, message: "'base64' finds the text only where its offset in the encoded data is a multiple of three bytes",
          hint: "write 'base64offset'", edits,
        }
      },
    },
    {
      code: 'BASE64_WITHOUT_CASED', level: 'style',
      text: 'The rule compares Base64 without regard to case, but upper and lower case encode different bytes.',
      bad: 'CommandLine|base64offset|contains: IEX (New',
      good: 'CommandLine|base64offset|contains|cased: IEX (New',
      find: ({ modifiers, offset }) => !modifiers.includes('base64offset') || modifiers.includes('cased') ? undefined
        : { offset, message: 'the rule compares Base64 without regard to case', hint: "add 'cased'" },
    },
    {
      code: 'WIDE_TEXT', level: 'advice',
      text: 'UTF-16 bytes are compared with a field without Base64, but fields hold text.',
      bad: 'CommandLine|wide|contains: whoami',
      good: 'CommandLine|wide|base64offset|contains|cased: whoami',
      find: ({ modifiers, offset }) => {
        const encoding = modifiers.find((name) => /^(?:wide|utf16(?:le|be)?)$/.test(name))
        if (encoding === undefined || modifiers.some((name) => name.startsWith('base64'))) return
        return {
          offset, message: `'${encoding}' converts the text to UTF-16 bytes, but fields hold text`, hint: "add 'base64offset'",
        }
      },
    },
    {
      code: 'FIELDREF_TO_ITSELF', level: 'problem',
      text: 'A field is compared with itself.',
      bad: 'User|fieldref: User',
      good: 'User|fieldref: ParentUser',
      find: ({ field, modifiers, values, offset }) => {
        const isOwn = modifiers.includes('fieldref') && values.some(({ text }) => text === field)
        return isOwn ? { offset, message: `'${field}' is compared with itself` } : undefined
      },
    },
    {
      code: 'TIME_PART_RANGE', level: 'problem',
      text: 'A part of a time is compared with a number outside its range.',
      bad: 'UtcTime|hour: 24',
      good: 'UtcTime|hour: 23',
      find: ({ modifiers, values }) => {
        const [name = '', operator] = modifiers
        const [from, to] = timeParts.get(name) ?? []
        if (from === undefined || to === undefined || operator !== undefined) return
        return values.filter(({ value }) => typeof value === 'number' && (value < from || value > to || !Number.isInteger(value)))
          .map(({ text, offset }) => ({ offset, message: `'${name}' ranges from ${from} to ${to} and is never ${text}` }))
      },
    },
    {
      code: 'CIDR_EVERYTHING', level: 'advice',
      text: 'A network contains every address.',
      bad: "SourceIp|cidr: '0.0.0.0/0'",
      good: "SourceIp|cidr: '10.0.0.0/8'",
      find: ({ modifiers, values }) => values.filter(({ text }) => modifiers.includes('cidr') && text.endsWith('/0'))
        .map(({ text, offset }) => ({ offset, message: `the network '${text}' contains every address` })),
    },
    {
      code: 'CIDR_COVERED', level: 'advice',
      text: 'Another network of the list contains this one.',
      bad: "SourceIp|cidr:\n  - '10.0.0.0/8'\n  - '10.1.0.0/16'",
      good: "SourceIp|cidr:\n  - '10.0.0.0/8'\n  - '192.168.0.0/16'",
      find: ({ modifiers, values }) => {
        if (!modifiers.includes('cidr') || values.length > limits.lintComparedValuesMax) return
        const networks = values.flatMap((value) => {
          const bits = getNetworkBits(value.text)
          return bits === undefined ? [] : [{ value, bits }]
        })
        return networks.flatMap(({ value, bits }) => {
          const outer = networks.find((other) => other.bits.length < bits.length && bits.startsWith(other.bits))
          return outer === undefined ? [] : [{
            offset: value.offset, message: `'${outer.value.text}' contains '${value.text}'`,
          }]
        })
      },
    },
    {
      code: 'LONG_FLAG_NAME', level: 'style', fix: 'safe',
      text: 'A regular expression flag has its long name; rules use the letter.',
      bad: "CommandLine|re|ignorecase: 'a[bc]+d'",
      good: "CommandLine|re|i: 'a[bc]+d'",
      find: ({ document, entry, modifiers, offset }) => {
        const name = modifiers.find((modifier) => /^(?:ignorecase|multiline|dotall)$/.test(modifier))
        if (name === undefined || entry === undefined) return
        const letter = name === 'dotall' ? 's' : name[0]
        const edits = allOrNone([rewriteKey(document.text, entry, entry.key.replace(`|${name}`, `|${letter}`))])
        return { offset, message: `write the flag '${name}' as '${letter}'`, edits }
      },
    },
  ],
})

/** Returns the edit that removes a modifier from a key, unless the map already has the resulting key. */
function removeModifier({ document, entry, modifiers, field = '', map }: LintItem, name: string): readonly Edit[] | undefined {
  if (entry === undefined) return undefined
  const key = [field, ...modifiers.filter((modifier) => modifier !== name)].join('|')
  return map?.entries.some((other) => other.key === key) ? undefined : allOrNone([rewriteKey(document.text, entry, key)])
}

/** Returns the prefix bits of an IPv4 network as text. */
function getNetworkBits(text: string): string | undefined {
  const [, address = '', length = '32'] = /^(\d{1,3}(?:\.\d{1,3}){3})(?:\/(\d{1,2}))?$/.exec(text) ?? []
  if (address === '') return undefined
  return address.split('.').map((byte) => Number(byte).toString(2).padStart(8, '0')).join('').slice(0, Number(length))
}
