import { isJsonObject, tryParseJson } from '@tripline/common/json'
import { toLosslessJson } from '@tripline/common/lossless-json'
import type { Clock } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import type { RuleTestResultBody } from '@tripline/contract/console/rule'
import { createEventIds } from '@tripline/formats/event/event-id'
import type { RuleRegistry } from '@tripline/detection/rules/rule-registry'
import type { EventObject } from '@tripline/engine'
import type { Principal } from '@tripline/model/access/principal'
import type { Alert } from '@tripline/model/alert'
import type { Asset } from '@tripline/model/enrichment/asset'
import { foldLoginName } from '@tripline/model/enrichment/directory-user'
import type { DirectoryUser } from '@tripline/model/enrichment/directory-user'
import type { Filter } from '@tripline/model/lists/filter'
import type { Rule } from '@tripline/model/rule'
import type { TenantId } from '@tripline/model/tenant'
import type { AlertEvidence, AlertFacts, AlertVerdicts } from '@tripline/state/ports/alert-store'
import type { StateStore } from '@tripline/state/ports/state-store'
import { requireFound } from '@tripline/state/ports/version-conflict'
import type { CursorDeps } from '../../http/lists/cursor.ts'
import { limits } from '../../limits.ts'

/** Tests a rule of the tenant, or the text of one, on an event. @throws AppError INVALID_RULE. */
type RuleExplainer = (
  tenant: TenantId, rule: { readonly ruleId: string | undefined; readonly definition: string | undefined }, event: EventObject,
) => Promise<RuleTestResultBody['results'][number] | undefined>

/** What the context of an alert needs of the server. */
export type AlertContextDeps = {
  readonly state: Pick<StateStore, 'alerts' | 'assets' | 'audit' | 'directoryUsers' | 'ruleVersions'>
  readonly ruleBooks: Pick<RuleRegistry, 'get'>
  readonly explainRule: RuleExplainer
  readonly keys: CursorDeps['keys']
  readonly clock: Clock
}

/** The rule of an alert: its text as it was, where that is known, and the rule of now, unless it was removed. */
export type AlertRule = {
  readonly id: string
  readonly version: number | undefined
  readonly definition: string | undefined
  readonly current: Rule | undefined
}

export type AlertExplanation = {
  readonly eventId: string | undefined
  readonly isByRuleAsItWas: boolean
  readonly outcome: { readonly result: RuleTestResultBody['results'][number] } | { readonly problem: string }
}

/** A host or user of an alert: what is known of it, and what became of earlier alerts. */
type EntityContext<Record> = {
  readonly name: string
  readonly record: Record | undefined
  readonly openAlerts: number
  readonly verdicts: AlertVerdicts
}

export type AlertEntities = {
  readonly host: EntityContext<Asset> | undefined
  readonly user: EntityContext<DirectoryUser> | undefined
}

const dayMs = 86_400_000

/** @throws AppError NOT_FOUND. */
export async function requireAlert({ state }: AlertContextDeps, tenant: TenantId, id: string): Promise<Alert> {
  return requireFound(await state.alerts.get(tenant, id), 'alert')
}

/** The id of the stored event of an alert's first match; undefined where it is not known. */
export async function findFirstEvent({ state, keys }: AlertContextDeps, tenant: TenantId, { id }: Alert): Promise<string | undefined> {
  const [first] = await state.alerts.evidence(tenant, id)
  return printEventId({ keys }, tenant, first)
}

/** Describes the rule of an alert as it was, and as it is now. */
export async function describeAlertRule(
  deps: AlertContextDeps, tenant: TenantId, alert: Alert,
): Promise<AlertRule & { readonly alertsLastDay: number }> {
  const sinceDay: Filter = { field: 'created_at', operator: 'gte', value: deps.clock.now() - dayMs }
  const alertsLastDay = await countAlerts(deps, tenant, [is('rule_id', alert.ruleId), sinceDay])
  return { ...await findAlertRule(deps, tenant, alert), alertsLastDay }
}

/**
 * Explains the event of an alert's first match by the rule as it was, or by the rule of now where its text of then is not known.
 * Tests of rules bound what that may cost.
 */
