import { computeEditDistance } from './edit-distance.ts'
import type { RuleLogsource } from './event/event.ts'
import { limits } from './limits.ts'

/** The kind of a diagnostic: `lint` is advice, any other kind prevents the rule from running. */
export type DiagnosticKind = 'error' | 'unsupported' | 'unconfigured' | 'lint'

/** The meaning of each code, the source of the table in docs/reference/diagnostics.md. Programs branch on the code. */
export const diagnosticCodes = {
  ALL_ON_ONE_VALUE: 'The modifier `all` has no effect on a single value.',
  BASE64_SHORT: 'A Base64 variant is so short that it would match nearly anything.',
  CONDITION_KEYWORD_CASE: 'A keyword of the condition is not in lower case.',
  CONDITION_SYNTAX: 'The condition has a syntax error.',
  CORRELATION_CYCLE: 'A correlation refers to itself through the rules it names.',
  DANGLING_REFERENCE: 'A filter names a rule that does not exist or that it cannot apply to.',
  DEPRECATED_ACTION: 'The attribute `action` of rule collections is deprecated.',
  DUPLICATE_ID: 'Another rule of the set has the same id, or is the same rule.',
  DUPLICATE_NAME: 'Another rule of the set has the same name.',
  DUPLICATE_VALUE: 'A list has the same value twice.',
  EMPTY_DETECTION: 'A selection, a detection item or a list is empty.',
  ENCODING_ORDER: 'The order of the modifiers encodes something other than the intended text.',
  ESCAPED_WILDCARD: 'A backslash makes a `*` or `?` literal where a wildcard was probably intended.',
  INVALID_ATTRIBUTE: 'An attribute has the wrong type or a value that the specification does not allow.',
  INVALID_LOGSOURCE: 'The logsource is missing or sets none of category, product and service.',
  INVALID_REGEX: 'The regular expression is not valid.',
  INVALID_TEST: 'A rule test is not valid, or its rule does not exist.',
  INVALID_VALUE: 'The value is not valid for its modifiers or its position.',
  LIMIT_EXCEEDED: 'The rule exceeds a limit of the engine.',
  LOST_BACKSLASH: 'Two backslashes at the start of a value stand for one.',
  MATCHES_ANYTHING: 'The value matches whenever the field is present.',
  MATCHES_NOTHING: 'The value can match no event.',
  MISSING_ATTRIBUTE: 'A required attribute is missing.',
  MODIFIER_COMBINATION: 'The Sigma 2.2 draft forbids this combination of modifiers.',
  NEQ_ON_OPTIONAL_FIELD: 'The modifier `neq` also matches when the field is absent.',
  REFUSED_BY_PIPELINE: 'A processing pipeline refuses the rule.',
  NOT_A_RULE: 'The document is not a map.',
  NULL_IN_LIST: 'The specification forbids null inside a list of values.',
  NUMBER_AS_TEXT: 'A modifier compares a number as text.',
  OBSOLETE_TIMEFRAME: 'The attribute `timeframe` has no effect without an aggregation.',
  TRANSLATED_AGGREGATION: 'The engine runs an aggregation in a condition as the equivalent correlation rule.',
  UNKNOWN_ACTION: 'The attribute `action` has an unknown value.',
  UNKNOWN_ATTRIBUTE: 'An unknown key has no effect.',
  UNKNOWN_MODIFIER: 'The modifier does not exist.',
  UNKNOWN_RULE: 'A correlation names a rule that does not exist or does not run.',
  UNKNOWN_SELECTION: 'The condition names a selection that is not defined.',
  UNKNOWN_TAXONOMY: 'The rule uses a taxonomy for which the engine has no mapping.',
  UNRESOLVED_PLACEHOLDER: 'A placeholder has no configured set of values.',
  UNSUPPORTED_AGGREGATION: 'An aggregation in a condition has no equivalent correlation rule, or no `timeframe`.',
  UNSUPPORTED_REGEX: 'The regular expression uses a feature that cannot run in linear time.',
  UNUSED_SELECTION: 'No condition uses this selection.',
  USELESS_MODIFIER: 'A modifier has no effect or makes the value match nothing.',
  YAML: 'The text is not valid YAML.',
  YAML_1_1: 'A YAML 1.1 parser reads the value as another type.',
} as const

export type DiagnosticCode = keyof typeof diagnosticCodes

/** A position in a text; line and column count from 1. */
export type Position = { readonly line: number; readonly column: number }

/** A position with its attribute in the rule. */
type Place = Position & { readonly attribute: string }

/** A problem of a rule. Diagnostics are collected, never thrown. */
export type Diagnostic = {
  readonly kind: DiagnosticKind
  readonly code: DiagnosticCode
  /** One sentence for the author of the rule. */
  readonly message: string
  readonly line: number
  readonly column: number
  /** The place in the rule, such as `detection.selection.Image|endswith`; empty for the rule as a whole. */
  readonly attribute: string
  /** How to fix it, such as `did you mean 'selection'?` */
  readonly hint?: string
}

/** The result of loading a rule. */
export type Verdict = 'compiled' | 'needs_configuration' | 'unsupported' | 'invalid'

