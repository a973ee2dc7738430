import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { compileRules } from '@tripline/engine'
import { defineCommand } from '../framework/command.ts'
import type { Context } from '../framework/context.ts'
import { readNumber } from '../framework/parse-number.ts'
import { engineOptions, inputOptions, ruleOperands, ruleOptions } from '../framework/shared-options.ts'
import { writeText } from '../framework/write-text.ts'
import { openInputs } from '../input/open-inputs.ts'
import type { InputOptions } from '../input/open-inputs.ts'
import { Progress, StatusLine } from '../input/progress.ts'
import { reportSkippedLines } from '../input/report-malformed-lines.ts'
import { limits } from '../limits.ts'
import { parseJobs } from '../matching/parse-jobs.ts'
import { printBenchJson, printBenchTable, summarize } from '../measuring/bench-report.ts'
import { timeJobsRound } from '../measuring/benchmark-jobs.ts'
import type { JobsRound, JobsBenchmark } from '../measuring/benchmark-jobs.ts'
import { compareMatches, timeRound, warmUp } from '../measuring/benchmark-rounds.ts'
import type { ExpectedCounts, Round, Benchmark } from '../measuring/benchmark-rounds.ts'
import { readSample } from '../measuring/event-sample.ts'
import type { EventSample } from '../measuring/event-sample.ts'
import { measureCompile } from '../measuring/measure-compile.ts'
import { synthesizeRules } from '../measuring/synthesize-rules.ts'
import { readRuleSources, countRunnableRules } from '../rules/load-rules.ts'

/** Measures rules on events. */
export const benchCommand = defineCommand({
  name: 'bench',
  summary: 'Measures how fast your rules match your events.',
  operands: ruleOperands,
  options: {
    ...inputOptions,
    seconds: { kind: 'text', value: '<seconds>', default: '10', help: 'How long to warm up and measure; at least three rounds run.' },
    multiply: {
      kind: 'text',
      value: '<times>',
      default: '1',
      help: 'Compiles each rule this many times: once unchanged, then as clones with other literals.',
    },
    jobs: {
      kind: 'text',
      value: '<number|auto>',
      default: '1',
      help: 'Also compares a pool of this many threads with a pool of one; auto uses one per core.',
    },
    ...engineOptions,
    json: { kind: 'flag', help: 'Prints one JSON object.' },
    ...ruleOptions,
  },
  notes: [
    'Each round times the second half of the events in three ways: JSON.parse of every line; parsing and matching from '
      + 'bytes; matching events that were parsed before. A new engine processes the first half untimed, so its caches '
      + 'hold only values that your events repeat. The code is warm: all three ways run over the events before the first '
      + 'round. Bench compares the matches of both ways to match first, for a part of the events also with every rule '
      + 'evaluated on its own, and every round must find the same number. Times are processor time of the thread, or '
      + 'wall time where the platform does not report it.',
    'With --jobs, each round also opens a pool of one worker and a pool of that many, one after the other, warms each '
      + 'with the first half of the events, once per worker, and times the second half in wall time. The thread that '
      + 'feeds a pool needs part of a core, and each worker fills its own caches.',
    `From an input over ${limits.benchSampleBytesMax / 1_048_576} MiB, bench takes every second, fourth or eighth block of lines, `
      + 'evenly over the whole input.',
    'Exit codes: 0 measured; 2 wrong arguments; 65 no rule compiled, or no event; 66 a path cannot be read.',
  ],
  async run({ options, operands }, context) {
    const seconds = readNumber('--seconds', options.seconds, { min: 0, max: limits.benchSecondsMax })
    const times = readNumber('--multiply', options.multiply, { min: 1, max: limits.benchMultiplyMax, isWhole: true })
    const jobs = parseJobs(options.jobs, context.coreCount)
    const sample = await readEventSample(options, context)
    const status = new StatusLine(context)
    const events = { taxonomy: options.taxonomy, lenient: options.lenient }
    status.show('compiling')
    const load = { ...options, paths: operands }
    // Reads the texts again where memory is measured, so that no other reference keeps them alive.
    const { compile: compileOptions } = readRuleSources(load, context)
    const read = () => synthesizeRules(readRuleSources(load, context).sources, times)
    const clock = context.cpuNow ?? context.now
    const compiled = measureCompile({
      read,
      compile: (sources) => {
        const { ruleSet, reports } = compileRules(sources, compileOptions)
        countRunnableRules(reports, load, context)
        return ruleSet
      },
      sample,
      options: events,
    }, { clock, heapBytes: context.heapBytes })
    const settle = () => void context.heapBytes?.()
    const trial: Benchmark = { ruleSet: compiled.ruleSet, sample, options: events, clock, collectGarbage: settle }
    const jobsTrial: JobsBenchmark | undefined = jobs === 1 ? undefined
      : { ruleSet: compiled.ruleSet, sample, events, jobs, now: context.now, collectGarbage: settle }
    status.show('comparing answers')
    const answers = compareMatches(trial)
    const { rounds, jobsRounds } = await timeRounds(trial, { answers, seconds, status, jobsTrial }, context)
    status.clear()
    const clockName = context.cpuNow === undefined ? 'wall' : 'thread cpu'
    const report = summarize({ trial, answers, rounds, compiled, clockName, jobs, jobsRounds })
    await writeText(context.stdout, options.json ? printBenchJson(report) : printBenchTable(report))
    return exitCodes.ok
  },
})

/** Reads the input before compiling thousands of rules, so that a mistyped path fails at once. */
async function readEventSample(options: InputOptions, context: Context): Promise<EventSample> {
  const input = await openInputs(options, context)
  const progress = new Progress(input, context)
  try {
    const sample = await readSample(input.chunks, (lineCount) => progress.draw(lineCount))
    progress.clear()
    if (sample.eventCount === 0) throw new ExitError(exitCodes.noData, `no event in '${input.name}'`)
    reportSkippedLines(sample.malformedCount + input.takeProblems().length, context.stderr)
    if (sample.eventCount < limits.benchEventsFew) {
      const few = limits.benchEventsFew.toLocaleString('en')
      context.stderr.write(`tripline: times of ${sample.eventCount} events are mostly noise; use ${few} or more\n`)
    }
    return sample
  } finally {
    input.close()
  }
}

type RoundPlan = {
  readonly answers: ExpectedCounts
  readonly seconds: number
  readonly status: StatusLine
  /** Undefined when no pool is timed. */
  readonly jobsTrial: JobsBenchmark | undefined
}

type Rounds = { readonly rounds: readonly Round[]; readonly jobsRounds: readonly JobsRound[] }

/** The part of the time that goes at most into warming up. */
const warmShare = 0.2

/** Rounds until the time is over, at least three. Warming up counts as time, too, as do the engines and pools of each round. */
async function timeRounds(trial: Benchmark, plan: RoundPlan, { now }: Context): Promise<Rounds> {
  const { answers, seconds, status, jobsTrial } = plan
  const rounds: Round[] = []
  const jobsRounds: JobsRound[] = []
  const endAt = now() + seconds * 1000
  status.show('warming up')
  warmUp(trial, seconds * 1000 * warmShare)
  while (rounds.length < limits.benchRoundsMin || (now() < endAt && rounds.length < limits.benchRoundsMax)) {
    const number = rounds.length
    status.show(`round ${number + 1}`)
    rounds.push(timeRound(trial, number, answers))
    if (jobsTrial !== undefined) jobsRounds.push(await timeJobsRound(jobsTrial, number, answers))
  }
  return { rounds, jobsRounds }
}
