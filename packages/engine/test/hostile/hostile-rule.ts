import type { Verdict } from '../../src/index.ts'

/** A hostile rule text: the attack, the text, and the acceptable verdicts. */
export type HostileRule = readonly [attempt: string, text: () => string, verdicts: readonly (Verdict | 'no report')[]]

/** Prints a rule with a detection in YAML. */
export function ruleText(detection: string): string {
  const indented = detection.split('\n').map((line) => `  ${line}`).join('\n')
  return `title: A hostile rule\nlogsource:\n  category: test\ndetection:\n${indented}\n`
}

/** Prints a rule with one selection, `sel`. */
export function selectionText(selection: unknown): string {
  return ruleText(`sel: ${JSON.stringify(selection)}\ncondition: sel`)
}
