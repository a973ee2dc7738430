import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { diagnosticCodes } from '@tripline/engine'
import { lintChecks } from '@tripline/rule-tools'
import type { LintFinding, LintFix, LintLevel, LintReport } from '@tripline/rule-tools'

/** SARIF's words for our levels. */
const sarifLevels: { readonly [L in LintLevel]: 'error' | 'warning' | 'note' } = {
  error: 'error', problem: 'warning', advice: 'note', style: 'note', optional: 'note',
}

/**
 * Prints findings as a SARIF 2.1.0 log with one run: each check that found something as a rule of the tool,
 * each finding as a result with its place, its fix as edits of the file. Columns and offsets are UTF-16 units.
 */
export function printSarif(reports: readonly LintReport[]): string {
  const codes = [...new Set(reports.flatMap(({ findings }) => findings.map(({ code }) => code)))].sort()
  const indexes = new Map(codes.map((code, index) => [code, index]))
  const results = reports.flatMap(({ path, findings }) =>
    findings.map((finding) => toSarifResult(toSarifUri(path), finding, indexes.get(finding.code) ?? -1)))
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{
      tool: { driver: { name: 'tripline rules lint', rules: codes.map(toSarifRule) } },
      columnKind: 'utf16CodeUnits',
      results,
    }],
  }
  return JSON.stringify(log, null, 1) + '\n'
}

function toSarifRule(code: string) {
  const check = lintChecks.find((row) => row.code === code)
  const text = check?.text ?? new Map<string, string>(Object.entries(diagnosticCodes)).get(code) ?? code
  const level = sarifLevels[check?.level ?? 'error']
  const fixes = check?.fix === undefined ? 'It is for the author to mend.'
    : check.fix === 'safe' ? "'tripline rules lint --fix' mends it."
    : "'tripline rules lint --fix' leaves it, but the report suggests a fix."
  return {
    id: code,
    shortDescription: { text },
    help: { text: `${text} ${fixes} A comment '# tripline-lint: ignore ${code}' silences it.` },
    defaultConfiguration: { level },
    properties: { family: check?.family ?? 'errors' },
  }
}

function toSarifResult(uri: string, { code, level, message, hint, line, column, attribute, fix }: LintFinding, ruleIndex: number) {
  const text = hint === undefined ? `${message}.` : `${message}; ${hint}.`
  const physicalLocation = { artifactLocation: { uri }, region: { startLine: line, startColumn: column } }
  const logicalLocations = attribute === '' ? {} : { logicalLocations: [{ fullyQualifiedName: attribute }] }
  return {
    ruleId: code, ruleIndex, level: sarifLevels[level], message: { text }, locations: [{ physicalLocation, ...logicalLocations }],
    ...(fix === undefined ? {} : { fixes: [toSarifFix(uri, fix)] }),
  }
}

function toSarifFix(uri: string, { isSafe, edits }: LintFix) {
  const replacements = edits.map(({ offset, length, text }) => (
    { deletedRegion: { charOffset: offset, charLength: length }, insertedContent: { text } }))
  const kept = 'The rule matches the same events afterwards.'
  const description = { text: isSafe ? kept : 'What was probably meant; the rule matches other events afterwards.' }
  return { description, artifactChanges: [{ artifactLocation: { uri }, replacements }] }
}

/** A path as SARIF wants it: relative ones stay relative, to whatever reads the log. */
export function toSarifUri(path: string): string {
  return isAbsolute(path) ? pathToFileURL(path).href : path.split(/[\\/]/).map(encodeURIComponent).join('/')
}
