import { suggestName } from '@tripline/engine'
import type { YamlScalar } from '@tripline/engine/yaml'
import type { LintDocument } from '../document/lint-document.ts'
import { findScalar, listScalars } from '../document/lint-document.ts'
import { defineCheckFamily } from './define-checks.ts'
import { allOrNone, rewriteScalar } from './edits.ts'

/** Tactics of ATT&CK, current and earlier. */
export const tagTactics: readonly string[] = [
  'reconnaissance', 'resource-development', 'initial-access', 'execution', 'persistence', 'privilege-escalation',
  'defense-evasion', 'stealth', 'defense-impairment', 'credential-access', 'discovery', 'lateral-movement', 'collection',
  'command-and-control', 'exfiltration', 'impact',
  // Of the matrices for mobile devices and industrial control systems.
  'evasion', 'inhibit-response-function', 'impair-process-control', 'network-effects', 'remote-service-effects',
]

const namespaces: readonly string[] = ['attack', 'car', 'cve', 'd3fend', 'detection', 'stp', 'tlp']

/** The format of the name after the dot, by namespace. */
const tagForms = {
  car: /^\d{4}-\d{2}-\d{3}$/,
  cve: /^\d{4}[-.]\d{4,}$/,
  d3fend: /^(?:d3-[a-z\d-]+|d3f-[a-z\d-]+|model|harden|detect|isolate|deceive|evict|restore)$/i,
  detection: /^(?:dfir|emerging-threats|threat-hunting)$/,
  stp: /^[1-5][auk]?$/,
  tlp: /^(?:red|amber|amber-strict|green|clear|white)$/,
} as const

/** Groups, software, data sources, mitigations, assets and techniques of ATT&CK by their numbers. */
const attackNumber = /^(?:t\d{4}(?:\.\d{3})?|[gsma]\d{4}|ds\d{4}|ta\d{4})$/i

type Tag = { readonly document: LintDocument; readonly scalar: YamlScalar; readonly namespace: string; readonly name: string }

/** Checks on single tags. */
export const tagChecks = defineCheckFamily({
  name: 'tags',
  frame: 'rule',
  subjects: readTags,
  checks: [
    {
      code: 'TAG_CASE', level: 'style', fix: 'safe',
      text: 'A tag has upper-case letters.',
      bad: 'tags:\n  - attack.Execution',
      good: 'tags:\n  - attack.execution',
      find: ({ document, scalar, namespace }) => {
        const { text, offset } = scalar
        // D3FEND names have upper-case letters.
        if (namespace.toLowerCase() === 'd3fend' || text === text.toLowerCase()) return
        const edits = allOrNone([rewriteScalar(document.text, scalar, text.toLowerCase())])
        return { offset, message: `the tag '${text}' has upper-case letters`, edits }
      },
    },
    {
      code: 'TAG_NAMESPACE', level: 'style',
      text: 'A tag has a namespace that the specification does not list.',
      bad: 'tags:\n  - atack.execution',
      good: 'tags:\n  - attack.execution',
      find: ({ scalar: { offset }, namespace }) => namespaces.includes(namespace.toLowerCase()) ? undefined
        : {
          offset, message: `the tag namespace '${namespace}' is not in the Sigma specification`, hint: suggestName(namespace, namespaces),
        },
    },
    {
      code: 'ATTACK_TACTIC_FORM', level: 'style', fix: 'safe',
      text: 'An ATT&CK tactic has underscores instead of hyphens.',
      bad: 'tags:\n  - attack.defense_evasion',
      good: 'tags:\n  - attack.defense-evasion',
      find: ({ document, scalar, namespace, name }) => {
        const tactic = name.toLowerCase().replaceAll('_', '-')
        if (namespace.toLowerCase() !== 'attack' || !name.includes('_') || !tagTactics.includes(tactic)) return
        const edits = allOrNone([rewriteScalar(document.text, scalar, `attack.${tactic}`)])
        return { offset: scalar.offset, message: `write the tactic '${name}' as '${tactic}'`, edits }
      },
    },
    {
      code: 'ATTACK_TAG_UNKNOWN', level: 'problem',
      text: 'An ATT&CK tag is neither a tactic nor an ATT&CK id.',
      bad: 'tags:\n  - attack.t159',
      good: 'tags:\n  - attack.g0007',
      find: ({ scalar: { offset }, namespace, name }) => {
        const isKnown = attackNumber.test(name) || tagTactics.includes(name.toLowerCase().replaceAll('_', '-'))
        if (namespace.toLowerCase() !== 'attack' || isKnown) return
        const message = `'${name}' is neither a tactic nor a technique, group, software or data source of ATT&CK`
        return { offset, message, hint: suggestName(name, tagTactics) }
      },
    },
    ...defineFormChecks([
      ['CAR_TAG_FORM', 'car', 'car.2016-4-5', 'car.2016-04-005', 'the year, month and number of an analytic: 2016-04-005'],
      ['CVE_TAG_FORM', 'cve', 'cve.44228', 'cve.2021-44228', 'the year and number of a vulnerability: 2021-44228'],
      ['D3FEND_TAG_FORM', 'd3fend', 'd3fend.shield', 'd3fend.d3-psa', 'a technique or artifact of D3FEND: d3-psa'],
      ['DETECTION_TAG_FORM', 'detection', 'detection.hunting', 'detection.dfir', 'dfir, emerging-threats or threat-hunting'],
      ['STP_TAG_FORM', 'stp', 'stp.7', 'stp.4a', 'a level from 1 to 5, and a, u or k'],
      ['TLP_TAG_FORM', 'tlp', 'tlp.purple', 'tlp.amber', 'red, amber, amber-strict, green or clear'],
    ]),
  ],
})

