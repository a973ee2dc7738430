import { jsonErrors } from '@tripline/common/command-line/print-error'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { CorrelationMemoryError, levels, parseTimespan } from '@tripline/engine'
import type { CorrelationMatch, Level } from '@tripline/engine'
import type { MatchDetails } from '@tripline/pool'
import { usageError } from '../framework/command-error.ts'
import { defineCommand } from '../framework/command.ts'
import type { Context } from '../framework/context.ts'
import type { LinePlace } from '../framework/line-place.ts'
import { engineOptions, inputOptions, malformedOptions, ruleOperands, ruleOptions } from '../framework/shared-options.ts'
import { writeText } from '../framework/write-text.ts'
import { chunkLines } from '../input/chunk-lines.ts'
import { openInputs } from '../input/open-inputs.ts'
import type { Inputs } from '../input/open-inputs.ts'
import { Progress } from '../input/progress.ts'
import { MalformedLineReporter, checkMalformedShare, parseAllowedShare } from '../input/report-malformed-lines.ts'
import { limits } from '../limits.ts'
import { openDetector } from '../matching/detector.ts'
import type { ChunkDetector } from '../matching/detector.ts'
import type { CorrelatedChunk, LineCorrelator } from '../matching/line-correlator.ts'
import { mapInOrder } from '../matching/map-in-order.ts'
import { parseJobs } from '../matching/parse-jobs.ts'
import { loadState, saveState } from '../matching/state-file.ts'
import { hintUncorrelated, hintUnrouted, reportStats } from '../output/detect-report.ts'
import type { Totals } from '../output/detect-report.ts'
import { createMatchWriter, describesEvents, matchOutputs } from '../output/matches/match-writer.ts'
import type { MatchOutput, MatchWriter } from '../output/matches/match-writer.ts'
import { readRuleSources, countRunnableRules } from '../rules/load-rules.ts'
import { createRuleFilter, selectionOptions } from '../rules/select-rules.ts'

