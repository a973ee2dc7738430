import { backtestBodySchema, backtestSchema } from '@tripline/contract/console/backtest'
import { newRuleId } from '@tripline/contract/console/rule'
import { readIdParam } from '../../../http/id-param.ts'
import { parseJsonBody, withBody } from '../../../http/read-body.ts'
import { respond } from '../../../http/respond.ts'
import { getPrincipal } from '../../../http/route.ts'
import type { RequestContext, Route } from '../../../http/route.ts'
import { checkBody } from '../../../http/validate.ts'
import { limits } from '../../../limits.ts'
import { backtestRule } from './backtest.ts'
import type { BacktestDeps } from './backtest.ts'
import { printBacktest } from './backtest-view.ts'

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
  const ruleIds = id === newRuleId ? [] : [id]
  return await withBody(c, limits.ruleTest.bodyBytesMax, async (bytes) => {
    const { from, to, definition, compare = false } = checkBody(parseJsonBody(c, bytes), backtestBodySchema)
    const result = await backtestRule(deps, getPrincipal(c), { ruleIds, definition, exceptions: [], from, to, isCompared: compare })
    return respond(c, printBacktest(ruleIds, result))
  })
}
