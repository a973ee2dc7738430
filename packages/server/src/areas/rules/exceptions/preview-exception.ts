import { isJsonObject, tryParseJson } from '@tripline/common/json'
import { AppError } from '@tripline/contract/app-error'
import { compileDefinition, toExceptionSources } from '@tripline/detection/rules/compile-definition'
import { createRuleError } from '@tripline/detection/rules/rule-errors'
import type { TenantRules } from '@tripline/detection/rules/tenant-rules'
import type { EventObject, RuleSource } from '@tripline/engine'
import type { Principal } from '@tripline/model/access/principal'
import type { Alert } from '@tripline/model/alert'
import type { MatchVerdict } from '@tripline/model/match'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { recordOutcome } from '../../../audit/record-outcome.ts'
import type { OutcomeDeps } from '../../../audit/record-outcome.ts'
import { limits } from '../../../limits.ts'
import { requireRule } from '../rules.ts'
import { checkCostlyDefinition } from '../tests/check-costly-definition.ts'
import type { CostlyRules } from '../tests/check-costly-definition.ts'
import { testRuleText } from '../tests/rule-test.ts'
import type { RuleTestDeps } from '../tests/rule-test.ts'
import { createTriedExceptions } from './tried-exceptions.ts'

/** What previews of exceptions need of the server. */
export type ExceptionPreviewDeps = OutcomeDeps & RuleTestDeps & {
  readonly state: Pick<StateStore, 'alerts'>
  readonly costlyRules: CostlyRules
}

