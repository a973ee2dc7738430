import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { EventObject } from '@tripline/engine'
import type { IngestReceiptBody, RuleEntry, RuleList, RuleTestResultBody } from '@tripline/server/contract'
import { unreadableError } from './command-error.ts'
import { printable } from './printable.ts'

/** Rules that the table of the demo shows: it shares a screen with what can be tried. */
const rowsShownMax = 10

/** The texts of the `*.ndjson` files of a directory. @throws CommandError (66) when it cannot be read. */
export function readSampleEvents(directory: string): string[] {
  try {
    const names = readdirSync(directory).filter((name) => name.endsWith('.ndjson')).sort()
    return names.map((name) => readFileSync(join(directory, name), 'utf8'))
  } catch (error) {
    throw unreadableError('the directory of sample events', directory, error)
  }
}

/** Feeds sample events to a server and prints what it detected and what a newcomer may try, all over its API. */
export async function printTour(origin: string, samples: readonly string[]): Promise<string> {
  const rulesUrl = `${origin}/v1/detection/rules`
  let accepted = 0
  for (const body of samples) {
    accepted += (await call<IngestReceiptBody>(`${origin}/ingest/v1/events`, body)).accepted
  }
  const { rules, pagination } = await call<RuleList>(`${rulesUrl}?sort=level:desc,matches_total:desc&size=200`)
  const matched = rules.filter(({ stats }) => stats.matches_total > 0)
  const shown = matched.slice(0, rowsShownMax)
  return [
    `Tripline runs ${pagination.total} sample rules at ${origin} and was fed ${accepted} sample events. It detected:`,
    printTable(shown, matched.length - shown.length),
    printSuggestions(origin, await shortestExample(rulesUrl, shown, samples)),
    'Ctrl-C ends it; nothing is kept.',
  ].join('\n\n') + '\n'
}

function printTable(rules: readonly RuleEntry[], hiddenCount: number): string {
  const rows = rules.map(({ title, level, stats }) => [String(stats.matches_total), level, printable(title)] as const)
  return [['MATCHES', 'LEVEL', 'RULE'] as const, ...rows]
    .map(([count, level, title]) => `${count.padStart(7)}  ${level.padEnd(8)}  ${title}`)
    .concat(hiddenCount === 0 ? [] : [`         and matches of ${hiddenCount} more rules`])
    .join('\n')
}

/** An event, as JSON text, that a rule matches. */
type MatchExample = { readonly rule: RuleEntry; readonly eventText: string }

function printSuggestions(origin: string, example: MatchExample | undefined): string {
  if (example === undefined) return 'No sample event matches a sample rule.'
  const { rule, eventText } = example
  return [
    `Try an event of your own; this one matches '${printable(rule.title)}':`,
    `  curl -s ${origin}/ingest/v1/events -d ${shellQuoted(eventText)}`,
    'the rules, those with the most matches first:',
    `  curl -s '${origin}/v1/detection/rules?sort=matches_total:desc'`,
    'and the matches of one of them:',
    `  curl -s ${origin}/v1/detection/rules/${rule.id}/matches`,
  ].join('\n')
}

/** The shortest of the sample events that one of the rules matches, as the tests of these rules say. */
async function shortestExample(
  rulesUrl: string,
  rules: readonly RuleEntry[],
  samples: readonly string[],
): Promise<MatchExample | undefined> {
  const eventTexts = samples.flatMap((text) => text.split('\n').filter((line) => line !== ''))
  const events = eventTexts.map((text) => JSON.parse(text) as EventObject)
  const examples = await Promise.all(rules.map(async (rule) => {
    const { results } = await call<RuleTestResultBody>(`${rulesUrl}/${rule.id}/test`, JSON.stringify({ events }))
    return results.flatMap(({ matched }, i) => matched ? { rule, eventText: eventTexts[i] ?? '' } : [])
  }))
  return examples.flat().sort((a, b) => a.eventText.length - b.eventText.length)[0]
}

/** Sends a request, with a body as POST, and gives the answer's body. */
async function call<Body>(url: string, body?: string): Promise<Body> {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const response = await (body === undefined ? fetch(url) : fetch(url, { ...request, body }))
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return await response.json() as Body
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll(`'`, `'\\''`)}'`
}
