import { diagnosticCodes } from '@tripline/engine'
import type { DiagnosticCode } from '@tripline/engine'
import type { YamlScalar } from '@tripline/engine/yaml'
import { listItems, listScalars } from '../document/lint-document.ts'
import type { LintDocument, LintItem } from '../document/lint-document.ts'
import type { Edit, CheckFamily, FixKind, ExampleFrame, LintLevel } from './define-checks.ts'
import { allOrNone, quoteScalar, removeLine, removeListItem, rewriteKey, rewriteScalar } from './edits.ts'

/** The level, examples and fix of a lint diagnostic of the compiler. */
type CompilerRow = {
  readonly code: DiagnosticCode
  readonly level: LintLevel
  readonly bad: string
  readonly good: string
  readonly frame?: ExampleFrame
  readonly also?: string
  readonly fix?: FixKind
  /** Returns the edits that fix the diagnostic at an offset. */
  readonly findEdits?: (document: LintDocument, offset: number) => readonly Edit[] | undefined
}

/**
 * The lint diagnostics of the compiler. The compiler reports them itself, because it knows what the text means;
 * this table adds examples and fixes.
 */
const rows: readonly CompilerRow[] = [
  {
    code: 'ALL_ON_ONE_VALUE', level: 'style', fix: 'safe',
    bad: 'CommandLine|contains|all: mimikatz',
    good: 'CommandLine|contains: mimikatz',
    findEdits: (document, offset) => rewriteKeyAt(document, offset, (names) => names.filter((name) => name !== 'all')),
  },
  {
    code: 'BASE64_SHORT', level: 'problem',
    bad: 'CommandLine|base64offset|contains|cased: ab',
    good: 'CommandLine|base64offset|contains|cased: abcdef',
  },
  {
    code: 'CONDITION_KEYWORD_CASE', level: 'advice', fix: 'safe', frame: 'detection',
    bad: 'one:\n  User: bob\ntwo:\n  Image: a\ncondition: one OR two',
    good: 'one:\n  User: bob\ntwo:\n  Image: a\ncondition: one or two',
    findEdits: ({ text }, offset) => {
      const [word] = /^(?:and|or|not|of|all|any|them)\b/i.exec(text.slice(offset, offset + 5)) ?? []
      return word === undefined ? undefined : [{ offset, length: word.length, text: word.toLowerCase() }]
    },
  },
  {
    code: 'DANGLING_REFERENCE', level: 'problem', frame: 'filter',
    bad: 'rules:\n  - base\n  - nowhere',
    good: 'rules:\n  - base',
  },
  {
    code: 'DEPRECATED_ACTION', level: 'advice', frame: 'text',
    bad: 'action: global\nlevel: low\n---\n{rule}',
    good: '{rule}',
  },
  {
    code: 'DUPLICATE_VALUE', level: 'style', fix: 'safe', frame: 'rule',
    bad: 'references:\n  - https://example.org/a\n  - https://example.org/a',
    good: 'references:\n  - https://example.org/a\n  - https://example.org/b',
    findEdits: (document, offset) => {
      const names = ['references', 'fields', 'falsepositives', 'tags', 'scope']
      const scalars = names.flatMap((name) => listScalars(document.node, name))
      const scalar = scalars.find((scalar) => scalar.offset === offset)
      return scalar && allOrNone([removeListItem(document.text, scalar)])
    },
  },
  {
    code: 'ENCODING_ORDER', level: 'problem', also: 'MODIFIER_COMBINATION',
    bad: 'CommandLine|base64offset|wide|contains|cased: whoami',
    good: 'CommandLine|wide|base64offset|contains|cased: whoami',
  },
  {
    code: 'ESCAPED_WILDCARD', level: 'problem', fix: 'suggested',
    bad: "Image: 'C:\\Windows\\*\\a.exe'",
    good: "Image: 'C:\\Windows\\\\*\\a.exe'",
    findEdits: (document, offset) => rewriteValueAt(document, offset, ({ text }) => text.replaceAll(/(?<!\\)\\(?=[*?])/g, '\\\\')),
  },
  {
    code: 'INVALID_ATTRIBUTE', level: 'problem', frame: 'rule',
    bad: 'status: production',
    good: 'status: stable',
  },
  {
    code: 'LOST_BACKSLASH', level: 'problem', fix: 'suggested',
    bad: "CommandLine|contains: '\\\\server\\share'",
    good: "CommandLine|contains: '\\\\\\\\server\\share'",
    findEdits: (document, offset) => rewriteValueAt(document, offset, ({ text }) => `\\\\${text}`),
  },
  {
    code: 'MATCHES_ANYTHING', level: 'problem',
    bad: "User|contains: ''",
    good: "User: ''",
  },
  {
    code: 'MATCHES_NOTHING', level: 'problem', frame: 'detection',
    bad: 'keywords:\n  - null\n  - mimikatz\ncondition: keywords',
    good: 'keywords:\n  - mimikatz\ncondition: keywords',
  },
  {
    code: 'MISSING_ATTRIBUTE', level: 'problem', frame: 'rule',
    bad: '!title',
    good: '',
  },
  {
    code: 'MODIFIER_COMBINATION', level: 'advice', fix: 'safe',
    bad: 'CommandLine|contains|contains: mimikatz',
    good: 'CommandLine|contains: mimikatz',
    findEdits: (document, offset) => rewriteKeyAt(document, offset, (names) => {
      const once = names.filter((name, i) => names.indexOf(name) === i)
      return [...once.filter((name) => name !== 'all'), ...once.filter((name) => name === 'all')]
    }),
  },
  {
    code: 'NEQ_ON_OPTIONAL_FIELD', level: 'advice',
    bad: 'User|neq: bob',
    good: 'User|neq: bob\nUser|exists: true',
  },
  {
    code: 'NULL_IN_LIST', level: 'advice',
    bad: 'User:\n  - null\n  - bob',
    good: 'User:\n  - alice\n  - bob',
  },
  {
    code: 'NUMBER_AS_TEXT', level: 'style', fix: 'safe',
    bad: 'CommandLine|contains: 4688',
    good: "CommandLine|contains: '4688'",
    findEdits: (document, offset) => {
      const scalar = listValues(document).find((value) => value.offset === offset)
      return scalar && allOrNone([quoteScalar(document.text, scalar)])
    },
  },
  {
    code: 'OBSOLETE_TIMEFRAME', level: 'problem', fix: 'safe', frame: 'detection',
    bad: 'selection:\n  User: bob\ntimeframe: 5m\ncondition: selection',
    good: 'selection:\n  User: bob\ncondition: selection',
    // With an aggregation, the timeframe is needed to write the correlation rule that replaces it.
    findEdits: ({ text, conditions }, offset) => conditions.some(({ tree }) => tree === undefined) ? undefined
      : allOrNone([removeLine(text, offset, /^\s*timeframe:\s*\w+$/)]),
  },
  {
    code: 'UNKNOWN_ATTRIBUTE', level: 'problem', frame: 'correlation',
    bad: 'group_by:\n  - User',
    good: 'group-by:\n  - User',
  },
  {
    code: 'UNUSED_SELECTION', level: 'problem', frame: 'detection',
    bad: 'one:\n  User: bob\ntwo:\n  Image: a\ncondition: one',
    good: 'one:\n  User: bob\ntwo:\n  Image: a\ncondition: one or two',
  },
  {
    code: 'USELESS_MODIFIER', level: 'problem', fix: 'suggested',
    bad: 'CommandLine|base64offset|cased: whoami',
    good: 'CommandLine|base64offset|contains|cased: whoami',
    findEdits: (document, offset) => rewriteKeyAt(document, offset, (names) =>
      names.flatMap((name) => name === 'base64offset' ? [name, 'contains'] : name)),
  },
  {
    code: 'YAML_1_1', level: 'advice', fix: 'safe',
    bad: 'User: yes',
    good: "User: 'yes'",
    findEdits: (document, offset) => {
      const scalar = listValues(document).find((value) => value.offset === offset)
      return typeof scalar?.value !== 'string' ? undefined : allOrNone([quoteScalar(document.text, scalar)])
    },
  },
]