type AskedPreview = {
  readonly ruleId: string
  readonly detection: { readonly [name: string]: unknown }
  /** Inclusive start and exclusive end of the time that alerts were created in; the last 30 days by default. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** What an exception would have hidden of the alerts of its rule. */
type ExceptionPreview = {
  readonly from: number
  readonly to: number
  readonly alertCount: number
  readonly hidden: number
  readonly stillAlerting: number
  readonly notEvaluated: number
  /** Events that are kept of the alerts and match the rule, and those of them that the exception excludes. */
  readonly eventCount: number
  readonly hiddenEventCount: number
  readonly byVerdict: { readonly [Verdict in MatchVerdict]: number }
  readonly examples: readonly Alert[]
  readonly isTruncated: boolean
}

/** An alert, and the events that are kept of it. */
type TriedAlert = { readonly alert: Alert; readonly events: readonly EventObject[] }

/**
 * Tries an exception on the events of the alerts that its rule raised, with the rule as it is now, and records it on the audit
 * trail. An alert would have been hidden if the exception excludes every event of it that is kept.
 *
 * @throws AppError NOT_FOUND; INVALID_RULE for an exception that does not compile or of a correlation; INVALID_BODY for an
 *   invalid range; PAYLOAD_TOO_LARGE for a rule that is too large to be tried on events.
 */
export function previewException(deps: ExceptionPreviewDeps, caller: Principal, asked: AskedPreview): Promise<ExceptionPreview> {
  const action = { action: 'rule.exception_preview', target: { type: 'rule', id: asked.ruleId } }
  return recordOutcome(deps, caller, action, () => runPreview(deps, caller.tenant, asked), ({ alertCount, hidden }) => {
    return { figures: { alerts: alertCount, hidden } }
  })
}

async function runPreview(deps: ExceptionPreviewDeps, tenant: TenantId, asked: AskedPreview): Promise<ExceptionPreview> {
  const { ruleId } = asked
  const range = resolveRange(asked, deps.clock.now())
  const rules = await deps.ruleBooks.get(tenant)
  const exceptionSources = await compileException(deps, tenant, { rules, asked })
  const { alerts, isTruncated } = await readAlerts(deps, tenant, { ruleId, ...range, isOpen: asked.to === undefined })
  const tried = await tryAlerts(deps, tenant, { rules, ruleId, batches: readBatches(deps, tenant, alerts), exceptionSources })
  const hidden = tried.filter(({ outcome }) => outcome === 'hidden').map(({ alert }) => alert)
  const count = (outcome: Outcome): number => tried.filter((one) => one.outcome === outcome).length
  const countVerdict = (verdict: MatchVerdict): number => hidden.filter((alert) => alert.verdict === verdict).length
  const confirmed = hidden.filter(({ verdict }) => verdict === 'true_positive')
  return {
    ...range,
    alertCount: tried.length,
    hidden: hidden.length,
    stillAlerting: count('alerting'),
    notEvaluated: count('unknown'),
    eventCount: tried.reduce((sum, one) => sum + one.eventCount, 0),
    hiddenEventCount: tried.reduce((sum, one) => sum + one.hiddenEventCount, 0),
    byVerdict: {
      true_positive: countVerdict('true_positive'), false_positive: countVerdict('false_positive'),
      benign: countVerdict('benign'), unreviewed: countVerdict('unreviewed'),
    },
    examples: [...new Set([...confirmed, ...hidden])].slice(0, limits.hunt.examplesMax),
    isTruncated: isTruncated || tried.length < alerts.length,
  }
}

function resolveRange({ from, to }: AskedPreview, nowMs: number): { readonly from: number; readonly to: number } {
  const end = to ?? nowMs
  const start = from ?? end - limits.rules.previewRangeMs
  if (start >= end) throw new AppError('INVALID_BODY', "'from' must be before 'to'")
  return { from: start, to: end }
}

/** The exception as a filter rule. @throws AppError NOT_FOUND, INVALID_RULE, or as costly texts are refused. */
async function compileException(
  { costlyRules }: Pick<ExceptionPreviewDeps, 'costlyRules'>, tenant: TenantId,
  { rules, asked: { ruleId, detection } }: { readonly rules: TenantRules; readonly asked: AskedPreview },
): Promise<readonly RuleSource[]> {
  const { rule, parts, problem } = requireRule(rules, ruleId)
  if (parts[0] === undefined) throw createRuleError(problem ?? 'the rule does not compile')
  const exceptions = createTriedExceptions([detection], { title: rule.title, toPath: () => 'detection' })
  const { definition } = rule
  await checkCostlyDefinition(costlyRules, tenant, { rules, definition, exceptions })
  const { filterSources, rewriting } = rules.library
  compileDefinition(definition, { among: rules.all, filterSources, rewriting, exceptions, isStored: true })
  return toExceptionSources(parts, exceptions)
}

/** The newest alerts of a rule in a range. */
async function readAlerts(
  { state: { alerts } }: Pick<ExceptionPreviewDeps, 'state'>, tenant: TenantId,
  { ruleId, from, to, isOpen }: { readonly ruleId: string; readonly from: number; readonly to: number; readonly isOpen: boolean },
): Promise<{ readonly alerts: readonly Alert[]; readonly isTruncated: boolean }> {
  const limit = limits.rules.previewAlertsMax
  const { entries } = await alerts.list(tenant, {
    where: [
      { field: 'rule_id', operator: 'eq', value: ruleId },
      { field: 'created_at', operator: 'gte', value: from },
      // What was created now is before the end of a range that has none.
      { field: 'created_at', operator: 'lte', value: to - (isOpen ? 0 : 1) },
    ],
    order: [{ field: 'created_at', direction: 'desc' }],
    limit: limit + 1,
  })
  return { alerts: entries.slice(0, limit), isTruncated: entries.length > limit }
}

/** Alerts with their events, batch by batch, as far as the length of the events allows: each may have a megabyte. */
async function* readBatches(
  { state }: Pick<ExceptionPreviewDeps, 'state'>, tenant: TenantId, alerts: readonly Alert[],
): AsyncGenerator<readonly TriedAlert[]> {
  const { previewAlertsAtOnce, previewLengthAtOnce, previewLengthMax } = limits.rules
  let batch: TriedAlert[] = []
  let [batchLength, totalLength] = [0, 0]
  for (const alert of alerts) {
    const evidence = await state.alerts.evidence(tenant, alert.id)
    const length = evidence.reduce((sum, { event }) => sum + event.length, 0)
    totalLength += length
    if (totalLength > previewLengthMax) break
    if (batch.length === previewAlertsAtOnce || (batch.length > 0 && batchLength + length > previewLengthAtOnce)) {
      yield batch
      batch = []
      batchLength = 0
    }
    batch.push({ alert, events: evidence.flatMap(({ event }) => readEvent(event)) })
    batchLength += length
  }
  if (batch.length > 0) yield batch
}

function readEvent(text: string): readonly EventObject[] {
  const parsed = tryParseJson(text)
  return 'value' in parsed && isJsonObject(parsed.value) ? [parsed.value] : []
}

type Outcome = 'hidden' | 'alerting' | 'unknown'

/** What the exception does to an alert: the events of it that match the rule, and those that the exception excludes. */
type TriedOutcome = {
  readonly alert: Alert
  readonly outcome: Outcome
  readonly eventCount: number
  readonly hiddenEventCount: number
}

async function tryAlerts(
  deps: ExceptionPreviewDeps, tenant: TenantId,
  { rules, ruleId, batches, exceptionSources }: {
    readonly rules: TenantRules
    readonly ruleId: string
    readonly batches: AsyncIterable<readonly TriedAlert[]>
    readonly exceptionSources: readonly RuleSource[]
  },
): Promise<readonly TriedOutcome[]> {
  const outcomes: TriedOutcome[] = []
  for await (const batch of batches) {
    const events = batch.flatMap((one) => one.events)
    const matchesNow = await testRuleText(deps, tenant, { rules, ruleId, events, exceptionSources: [] })
    const matchesThen = await testRuleText(deps, tenant, { rules, ruleId, events, exceptionSources })
    let next = 0
    for (const { alert, events: own } of batch) {
      const indexes = own.map(() => next++).filter((index) => matchesNow[index] === true)
      const leftCount = indexes.filter((index) => matchesThen[index] === true).length
      const outcome = indexes.length === 0 ? 'unknown' : leftCount > 0 ? 'alerting' : 'hidden'
      outcomes.push({ alert, outcome, eventCount: indexes.length, hiddenEventCount: indexes.length - leftCount })
    }
  }
  return outcomes
}
