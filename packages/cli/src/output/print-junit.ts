import { escapeMarkup } from '@tripline/common/escape-markup'

/** Tests as JUnit XML shows them: in suites, each with the tests of one rule. */
type JunitSuite = { readonly name: string; readonly file: string; readonly cases: readonly JunitCase[] }

export type JunitCase = {
  readonly name: string
  /** What groups tests where suites do not: the path of the file. */
  readonly classname: string
  readonly line: number
  readonly ms: number
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it did not pass, in one sentence. */
  readonly message: string
  /** What there is to say besides, in lines. */
  readonly details: string
}

/** Prints test results as JUnit XML, the form that build servers read. */
export function printJunit(suites: readonly JunitSuite[]): string {
  const all = suites.flatMap(({ cases }) => cases)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${printAttributes({ name: 'tripline rules test', ...countCases(all) })}>`,
    ...suites.flatMap(printSuite),
    '</testsuites>',
    '',
  ].join('\n')
}

function printSuite({ name, file, cases }: JunitSuite): string[] {
  return [`  <testsuite${printAttributes({ name, file, ...countCases(cases) })}>`, ...cases.flatMap(printCase), '  </testsuite>']
}

function printCase({ name, classname, line, ms, outcome, message, details }: JunitCase): string[] {
  const head = `    <testcase${printAttributes({ name, classname, line, time: formatSeconds(ms) })}`
  if (outcome === 'passed') return [`${head}/>`]
  const tag = outcome === 'failed' ? 'failure' : 'skipped'
  const text = escapeXml(details)
  return [`${head}>`, `      <${tag}${printAttributes({ message })}${text === '' ? '/>' : `>${text}</${tag}>`}`, '    </testcase>']
}

function countCases(cases: readonly JunitCase[]) {
  const count = (outcome: JunitCase['outcome']): number => cases.filter((one) => one.outcome === outcome).length
  return {
    tests: cases.length, failures: count('failed'), errors: 0, skipped: count('skipped'),
    time: formatSeconds(cases.reduce((sum, { ms }) => sum + ms, 0)),
  }
}

function formatSeconds(ms: number): string {
  return (ms / 1_000).toFixed(3)
}

function printAttributes(values: { readonly [name: string]: string | number }): string {
  // Line breaks in an attribute would be read as blanks.
  return Object.entries(values).map(([name, value]) => ` ${name}="${escapeXml(String(value)).replaceAll('\n', '&#10;')}"`).join('')
}

/** XML 1.0 has no way to write most control characters and lone surrogates, not even escaped. */
const forbiddenInXml = /[^\t\n\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

function escapeXml(text: string): string {
  return escapeMarkup(text.replace(forbiddenInXml, '\u{fffd}'))
}
