/**
 * Counts why the rules of collections are refused:
 *
 *     node bench/count-verdicts.ts [--strict] [--list] <folder>...
 *
 * Each folder is one collection and compiles by itself, as a rule set of its own. Prints a row of a Markdown table for each;
 * `--list` also prints every refused rule with its first problem. A document without logsource, detection, correlation and
 * filter is no rule, and is counted apart.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { compileRules } from '@tripline/engine'
import type { Diagnostic, DiagnosticCode, RuleReport, RuleSource } from '@tripline/engine'

/** Why a rule does not run, in the order of the table; a rule with several causes counts for the first. */
const causes = ['YAML', 'log source', 'detection', 'metadata', 'repeated', 'references', 'configuration'] as const
type Cause = (typeof causes)[number]

type Counted = { readonly files: number; readonly rules: number; readonly others: number; readonly refusals: readonly Refusal[] }

type Refusal = { readonly report: RuleReport; readonly cause: Cause; readonly problem: Diagnostic }

const causeOfCode: { readonly [code in DiagnosticCode]?: Cause } = {
  YAML: 'YAML', NOT_A_RULE: 'YAML', INVALID_LOGSOURCE: 'log source', UNKNOWN_TAXONOMY: 'metadata', UNKNOWN_ACTION: 'metadata',
  DUPLICATE_ID: 'repeated', DUPLICATE_NAME: 'repeated', UNKNOWN_RULE: 'references', CORRELATION_CYCLE: 'references',
  UNRESOLVED_PLACEHOLDER: 'configuration',
}

const { values, positionals } = parseArgs({
  options: { strict: { type: 'boolean', default: false }, list: { type: 'boolean', default: false } },
  allowPositionals: true,
})
process.stdout.write(`${printRow(['collection', 'files', 'rules', 'compiled', ...causes, 'refused', 'no rule'])}\n`)
process.stdout.write(`${printRow(Array.from({ length: causes.length + 6 }, () => '---'))}\n`)
const total = { files: 0, rules: 0, others: 0, refusals: [] as Refusal[] }
for (const folder of positionals) {
  const counted = countCollection(resolve(folder))
  total.files += counted.files
  total.rules += counted.rules
  total.others += counted.others
  total.refusals.push(...counted.refusals)
  printCollection(basename(folder), counted)
  if (values.list) printRefusals(counted.refusals)
}
if (positionals.length > 1) printCollection('all', total)

function countCollection(folder: string): Counted {
  const sources = readSources(folder)
  const { reports } = compileRules(sources, { strict: values.strict })
  const rules = reports.filter(isRule)
  const refusals = rules.map(findRefusal).filter((refusal) => refusal !== undefined)
  return { files: sources.length, rules: rules.length, others: reports.length - rules.length, refusals }
}

/** Prints a row; a rule that only lacks the values of a placeholder is not refused. */
function printCollection(name: string, { files, rules, others, refusals }: Counted): void {
  const counts = causes.map((cause) => refusals.filter((refusal) => refusal.cause === cause).length)
  const refused = refusals.filter(({ cause }) => cause !== 'configuration').length
  const share = rules === 0 ? '0 %' : `${(refused / rules * 100).toFixed(2)} %`
  process.stdout.write(`${printRow([name, ...[files, rules, rules - refusals.length, ...counts].map(String), share, String(others)])}\n`)
}

function printRefusals(refusals: readonly Refusal[]): void {
  for (const { report, cause, problem } of refusals) {
    process.stdout.write(`  ${cause}: ${report.path}:${problem.line}: ${problem.code}: ${problem.message}\n`)
  }
}

function readSources(folder: string): RuleSource[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
  const paths = files.map(({ parentPath, name }) => join(parentPath, name))
  return paths.sort().map((path) => ({ path: relative(folder, path), text: readFileSync(path, 'utf8') }))
}

function printRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** Whether a document has anything of a rule; a text that is no YAML counts as one. */
function isRule({ kind, diagnostics }: RuleReport): boolean {
  if (kind === 'not-a-rule') return diagnostics.some(({ code }) => code === 'YAML')
  const hasNo = (section: RegExp) => diagnostics.some(({ code, message }) => code !== 'YAML' && section.test(message))
  return kind !== 'detection' || !(hasNo(/the rule needs a 'logsource'/) && hasNo(/the rule has no 'detection'/))
}

function findRefusal(report: RuleReport): Refusal | undefined {
  const problems = report.diagnostics.filter(({ kind }) => kind !== 'lint')
  const found = causes.flatMap((cause) => {
    const problem = problems.find((candidate) => findCause(candidate) === cause)
    return problem === undefined ? [] : { report, cause, problem }
  })
  return found[0]
}

/** The cause of a problem: by its code, else by the section of the rule that it stands in. */
function findCause({ code, attribute, message }: Diagnostic): Cause {
  const known = causeOfCode[code]
  if (known !== undefined) return known
  if (attribute.startsWith('logsource')) return 'log source'
  const isOfSection = /^(?:detection|correlation|filter)(?:\.|$)/.test(attribute)
    || /has no '(?:detection|correlation|filter)'/.test(message)
  const isOfMetadata = code === 'INVALID_ATTRIBUTE' || code === 'MISSING_ATTRIBUTE'
  return isOfMetadata && !isOfSection ? 'metadata' : 'detection'
}
