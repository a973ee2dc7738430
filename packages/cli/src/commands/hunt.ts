import { exitCodes } from '@tripline/common/exit-error'
import type { HuntComparison, HuntMatch, HuntOptions, HuntResult } from '@tripline/server/events'
import { rangeOptions, readRange } from '../data-dir/read-range.ts'
import { getEventRange, storeOptions, withStoredEvents } from '../data-dir/stored-events.ts'
import { defineCommand } from '../framework/command.ts'
import type { Context } from '../framework/context.ts'
import { escapeControl } from '../framework/escape-control.ts'
import { ruleOperands, ruleOptions } from '../framework/shared-options.ts'
import { writeText } from '../framework/write-text.ts'
import { limits } from '../limits.ts'
import { loadRunnableRules } from '../rules/load-rules.ts'

/** Runs rules over stored events. */
export const huntCommand = defineCommand({
  name: 'hunt',
  needsServer: true,
  summary: 'Runs rules over stored events.',
  operands: ruleOperands,
  options: {
    compare: { kind: 'list', value: '<rules>...', help: 'Another version of the rules: shows which matches disappear and which are new.' },
    ...storeOptions,
    ...rangeOptions,
    json: { kind: 'flag', help: 'Prints one JSON object.' },
    ...ruleOptions,
  },
  notes: [
    'Rules and correlations run with the same code as live detection. Windows close at the end of the range.',
    'With --json: {"matches","rules","buckets","entities","examples","events_read","took_ms","whole"}, or with --compare '
      + '{"before","after","gone","added"}. Ctrl-C ends a hunt and prints the matches so far.',
    'Exit codes: 0 done, whether or not anything matched; 2 wrong arguments; 65 no rule compiled; 66 a path cannot be read.',
  ],
  async run({ options, operands }, context) {
    const { compareHunts, runHunt } = await import('@tripline/server/events')
    const { tenant } = options
    const { ruleSet } = loadRunnableRules({ ...options, paths: operands }, context)
    const changed = options.compare.length === 0 ? undefined : loadRunnableRules({ ...options, paths: options.compare }, context).ruleSet
    await withStoredEvents({ directory: options['data-dir'], creates: false }, context, async (store) => {
      const range = readRange(options, { whole: await getEventRange(store, tenant), now: context.wallClock() })
      const hunt = { tenant, ruleSet, ...range }
      const bar = new HuntProgress(hunt, context)
      const huntOptions = { store, elapsedMs: context.now, onProgress: bar.draw, signal: createAbortSignal(context) }
      const text = changed === undefined
        ? printResult(await runHunt(hunt, huntOptions), options.json)
        : printComparison(await compareHunts({ ...hunt, changed }, huntOptions), options.json)
      bar.clear()
      await writeText(context.stdout, text)
    })
    return exitCodes.ok
  },
})

/** A signal that Ctrl-C aborts. */
function createAbortSignal({ interrupted, isTty }: Context): AbortSignal {
  const controller = new AbortController()
  // A pipe gets whole results only.
  if (isTty) void interrupted().then(() => controller.abort())
  return controller.signal
}

/** The progress of a hunt, on stderr if that is a terminal. */
class HuntProgress {
  readonly #range: { readonly from: number; readonly to: number }
  readonly #context: Context
  #drawnAt = -Infinity

  constructor(range: { readonly from: number; readonly to: number }, context: Context) {
    this.#range = range
    this.#context = context
  }

