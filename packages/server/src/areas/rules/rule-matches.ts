import type { RuleRegistry } from '@tripline/detection/rules/rule-registry'
import { createEventIds } from '@tripline/formats/event/event-id'
import type { RuleMatch } from '@tripline/model/match'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { CursorDeps } from '../../http/lists/cursor.ts'
import { readListPage } from '../../http/lists/list-page.ts'
import type { ListPage, ListRequest } from '../../http/lists/list-page.ts'
import { requireRule } from './rules.ts'

/** What the matches of rules need of the server. */
export type RuleMatchDeps = CursorDeps & {
  readonly state: Pick<StateStore, 'matches'>
  readonly ruleBooks: Pick<RuleRegistry, 'get'>
}

/** A match with the id of its stored event; undefined where it is unknown. */
export type ListedMatch = RuleMatch & { readonly eventId: string | undefined }

/**
 * Lists the matches of a rule with the verdicts of their alerts, page by page.
 *
 * @throws AppError NOT_FOUND for an unknown rule.
 */
export async function listRuleMatches(
  deps: RuleMatchDeps,
  tenant: TenantId,
  ruleId: string,
  request: ListRequest,
): Promise<ListPage<ListedMatch>> {
  requireRule(await deps.ruleBooks.get(tenant), ruleId)
  const ids = createEventIds(deps.keys.cursor, tenant)
  const ofRule = { ...request, where: [...request.where, { field: 'rule_id', operator: 'eq', value: ruleId } as const] }
  const { entries, ...page } = await readListPage(deps, { tenant, endpoint: `matches of ${ruleId}` }, ofRule, deps.state.matches)
  return { ...page, entries: entries.map((match) => ({ ...match, eventId: match.eventRef && ids.print(match.eventRef) })) }
}
