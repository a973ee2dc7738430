import { backtestJobSchema, backtestListSchema, newBacktestSchema } from '@tripline/contract/console/backtest'
import { readIdParam } from '../../../http/id-param.ts'
import { parseJsonBody, withBody } from '../../../http/read-body.ts'
import { respondWithEtag } from '../../../http/respond-with-etag.ts'
import { respond } from '../../../http/respond.ts'
import { getPrincipal } from '../../../http/route.ts'
import type { RequestContext, Route } from '../../../http/route.ts'
import { checkBody } from '../../../http/validate.ts'
import { limits } from '../../../limits.ts'
import { beginBacktest, getBacktest, listBacktests, removeBacktest } from './backtest-jobs.ts'
import type { BacktestJobDeps } from './backtest-jobs.ts'
import { backtestsPath as path, printBacktestEntry, printBacktestJob } from './backtest-view.ts'

const access = 'backtest_rules'
/** The version of a backtest: it changes with its status and with the percent that it has read. */
const steps = { queued: 0, running: 1_000, succeeded: 2_000, failed: 3_000 } as const

/** Routes for backtests that run beside requests and keep what they found. */
export function backtestJobRoutes(deps: BacktestJobDeps): Route[] {
  return [
    {
      method: 'GET', path, access, summary: 'Lists backtests, newest first', responses: { 200: backtestListSchema },
      handle: async (c) => {
        const { tenant } = getPrincipal(c)
        const backtests = await listBacktests(deps, tenant)
        return respond(c, { backtests: backtests.map((one) => printBacktestEntry(one, deps.runner.getProgress(tenant, one))) })
      },
    },
    {
      method: 'POST', path, access, summary: 'Begins to run rules over stored events', body: newBacktestSchema, isIdempotent: true,
      headers: ['Location'], errors: ['INVALID_RULE', 'NOT_FOUND'], responses: { 202: backtestJobSchema },
      handle: (c) => handleNewBacktest(deps, c),
    },
    {
      method: 'GET', path: `${path}/:id`, access, isCompressed: true, summary: 'Returns a backtest: how far it is, or what it found',
      headers: ['ETag'], responses: { 200: backtestJobSchema },
      handle: async (c) => {
        const { tenant } = getPrincipal(c)
        const backtest = await getBacktest(deps, tenant, readIdParam(c))
        const progress = deps.runner.getProgress(tenant, backtest)
        return respondWithEtag(c, printBacktestJob(backtest, progress), steps[backtest.status] + progress)
      },
    },
    {
      method: 'DELETE', path: `${path}/:id`, access, summary: 'Stops a backtest, and deletes it with what it found',
      responses: { 204: null },
      handle: async (c) => {
        await removeBacktest(deps, getPrincipal(c), readIdParam(c))
        return c.body(null, 204)
      },
    },
  ]
}

async function handleNewBacktest(deps: BacktestJobDeps, c: RequestContext): Promise<Response> {
  return await withBody(c, limits.ruleTest.bodyBytesMax, async (bytes) => {
    const body = checkBody(parseJsonBody(c, bytes), newBacktestSchema)
    const { rule_ids: ruleIds = [], definition, exceptions = [], from, to, compare = false } = body
    const begun = await beginBacktest(deps, getPrincipal(c), { ruleIds, definition, exceptions, from, to, isCompared: compare })
    const job = printBacktestJob(begun, 0)
    c.header('Location', job.status_url)
    return respond(c, job, 202)
  })
}
