import type { RuleEntry, RuleList } from '@tripline/contract'
import { escapeControl } from '../framework/escape-control.ts'
import type { ApiClient, DemoCredentials } from './demo-client.ts'

const rulesPath = '/v1/detection/rules'

/** The rule that the tour is about, and an event that it matches. */
export const tourRule = {
  id: '4dfa0620-ff4b-48f1-b1bd-7ac6489da9df',
  title: 'Root Logged In Over SSH With a Password',
  event: { program: 'sshd', hostname: 'web-1', message: 'Accepted password for root from 203.0.113.9 port 40071 ssh2' },
} as const

/** A demo has no history: charts of its first minutes can be read over this range, and not over a day. */
const rangeShown = '-15m'

const linkHint = 'The link logs you in. It works once, on this machine, for ten minutes.'

const rsyslogHint = 'Logs of this machine: paste this into /etc/rsyslog.d/tripline.conf and restart rsyslog. Three wrong passwords for SSH '
  + 'raise an alert then:'

/** Rules that the table of the demo shows: it shares a screen with what can be tried. */
const rowsShownMax = 8

/** A server that is shown: where it is, who gets in, how many events it was fed, and how to start the command line. */
type DemoServer = {
  readonly origin: string
  readonly credentials: DemoCredentials
  /** The token of the link that logs in once; undefined where there is none. */
  readonly loginLink: string | undefined
  readonly fedCount: number
  /** What to paste into the configuration of rsyslog; undefined where the server does not listen for syslog. */
  readonly rsyslogLines: string | undefined
  readonly commandLine: { readonly node: string; readonly program: string }
}

/** Prints what a server has detected, and what a newcomer may try, from the login to an alert that is found again. */
export async function printTour(call: ApiClient, shown: DemoServer): Promise<string> {
  const { origin, credentials, loginLink, fedCount, rsyslogLines } = shown
  const { rules, pagination } = await call<RuleList>(`${rulesPath}?sort=level:desc,matches_total:desc&size=200`)
  const matched = rules.filter(({ stats }) => stats.matches_total > 0)
  const rows = matched.slice(0, rowsShownMax)
  return [
    ...loginLink === undefined ? [] : [`Open ${origin}/?from=${rangeShown}#login=${loginLink}\n${linkHint}`],
    `Tripline runs ${pagination.total} sample rules at ${origin} and was fed ${fedCount} sample events. It detected:`,
    printTable(rows, matched.length - rows.length),
    'Sample events go on coming, two a second, from the connector \'Sample events\'; the console shows how to send your own.\n'
      + 'The console, its password, and the documentation of the API:',
    `  ${origin}/\n  ${credentials.email}  ${credentials.password}\n  ${origin}/v1/docs`,
    ...rsyslogLines === undefined ? [] : [`${rsyslogHint}\n${rsyslogLines.replaceAll(/^/gm, '  ')}`],
    ...listTourSteps(shown).map(({ sentence, command }, i) => `${i + 1}. ${sentence}\n${command}`),
    'Ctrl-C ends it.',
  ].join('\n\n') + '\n'
}

function printTable(rules: readonly RuleEntry[], hiddenCount: number): string {
  const rows = rules.map(({ title, level, stats }) => [String(stats.matches_total), level, escapeControl(title)] as const)
  return [['MATCHES', 'LEVEL', 'RULE'] as const, ...rows]
    .map(([count, level, title]) => `${count.padStart(7)}  ${level.padEnd(8)}  ${title}`)
    .concat(hiddenCount === 0 ? [] : [`         and matches of ${hiddenCount} more rules`])
    .join('\n')
}

/** What to try, in this order and in one shell of another terminal. */
function listTourSteps({ origin, credentials, commandLine }: DemoServer): { readonly sentence: string; readonly command: string }[] {
  const { id, title, event } = tourRule
  const curl = (path: string, rest = '') => `  curl -sw '\\n' "${origin}${path}" -H "authorization: Bearer $TOKEN"${rest}`
  const tripline = [commandLine.node, commandLine.program].map(quoteIfNeeded).join(' ')
  const json = (body: object) => ` -H 'content-type: application/json' -d ${quoteForShell(JSON.stringify(body))}`
  return [
    {
      sentence: 'In another terminal, log in; that is good for 15 minutes:',
      command: `  TOKEN=$(curl -sw '\\n' ${origin}/v1/auth/login${json(credentials)} | ${printSedExtractor('access_token')})`,
    },
    { sentence: `Raise the level of the rule '${title}':`, command: curl(`${rulesPath}/${id}`, ` -X PUT${json({ level: 'critical' })}`) },
    {
      sentence: 'Listen to alerts and to the live numbers, which come every five seconds:',
      command: `  TRIPLINE_TOKEN=$TOKEN ${tripline} watch --server ${origin} --topics alerts,metrics &`,
    },
    {
      sentence: 'Post an event that the rule matches; its alert comes at once:',
      command: curl('/ingest/v1/events', ` -d ${quoteForShell(JSON.stringify(event))}`),
    },
    { sentence: 'Ask why it matched:', command: curl(`${rulesPath}/${id}/test`, json({ explain: true, events: [event] })) },
    {
      sentence: 'Say that it is a false positive:',
      command: `  ALERT=$(${curl(`/v1/alerts?q=${event.hostname}&limit=1`).trim()} | ${printSedExtractor('id')})\n`
        + curl('/v1/alerts/$ALERT', ` -X PUT${json({ status: 'false_positive', notes: 'It was me.' })}`),
    },
    {
      sentence: 'Find it again, and what happened on its host:',
      command: [`/v1/alerts?status=false_positive&q=${event.hostname}`, `/v1/search?q=hostname:${event.hostname}`]
        .map((path) => curl(path)).join('\n'),
    },
    { sentence: 'Listen no more:', command: '  kill $!' },
  ]
}

/** What reads the text under a key that occurs once in a JSON text. */
function printSedExtractor(key: string): string {
  return `sed 's/.*"${key}":"\\([^"]*\\).*/\\1/'`
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll(`'`, `'\\''`)}'`
}

function quoteIfNeeded(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : quoteForShell(text)
}
