import { compileRules, limits as engineLimits } from '@tripline/engine'
import type { RuleSource, Diagnostic, RuleReport } from '@tripline/engine'
import { LineIndex, findAttributePath, readYaml } from '@tripline/engine/yaml'
import { findDiagnosticFix, getDiagnosticLevel } from '../checks/compiler-checks.ts'
import { lintLevels } from '../checks/define-checks.ts'
import type { Check, Edit, Finding, LintLevel } from '../checks/define-checks.ts'
import { lintChecks, lintFamilies } from '../checks/lint-checks.ts'
import { LintCollection, readLintDocuments } from '../document/lint-document.ts'
import type { LintDocument } from '../document/lint-document.ts'
import { readIgnoredCodes } from '../document/suppress-comments.ts'
import { limits } from '../limits.ts'
import { pickCompileOptions } from './lint-options.ts'
import type { LintOptions } from './lint-options.ts'

/** A finding of lint in a rule. */
export type LintFinding = {
  readonly code: string
  readonly level: LintLevel
  readonly message: string
  readonly line: number
  readonly column: number
  /** The place in the rule, such as `detection.selection.Image`; empty for the rule as a whole. */
  readonly attribute: string
  readonly hint?: string
  readonly fix?: LintFix
}

/** The edits that fix a finding, applied together; `isSafe` when they do not change what the rule matches. */
export type LintFix = { readonly isSafe: boolean; readonly edits: readonly Edit[] }

/** The findings in one source, in the order of its lines. */
export type LintReport = { readonly path: string; readonly findings: readonly LintFinding[] }

/**
 * Lints rule texts: reports the diagnostics of the compiler and the findings of `lintChecks`, including those that
 * compare rules with each other. Never throws on a rule. A comment `# tripline-lint: ignore CODE` on a line, or
 * alone on the line above, suppresses a check there, but no error. Reports at most `limits.lintFindingsMax`
 * findings per source; a last one counts the rest.
 */
export function lintRules(sources: Iterable<RuleSource>, options: LintOptions = {}): LintReport[] {
  const named = nameSources(sources)
  const { reports } = compileRules(named, pickCompileOptions(options))
  const reportsOf = new Map(named.map(({ path }): [string, RuleReport[]] => [path, []]))
  for (const report of reports) reportsOf.get(report.path)?.push(report)
  const collection = new LintCollection({
    retentionMs: options.retentionMs,
    knownCodes: new Set(lintChecks.map(({ code }) => code)),
  })
  const documents = named.map((source) => {
    const { documents: nodes = [] } = readYaml(source.text)
    return readLintDocuments(source, nodes, collection)
  })
  for (const added of documents) collection.add(added)
  const selection = new CheckSelection(options)
  return named.map((source, i) => {
    const linter = new SourceLinter(source.text, documents[i] ?? [], selection)
    linter.addReports(reportsOf.get(source.path) ?? [])
    linter.runChecks()
    return { path: source.path, findings: linter.findings }
  })
}

/** Gives sources with the same path different names. */
function nameSources(sources: Iterable<RuleSource>): { readonly path: string; readonly text: string }[] {
  const seen = new Set<string>()
  return Array.from(sources, ({ path = '', text }, i) => {
    const name = seen.has(path) ? `${path}#${i + 1}` : path
    seen.add(name)
    return { path: name, text }
  })
}

/** Decides which checks to report. */
class CheckSelection {
  readonly #onlyCodes: ReadonlySet<string> | undefined
  readonly #ignoredCodes: ReadonlySet<string>
  readonly #levelMin: number

  constructor({ check, ignore = [], level = check === undefined ? 'style' : 'optional' }: LintOptions) {
    this.#onlyCodes = check && new Set(check)
    this.#ignoredCodes = new Set(ignore)
    this.#levelMin = lintLevels.indexOf(level)
  }

  includes({ code, level }: { readonly code: string; readonly level: LintLevel }): boolean {
    if (level === 'error') return true
    return lintLevels.indexOf(level) >= this.#levelMin && (this.#onlyCodes?.has(code) ?? true) && !this.#ignoredCodes.has(code)
  }
}

