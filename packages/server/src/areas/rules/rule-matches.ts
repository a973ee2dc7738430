import type { RuleMatch } from '../../model/match.ts'
import type { TenantId } from '../../model/tenant.ts'
import type { App } from '../shared/app.ts'
import { getEventIds } from '../shared/event-ids.ts'
import { readListPage } from '../shared/list-page.ts'
import type { ListPage, ListRequest } from '../shared/list-page.ts'
import { requireRule } from './rules.ts'

/** A match with the id of its stored event; undefined where it is unknown. */
export type ListedMatch = RuleMatch & { readonly eventId: string | undefined }

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
): Promise<ListPage<ListedMatch>> {
  requireRule(await app.ruleBooks.get(tenant), ruleId)
  const ids = getEventIds(app, tenant)
  return await readListPage(app, { tenant, endpoint: `matches of ${ruleId}` }, request, async (query) => {
    const { matches, ...page } = await app.state.alerts.matches(tenant, ruleId, query)
    return { entries: matches.map((match) => ({ ...match, eventId: match.eventRef && ids.print(match.eventRef) })), ...page }
  })
}
