import { ExitError, exitCodes } from '@tripline/common/exit-error'
import {
  closeSync, fchmodSync, fsyncSync, mkdtempSync, openSync, readFileSync, realpathSync, renameSync, rmSync, statSync,
  writeFileSync, writeSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { diagnosticCodes, parseTimespan, suggestName } from '@tripline/engine'
import type { RuleSource } from '@tripline/engine'
import { fixRules, lintChecks, lintLevels, lintRules } from '@tripline/rule-tools'
import type { LintOptions } from '@tripline/rule-tools'
import { unwritableError, usageError } from '../../framework/command-error.ts'
import { defineCommand } from '../../framework/command.ts'
import type { Context } from '../../framework/context.ts'
import { ruleOperands, ruleOptions } from '../../framework/shared-options.ts'
import { writeText } from '../../framework/write-text.ts'
import { StatusLine } from '../../input/progress.ts'
import { printLintAnnotations } from '../../output/print-annotations.ts'
import { printLintJson, printLintText } from '../../output/print-lint.ts'
import type { FixedFile } from '../../output/print-lint.ts'
import { printSarif } from '../../output/print-sarif.ts'
import { readRuleSources } from '../../rules/load-rules.ts'

/** Finds likely mistakes in rules, and fixes those whose fix does not change what a rule matches. */
export const rulesLintCommand = defineCommand({
  name: 'rules lint',
  summary: 'Finds likely mistakes in rules and fixes those that are safe to fix.',
  operands: ruleOperands,
  options: {
    fix: { kind: 'flag', help: 'Fixes in place what can be fixed without changing what a rule matches.' },
    only: { kind: 'text', value: '<code,...>', help: 'Runs only these checks. Errors are always shown.' },
    ignore: { kind: 'text', value: '<code,...>', help: 'Skips these checks.' },
    level: {
      kind: 'choice', choices: lintLevels,
      help: 'The lowest level to show: optional, style, advice, problem or error; default style, with --only all.',
    },
    retention: { kind: 'text', value: '<90d>', help: 'How long you keep events; finds correlations with longer windows.' },
    strict: { kind: 'flag', help: 'Rejects invalid metadata, and modifier combinations that the Sigma 2.2 draft forbids.' },
    json: {
      kind: 'flag',
      help: 'Prints one JSON object: {"files":[{"path","findings":[{"code","level","message","line","column","attribute","hint",'
        + '"fix"}]}],"fixed","totals"}.',
    },
    github: { kind: 'flag', help: 'Prints findings as annotations of GitHub workflows, which stand beside the lines of a change.' },
    sarif: { kind: 'text', value: '<file>', help: 'Also writes the findings as SARIF 2.1.0, for code hosts and editors.' },
    ...ruleOptions,
  },
  notes: [
    'Levels: error (the rule is invalid), problem (almost certainly a mistake), advice (possibly intended), style, '
      + 'optional (what a rule may do without).',
    "A comment '# tripline-lint: ignore CODE' at the end of a line, or alone above it, silences a check there. The codes are "
      + 'listed in docs/reference/diagnostics.md.',
    'Exit codes: 0 no errors and no problems; 1 some; 2 wrong arguments; 65 the paths hold no rule; 66 a path cannot be '
      + 'read; 74 a file cannot be written.',
  ],
  async run({ options, operands }, context) {
    const { sources: read, compile } = readRuleSources({ ...options, paths: operands }, context)
    if (read.length === 0) throw noRules(operands)
    const lint: LintOptions = {
      ...compile, ...parseCodes('only', options.only), ...parseCodes('ignore', options.ignore),
      ...(options.level !== undefined && { level: options.level }),
      retentionMs: readRetention(options.retention),
    }
    const status = new StatusLine(context)
    status.show(`linting ${read.length.toLocaleString('en')} files`)
    const { sources, fixed } = options.fix ? fixAll(read, lint, { context, status }) : { sources: read, fixed: [] }
    const reports = lintRules(sources, lint)
    status.clear()
    if (options.sarif !== undefined) writeReport(resolve(context.cwd, options.sarif), printSarif(reports))
    const result = { reports, fixed, isFixed: options.fix, texts: new Map(sources.map(({ path = '', text }) => [path, text])) }
    const print = options.json ? printLintJson : options.github ? printLintAnnotations : printLintText
    await writeText(context.stdout, print(result))
    const isBad = reports.some(({ findings }) => findings.some(({ level }) => level === 'error' || level === 'problem'))
    return isBad ? exitCodes.found : exitCodes.ok
  },
})

/** Fixes each file on its own, writes those that changed, and returns all texts. */
function fixAll(
  sources: readonly RuleSource[], lint: LintOptions,
  { context, status }: { readonly context: Context; readonly status: StatusLine },
): { readonly sources: readonly RuleSource[]; readonly fixed: readonly FixedFile[] } {
  const fixed: FixedFile[] = []
  const after = sources.map((source, i): RuleSource => {
    const { path = '' } = source
    if (i % 100 === 0) status.show(`fixing ${i.toLocaleString('en')} of ${sources.length.toLocaleString('en')} files`)
    const { text, fixed: findings } = fixRules(source, lint)
    if (text === source.text) return source
    const refusal = writeAtomically(resolve(context.cwd, path), { from: source.text, to: text })
    if (refusal !== undefined) {
      status.clear()
      context.stderr.write(`tripline: '${path}' was not fixed: ${refusal}\n`)
      return source
    }
    fixed.push({ path, codes: findings.map(({ code }) => code) })
    return { path, text }
  })
  return { sources: after, fixed }
}

function parseCodes(name: 'only' | 'ignore', value: string | undefined): { readonly check?: string[]; readonly ignore?: string[] } {
  if (value === undefined) return {}
  const known = [...lintChecks.map(({ code }) => code), ...Object.keys(diagnosticCodes)]
  const codes = value.split(',').map((code) => code.trim().toUpperCase()).filter((code) => code !== '')
  for (const code of codes) {
    if (known.includes(code)) continue
    const hint = suggestName(code, known)
    throw usageError(`option '--${name}' names '${code}', which is not a check${hint === undefined ? '' : `; ${hint}`}`)
  }
  return name === 'only' ? { check: codes } : { ignore: codes }
}

function readRetention(value: string | undefined): number | undefined {
  const retentionMs = value === undefined ? undefined : parseTimespan(value)
  if (value !== undefined && retentionMs === undefined) {
    throw usageError(`option '--retention' is '${value}'; it takes a number and s, m, h, d or w, such as 90d`)
  }
  return retentionMs
}

function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw unwritableError(error)
  }
}