/** The kind of a document: rules over events, over matches of other rules, filters for other rules, or anything else. */
export type RuleKind = 'detection' | 'correlation' | 'filter' | 'not-a-rule'

/** A document, the verdict on it, and its problems. */
export type RuleReport = {
  /** The `path` of its `RuleSource`. */
  readonly path: string
  /** The id of the rule, or a stable derived one when it has none. */
  readonly id: string
  readonly title: string
  readonly kind: RuleKind
  readonly verdict: Verdict
  readonly diagnostics: readonly Diagnostic[]
  readonly logsource?: RuleLogsource
}

/** A diagnostic without its kind; `offset` counts in the text of the rule. */
type Problem = {
  readonly code: DiagnosticCode
  readonly message: string
  readonly offset: number
  readonly hint?: string | undefined
}

/** Collects the problems of a rule, at most `limits.diagnosticsMax` of them. */
export class DiagnosticCollector {
  readonly #placeOf: (offset: number) => Place
  readonly #diagnostics: Diagnostic[] = []
  readonly #kinds = new Set<DiagnosticKind>()
  readonly #isStrict: boolean
  #leftOutCount = 0

  /** With `isStrict`, problems of the metadata are errors. */
  constructor(placeOf: (offset: number) => Place, { isStrict = false }: { readonly isStrict?: boolean } = {}) {
    this.#placeOf = placeOf
    this.#isStrict = isStrict
  }

  error(problem: Problem): void {
    this.#add('error', problem)
  }

  unsupported(problem: Problem): void {
    this.#add('unsupported', problem)
  }

  unconfigured(problem: Problem): void {
    this.#add('unconfigured', problem)
  }

  lint(problem: Problem): void {
    this.#add('lint', problem)
  }

  /** Reports a problem of what describes a rule but does not detect: it prevents the rule from running only if strict. */
  metadata(problem: Problem): void {
    this.#add(this.#isStrict ? 'error' : 'lint', problem)
  }

  /** The verdict, which the most severe kind decides. */
  get verdict(): Verdict {
    if (this.#kinds.has('error')) return 'invalid'
    if (this.#kinds.has('unsupported')) return 'unsupported'
    return this.#kinds.has('unconfigured') ? 'needs_configuration' : 'compiled'
  }

  /** The problems sorted by position, and a last one that counts the omitted ones. */
  get diagnostics(): readonly Diagnostic[] {
    const sorted = this.#diagnostics.toSorted((a, b) => a.line - b.line || a.column - b.column)
    if (this.#leftOutCount === 0) return sorted
    const message = `${this.#leftOutCount} further problems are not listed; the limit is ${limits.diagnosticsMax}`
    return [...sorted, { kind: 'lint', code: 'LIMIT_EXCEEDED', message, line: 1, column: 1, attribute: '' }]
  }

  #add(kind: DiagnosticKind, { code, message, offset, hint }: Problem): void {
    this.#kinds.add(kind)
    if (this.#diagnostics.length >= limits.diagnosticsMax) {
      this.#leftOutCount++
      return
    }
    const place = this.#placeOf(offset)
    this.#diagnostics.push({ kind, code, message: cut(message), ...place, ...(hint === undefined ? {} : { hint: cut(hint) }) })
  }
}

function cut(text: string): string {
  return text.length <= limits.diagnosticLengthMax ? text : `${text.slice(0, limits.diagnosticLengthMax)}...`
}

/** Suggests the known name closest to a misspelled one; undefined when none is close. */
export function suggestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > 64) return undefined
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of known) {
    if (candidate.length > 64) continue
    const distance = computeEditDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best === undefined ? undefined : `did you mean '${best}'?`
}

/** A diagnostic, or any other problem with a position and a code. */
type PrintableDiagnostic = Omit<Diagnostic, 'kind' | 'code'> & { readonly kind: string; readonly code: string }

/** Characters of the source line to print around a problem, since rules may have very long lines. */
const lineWidthMax = 120

/**
 * Formats the problems of a rule for a terminal: position, code, message, the source line with a caret under the
 * column, and the hint. `text` is the source of the rule; the result has no trailing newline.
 */
export function formatDiagnostics(
  text: string, report: { readonly path: string; readonly diagnostics: readonly PrintableDiagnostic[] },
): string {
  const lines = text.split('\n')
  return report.diagnostics.map((diagnostic) => formatOne(lines, report.path, diagnostic)).join('\n\n')
}

function formatOne(lines: readonly string[], path: string, diagnostic: PrintableDiagnostic): string {
  const { kind, code, message, line, column, hint } = diagnostic
  const printed = [`${path}:${line}:${column}: ${kind} ${code}: ${message}`]
  const source = lines[line - 1]
  if (source !== undefined) {
    const start = Math.max(0, column - 1 - Math.floor(lineWidthMax / 2))
    const shown = source.slice(start, start + lineWidthMax).replaceAll(/[^\x20-\u{10ffff}]/gu, ' ')
    const gutter = `${line} | `
    printed.push(`${gutter}${shown}`, `${' '.repeat(gutter.length + column - 1 - start)}^`)
  }
  if (hint !== undefined) printed.push(`  hint: ${hint}`)
  return printed.join('\n')
}
