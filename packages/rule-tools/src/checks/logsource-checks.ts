import { suggestName } from '@tripline/engine'
import { windowsCategories } from '@tripline/engine/authoring'
import type { YamlMap } from '@tripline/engine/yaml'
import { findEntry } from '@tripline/engine/yaml'
import { listItems, findMap, findScalar } from '../document/lint-document.ts'
import type { LintDocument } from '../document/lint-document.ts'
import { defineCheckFamily } from './define-checks.ts'
import { allOrNone, rewriteScalar } from './edits.ts'
import { getCategoryFields } from './event-fields.ts'

export const logsourceKeys: readonly string[] = ['category', 'product', 'service', 'definition']

/** Categories of the specification's taxonomy: those of Windows and those of any product. */
export const categories: readonly string[] = [...new Set([
  ...windowsCategories.flatMap((row) => row.categories),
  'antivirus', 'application', 'appliance', 'database', 'dns', 'file_access', 'file_rename', 'firewall', 'network', 'proxy',
  'ps_classic_script', 'webserver', 'vpn', 'edr',
])]

export const logsourceProducts: readonly string[] = [
  'windows', 'linux', 'macos', 'aws', 'azure', 'gcp', 'm365', 'okta', 'github', 'bitbucket', 'cisco', 'zeek', 'kubernetes',
  'onelogin', 'fortigate', 'fortios', 'huawei', 'juniper', 'paloalto', 'django', 'python', 'spring', 'opencanary',
]

/** Categories that only Windows has. */
const windowsOnly = /^(?:registry_|ps_|wmi_|pipe_created|create_stream|create_remote|image_load|driver_load|raw_access)/

