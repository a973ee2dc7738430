import { levels } from '@tripline/engine'
import type { Level } from '@tripline/engine'
import type { RuleHead, Wanted } from '@tripline/pool'
import { exitCodes, usageError } from './command-error.ts'
import { defineCommand } from './command.ts'
import type { Context } from './context.ts'
import { hintUnrouted, reportStats } from './detect-report.ts'
import type { Totals } from './detect-report.ts'
import { openDetector } from './detector.ts'
import type { Detector } from './detector.ts'
import { limits } from './limits.ts'
import { readRuleSources, runnableVerdicts } from './load-rules.ts'
import { MalformedLines } from './malformed-lines.ts'
import { mapInOrder } from './map-in-order.ts'
import { openInput } from './open-input.ts'
import type { Input } from './open-input.ts'
import { parseJobs } from './parse-jobs.ts'
import { printMatchLine, printTableHead, printTableRow } from './print-match.ts'
import type { PlacedMatch } from './print-match.ts'
import { Progress } from './progress.ts'
import { readPieces } from './read-pieces.ts'
import { engineOptions, inputOptions, ruleOptions } from './shared-options.ts'
import { writeText } from './write-text.ts'

/** Runs rules on a file of events. */
export const detectCommand = defineCommand({
  name: 'detect',
  summary: 'Runs rules on events and prints one line per match.',
  options: {
    ...inputOptions,
    ...engineOptions,
    output: {
      kind: 'choice',
      choices: ['ndjson', 'table', 'none'],
      default: 'ndjson',
      help: 'How matches are printed.',
    },
    'include-event': { kind: 'flag', help: 'Adds the event to each match, as it stood in the input.' },
    explain: { kind: 'flag', help: 'Adds the rule\'s tree with the result of every part to each match.' },
    stats: { kind: 'flag', help: 'Prints counts and times on stderr at the end, as one JSON object.' },
    'fail-on': {
      kind: 'choice',
      value: '<level>',
      choices: levels,
      help: `Ends with 1 when a rule of this level or above matched: ${levels.join(', ')}.`,
    },
    jobs: {
      kind: 'text',
      value: '<number|auto>',
      default: '1',
      help: 'Threads that match; auto is one for each core. The output is the same.',
    },
    ...ruleOptions,
  },
  notes: [
    'A match is one line: {"line","rule_id","title","level","matched_conditions"}, then "event" and "explain" when '
      + 'asked for. Lines of the input count from 0.',
    'Lines that hold no event are skipped, counted, and reported on stderr.',
    'Exit codes: 0 done; 1 --fail-on found a match; 2 wrong arguments; 65 no rule compiled; '
      + '66 a path cannot be read.',
  ],
  async run({ options }, context) {
    if (options.output !== 'ndjson' && (options['include-event'] || options.explain)) {
      throw usageError(`option '--${options.explain ? 'explain' : 'include-event'}' needs '--output ndjson'`)
    }
    const jobs = parseJobs(options.jobs, context.coreCount)
    const startedAt = context.now()
    // The input is opened before thousands of rules are compiled: a mistyped path is answered at once.
    const input = await openInput(options.input, context)
    try {
      const { taxonomy, lenient } = options
      const rules = readRuleSources({ ...options, paths: options.rules }, context)
      const events = { taxonomy, lenient }
      const detector = await openDetector({ ...rules, events, wanted: wantedBy(options), jobs }, context)
      try {
        const verdicts = runnableVerdicts(detector.reports, { ...options, paths: options.rules }, context)
        const totals = await matchAll({ detector, input, context, print: matchPrinters[options.output] })
        const counts = detector.counts()
        if (!lenient) hintUnrouted(counts, context)
        if (options.stats) reportStats({ counts, totals, verdicts, wallMs: context.now() - startedAt }, context)
        return reachesLevel(totals.rulesMatched, options['fail-on']) ? exitCodes.found : exitCodes.ok
      } finally {
        await detector.close()
      }
    } finally {
      input.close()
    }
  },
})

/** How matches become output. */
type MatchPrinter = { readonly head: string; readonly match: (match: PlacedMatch) => string }

const matchPrinters: { readonly [output in 'ndjson' | 'table' | 'none']: MatchPrinter } = {
  ndjson: { head: '', match: printMatchLine },
  table: { head: printTableHead(), match: printTableRow },
  none: { head: '', match: () => '' },
}

type PrinterOptions = {
  readonly output: 'ndjson' | 'table' | 'none'
  readonly 'include-event': boolean
  readonly explain: boolean
}

/** What the output needs to know of a match. */
function wantedBy(options: PrinterOptions): Wanted {
  return { conditions: options.output !== 'none', text: options['include-event'], explanation: options.explain }
}

type Run = {
  readonly detector: Detector
  readonly input: Input
  readonly context: Context
  readonly print: MatchPrinter
}

/** Reads, matches and prints piece by piece; holds as many pieces as the detector takes. */
async function matchAll({ detector, input, context, print }: Run): Promise<Totals> {
  const rulesMatched = new Set<RuleHead>()
  const malformed = new MalformedLines(context.stderr)
  const progress = new Progress(input, context)
  let lineCount = 0
  let matchMs = 0
  await writeText(context.stdout, print.head)

  const pieces = readPieces(input.chunks)
  const answered = mapInOrder(pieces, detector.outstandingMax, async ({ bytes, endsWithLongLine }) => {
    return { ...(await detector.push(bytes)), endsWithLongLine }
  })
  for await (const outcome of answered) {
    let text = ''
    for (const match of outcome.matches) {
      const rule = detector.rules[match.rule]!
      rulesMatched.add(rule)
      text += print.match({ match, rule, line: lineCount + match.row })
    }
    const skipped = outcome.malformed.map(({ line, reason }) => ({ line: lineCount + line, reason }))
    lineCount += outcome.lineCount
    if (outcome.endsWithLongLine) skipped.push({ line: lineCount - 1, reason: longLineReason })
    matchMs += outcome.matchMs

    if (text !== '' || skipped.length > 0) progress.clear()
    malformed.report(skipped)
    await writeText(context.stdout, text)
    progress.draw(detector.counts().events)
  }
  progress.clear()
  malformed.reportRest()
  return { malformed: malformed.count, rulesMatched, matchMs }
}

const longLineReason = `longer than ${limits.lineBytesMax.toLocaleString('en')} bytes`

function reachesLevel(rules: Iterable<RuleHead>, levelMin: Level | undefined): boolean {
  if (levelMin === undefined) return false
  return [...rules].some(({ level }) => level !== undefined && levels.indexOf(level) >= levels.indexOf(levelMin))
}
