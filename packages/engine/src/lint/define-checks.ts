import type { LintDocument } from './lint-document.ts'

/**
 * How much a finding weighs: `error` is the compiler's, a rule that is invalid; `problem` is most likely a
 * mistake, `advice` may be meant, `style` changes nothing for the engine.
 */
export const lintLevels = ['style', 'advice', 'problem', 'error'] as const
export type LintLevel = (typeof lintLevels)[number]

/** A change of a text: `length` characters from `offset` on are replaced. */
export type Edit = { readonly offset: number; readonly length: number; readonly text: string }

/** Whether a fix keeps what the rule means (`safe`), or is what was probably meant (`suggested`). */
export type FixKind = 'safe' | 'suggested'

/** What a check found; `offset` is a place in the text of the document's source. */
export type Finding = {
  readonly offset: number
  /** One sentence that names the thing. */
  readonly message: string
  readonly hint?: string | undefined
  /** What mends it, all of it or nothing; undefined where that is the author's to say. */
  readonly edits?: readonly Edit[] | undefined
}

/** What stands around an example to make a rule, or rules, of it. */
export type ExampleFrame = 'rule' | 'detection' | 'selection' | 'correlation' | 'filter' | 'documents' | 'text' | 'path'

/** One check as data. The examples are its tests. */
export type CheckRow<Subject> = {
  readonly code: string
  /** What is wrong where it reports, in one sentence. */
  readonly text: string
  readonly level: LintLevel
  readonly fix?: FixKind
  /** An example that it reports, and one that it does not; they stand in the frame of the family. */
  readonly bad: string
  readonly good: string
  /** The code of another check that reports the bad example too, because it cannot be had without. */
  readonly also?: string
  /** The frame, where it is another one than the family's. */
  readonly frame?: ExampleFrame
  readonly find: (subject: Subject) => Finding | readonly Finding[] | undefined
}

/** A check without what it does: what kind of thing it looks at no longer matters. */
export type Check = Omit<CheckRow<never>, 'find'>

/** What a check found in a document. */
export type CheckResult = { readonly check: Check; readonly finding: Finding }

/** Checks that look at one kind of thing. */
export type CheckFamily = {
  readonly name: string
  readonly frame: ExampleFrame
  readonly checks: readonly Check[]
  /** Runs those of the checks that are wanted. */
  readonly runChecks: (document: LintDocument, isWanted: (check: Check) => boolean) => Iterable<CheckResult>
}

/** Makes a family of a table: `subjects` says which things of a document its checks look at. */
export function defineCheckFamily<Subject>({ name, frame, subjects, checks }: {
  readonly name: string
  readonly frame: ExampleFrame
  readonly subjects: (document: LintDocument) => Iterable<Subject>
  readonly checks: readonly CheckRow<Subject>[]
}): CheckFamily {
  function* find(document: LintDocument, isWanted: (check: Check) => boolean): Generator<CheckResult> {
    const wanted = checks.filter(isWanted)
    if (wanted.length === 0) return
    for (const subject of subjects(document)) {
      for (const check of wanted) {
        for (const finding of [check.find(subject) ?? []].flat()) yield { check, finding }
      }
    }
  }
  return { name, frame, checks, runChecks: find }
}
