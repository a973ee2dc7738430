import type { BacktestBody, BacktestJobBody, BacktestJobEntryBody } from '@tripline/contract/console/backtest'
import type { StoredBacktest } from '@tripline/model/backtest'
import { formatDuration } from '../../../http/round.ts'
import { formatTimestamp } from '../../../http/format-timestamp.ts'
import { limits } from '../../../limits.ts'
import type { BacktestResult, HuntMatch } from './backtest.ts'

export const backtestsPath = '/v1/detection/backtests'

/** A backtest that runs beside requests, without its text and what it found. */
export function printBacktestEntry(backtest: StoredBacktest, progress: number): BacktestJobEntryBody {
  const { id, ruleIds, isCompared, from, to, status, requestedBy, requestedAt, finishedAt, error } = backtest
  return {
    id, rule_ids: [...ruleIds], compare: isCompared, from: formatTimestamp(from), to: formatTimestamp(to), status, progress,
    requested_by: requestedBy, requested_at: formatTimestamp(requestedAt),
    finished_at: finishedAt === undefined ? null : formatTimestamp(finishedAt),
    error: error === '' ? null : error, status_url: `${backtestsPath}/${id}`,
  }
}

/** A backtest that runs beside requests. */
export function printBacktestJob(backtest: StoredBacktest, progress: number): BacktestJobBody {
  const { definition, exceptions, result } = backtest
  return {
    ...printBacktestEntry(backtest, progress), definition: definition === '' ? null : definition, exceptions: [...exceptions],
    // What was stored was printed by `printBacktest`.
    result: result === '' ? null : JSON.parse(result) as BacktestBody,
  }
}

/** Prints what a backtest found. */
export function printBacktest(ruleIds: readonly string[], { from, to, found, comparison }: BacktestResult): BacktestBody {
  const { user, host, processName } = found.entities
  const hunts = comparison === undefined ? [found] : [comparison.before, comparison.after]
  // Results that cover different parts of the range cannot be compared.
  const isTruncated = hunts.some(({ isWhole }) => !isWhole)
  return {
    rule_id: ruleIds.length === 1 ? ruleIds[0]! : null,
    from: formatTimestamp(from),
    to: formatTimestamp(to),
    events_evaluated: found.eventCount,
    matches_total: found.matchCount,
    rules: found.rules.map(({ ruleId, title, matchCount }) => ({ id: ruleId, title, matches_total: matchCount })),
    histogram: found.buckets.map(({ startsAt, count }) => ({ time: formatTimestamp(startsAt), count })),
    users: [...user],
    hosts: [...host],
    processes: [...processName],
    examples: found.examples.map(printMatch),
    comparison: comparison === undefined || isTruncated ? null : {
      stored_matches_total: comparison.before.matchCount,
      gone: printDifference(comparison.gone),
      added: printDifference(comparison.added),
    },
    truncated: isTruncated,
    took_ms: formatDuration(hunts.reduce((sum, { tookMs }) => sum + tookMs, 0)),
  }
}

function printDifference({ count, matches }: { readonly count: number; readonly matches: readonly HuntMatch[] }) {
  return { total: count, examples: matches.slice(0, limits.hunt.examplesMax).map(printMatch) }
}

function printMatch({ at, conditions, event }: HuntMatch): BacktestBody['examples'][number] {
  const { processName = '', commandLine = '', user = '', host = '' } = event ?? {}
  return {
    timestamp: formatTimestamp(at), matched_conditions: [...conditions],
    event: { process_name: processName, command_line: commandLine, user, host },
  }
}
