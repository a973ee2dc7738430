import { exitCodes } from '@tripline/common/exit-error'
import { formatDiagnostics } from '@tripline/engine'
import type { Diagnostic, RuleReport } from '@tripline/engine'
import { defineCommand } from '../../framework/command.ts'
import { escapeControlInLines } from '../../framework/escape-control.ts'
import { ruleOperands, ruleOptions } from '../../framework/shared-options.ts'
import { writeText } from '../../framework/write-text.ts'
import { loadRules, printVerdicts } from '../../rules/load-rules.ts'
import type { LoadedRules } from '../../rules/load-rules.ts'

/** Validates rules and reports every problem. */
export const rulesCheckCommand = defineCommand({
  name: 'rules check',
  summary: 'Validates rules and reports every problem with file, line and column.',
  operands: ruleOperands,
  options: {
    json: {
      kind: 'flag',
      help: 'Prints one JSON object: {"rules":[{"path","id","title","verdict","diagnostics"}],"totals"}.',
    },
    lint: { kind: 'flag', help: 'Also prints advice on valid rules, which is only counted otherwise.' },
    strict: { kind: 'flag', help: 'Rejects invalid metadata, and modifier combinations that the Sigma 2.2 draft forbids.' },
    ...ruleOptions,
  },
  notes: [
    'Verdicts: compiled (runs); needs_configuration (a placeholder has no value); unsupported (uses a feature that '
      + 'Tripline lacks); invalid (is not a Sigma rule).',
    'Exit codes: 0 no rule is invalid; 1 some are; 2 wrong arguments; 65 the paths hold no rule; '
      + '66 a path cannot be read.',
  ],
  async run({ options, operands }, context) {
    const loaded = loadRules({ ...options, paths: operands }, context)
    await writeText(context.stdout, options.json ? printJson(loaded) : printText(loaded, options.lint))
    return loaded.verdicts.invalid > 0 ? exitCodes.found : exitCodes.ok
  },
})

function printJson({ reports, verdicts }: LoadedRules): string {
  const rules = reports.map(({ path, id, title, verdict, diagnostics }) => {
    return { path, id, title, verdict, diagnostics: diagnostics.map(toDiagnosticRow) }
  })
  return JSON.stringify({ rules, totals: { rules: reports.length, ...verdicts } }) + '\n'
}

function toDiagnosticRow({ code, message, line, column, hint, kind }: Diagnostic): Record<string, unknown> {
  return { code, message, line, column, hint: hint ?? null, kind }
}

/** The problems, one block each, then the counts: what was asked stands last, where the eye is. */
function printText({ reports, sources, verdicts }: LoadedRules, showsLints: boolean): string {
  const texts = new Map(sources.map(({ path, text }) => [path, text]))
  const blocks = reports
    .map((report) => showsLints ? report : withoutLints(report))
    .filter(({ diagnostics }) => diagnostics.length > 0)
    .map((report) => escapeControlInLines(formatDiagnostics(texts.get(report.path) ?? '', report)))
  const lintCount = reports.reduce((sum, report) => sum + report.diagnostics.filter(isLint).length, 0)
  const lintNote = lintCount === 0 || showsLints ? '' : `; lints not shown: ${lintCount} (--lint)`
  return [...blocks, `${printVerdicts(verdicts)}${lintNote}`].join('\n\n') + '\n'
}

function withoutLints(report: RuleReport): RuleReport {
  return { ...report, diagnostics: report.diagnostics.filter((diagnostic) => !isLint(diagnostic)) }
}

function isLint({ kind }: Diagnostic): boolean {
  return kind === 'lint'
}
