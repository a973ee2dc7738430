import type { RuleMatch } from '../domain/match.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { App } from './app.ts'
import { readListPage } from './list-page.ts'
import type { ListPage, ListRequest } from './list-page.ts'
import { requireRule } from './rules.ts'

/**
 * Lists the matches of a rule with the verdicts of their alerts, page by page.
 *
 * @throws AppError NOT_FOUND for an unknown rule.
 */
export async function listRuleMatches(
  app: App,
  tenant: TenantId,
  ruleId: string,
  request: ListRequest,
): Promise<ListPage<RuleMatch>> {
  requireRule(await app.ruleBooks.get(tenant), ruleId)
  return await readListPage(app, { tenant, endpoint: `matches of ${ruleId}` }, request, async (query) => {
    const { matches, ...page } = await app.state.alerts.matches(tenant, ruleId, query)
    return { entries: matches, ...page }
  })
}
