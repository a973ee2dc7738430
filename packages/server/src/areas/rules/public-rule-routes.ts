import { publicRule, ruleParameters } from '@tripline/contract/public/rule'
import type { PublicRule } from '@tripline/contract/public/rule'
import { findTacticNames, isTechnique, tactics } from '@tripline/model/attack'
import type { Filter } from '@tripline/model/lists/filter'
import { levelOfSeverity, severityOfLevel } from '@tripline/model/public-words'
import { isRunning } from '@tripline/model/rule'
import type { Rule } from '@tripline/model/rule'
import { listTechniqueIds } from '@tripline/rule-tools'
import { publicParameterError } from '../../http/public/public-errors.ts'
import { isAnyOf, publicList } from '../../http/public/public-list.ts'
import type { PublicRoute } from '../../http/public/public-route.ts'
import { listRules } from './rule-list.ts'
import type { RuleListDeps } from './rule-list.ts'

const published: Filter = { field: 'lifecycle', operator: 'eq', value: 'published' }

/** A rule that is enabled and published runs: that is what `enabled` of the list means. */
const statusFilters: { readonly [status in PublicRule['status']]: Filter } = {
  active: { field: 'enabled', operator: 'eq', value: 1 },
  inactive: { and: [{ field: 'enabled', operator: 'eq', value: 0 }, published] },
  draft: { not: published },
}

/** Detection rules in the public API, under both paths that were published. */
export function publicRuleRoutes(deps: RuleListDeps): PublicRoute[] {
  return ['/siem/rules', '/rules'].map((path) => publicList({
    path, resource: 'rules', permission: 'read', summary: 'Lists detection rules', parameters: ruleParameters, entry: publicRule,
    sorting: {
      sort: { title: 'title', severity: 'level', updated_at: 'updated_at', matches: 'matches_total' },
      sortDefault: { field: 'updated_at', direction: 'desc' },
    },
    toWhere: ({ severity, status, mitre }) => [
      ...isAnyOf('level', severity?.map((each) => levelOfSeverity[each])),
      ...(status === undefined ? [] : [{ or: status.map((each) => statusFilters[each]) }]),
      ...(mitre === undefined ? [] : [toAttackFilter(mitre)]),
    ],
    toText: ({ search }) => search,
    async readPage({ tenant }, request) {
      const { entries, ...page } = await listRules(deps, tenant, request)
      const { lastDayOf } = await deps.activity.of(tenant)
      return { ...page, entries: entries.map(({ rule }) => toPublicRule(rule, lastDayOf(rule.id).matches)) }
    },
  }))
}

/** @throws AppError INVALID_PARAMETER for a text that is neither a tactic nor a technique. */
function toAttackFilter(words: readonly string[]): Filter {
  const wrong = words.find((word) => findTacticNames(word).length === 0 && !isTechnique(word))
  const allowed = [...tactics.map(({ name }) => name), 'T1059', 'T1059.001']
  if (wrong !== undefined) throw publicParameterError('mitre', wrong, { allowed })
  return {
    or: [
      { field: 'tactic', operator: 'in', value: words.flatMap(findTacticNames) },
      { field: 'technique', operator: 'in', value: words.filter(isTechnique).flatMap(listTechniqueIds) },
    ],
  }
}

function toPublicRule(rule: Rule, matches: number): PublicRule {
  const { id, title, description, level, lifecycle, attack, author, logsource, tags, createdAt, updatedAt } = rule
  return {
    id, title, description, author, tags, log_source: logsource,
    severity: severityOfLevel[level],
    status: lifecycle === 'draft' ? 'draft' : isRunning(rule) ? 'active' : 'inactive',
    mitre_tactics: attack.tactics,
    mitre_techniques: attack.techniques,
    enabled: isRunning(rule),
    matches_24h: matches,
    created_at: createdAt,
    updated_at: updatedAt,
  }
}
