import { Engine, levels } from '@tripline/engine'
import type { CompiledRule, Level, Match } from '@tripline/engine'
import { exitCodes, usageError } from './command-error.ts'
import { defineCommand } from './command.ts'
import type { Context } from './context.ts'
import { hintUnrouted, reportStats } from './detect-report.ts'
import type { Totals } from './detect-report.ts'
import { loadRunnableRules } from './load-rules.ts'
import { MalformedLines } from './malformed-lines.ts'
import { openInput } from './open-input.ts'
import type { Input } from './open-input.ts'
import { printMatchLine, printTableHead, printTableRow } from './print-match.ts'
import { Progress } from './progress.ts'
import { readEvents } from './read-events.ts'
import type { EventBatch } from './read-events.ts'
import { engineOptions, ruleOptions } from './shared-options.ts'
import { writeText } from './write-text.ts'

/** Runs rules on a file of events. */
export const detectCommand = defineCommand({
  name: 'detect',
  summary: 'Runs rules on events and prints one line per match.',
  options: {
    rules: {
      kind: 'list',
      value: '<file|dir>...',
      required: true,
      help: 'Rule files, or directories of *.yml and *.yaml.',
    },
    input: { kind: 'text', value: '<file|->', default: '-', help: 'Events as NDJSON, plain or gzip; - is stdin.' },
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
    const startedAt = context.now()
    // The input is opened before thousands of rules are compiled: a mistyped path is answered at once.
    const input = await openInput(options.input, context)
    try {
      const { ruleSet, verdicts } = loadRunnableRules({ ...options, paths: options.rules }, context)
      const engine = new Engine(ruleSet, { taxonomy: options.taxonomy, lenient: options.lenient })
      const totals = await matchAll({ engine, input, context, print: matchPrinter(options) })
      const { counts } = engine
      if (!options.lenient) hintUnrouted(counts, context)
      if (options.stats) reportStats({ counts, totals, verdicts, wallMs: context.now() - startedAt }, context)
      return reachesLevel(totals.rulesMatched, options['fail-on']) ? exitCodes.found : exitCodes.ok
    } finally {
      input.close()
    }
  },
})

/** How matches become output. */
type MatchPrinter = {
  readonly head: string
  readonly match: (match: Match, batch: EventBatch) => string
}

type PrinterOptions = {
  readonly output: 'ndjson' | 'table' | 'none'
  readonly 'include-event': boolean
  readonly explain: boolean
  readonly taxonomy: 'auto' | 'none'
  readonly lenient: boolean
}

function matchPrinter(options: PrinterOptions): MatchPrinter {
  const { output, taxonomy, lenient } = options
  switch (output) {
    case 'none':
      return { head: '', match: () => '' }
    case 'table':
      return { head: printTableHead(), match: (match, { lines }) => printTableRow(match, lines[match.row] ?? 0) }
    case 'ndjson': {
      const explains = options.explain ? { taxonomy, lenient } : undefined
      return { head: '', match: (match, { lines, texts }) => printMatchLine(match, {
        line: lines[match.row] ?? 0,
        eventText: options['include-event'] ? texts[match.row] : undefined,
        explains,
      }) }
    }
  }
}

type Run = {
  readonly engine: Engine
  readonly input: Input
  readonly context: Context
  readonly print: MatchPrinter
}

/** Reads, matches and prints batch by batch; holds one batch at a time. */
async function matchAll({ engine, input, context, print }: Run): Promise<Totals> {
  const rulesMatched = new Set<CompiledRule>()
  const malformed = new MalformedLines(context.stderr)
  const progress = new Progress(input, context)
  let parseMs = 0
  let matchMs = 0
  await writeText(context.stdout, print.head)

  for await (const batch of readEvents(input.chunks, context.now)) {
    const startedAt = context.now()
    const matches = engine.push(batch.events)
    const text = matches.map((match) => print.match(match, batch)).join('')
    matchMs += context.now() - startedAt
    parseMs += batch.parseMs
    for (const { rule } of matches) rulesMatched.add(rule)

    if (text !== '' || batch.malformed.length > 0) progress.clear()
    malformed.report(batch.malformed)
    await writeText(context.stdout, text)
    progress.draw(engine.counts.events)
  }
  progress.clear()
  malformed.reportRest()
  return { malformed: malformed.count, rulesMatched, parseMs, matchMs }
}

function reachesLevel(rules: Iterable<CompiledRule>, levelMin: Level | undefined): boolean {
  if (levelMin === undefined) return false
  return [...rules].some(({ level }) => level !== undefined && levels.indexOf(level) >= levels.indexOf(levelMin))
}