type FindingHead = Pick<LintFinding, 'code' | 'level' | 'message' | 'line' | 'column'>

/** Collects the findings of one source. */
class SourceLinter {
  readonly #documents: readonly LintDocument[]
  readonly #selection: CheckSelection
  readonly #lines: LineIndex
  /** Codes that comments suppress, each with its line. */
  readonly #suppressedCodes: ReadonlySet<string>
  /** By position and code, so that a YAML alias does not repeat findings. */
  readonly #findings = new Map<string, LintFinding>()
  #leftOutCount = 0

  constructor(text: string, documents: readonly LintDocument[], selection: CheckSelection) {
    this.#documents = documents
    this.#selection = selection
    this.#lines = new LineIndex(text)
    this.#suppressedCodes = new Set(readIgnoredCodes(text).map(({ code, line }) => `${code} ${line}`))
  }

  addReports(reports: readonly RuleReport[]): void {
    for (const { diagnostics } of reports) for (const diagnostic of diagnostics) this.#addDiagnostic(diagnostic)
  }

  runChecks(): void {
    const isEnabled = (check: Check) => this.#selection.includes(check)
    for (const document of this.#documents) {
      for (const family of lintFamilies) {
        for (const { check, finding } of family.runChecks(document, isEnabled)) this.#addFinding(check, finding, document)
      }
    }
  }

  get findings(): readonly LintFinding[] {
    const sorted = [...this.#findings.values()].sort((a, b) => a.line - b.line || a.column - b.column)
    if (this.#leftOutCount === 0) return sorted
    const message = `${this.#leftOutCount} further findings are not listed; the limit is ${limits.lintFindingsMax}`
    return [...sorted, { code: 'LIMIT_EXCEEDED', level: 'advice', message, line: 1, column: 1, attribute: '' }]
  }

  #addDiagnostic(diagnostic: Diagnostic): void {
    const { code, message, line, column, attribute, hint } = diagnostic
    const level = getDiagnosticLevel(diagnostic)
    if (level === undefined || !this.#selection.includes({ code, level })) return
    const offset = this.#lines.offset({ line, column })
    const document = this.#documents.findLast(({ node }) => node.offset <= offset) ?? this.#documents[0]
    const fix = document && findDiagnosticFix(code, document, offset)
    this.#add({ code, level, message, line, column }, () => ({ attribute, ...omitUndefined({ hint, fix }) }))
  }

  #addFinding({ code, level, fix }: Check, { offset, message, hint, edits }: Finding, document: LintDocument): void {
    const ownFix = fix === undefined || edits === undefined ? undefined : { isSafe: fix === 'safe', edits }
    this.#add({ code, level, message: cut(message), ...this.#lines.position(offset) }, () => {
      return { attribute: findAttributePath(document.node, offset), ...omitUndefined({ hint: hint && cut(hint), fix: ownFix }) }
    })
  }

  /** Calls `rest` only for findings it keeps, because finding the attribute of a position walks the document. */
  #add(head: FindingHead, rest: () => Omit<LintFinding, keyof FindingHead>): void {
    const { code, level, message, line, column } = head
    if (level !== 'error' && this.#suppressedCodes.has(`${code} ${line}`)) return
    const key = `${line} ${column} ${code} ${message}`
    if (this.#findings.has(key)) return
    if (this.#findings.size >= limits.lintFindingsMax) this.#leftOutCount++
    else this.#findings.set(key, { ...head, ...rest() })
  }
}

/** Drops undefined members. */
function omitUndefined({ hint, fix }: { readonly hint: string | undefined; readonly fix: LintFix | undefined }) {
  return { ...(hint === undefined ? {} : { hint }), ...(fix === undefined ? {} : { fix }) }
}

function cut(text: string): string {
  return text.length <= engineLimits.diagnosticLengthMax ? text : `${text.slice(0, engineLimits.diagnosticLengthMax)}...`
}
