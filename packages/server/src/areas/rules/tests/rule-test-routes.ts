import { newRuleId, ruleTestBodySchema, ruleTestQuerySchema, ruleTestResultSchema } from '@tripline/contract/console/rule'
import type { RuleTestResultBody } from '@tripline/contract/console/rule'
import type { EventObject } from '@tripline/engine'
import type { TenantId } from '@tripline/model/tenant'
import { readIdParam } from '../../../http/id-param.ts'
import { parseJsonBody, withBody } from '../../../http/read-body.ts'
import { respond } from '../../../http/respond.ts'
import { getPrincipal } from '../../../http/route.ts'
import type { Route } from '../../../http/route.ts'
import { checkBody, readQuery } from '../../../http/validate.ts'
import { limits } from '../../../limits.ts'
import { printTestResults } from '../rule-view.ts'
import { testRule } from './rule-test.ts'
import type { RuleTestDeps } from './rule-test.ts'

/** Route that tests a rule on events. */
export function ruleTestRoutes(deps: RuleTestDeps): Route[] {
  return [{
    method: 'POST', path: '/v1/detection/rules/:id/test', access: 'test_rules', summary: 'Tests a rule on events',
    isCompressed: true, query: ruleTestQuerySchema, body: ruleTestBodySchema, errors: ['INVALID_RULE'],
    responses: { 200: ruleTestResultSchema },
    handle: async (c) => {
      const { query } = readQuery(c, ruleTestQuerySchema)
      const id = readIdParam(c)
      return await withBody(c, limits.ruleTest.bodyBytesMax, async (bytes) => {
        const { events, definition, explain } = checkBody(parseJsonBody(c, bytes), ruleTestBodySchema)
        const isExplained = explain ?? query.explain ?? false
        const ruleId = id === newRuleId ? undefined : id
        const results = await testRule(deps, getPrincipal(c).tenant, { ruleId, definition, events, isExplained })
        return respond(c, printTestResults(results, { isExplained }))
      })
    },
  }]
}

/** Explains an event by a rule of the tenant, or by the text of one, as a test of rules does. */
export function createRuleExplainer(deps: RuleTestDeps) {
  return async (
    tenant: TenantId, rule: { readonly ruleId: string | undefined; readonly definition: string | undefined }, event: EventObject,
  ): Promise<RuleTestResultBody['results'][number] | undefined> => {
    const results = await testRule(deps, tenant, { ...rule, events: [event], isExplained: true })
    return printTestResults(results, { isExplained: true }).results[0]
  }
}
