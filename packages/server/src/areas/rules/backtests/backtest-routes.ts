import { backtestBodySchema, backtestSchema } from '@tripline/contract/console/backtest'
import type { BacktestBody } from '@tripline/contract/console/backtest'
import { newRuleId } from '@tripline/contract/console/rule'
import { formatDuration } from '../../../http/format-duration.ts'
import { formatTimestamp } from '../../../http/format-timestamp.ts'
import { readIdParam } from '../../../http/id-param.ts'
import { parseJsonBody, withBody } from '../../../http/read-body.ts'
import { respond } from '../../../http/respond.ts'
import { getPrincipal } from '../../../http/route.ts'
import type { RequestContext, Route } from '../../../http/route.ts'
import { checkBody } from '../../../http/validate.ts'
import { limits } from '../../../limits.ts'
import { backtestRule } from './backtest.ts'
import type { BacktestDeps, BacktestResult, HuntMatch } from './backtest.ts'

/** Routes for backtests: a rule run over stored events. */
export function backtestRoutes(deps: BacktestDeps): Route[] {
  return [
    {
      method: 'POST', path: '/v1/detection/rules/:id/backtest', access: 'backtest_rules', summary: 'Runs a rule over stored events',
      isCompressed: true, body: backtestBodySchema, errors: ['INVALID_RULE'], responses: { 200: backtestSchema },
      handle: (c) => handleBacktest(deps, c),
    },
  ]
}

async function handleBacktest(deps: BacktestDeps, c: RequestContext): Promise<Response> {
  const id = readIdParam(c)
  const ruleId = id === newRuleId ? undefined : id
  return await withBody(c, limits.ruleTest.bodyBytesMax, async (bytes) => {
    const { from, to, definition, compare = false } = checkBody(parseJsonBody(c, bytes), backtestBodySchema)
    const result = await backtestRule(deps, getPrincipal(c), { ruleId, definition, from, to, isCompared: compare })
    return respond(c, printBacktest(ruleId, result))
  })
}

function printBacktest(ruleId: string | undefined, { from, to, found, comparison }: BacktestResult): BacktestBody {
  const { user, host, processName } = found.entities
  const hunts = comparison === undefined ? [found] : [comparison.before, comparison.after]
  // Results that cover different parts of the range cannot be compared.
  const isTruncated = hunts.some(({ isWhole }) => !isWhole)
  return {
    rule_id: ruleId ?? null,
    from: formatTimestamp(from),
    to: formatTimestamp(to),
    events_evaluated: found.eventCount,
    matches_total: found.matchCount,
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