function noRules(paths: readonly string[]): ExitError {
  return new ExitError(exitCodes.noData, `no rules (*.yml, *.yaml) in ${paths.map((path) => `'${path}'`).join(', ')}`)
}

/**
 * Replaces the text of a file atomically: writes a temporary file, syncs it and renames it. Follows links and keeps the
 * mode. Returns why it did not: the file no longer has the text that was read, because another program changed it or
 * because it is not UTF-8.
 *
 * @throws ExitError (74) when the file cannot be written.
 */
function writeAtomically(path: string, { from, to }: { readonly from: string; readonly to: string }): string | undefined {
  try {
    const file = realpathSync(path)
    if (!readFileSync(file).equals(Buffer.from(from))) return 'it changed since it was read, or is not UTF-8'
    const folder = mkdtempSync(join(dirname(file), '.tripline-'))
    try {
      writeAndSync(join(folder, 'new'), to, statSync(file).mode)
      renameSync(join(folder, 'new'), file)
    } finally {
      rmSync(folder, { recursive: true })
    }
    return undefined
  } catch (error) {
    throw unwritableError(error)
  }
}

function writeAndSync(file: string, text: string, mode: number): void {
  const descriptor = openSync(file, 'wx')
  try {
    // The mode of an open call loses what the process masks.
    fchmodSync(descriptor, mode & 0o7777)
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