/** Runs rules on a file of events. */
export const detectCommand = defineCommand({
  name: 'detect',
  summary: 'Runs rules on events and prints one line per match.',
  operands: ruleOperands,
  options: {
    ...inputOptions,
    ...malformedOptions,
    ...engineOptions,
    output: {
      kind: 'choice',
      otherNames: ['--format', '-o', '--table'],
      choices: matchOutputs,
      default: 'ndjson',
      help: 'The format of matches: ndjson, csv and ocsf (Detection Findings) print them as they come; table and timeline are for '
        + 'people, and end with totals by rule, host and time; json, html (one file) and sarif are printed at the end.',
    },
    ...selectionOptions,
    'include-event': { kind: 'flag', help: 'Adds the event to each match, as it is in the input.' },
    explain: { kind: 'flag', help: 'Adds an explanation to each match: the rule as a tree, with the result of every part.' },
    json: jsonErrors,
    stats: { kind: 'flag', help: 'Prints counts and times as one JSON object on stderr at the end.' },
    'fail-on': {
      kind: 'choice',
      value: '<level>',
      choices: levels,
      help: `Exits with 1 if a rule of this level or above matched: ${levels.join(', ')}.`,
    },
    lateness: {
      kind: 'text',
      value: '<timespan>',
      help: 'Allowed lateness: how much older than the newest event an event may be, such as 30s. Default: any for a file, 10s for stdin.',
    },
    'strict-state': { kind: 'flag', help: 'Ends with 3 when correlations lost state to bound memory, so that matches may be missing.' },
    state: {
      kind: 'text',
      value: '<file>',
      help: 'Loads the state of correlations from this file if it exists, and saves it there at the end.',
    },
    jobs: {
      kind: 'text',
      value: '<number|auto>',
      default: '1',
      help: 'Threads that match; auto uses one per core. The output is the same. Several threads help with long inputs.',
    },
    ...ruleOptions,
  },
  notes: [
    'A match is one line: {"line","rule_id","title","level","matched_conditions"}, then "event" and "explain" if '
      + 'requested. Lines of an input count from 1; with several, "input" names it, and "lines" of a correlation are such pairs.',
    'A match of a correlation rule also has "correlation": {"type","group","value","occurred_at","decided_at",'
      + '"event_count","lines"} and, where they apply, "shared_value", "approximate" and "degraded"; its line is that of its '
      + 'newest event, or null if that event is from an earlier input. The rules it references produce no matches of their own '
      + 'unless it has generate: true. Without --state all windows close at the end.',
    'The lines of a file may be in any order: correlations see its events in the order of their time, as with ingest and hunt, '
      + 'and are printed at the end. With --state, a line may be a day older than the newest one before it.',
    'Malformed lines are skipped, counted and reported on stderr.',
    'Exit codes: 0 done; 1 a rule of the --fail-on level matched; 2 wrong arguments; 3 --strict-state found lost state; '
      + '65 no rule compiled, no line holds an event, more lines are malformed than allowed, or more events to correlate than '
      + 'memory may hold; 66 a path cannot be read; '
      + '74 the output or the state cannot be written.',
  ],
  async run({ options, operands }, context) {
    if (options.output !== 'ndjson' && (options['include-event'] || options.explain)) {
      throw usageError(`option '--${options.explain ? 'explain' : 'include-event'}' needs '--output ndjson'`)
    }
    const jobs = parseJobs(options.jobs, context.coreCount)
    const allowedShare = parseAllowedShare(options['allow-malformed'])
    const allowedLatenessMs = parseLateness(options)
    const receivedAt = allowedLatenessMs === Infinity ? context.wallClock() : undefined
    const correlation = { allowedLatenessMs, clock: context.wallClock }
    const startedAt = context.now()
    // Opens the input before compiling thousands of rules, so that a mistyped path fails at once.
    const input = await openInputs(options, context)
    try {
      const { taxonomy, lenient } = options
      const rules = readRuleSources({ ...options, paths: operands }, context)
      const events = { taxonomy, lenient }
      const detector = openDetector({ ...rules, events, include: selectMatchDetails(options), jobs, correlation, receivedAt }, context)
      try {
        const verdicts = countRunnableRules(detector.reports, { ...options, paths: operands }, context)
        const { correlator } = detector
        if (options.state !== undefined) {
          if (correlator === undefined) throw usageError("option '--state' needs a correlation rule; none of the rules is one")
          loadState(options.state, correlator, context)
        }
        const correlations = detector.correlations.map((one) => ({ ...one, tags: one.rule.tags }))
        const isShown = createRuleFilter(options, [...detector.rules, ...correlations])
        const writer = createMatchWriter(options.output, options['include-event'], context)
        const totals = await runDetection({ detector, input, context, writer, isShown, endsOpen: options.state !== undefined })
        if (options.state !== undefined && correlator !== undefined) saveState(options.state, correlator, context)
        const counts = detector.counts()
        if (!lenient) hintUnrouted(counts, context)
        if (correlator !== undefined) hintUncorrelated(correlator.counts, context)
        if (options.stats) {
          const wallMs = context.now() - startedAt
          reportStats({ counts, totals, verdicts, correlation: correlator?.counts, wallMs }, context)
        }
        checkMalformedShare({ malformedCount: totals.malformed, eventCount: counts.events }, allowedShare)
        if (options['strict-state'] && (correlator?.counts.evicted ?? 0) > 0) return exitCodes.degraded
        return reachesLevel(totals.rulesMatched, options['fail-on']) ? exitCodes.found : exitCodes.ok
      } finally {
        await detector.close()
      }
    } finally {
      input.close()
    }
  },
})

type LatenessOptions = {
  readonly lateness: string | undefined
  readonly input: readonly string[]
  readonly state: string | undefined
}

/** The allowed lateness: any for a file, which ends; short for a pipe, whose reader wants matches soon. */
function parseLateness({ lateness, input, state }: LatenessOptions): number {
  const isStdin = input.length === 0 || input.includes('-')
  if (lateness === undefined && !isStdin && state === undefined) return Infinity
  if (lateness === undefined) return parseTimespan(isStdin ? '10s' : '1d')!
  const latenessMs = lateness === '0s' ? 0 : parseTimespan(lateness)
  if (latenessMs !== undefined) return latenessMs
  throw usageError(`option '--lateness' is '${lateness}'; it takes a whole number and a unit: 0s, 30s, 5m, 1h, 1d`)
}

type PrinterOptions = {
  readonly output: MatchOutput
  readonly 'include-event': boolean
  readonly explain: boolean
}

