import type { LintDocument } from '../document/lint-document.ts'

/**
 * Levels of findings, lowest first. `optional` is what a rule may do without, `style` does not change what the engine does,
 * `advice` may be intended, `problem` is most likely a mistake, `error` makes the rule invalid and comes from the compiler.
 */
export const lintLevels = ['optional', 'style', 'advice', 'problem', 'error'] as const
export type LintLevel = (typeof lintLevels)[number]

/** A text edit: replaces `length` characters from `offset`. */
export type Edit = { readonly offset: number; readonly length: number; readonly text: string }

/** Whether a fix keeps the meaning of the rule (`safe`) or changes it to what the author probably intended (`suggested`). */
export type FixKind = 'safe' | 'suggested'

/** A finding of a check; `offset` counts in the text of the document's source. */
export type Finding = {
  readonly offset: number
  /** One sentence that names what is wrong. */
  readonly message: string
  readonly hint?: string | undefined
  /** The fix, applied as a whole or not at all; undefined when only the author can decide. */
  readonly edits?: readonly Edit[] | undefined
}

/** The part of a rule that an example replaces; tests and docs add the rest. */
export type ExampleFrame = 'rule' | 'detection' | 'selection' | 'correlation' | 'filter' | 'documents' | 'text' | 'path'

/** A check as data. Its examples are its tests. */
export type CheckRow<Subject> = {
  readonly code: string
  /** What the check reports, in one sentence. */
  readonly text: string
  readonly level: LintLevel
  readonly fix?: FixKind
  /** An example that the check reports and one that it does not, in the frame of the family. */
  readonly bad: string
  readonly good: string
  /** The code of another check that always reports the bad example too. */
  readonly also?: string
  /** The frame of the examples, when it differs from the family's. */
  readonly frame?: ExampleFrame
  readonly find: (subject: Subject) => Finding | readonly Finding[] | undefined
}

/** A check without its function, and so without the type of its subjects. */
export type Check = Omit<CheckRow<never>, 'find'>

/** A finding with the check that made it. */
type CheckResult = { readonly check: Check; readonly finding: Finding }

/** Checks over subjects of one type. */
export type CheckFamily = {
  readonly name: string
  readonly frame: ExampleFrame
  readonly checks: readonly Check[]
  /** Runs the enabled checks. */
  readonly runChecks: (document: LintDocument, isEnabled: (check: Check) => boolean) => Iterable<CheckResult>
}

/** Defines a family from a table; `subjects` lists what its checks read in a document. */
export function defineCheckFamily<Subject>({ name, frame, subjects, checks }: {
  readonly name: string
  readonly frame: ExampleFrame
  readonly subjects: (document: LintDocument) => Iterable<Subject>
  readonly checks: readonly CheckRow<Subject>[]
}): CheckFamily {
  function* find(document: LintDocument, isEnabled: (check: Check) => boolean): Generator<CheckResult> {
    const enabled = checks.filter(isEnabled)
    if (enabled.length === 0) return
    for (const subject of subjects(document)) {
      for (const check of enabled) {
        for (const finding of [check.find(subject) ?? []].flat()) yield { check, finding }
      }
    }
  }
  return { name, frame, checks, runChecks: find }
}
