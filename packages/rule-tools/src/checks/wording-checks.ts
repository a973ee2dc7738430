import type { LintDocument } from '../document/lint-document.ts'
import { findScalar, listScalars } from '../document/lint-document.ts'
import { defineCheckFamily } from './define-checks.ts'
import type { Finding } from './define-checks.ts'
import { allOrNone, rewriteScalar } from './edits.ts'

/** Characters. Lists show titles in a column; the longest title of SigmaHQ has 110. */
const titleLengthMax = 120
const descriptionLengthMin = 16

/** Checks on the wording of titles, descriptions and references. */
export const wordingChecks = defineCheckFamily({
  name: 'wording',
  frame: 'rule',
  subjects: (document) => [document],
  checks: [
    {
      code: 'TITLE_LONG', level: 'style',
      text: `The title has more than ${titleLengthMax} characters.`,
      bad: `title: ${'Very '.repeat(30)}Long`,
      good: 'title: Short',
      find: ({ node }) => {
        const title = findScalar(node, 'title')
        if (title === undefined || title.text.length <= titleLengthMax) return
        return {
          offset: title.offset, message: `the title has ${title.text.length} characters`,
          hint: 'move the rest into the description',
        }
      },
    },
    {
      code: 'TITLE_DOT', level: 'style', fix: 'safe',
      text: 'The title ends with a full stop.',
      bad: 'title: Shell Started.',
      good: 'title: Shell Started',
      find: (document) => rewriteAttribute(document, 'title', /(?<!\.)\.$/, '', 'the title ends with a full stop'),
    },
    {
      code: 'TITLE_BLANKS', level: 'style', fix: 'safe',
      text: 'The title has leading, trailing or repeated spaces.',
      bad: "title: 'Shell  Started '",
      good: "title: 'Shell Started'",
      find: (document) => {
        const message = 'the title has leading, trailing or repeated spaces'
        return rewriteAttribute(document, 'title', /^ +| +$|(?<= ) +/g, '', message)
      },
    },
    {
      code: 'TITLE_SAYS_DETECTS', level: 'style',
      text: 'The title begins with a word that adds nothing.',
      bad: 'title: Detects A Shell',
      good: 'title: Shell',
      find: ({ node }) => {
        const title = findScalar(node, 'title')
        const [word] = /^(?:detects|detection of|detect|rule for|sigma)\b/i.exec(title?.text ?? '') ?? []
        return word === undefined ? undefined : {
          offset: title!.offset, message: `the title begins with '${word}', which adds nothing`,
        }
      },
    },
    {
      code: 'DESCRIPTION_SHORT', level: 'style',
      text: `The description has fewer than ${descriptionLengthMin} characters.`,
      bad: 'description: Shell',
      good: 'description: A service started a shell.',
      find: ({ node }) => {
        const description = findScalar(node, 'description')
        if (typeof description?.value !== 'string' || description.text.trim().length >= descriptionLengthMin) return
        return { offset: description.offset, message: `the description is only '${description.text.trim()}'` }
      },
    },
    {
      code: 'DESCRIPTION_REPEATS_TITLE', level: 'style',
      text: 'The description repeats the title.',
      bad: 'title: Shell Started By A Service\ndescription: Shell started by a service.',
      good: 'title: Shell Started By A Service\ndescription: Services have no use for a shell.',
      find: ({ node }) => {
        const [title, description] = [findScalar(node, 'title'), findScalar(node, 'description')]
        if (title === undefined || description === undefined || normalizeWords(title.text) !== normalizeWords(description.text)) return
        return { offset: description.offset, message: 'the description repeats the title' }
      },
    },
    {
      code: 'REFERENCE_NOT_A_LINK', level: 'style',
      text: 'A reference looks like a URL but has no scheme.',
      bad: 'references:\n  - www.example.org/shells',
      good: 'references:\n  - https://www.example.org/shells',
      find: ({ node }) => listScalars(node, 'references').flatMap(({ text, offset }) => {
        if (!/^(?:www\.|[\w-]+(?:\.[\w-]+){1,4}\/)\S*$/.test(text)) return []
        return [{ offset, message: `the reference '${text}' has no scheme`, hint: `write https://${text}` }]
      }),
    },
    {
      code: 'FALSEPOSITIVES_SAY_NOTHING', level: 'style',
      text: 'A false positive entry has no information.',
      bad: 'falsepositives:\n  - None',
      good: 'falsepositives:\n  - Administrators at work',
      find: ({ node }) => listScalars(node, 'falsepositives').flatMap(({ text, offset }) => {
        if (!/^(?:none|no|nothing|n\/?a|tbd|todo|-+|\?+|.)\.?$/i.test(text.trim())) return []
        return [{ offset, message: `'${text}' does not describe a false positive`, hint: "write 'Unknown', or remove the entry" }]
      }),
    },
    {
      code: 'LICENSE_NOT_SPDX', level: 'style',
      text: 'The license is not an SPDX identifier.',
      bad: 'license: Apache License 2.0',
      good: 'license: Apache-2.0',
      find: ({ node }) => {
        const license = findScalar(node, 'license')
        if (license === undefined || /^[\w.+()-]+(?: (?:AND|OR|WITH) [\w.+()-]+)*$/.test(license.text)) return
        return { offset: license.offset, message: `the license '${license.text}' is not an SPDX identifier` }
      },
    },
  ],
})

function rewriteAttribute({ node, text }: LintDocument, name: string, from: RegExp, to: string, message: string): Finding | undefined {
  const scalar = findScalar(node, name)
  const changed = scalar?.text.replace(from, to)
  if (scalar === undefined || changed === undefined || changed === scalar.text || changed === '') return undefined
  return { offset: scalar.offset, message, edits: allOrNone([rewriteScalar(text, scalar, changed)]) }
}

function normalizeWords(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z\d]+/g, ' ').trim()
}