/** Checks over all tags of a rule. */
export const tagListChecks = defineCheckFamily({
  name: 'tag lists',
  frame: 'rule',
  subjects: (document) => [document],
  checks: [
    {
      code: 'TLP_TAGS_DISAGREE', level: 'problem',
      text: 'Two TLP tags contradict each other.',
      bad: 'tags:\n  - tlp.red\n  - tlp.green',
      good: 'tags:\n  - tlp.red',
      find: (document) => {
        const [first, second] = readTags(document).filter(({ namespace }) => namespace.toLowerCase() === 'tlp')
        if (first === undefined || second === undefined || first.name === second.name) return
        return { offset: second.scalar.offset, message: `'${second.scalar.text}' contradicts '${first.scalar.text}'` }
      },
    },
    {
      code: 'TECHNIQUE_WITHOUT_TACTIC', level: 'style',
      text: 'A rule has an ATT&CK technique tag but no tactic tag.',
      bad: 'tags:\n  - attack.t1059',
      good: 'tags:\n  - attack.execution\n  - attack.t1059',
      find: (document) => {
        const tags = readTags(document).filter(({ namespace }) => namespace.toLowerCase() === 'attack')
        const technique = tags.find(({ name }) => /^t\d/i.test(name))
        if (technique === undefined || tags.some(({ name }) => !attackNumber.test(name))) return
        return { offset: technique.scalar.offset, message: `'${technique.scalar.text}' is a technique, but no tag names its tactic` }
      },
    },
    {
      code: 'CVE_WITHOUT_TAG', level: 'style',
      text: 'The title names a CVE, but no tag does.',
      bad: 'title: Exploit Of CVE-2021-44228',
      good: 'title: Exploit Of CVE-2021-44228\ntags:\n  - cve.2021-44228',
      find: (document) => {
        const title = findScalar(document.node, 'title')
        const named = [...(title?.text ?? '').matchAll(/CVE-(\d{4}-\d{4,7})/gi)].map(([, number = '']) => number)
        const tagged = new Set(readTags(document).map(({ name }) => name.replace('.', '-')))
        const absent = named.find((number) => !tagged.has(number))
        return absent === undefined ? undefined
          : {
            offset: title!.offset, message: `the title names CVE-${absent}, but no tag does`, hint: `add the tag 'cve.${absent}'`,
          }
      },
    },
  ],
})

function readTags(document: LintDocument): Tag[] {
  return listScalars(document.node, 'tags').flatMap((scalar) => {
    const dot = scalar.text.indexOf('.')
    return dot === -1 ? [] : [{ document, scalar, namespace: scalar.text.slice(0, dot), name: scalar.text.slice(dot + 1) }]
  })
}

/** Defines a check for each namespace with a fixed name format. */
function defineFormChecks(
  rows: readonly (readonly [code: string, namespace: keyof typeof tagForms, bad: string, good: string, form: string])[],
) {
  return rows.map(([code, namespace, bad, good, form]) => ({
    code, text: `The name after '${namespace}.' in a tag is not ${form}.`, level: 'problem' as const,
    bad: `tags:\n  - ${bad}`,
    good: `tags:\n  - ${good}`,
    find: (tag: Tag) => tag.namespace.toLowerCase() !== namespace || tagForms[namespace].test(tag.name) ? undefined
      : { offset: tag.scalar.offset, message: `'${tag.name}' is not ${form}` },
  }))
}
