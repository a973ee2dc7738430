import { compileRules } from '../src/index.ts'

const defaults: { readonly [key: string]: string | null } = {
  type: 'event_count', rules: '[a, b]', 'group-by': '[user]', timespan: '10s', condition: '{ gte: 2 }',
}

/**
 * Prints the problems of a correlation over the rules `a` and `b`: code, line, column and message. `keys` are the keys of
 * its section as YAML, null to remove one. The first key is on line 4.
 */
export function correlationProblems(keys: { readonly [key: string]: string | null }): string[] {
  const section = Object.entries({ ...defaults, ...keys }).filter(([, value]) => value !== null)
  const text = `title: C\nname: c\ncorrelation:\n${section.map(([key, value]) => `  ${key}: ${value}\n`).join('')}`
  const { reports } = compileRules([...['a', 'b'].map(detectionText), text].map((one) => ({ text: one })))
  return reports.at(-1)!.diagnostics.map(({ code, line, column, message }) => `${code} ${line}:${column} ${message}`)
}

/** A detection rule for events of a kind. */
export function detectionText(name: string): string {
  return `title: ${name}\nname: ${name}\nlogsource: { category: test }\ndetection: { s: { kind: ${name} }, condition: s }`
}
