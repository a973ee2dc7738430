import type { Logsource } from './event/event.ts'
import { limits } from './limits.ts'

/** How much a diagnostic weighs: `lint` is advice, each other kind keeps the rule from running. */
export type DiagnosticKind = 'error' | 'unsupported' | 'unconfigured' | 'lint'

/**
 * What each code means. Programs branch on the code, people read the message; the table of
 * docs/reference/diagnostics.md is printed from here.
 */
export const diagnosticCodes = {
  ALL_ON_ONE_VALUE: 'The modifier `all` has no effect on a single value.',
  BASE64_SHORT: 'A base64 variant is so short that it would match nearly anything.',
  CONDITION_KEYWORD_CASE: 'A keyword of the condition language is written with capitals.',
  CONDITION_SYNTAX: 'The condition does not follow the grammar of sigma.md section 7.',
  CORRELATION_CYCLE: 'A correlation leads back to itself through the rules it names (D-52).',
  DANGLING_REFERENCE: 'A filter names a rule that is not there, or that it cannot apply to (D-52).',
  DEPRECATED_ACTION: 'The attribute `action` of rule collections is deprecated.',
  DUPLICATE_ID: 'Another rule of the same set has this id.',
  DUPLICATE_NAME: 'Another rule of the same set has this name.',
  DUPLICATE_VALUE: 'A list that should be unique states a value twice.',
  EMPTY_DETECTION: 'A selection, a detection item or a list is empty (D-5, D-6).',
  ENCODING_ORDER: 'Modifiers stand in an order that encodes something else than was meant.',
  ESCAPED_WILDCARD: 'A backslash makes a `*` or `?` literal where a path with a wildcard was probably meant.',
  INVALID_ATTRIBUTE: 'An attribute has the wrong type or a value that the specification does not list.',
  INVALID_LOGSOURCE: 'The logsource is missing or sets none of category, product and service.',
  INVALID_REGEX: 'The regular expression cannot be read.',
  INVALID_TEST: 'A test of a rule cannot be read, or is of no rule.',
  INVALID_VALUE: 'The value does not fit its modifiers or its place.',
  LIMIT_EXCEEDED: 'A limit of the engine is exceeded.',
  LOST_BACKSLASH: 'Two backslashes at the start of a value mean one.',
  MATCHES_ANYTHING: 'The value matches every present field.',
  MATCHES_NOTHING: 'The value can match no event.',
  MISSING_ATTRIBUTE: 'A required attribute is missing.',
  MODIFIER_COMBINATION: 'The 2.2 draft forbids this combination of modifiers (D-28).',
  NEQ_ON_OPTIONAL_FIELD: 'The modifier `neq` also holds where the field is absent (D-14).',
  NOT_A_RULE: 'The document is not a map.',
  NULL_IN_LIST: 'The specification forbids null inside a list of values.',
  NUMBER_AS_TEXT: 'A number is compared as text because of its modifier (D-15).',
  OBSOLETE_TIMEFRAME: 'The attribute `timeframe` has no effect without an aggregation.',
  TRANSLATED_AGGREGATION: 'An aggregation in a condition runs as the correlation rule that says the same (D-33).',
  UNKNOWN_ACTION: 'The attribute `action` has a value that is not known.',
  UNKNOWN_ATTRIBUTE: 'A key is not known there and has no effect.',
  UNKNOWN_MODIFIER: 'No modifier has this name.',
  UNKNOWN_RULE: 'A correlation names a rule that is not there, or that does not run (D-52).',
  UNKNOWN_SELECTION: 'The condition names a selection that is not defined.',
  UNKNOWN_TAXONOMY: 'The rule uses a taxonomy that the engine has no mapping for (D-2).',
  UNRESOLVED_PLACEHOLDER: 'The set that a placeholder stands for is not configured (D-26).',
  UNSUPPORTED_AGGREGATION: 'An aggregation in a condition has no correlation rule that says the same, or no `timeframe`.',
  UNSUPPORTED_REGEX: 'The regular expression uses what cannot run in linear time (D-22).',
  UNUSED_SELECTION: 'No condition uses this selection.',
  USELESS_MODIFIER: 'A modifier has no effect or makes the value match nothing.',
  YAML: 'The text is not readable YAML.',
  YAML_1_1: 'A YAML 1.1 reader sees another type here.',
} as const

export type DiagnosticCode = keyof typeof diagnosticCodes

/** A place in a rule's text; line and column count from 1. */
export type Position = { readonly line: number; readonly column: number }

/** The same with its place in the rule. */
export type Place = Position & { readonly attribute: string }

/** One problem of a rule: collected, never thrown. */
export type Diagnostic = {
  readonly kind: DiagnosticKind
  readonly code: DiagnosticCode
  /** One sentence for people, naming the thing. */
  readonly message: string
  readonly line: number
  readonly column: number
  /** Where that is in the rule: `detection.selection.Image|endswith`; empty where it is the rule as a whole. */
  readonly attribute: string
  /** What to do about it: `did you mean 'selection'?` */
  readonly hint?: string
}

/** What became of a rule when it was loaded. */
export type Verdict = 'compiled' | 'needs_configuration' | 'unsupported' | 'invalid'

/** What a document is: a rule on single events, one on matches of others, one that tunes others, or none of them. */
export type RuleKind = 'detection' | 'correlation' | 'filter' | 'not-a-rule'

/** One loaded rule, or one document that was to be a rule, and what became of it. */
export type RuleReport = {
  /** The `path` of its `RuleSource`. */
  readonly path: string
  /** The rule's id; a derived, stable one where the rule states none. */
  readonly id: string
  readonly title: string
  readonly kind: RuleKind
  readonly verdict: Verdict
  readonly diagnostics: readonly Diagnostic[]
  readonly logsource?: Logsource
}

/** What a problem says besides its kind; `offset` is where it stands in the rule's text. */
export type Problem = {
  readonly code: DiagnosticCode
  readonly message: string
  readonly offset: number
  readonly hint?: string | undefined
}

/** Collects the problems of one rule, at most `limits.diagnosticsMax` of them, in the order they are met. */
export class DiagnosticCollector {
  readonly #placeOf: (offset: number) => Place
  readonly #diagnostics: Diagnostic[] = []
  readonly #kinds = new Set<DiagnosticKind>()
  #leftOutCount = 0

  constructor(placeOf: (offset: number) => Place) {
    this.#placeOf = placeOf
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

  /** The verdict that the problems amount to: the gravest kind decides. */
  get verdict(): Verdict {
    if (this.#kinds.has('error')) return 'invalid'
    if (this.#kinds.has('unsupported')) return 'unsupported'
    return this.#kinds.has('unconfigured') ? 'needs_configuration' : 'compiled'
  }

  /** The problems in the order of their places, and a last one that counts what was left out. */
  get diagnostics(): readonly Diagnostic[] {
    const sorted = this.#diagnostics.toSorted((a, b) => a.line - b.line || a.column - b.column)
    if (this.#leftOutCount === 0) return sorted
    const message = `${this.#leftOutCount} further problems are not listed; at most ${limits.diagnosticsMax} are`
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

/** The known name nearest to a mistyped one, as a hint; undefined when none is near. */
export function suggestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > 64) return undefined
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of known) {
    if (candidate.length > 64) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best === undefined ? undefined : `did you mean '${best}'?`
}

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(substitution, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    previous = row
  }
  return previous[b.length] ?? 0
}