const rowsByCode: ReadonlyMap<string, CompilerRow> = new Map(rows.map((row) => [row.code, row]))

/** Diagnostics about the configuration rather than the rule; `rules check` reports them. */
const configurationCodes: ReadonlySet<string> = new Set(['UNRESOLVED_PLACEHOLDER'])

/** The compiler's lint diagnostics as a family of checks that report nothing themselves. */
export const compilerChecks: CheckFamily = {
  name: 'compiler',
  frame: 'selection',
  checks: rows.map((row) => ({ ...row, text: diagnosticCodes[row.code] })),
  runChecks: () => [],
}

/** Returns the lint level of a diagnostic; undefined when lint does not report it. */
export function getDiagnosticLevel({ kind, code }: { readonly kind: string; readonly code: string }): LintLevel | undefined {
  if (configurationCodes.has(code)) return undefined
  if (kind === 'error') return 'error'
  return kind === 'lint' ? rowsByCode.get(code)?.level ?? 'advice' : 'problem'
}

/** Returns the fix of a compiler diagnostic. */
export function findDiagnosticFix(code: string, document: LintDocument, offset: number) {
  const row = rowsByCode.get(code)
  const edits = row?.findEdits?.(document, offset)
  return row?.fix === undefined || edits === undefined ? undefined : { isSafe: row.fix === 'safe', edits }
}

function listValues(document: LintDocument): readonly YamlScalar[] {
  return listItems(document).flatMap(({ values }) => values)
}

function rewriteValueAt(
  document: LintDocument, offset: number, change: (value: YamlScalar) => string,
): readonly Edit[] | undefined {
  const value = listValues(document).find((value) => value.offset === offset)
  return value && allOrNone([rewriteScalar(document.text, value, change(value))])
}

function rewriteKeyAt(
  document: LintDocument, offset: number, change: (modifiers: readonly string[]) => readonly string[],
): readonly Edit[] | undefined {
  const item = listItems(document).find((item) => item.offset === offset && item.entry !== undefined)
  return item && editKeyModifiers(item, change(item.modifiers))
}

function editKeyModifiers(item: LintItem, changed: readonly string[]): readonly Edit[] | undefined {
  const { document, entry, field = '', modifiers, map } = item
  const key = [field, ...changed].join('|')
  const isTaken = map?.entries.some((other) => other !== entry && other.key === key) ?? true
  if (entry === undefined || isTaken || changed.join('|') === modifiers.join('|')) return undefined
  return allOrNone([rewriteKey(document.text, entry, key)])
}