/** Checks on the logsource of a rule. */
export const logsourceChecks = defineCheckFamily({
  name: 'logsource',
  frame: 'rule',
  subjects: (document) => [document],
  checks: [
    {
      code: 'LOGSOURCE_CASE', level: 'style', fix: 'safe',
      text: 'A value of the logsource has upper-case letters.',
      bad: 'logsource: { category: process_creation, product: Windows }',
      good: 'logsource: { category: process_creation, product: windows }',
      find: (document) => renameLogsource(document, (name) => name.toLowerCase(), 'has upper-case letters'),
    },
    {
      code: 'LOGSOURCE_BLANKS', level: 'style', fix: 'safe',
      text: 'A value of the logsource has spaces instead of underscores.',
      bad: 'logsource: { category: process creation, product: windows }',
      good: 'logsource: { category: process_creation, product: windows }',
      find: (document) => renameLogsource(document, (name) => name.trim().replaceAll(/\s+/g, '_'), 'has spaces'),
    },
    {
      code: 'LOGSOURCE_KEY', level: 'problem',
      text: 'A key of the logsource is probably misspelled.',
      bad: 'logsource: { category: process_creation, product: windows, servce: sysmon }',
      good: 'logsource: { category: process_creation, product: windows, service: sysmon }',
      find: (document) => findMap(document, 'logsource')?.entries.flatMap(({ key, keyOffset }) => {
        const hint = logsourceKeys.includes(key) ? undefined : suggestName(key, logsourceKeys)
        return hint === undefined ? [] : [{ offset: keyOffset, message: `'${key}' is not a key of a logsource`, hint }]
      }),
    },
    {
      code: 'LOGSOURCE_MISSPELT', level: 'problem',
      text: 'A category or product is probably misspelled, so no event has it.',
      bad: 'logsource: { category: proces_creation, product: windows }',
      good: 'logsource: { category: process_creation, product: windows }',
      find: (document) => listLogsourceNames(document).flatMap(({ scalar, name }) => {
        const known = name === 'category' ? categories : name === 'product' ? logsourceProducts : []
        const text = scalar.text.trim().toLowerCase().replaceAll(/\s+/g, '_')
        const isKnown = known.includes(text) || text.length < 5
        const hint = isKnown ? undefined : suggestName(text, known.filter((word) => isCloseTo(word, text)))
        return hint === undefined ? [] : [{ offset: scalar.offset, message: `no event has the ${name} '${scalar.text}'`, hint }]
      }),
    },
    {
      code: 'LOGSOURCE_ONLY_PRODUCT', level: 'advice',
      text: 'The logsource names only a product with many kinds of events, so the rule runs on all of them.',
      bad: 'logsource: { product: windows }',
      good: 'logsource: { category: process_creation, product: windows }',
      find: (document) => {
        const { category, product, service } = readLogsource(document)
        const isWide = /^(?:windows|linux|macos|azure|m365)$/.test(product ?? '')
        if (document.kind !== 'detection' || category || service || !isWide) return
        return {
          offset: findEntry(document.node, 'logsource')!.keyOffset, message: `the rule runs on every event of ${product}`,
        }
      },
    },
    {
      code: 'LOGSOURCE_WITHOUT_PRODUCT', level: 'advice',
      text: 'The logsource names no product, but the fields of its category depend on the product.',
      bad: 'logsource: { category: process_creation }',
      good: 'logsource: { category: process_creation, product: windows }',
      find: (document) => {
        const { category, product } = readLogsource(document)
        if (product !== undefined || !/^(?:process_creation|file_event|network_connection)$/.test(category ?? '')) return
        return {
          offset: findEntry(document.node, 'logsource')!.keyOffset, message: `the category '${category}' needs a product`,
        }
      },
    },
    {
      code: 'CATEGORY_OF_WINDOWS', level: 'problem',
      text: 'Only Windows has this category, but the product is another, so no event has both.',
      bad: 'logsource: { category: registry_set, product: linux }',
      good: 'logsource: { category: registry_set, product: windows }',
      find: (document) => {
        const { category = '', product } = readLogsource(document)
        if (product === undefined || product === 'windows' || !windowsOnly.test(category)) return
        return {
          offset: findEntry(document.node, 'logsource')!.keyOffset,
          message: `no event of ${product} has the category '${category}'`,
        }
      },
    },
    {
      code: 'EVENT_ID_INSTEAD_OF_CATEGORY', level: 'advice',
      text: "The rule selects an event id of a service instead of a category, so it misses events of other collectors.",
      bad: 'logsource: { product: windows, service: sysmon }\ndetection:\n  a:\n    EventID: 1\n    User: bob\n  condition: a',
      good: 'logsource: { category: process_creation, product: windows }\ndetection:\n  a:\n    User: bob\n  condition: a',
      find: (document) => {
        const { category, service } = readLogsource(document)
        if (category !== undefined || service === undefined) return
        return listItems(document).flatMap(({ field, modifiers, values, offset }) => {
          if (field !== 'EventID' || modifiers.length > 0 || values.length !== 1) return []
          const row = windowsCategories.find((row) => row.service === service && row.eventIds.includes(Number(values[0]!.text)))
          if (row === undefined || row.eventType !== undefined || (service !== 'sysmon' && service !== 'powershell')) return []
          const hint = `write 'category: ${row.categories[0]}' instead of the EventID`
          return [{
            offset, message: `event ${values[0]!.text} of ${service} belongs to the category '${row.categories.join("' or '")}'`, hint,
          }]
        })
      },
    },
    {
      code: 'EVENT_ID_BESIDE_CATEGORY', level: 'advice',
      text: 'The event id repeats the category and excludes events of other collectors.',
      bad: 'detection:\n  selection:\n    EventID: 1\n    User: bob\n  condition: selection',
      good: 'detection:\n  selection:\n    User: bob\n  condition: selection',
      find: (document) => {
        const { category, product } = readLogsource(document)
        const rows = windowsCategories.filter((row) => row.categories.includes(category ?? ''))
        if (product !== 'windows' || rows.length === 0) return
        return listItems(document).flatMap(({ field, modifiers, values, offset }) => {
          const id = values.length === 1 ? Number(values[0]!.text) : undefined
          const isOfCategory = rows.some(({ eventIds }) => eventIds.length === 1 && eventIds[0] === id)
          if (field !== 'EventID' || modifiers.length > 0 || !isOfCategory) return []
          return [{
            offset, message: `'EventID: ${values[0]!.text}' repeats the category '${category}'`,
          }]
        })
      },
    },
    {
      code: 'FIELD_OF_OTHER_CATEGORY', level: 'advice',
      text: 'Events of the category do not have this field.',
      bad: "detection:\n  selection:\n    TargetFilename|endswith: '.exe'\n  condition: selection",
      good: 'logsource: { category: file_event, product: windows }\ndetection:\n  a:\n    TargetFilename: .exe\n  condition: a',
      find: (document) => {
        const { category = '', product } = readLogsource(document)
        const fields = product === 'windows' ? getCategoryFields(category) : undefined
        if (fields === undefined) return
        return listItems(document).flatMap(({ field, offset }) => {
          // Other checks report names with invalid characters.
          if (field === undefined || fields.has(field) || !/^[\w.-]+$/.test(field)) return []
          return [{ offset, message: `events of '${category}' have no field '${field}'`, hint: suggestName(field, fields) }]
        })
      },
    },
  ],
})

type Logsource = { readonly category?: string; readonly product?: string; readonly service?: string }

function readLogsource(document: LintDocument): Logsource {
  return Object.fromEntries(listLogsourceNames(document).map(({ name, scalar }) => [name, scalar.text.trim().toLowerCase()]))
}

function listLogsourceNames(document: LintDocument) {
  const map = findMap(document, 'logsource')
  return map === undefined ? [] : ['category', 'product', 'service'].flatMap((name) => findName(map, name))
}

function findName(map: YamlMap, name: string) {
  const scalar = findScalar(map, name)
  return scalar === undefined || scalar.value === null ? [] : [{ name, scalar }]
}

function renameLogsource(document: LintDocument, change: (name: string) => string, what: string) {
  return listLogsourceNames(document).flatMap(({ name, scalar }) => {
    const changed = change(scalar.text)
    if (changed === scalar.text) return []
    const edits = allOrNone([rewriteScalar(document.text, scalar, changed)])
    return [{ offset: scalar.offset, message: `the ${name} '${scalar.text}' ${what}`, hint: `write '${changed}'`, edits }]
  })
}

/** Whether a word is probably a misspelling of another; related names, such as those of the registry, differ by more. */
function isCloseTo(word: string, text: string): boolean {
  return Math.abs(word.length - text.length) <= 2 && word[0] === text[0] && word.slice(-2) === text.slice(-2)
}