/** The details of a match that the output needs. */
function selectMatchDetails(options: PrinterOptions): MatchDetails {
  const text = options['include-event'] || describesEvents(options.output)
  return { conditions: options.output !== 'none', text, explanation: options.explain }
}

type DetectRun = {
  readonly detector: ChunkDetector
  readonly input: Inputs
  readonly context: Context
  readonly writer: MatchWriter
  /** Whether matches of a rule are shown; others are neither printed nor counted. */
  readonly isShown: ReturnType<typeof createRuleFilter>
  /** Whether open windows are saved for the next input. */
  readonly endsOpen: boolean
}

const longLineReason = `longer than ${limits.lineBytesMax.toLocaleString('en')} bytes`

/** Reads, matches and prints chunk by chunk; at most `outstandingMax` chunks are in memory. */
async function runDetection({ detector, input, context, writer, isShown, endsOpen }: DetectRun): Promise<Totals> {
  const { correlator } = detector
  const shownRules = detector.rules.map(isShown)
  const rulesMatched = new Set<{ readonly level: Level | undefined }>()
  const malformed = new MalformedLineReporter(context.stderr)
  const progress = new Progress(input, context)
  let lineCount = 0
  let matchMs = 0
  let matchCount = 0
  const locate = (sequence: number): LinePlace | undefined => {
    const line = correlator?.getLine(sequence)
    return line === undefined ? undefined : input.locate(line)
  }
  const printCorrelations = (matches: readonly CorrelationMatch[]): string => {
    const shown = matches.filter(({ rule }) => isShown({ ...rule, tags: rule.rule.tags }))
    for (const { rule } of shown) rulesMatched.add(rule)
    matchCount += shown.length
    return shown.map((match) => writer.correlation({ match, locate })).join('')
  }
  await writeText(context.stdout, writer.head)

  const pieces = chunkLines(input.chunks, (byteLength) => detector.memory(byteLength))
  const answered = mapInOrder(pieces, detector.outstandingMax, async ({ bytes, endsWithLongLine }) => {
    return { ...(await detector.push(bytes)), endsWithLongLine }
  })
  for await (const outcome of answered) {
    let text = ''
    const { matches, correlations } = correlateChunk(correlator, outcome) ?? { matches: outcome.matches, correlations: [] }
    for (const match of matches) {
      const rule = detector.rules[match.rule]!
      if (!shownRules[match.rule]) continue
      rulesMatched.add(rule)
      matchCount++
      text += writer.match({ match, rule, place: input.locate(lineCount + match.row) })
    }
    text += printCorrelations(correlations)
    const skipped = [...outcome.malformed.map(({ line, reason }) => ({ line: lineCount + line, reason })), ...input.takeProblems()]
    lineCount += outcome.lineCount
    if (outcome.endsWithLongLine) skipped.push({ line: lineCount - 1, reason: longLineReason })
    matchMs += outcome.matchMs

    if (text !== '' || skipped.length > 0) progress.clear()
    malformed.report(skipped.map(({ line, reason }) => ({ reason, ...input.locate(line) })))
    await writeText(context.stdout, text)
    progress.draw(detector.counts().events)
  }
  progress.clear()
  malformed.report(input.takeProblems().map(({ line, reason }) => ({ reason, ...input.locate(line) })))
  malformed.reportTotal()
  if (correlator !== undefined && !endsOpen) await writeText(context.stdout, printCorrelations(correlator.finish()))
  await writeText(context.stdout, writer.end())
  return { malformed: malformed.count, rulesMatched, matchCount, matchMs }
}

/** Correlates a chunk; more events than memory may hold end the command with advice. */
function correlateChunk(
  correlator: LineCorrelator | undefined, outcome: Parameters<LineCorrelator['correlate']>[0],
): CorrelatedChunk | undefined {
  try {
    return correlator?.correlate(outcome)
  } catch (error) {
    if (!(error instanceof CorrelationMemoryError)) throw error
    const advice = 'sort the file by time and pass --lateness 1m, or ingest it and hunt'
    throw new ExitError(exitCodes.tooLarge, `${error.message}, more than memory may hold; ${advice}`, { cause: error })
  }
}

function reachesLevel(rules: Totals['rulesMatched'], levelMin: Level | undefined): boolean {
  if (levelMin === undefined) return false
  return [...rules].some(({ level }) => level !== undefined && levels.indexOf(level) >= levels.indexOf(levelMin))
}
