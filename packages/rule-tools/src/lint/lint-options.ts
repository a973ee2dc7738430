import { checkOptions } from '@tripline/engine'
import type { CompileOptions, OptionNames } from '@tripline/engine'
import type { LintLevel } from '../checks/define-checks.ts'

/** What lint reports, and how it compiles rules. */
export type LintOptions = CompileOptions & {
  /** Codes to report; default all. Errors are always reported. */
  readonly check?: readonly string[]
  /** Codes not to report. */
  readonly ignore?: readonly string[]
  /** The lowest level to report; default `style`, or `optional` if `check` names codes. */
  readonly level?: LintLevel
  /** The retention of events in milliseconds; lint reports correlation windows that are longer. */
  readonly retentionMs?: number | undefined
}

const lintOptionNames: OptionNames<LintOptions> = {
  check: true, ignore: true, level: true, retentionMs: true, placeholders: true, strict: true, arraySyntax: true, among: true,
  onRule: true, transform: true,
}

/** Picks what `compileRules` takes. @throws TypeError for an option that does not exist. */
export function pickCompileOptions(options: LintOptions): CompileOptions {
  checkOptions('lintRules', options, lintOptionNames)
  const { check: _check, ignore: _ignore, level: _level, retentionMs: _retentionMs, ...compile } = options
  return compile
}
