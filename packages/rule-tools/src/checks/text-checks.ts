import { getFileName, listItems } from '../document/lint-document.ts'
import type { LintDocument } from '../document/lint-document.ts'
import { readIgnoredCodes } from '../document/suppress-comments.ts'
import { limits } from '../limits.ts'
import { defineCheckFamily } from './define-checks.ts'

/** Checks on the raw text, once for each source. */
export const textChecks = defineCheckFamily({
  name: 'text',
  frame: 'text',
  subjects: (document) => isFirst(document) ? [document] : [],
  checks: [
    {
      code: 'BYTE_ORDER_MARK', level: 'style', fix: 'safe',
      text: 'The text begins with a byte order mark, which UTF-8 does not need.',
      bad: '\ufeff{rule}',
      good: '{rule}',
      find: ({ text }) => text.startsWith('\ufeff')
        ? {
          offset: 0, message: 'the text begins with a byte order mark', edits: [{ offset: 0, length: 1, text: '' }],
        } : undefined,
    },
    {
      code: 'CARRIAGE_RETURNS', level: 'style', fix: 'safe',
      text: 'Lines end with a carriage return.',
      bad: '{crlf}',
      good: '{rule}',
      find: ({ text }) => {
        const first = text.indexOf('\r\n')
        if (first === -1) return
        const ends = Array.from(text.matchAll(/\r\n/g), ({ index }) => ({ offset: index, length: 2, text: '\n' }))
        return {
          offset: first, message: `${ends.length} lines end with a carriage return`, edits: ends.slice(0, limits.lintEditsMax),
        }
      },
    },
    {
      code: 'FINAL_NEWLINE', level: 'style', fix: 'safe',
      text: 'The last line has no newline.',
      bad: '{rule}# end',
      good: '{rule}# end\n',
      find: ({ text }) => text === '' || text.endsWith('\n') ? undefined
        : {
          offset: text.lastIndexOf('\n') + 1, message: 'the last line has no newline',
          edits: [{ offset: text.length, length: 0, text: '\n' }],
        },
    },
    {
      code: 'FINAL_BLANK_LINES', level: 'style', fix: 'safe',
      text: 'The text ends with empty lines.',
      bad: '{rule}\n\n',
      good: '{rule}',
      find: ({ text }) => {
        let end = text.length
        while (end > 0 && text[end - 1] === '\n') end--
        if (end === 0 || text.length - end < 2) return
        return {
          offset: end + 1, message: 'the text ends with empty lines',
          edits: [{ offset: end + 1, length: text.length - end - 1, text: '' }],
        }
      },
    },
    {
      code: 'TRAILING_BLANKS', level: 'style', fix: 'safe',
      text: 'A line ends with whitespace.',
      bad: '{rule}# end  \n',
      good: '{rule}# end\n',
      find: ({ text }) => {
        const found = text.matchAll(/(?<![ \t])[ \t]+(?=\r?\n)/g)
        const ends = Array.from(found, ({ 0: { length }, index }) => ({ offset: index, length, text: '' }))
        const edits = ends.slice(0, limits.lintEditsMax)
        return ends.length === 0 ? undefined : {
          offset: ends[0]!.offset,
          message: ends.length === 1 ? 'a line ends with whitespace' : `${ends.length} lines end with whitespace`, edits,
        }
      },
    },
    {
      code: 'TABS', level: 'style',
      text: 'A line has a tab outside of quotes.',
      bad: '{rule}# end\tof it\n',
      good: '{rule}# end of it\n',
      find: ({ text }) => {
        const tab = /^[^'"\n\t]*\t/m.exec(text)
        return tab === null ? undefined : {
          offset: tab.index + tab[0].length - 1, message: 'the line has a tab instead of spaces',
        }
      },
    },
    {
      code: 'IGNORED_CODE_UNKNOWN', level: 'problem',
      text: "A comment 'tripline-lint: ignore' names an unknown check.",
      bad: '{rule}# tripline-lint: ignore NO_SUCH_CHECK\n',
      good: '{rule}# tripline-lint: ignore MISSING_ID\n',
      find: ({ text, collection: { knownCodes } }) => readIgnoredCodes(text).filter(({ code }) => !knownCodes.has(code))
        .map(({ code, offset }) => ({ offset, message: `the comment ignores the unknown check '${code}'` })),
    },
    {
      code: 'DOUBLE_QUOTED_BACKSLASHES', level: 'style', fix: 'safe',
      text: 'A value with backslashes is in double quotes, where each backslash must be doubled.',
      frame: 'selection',
      bad: 'Image|endswith: "\\\\cmd.exe"',
      good: "Image|endswith: '\\cmd.exe'",
      find: ({ text: source, siblings }) => siblings.flatMap(listItems).flatMap(({ values }) => values).flatMap(({ text, offset }) => {
        if (source[offset] !== '"' || !text.includes('\\') || text.includes("'") || /[\x00-\x1f\x7f-\uffff]/.test(text)) return []
        const written = `"${text.replaceAll(/["\\]/g, '\\$&')}"`
        const isExact = source.startsWith(written, offset)
        const edits = isExact ? [{ offset, length: written.length, text: `'${text}'` }] : undefined
        return [{ offset, message: `'${text}' is in double quotes`, hint: 'use single quotes', edits }]
      }),
    },
  ],
})

/** Checks on the names of rule files. */
export const fileNameChecks = defineCheckFamily({
  name: 'file names',
  frame: 'path',
  subjects: (document) => document.path === '' || !isFirst(document) ? [] : [{ document, name: getFileName(document.path) }],
  checks: [
    {
      code: 'FILE_NAME_CHARACTERS', level: 'style',
      text: 'The file name has characters other than a-z, 0-9 and _.',
      bad: 'rules/Shell Started.yml',
      good: 'rules/shell_started.yml',
      find: ({ name }) => /^[a-z\d_]+\.[A-Za-z]+$/.test(name) ? undefined
        : { offset: 0, message: `the file name '${name}' has other characters`, hint: 'use a-z, 0-9 and _' },
    },
    {
      code: 'FILE_NAME_LENGTH', level: 'style',
      text: 'The file name has fewer than 10 or more than 70 characters.',
      bad: 'rules/a.yml',
      good: 'rules/shell_started.yml',
      find: ({ name }) => name.length >= 10 && name.length <= 70 ? undefined
        : { offset: 0, message: `the file name '${name}' has ${name.length} characters` },
    },
    {
      code: 'FILE_EXTENSION', level: 'style',
      text: 'The file name does not end with .yml.',
      bad: 'rules/shell_started.yaml',
      good: 'rules/shell_started.yml',
      find: ({ name }) => name.endsWith('.yml') ? undefined
        : { offset: 0, message: `the file name '${name}' does not end with '.yml'` },
    },
    {
      code: 'FILE_PREFIX', level: 'style',
      text: 'The file name begins with mr_ (correlation) or mf_ (filter), but the file has another kind of rule.',
      bad: 'rules/mr_shell_started.yml',
      good: 'rules/shell_started.yml',
      find: ({ document, name }) => {
        const kind = name.startsWith('mr_') ? 'correlation' : name.startsWith('mf_') ? 'filter' : undefined
        if (kind === undefined || document.siblings.some((other) => other.kind === kind)) return
        return { offset: 0, message: `the prefix of '${name}' means a ${kind}, but the file has none` }
      },
    },
  ],
})

/** Whether a document is the first of its source, which reports the findings of the whole source. */
function isFirst(document: LintDocument): boolean {
  return document.siblings[0] === document
}