export async function explainAlert(deps: AlertContextDeps, tenant: TenantId, alert: Alert): Promise<AlertExplanation> {
  const { definition, current, version } = await findAlertRule(deps, tenant, alert)
  const [first] = await deps.state.alerts.evidence(tenant, alert.id)
  const eventId = printEventId(deps, tenant, first)
  const isCurrent = current !== undefined && current.version === version
  const isByRuleAsItWas = definition !== undefined
  const explained = { eventId, isByRuleAsItWas }
  if (isJsonObject(alert.enrichment['correlation'])) {
    const problem = 'a correlation raised the alert: its condition and its events are in the details of the alert'
    return { ...explained, outcome: { problem } }
  }
  if (definition === undefined && current === undefined) {
    return { ...explained, outcome: { problem: 'the rule was removed, and its text of then is not known' } }
  }
  const event = first === undefined ? undefined : parseEvent(first)
  if (event === undefined) return { ...explained, outcome: { problem: 'the event of the alert is not stored any more' } }
  // The rule of now by its id, because its text may hold other rules as well.
  const tested = isCurrent || definition === undefined ? { ruleId: alert.ruleId, definition: undefined } : { ruleId: undefined, definition }
  try {
    const result = await deps.explainRule(tenant, tested, event)
    return { ...explained, outcome: result === undefined ? { problem: 'the rule gave no result' } : { result } }
  } catch (error) {
    // A text that compiled once may not do so with the engine of now.
    if (!(error instanceof AppError) || error.code !== 'INVALID_RULE') throw error
    return { ...explained, outcome: { problem: error.message } }
  }
}

/** Looks up the host and user of an alert, their open alerts, and the verdicts on earlier alerts of the same rule with them. */
export async function describeEntities(deps: AlertContextDeps, { tenant }: Principal, alert: Alert): Promise<AlertEntities> {
  const { host, user } = alert.event
  const { assets, directoryUsers } = deps.state
  const describe = async <Record>(field: 'host' | 'user', name: string, record: Record | undefined): Promise<EntityContext<Record>> => {
    const open: Filter = { field: 'status', operator: 'in', value: ['open', 'in_progress'] }
    const earlier = await deps.state.alerts.newest(tenant, { where: [is('rule_id', alert.ruleId), is(field, name)] }, {
      limit: limits.alertContext.verdictsMax,
    })
    return { name, record, openAlerts: await countAlerts(deps, tenant, [is(field, name), open]), verdicts: countVerdicts(earlier, alert) }
  }
  return {
    host: host === '' ? undefined : await describe('host', host, await assets.findByHostname(tenant, host.toLowerCase())),
    user: user === '' ? undefined : await describe('user', user, await directoryUsers.findByName(tenant, foldLoginName(user))),
  }
}

/** The newest other alerts of the same rule. */
export async function listSimilarAlerts(
  { state }: AlertContextDeps, tenant: TenantId, { id, ruleId }: Alert,
): Promise<readonly AlertFacts[]> {
  const { similarMax } = limits.alertContext
  const newest = await state.alerts.newest(tenant, { where: [is('rule_id', ruleId)] }, { limit: similarMax + 1 })
  return newest.filter((alert) => alert.id !== id).slice(0, similarMax)
}

/** A version of a built-in rule without a text of its own has the one that came with the server. */
async function findAlertRule(deps: AlertContextDeps, tenant: TenantId, { ruleId: id, ruleVersion: version }: Alert): Promise<AlertRule> {
  const book = await deps.ruleBooks.get(tenant)
  const current = book.get(id)?.rule
  if (version === undefined) return { id, version, definition: undefined, current }
  if (current?.version === version) return { id, version, definition: current.definition, current }
  const stored = await deps.state.ruleVersions.get(tenant, id, version)
  return { id, version, definition: stored?.definition ?? book.library.rules.get(id)?.rule.definition, current }
}

function is(field: string, value: string): Filter {
  return { field, operator: 'eq', value }
}

async function countAlerts({ state }: AlertContextDeps, tenant: TenantId, where: readonly Filter[]): Promise<number> {
  return (await state.alerts.list(tenant, { where, limit: 1 })).total.count
}

function countVerdicts(alerts: readonly AlertFacts[], { id }: Alert): AlertVerdicts {
  const counts = { true_positive: 0, false_positive: 0, benign: 0, unreviewed: 0 }
  for (const alert of alerts) if (alert.id !== id) counts[alert.verdict]++
  return counts
}

function printEventId({ keys }: Pick<AlertContextDeps, 'keys'>, tenant: TenantId, evidence: AlertEvidence | undefined): string | undefined {
  return evidence?.eventRef && createEventIds(keys.cursor, tenant).print(evidence.eventRef)
}

function parseEvent({ event: text }: AlertEvidence): { readonly [field: string]: unknown } | undefined {
  const parsed = tryParseJson(text)
  if (!('value' in parsed) || !isJsonObject(parsed.value)) return undefined
  const event: unknown = toLosslessJson(parsed.value, text)
  return isJsonObject(event) ? event : undefined
}
