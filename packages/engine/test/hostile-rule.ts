import type { Verdict } from '../src/index.ts'

/** A rule text that tries to hurt: what it tries, the text, and the verdicts that it may get. */
export type HostileRule = readonly [attempt: string, text: () => string, verdicts: readonly (Verdict | 'no report')[]]

/** A rule whose detection is given as YAML, each line of it indented by two. */
export function ruleText(detection: string): string {
  const indented = detection.split('\n').map((line) => `  ${line}`).join('\n')
  return `title: A hostile rule\nlogsource:\n  category: test\ndetection:\n${indented}\n`
}

/** A rule with one selection, `sel`, given as a value. */
export function selectionText(selection: unknown): string {
  return ruleText(`sel: ${JSON.stringify(selection)}\ncondition: sel`)
}