  readonly draw: NonNullable<HuntOptions['onProgress']> = ({ at, eventCount, matchCount }) => {
    const { isTty, now, stderr } = this.#context
    if (!isTty || now() - this.#drawnAt < limits.progressIntervalMs) return
    this.#drawnAt = now()
    const { from, to } = this.#range
    const percent = Math.floor((100 * (at - from)) / Math.max(1, to - from))
    stderr.write(`\r\u001b[K${percent} %  ${eventCount.toLocaleString('en')} events, ${matchCount.toLocaleString('en')} matches`)
  }

  clear(): void {
    if (this.#drawnAt !== -Infinity) this.#context.stderr.write('\r\u001b[K')
  }
}

const entityNames = { user: 'users', host: 'hosts', processName: 'processes' } as const

function printResult(result: HuntResult, isJson: boolean): string {
  if (isJson) return `${JSON.stringify(toResultBody(result))}\n`
  const { matchCount, eventCount, tookMs, isWhole, damagedCount, rules, entities, examples } = result
  const lines = [
    [
      `${printCount(matchCount, 'match', 'matches')} in ${printCount(eventCount, 'event read', 'events read')}`,
      `${(tookMs / 1_000).toFixed(1)} s`,
    ].join(', '),
    ...(isWhole ? [] : ['the hunt was interrupted before the end of its range']),
    ...(damagedCount > 0 ? [`${damagedCount} damaged blocks were skipped`] : []),
    ...rules.slice(0, limits.huntRulesShown).map(({ title, matchCount: each, firstAt, lastAt }) => {
      return `  ${String(each).padStart(7)}  ${escapeControl(title)}, ${formatTimestamp(firstAt)} to ${formatTimestamp(lastAt)}`
    }),
    ...(Object.keys(entityNames) as (keyof typeof entityNames)[]).flatMap((kind) => {
      const named = entities[kind].slice(0, limits.huntEntitiesShown)
      const listed = named.map(({ value, count: each }) => `${value} ${each}`).join(', ')
      return named.length === 0 ? [] : [`${entityNames[kind]}: ${escapeControl(listed)}`]
    }),
    ...(examples.length === 0 ? [] : ['first:']),
    ...examples.slice(0, limits.huntExamplesShown).map((match) => `  ${printMatch(match)}`),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function printComparison({ before, after, gone, added }: HuntComparison, isJson: boolean): string {
  if (isJson) {
    return JSON.stringify({
      before: toResultBody(before), after: toResultBody(after),
      gone: { count: gone.count, matches: gone.matches.map(toMatchBody) },
      added: { count: added.count, matches: added.matches.map(toMatchBody) },
    }) + '\n'
  }
  const lines = [
    `${printCount(before.matchCount, 'match', 'matches')} now, ${after.matchCount.toLocaleString('en')} with the change, `
      + `in ${printCount(before.eventCount, 'event', 'events')}`,
    ...(gone.count === 0 ? [] : [`${gone.count.toLocaleString('en')} disappear:`]),
    ...gone.matches.slice(0, limits.huntExamplesShown).map((match) => `  - ${printMatch(match)}`),
    ...(added.count === 0 ? [] : [`${added.count.toLocaleString('en')} are new:`]),
    ...added.matches.slice(0, limits.huntExamplesShown).map((match) => `  + ${printMatch(match)}`),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function printMatch({ at, title, event, conditions }: HuntMatch): string {
  const about = [event?.host, event?.user, event?.processName].filter((text) => text !== undefined && text !== '').join(' ')
  return escapeControl(`${formatTimestamp(at)}  ${title}${about === '' ? '' : `  ${about}`}  ${conditions.join('; ')}`)
}

function toResultBody({ rules, buckets, bucketMs, entities, examples, ...result }: HuntResult): object {
  return {
    matches: result.matchCount,
    events_read: result.eventCount,
    took_ms: Math.round(result.tookMs),
    whole: result.isWhole,
    damaged_blocks: result.damagedCount,
    rules: rules.map(({ ruleId, title, matchCount: each, firstAt, lastAt }) => {
      return { rule_id: ruleId, title, matches: each, first_at: formatTimestamp(firstAt), last_at: formatTimestamp(lastAt) }
    }),
    bucket_ms: bucketMs,
    buckets: buckets.map(({ startsAt, count: each }) => ({ time: formatTimestamp(startsAt), count: each })),
    entities: { user: entities.user, host: entities.host, process_name: entities.processName },
    examples: examples.map(toMatchBody),
  }
}

function toMatchBody({ ruleId, title, level, at, sequence, conditions, event }: HuntMatch): object {
  return {
    rule_id: ruleId, title, level: level ?? null, time: formatTimestamp(at), sequence, matched_conditions: conditions,
    host: event?.host ?? '', user: event?.user ?? '', process_name: event?.processName ?? '',
  }
}

function printCount(number: number, one: string, several: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : several}`
}

function formatTimestamp(at: number): string {
  return new Date(at).toISOString()
}
