import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { EventObject } from '@tripline/engine'
import type { IngestReceiptBody, RuleEntry, RuleList, RuleTestResultBody, TokenBody } from '@tripline/server/contract'
import { unreadableError } from './command-error.ts'
import { printable } from './printable.ts'

const rulesPath = '/v1/detection/rules'

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

/** How the demo's administrator logs in. */
export type Credentials = { readonly email: string; readonly password: string }

/** A server to show: where it is, who gets in, and how to wait until it has evaluated what it was sent. */
export type ShownServer = { readonly origin: string; readonly credentials: Credentials; readonly untilIdle: () => Promise<void> }

/** Feeds sample events to a server and prints what it detected and what a newcomer may try, all over its API. */
export async function printTour({ origin, credentials, untilIdle }: ShownServer, samples: readonly string[]): Promise<string> {
  const call = await logIn(origin, credentials)
  let accepted = 0
  for (const body of samples) accepted += (await call<IngestReceiptBody>('/ingest/v1/events', body)).accepted
  await untilIdle()
  const { rules, pagination } = await call<RuleList>(`${rulesPath}?sort=level:desc,matches_total:desc&size=200`)
  const matched = rules.filter(({ stats }) => stats.matches_total > 0)
  const shown = matched.slice(0, rowsShownMax)
  return [
    `Tripline runs ${pagination.total} sample rules at ${origin} and was fed ${accepted} sample events. It detected:`,
    printTable(shown, matched.length - shown.length),
    printLogin(origin, credentials),
    printSuggestions(origin, await shortestExample(call, shown, samples)),
    'Ctrl-C ends it; nothing is kept.',
  ].join('\n\n') + '\n'
}

function printLogin(origin: string, credentials: Credentials): string {
  const login = `curl -s ${origin}/v1/auth/login -H 'content-type: application/json' -d ${shellQuoted(JSON.stringify(credentials))}`
  return [
    'Log in, which is good for 15 minutes:',
    `  TOKEN=$(${login} | sed 's/.*"access_token":"\\([^"]*\\).*/\\1/')`,
  ].join('\n')
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
    `  curl -s ${origin}/ingest/v1/events -H "authorization: Bearer $TOKEN" -d ${shellQuoted(eventText)}`,
    'the rules, those with the most matches first:',
    `  curl -s '${origin}${rulesPath}?sort=matches_total:desc' -H "authorization: Bearer $TOKEN"`,
    'and the matches of one of them:',
    `  curl -s ${origin}${rulesPath}/${rule.id}/matches -H "authorization: Bearer $TOKEN"`,
  ].join('\n')
}

/** The shortest of the sample events that one of the rules matches, as the tests of these rules say. */
async function shortestExample(
  call: Call,
  rules: readonly RuleEntry[],
  samples: readonly string[],
): Promise<MatchExample | undefined> {
  const eventTexts = samples.flatMap((text) => text.split('\n').filter((line) => line !== ''))
  const events = eventTexts.map((text) => JSON.parse(text) as EventObject)
  const examples = await Promise.all(rules.map(async (rule) => {
    const { results } = await call<RuleTestResultBody>(`${rulesPath}/${rule.id}/test`, JSON.stringify({ events }))
    return results.flatMap(({ matched }, i) => matched ? { rule, eventText: eventTexts[i] ?? '' } : [])
  }))
  return examples.flat().sort((a, b) => a.eventText.length - b.eventText.length)[0]
}

/** Sends a request, with a body as POST, and gives the answer's body. */
type Call = <Body>(path: string, body?: string) => Promise<Body>

/** Gives calls that carry a token. */
async function logIn(origin: string, credentials: Credentials): Promise<Call> {
  const callWith = (headers: { readonly [name: string]: string }): Call => async <Body>(path: string, body?: string) => {
    const request = body === undefined ? { headers } : { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
    const response = await fetch(origin + path, request)
    if (!response.ok) throw new Error(`${origin}${path} answered ${response.status}: ${await response.text()}`)
    return await response.json() as Body
  }
  const { access_token: token } = await callWith({})<TokenBody>('/v1/auth/login', JSON.stringify(credentials))
  return callWith({ authorization: `Bearer ${token}` })
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll(`'`, `'\\''`)}'`
}
