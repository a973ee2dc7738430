import { collectionChecks } from './collection-checks.ts'
import { compilerChecks } from './compiler-checks.ts'
import { conditionChecks, conditionListChecks } from './condition-checks.ts'
import { correlationChecks } from './correlation-checks.ts'
import type { CheckFamily, FixKind, LintLevel } from './define-checks.ts'
import { filterChecks } from './filter-checks.ts'
import { logsourceChecks } from './logsource-checks.ts'
import { metadataChecks } from './metadata-checks.ts'
import { modifierChecks } from './modifier-checks.ts'
import { pathChecks } from './path-checks.ts'
import { regexChecks } from './regex-checks.ts'
import { mapChecks, selectionChecks, selectionListChecks } from './selection-checks.ts'
import { tagChecks, tagListChecks } from './tag-checks.ts'
import { fileNameChecks, textChecks } from './text-checks.ts'
import { itemChecks, valueChecks } from './value-checks.ts'
import { wordingChecks } from './wording-checks.ts'

/** All families of checks, in the order of the reference page. */
export const lintFamilies: readonly CheckFamily[] = [
  textChecks, fileNameChecks, metadataChecks, wordingChecks, tagChecks, tagListChecks, logsourceChecks,
  selectionChecks, selectionListChecks, mapChecks, itemChecks, valueChecks, pathChecks, modifierChecks, regexChecks,
  conditionChecks, conditionListChecks, correlationChecks, filterChecks, collectionChecks, compilerChecks,
]

/** The description of a check. */
export type LintCheck = {
  readonly code: string
  readonly family: string
  readonly text: string
  readonly level: LintLevel
  /** Undefined when the check has no fix. */
  readonly fix: FixKind | undefined
}

/** All checks. Errors have the codes of the compiler and are not listed here. */
export const lintChecks: readonly LintCheck[] = lintFamilies.flatMap(({ name, checks }) =>
  checks.map(({ code, text, level, fix }) => ({ code, family: name, text, level, fix })))
