import type { Level } from '@tripline/engine'
import { listObservables, normalizeEvent } from '@tripline/engine/evaluate'
import type { NormalizedEvent } from '@tripline/engine/evaluate'
import { buildDedupKey } from '@tripline/model/alert'
import type { NewAlert } from '@tripline/model/alert'
import { readExposureMark } from '@tripline/model/assets/exposure-event'
import { getSourceIp, getSourceName } from '@tripline/model/alert-source'
import { parseAttackTags } from '@tripline/model/attack'
import { edgeRuleId, readEdgeAlert } from '@tripline/model/edge-alert'
import { levelDefault } from '@tripline/model/level'
import { extractMatchEvent } from '@tripline/model/match-event'
import type { TenantId } from '@tripline/model/tenant'
import type { AlertInsertion, AlertStore } from '@tripline/state/ports/alert-store'
import { limits } from '../limits.ts'
import type { DetectedMatch } from '../tenants/tenant-engine.ts'
import type { AlertStormLimit } from './alert-storm-limit.ts'

/** The enrichment of a match: its user, host and addresses. */
export type AlertEnrichment = Pick<NewAlert, 'enrichment' | 'assetCriticality'>

/** Enriches matches; one result for each, in their order. */
export type Enrich = (tenant: TenantId, matches: readonly EnrichedMatch[]) => Promise<readonly AlertEnrichment[]>

/** A match to be enriched: the alert that it would create, and the whole event, normalized once for both. */
type EnrichedMatch = { readonly alert: NewAlert; readonly event: NormalizedEvent }

type CreateAlertsOptions = {
  readonly alerts: AlertStore
  readonly enrich: Enrich
  /** Called when an enrichment fails: the alert is created without it, because the alert matters more. */
  readonly onEnrichmentFailure: (error: unknown) => void
}

/** The outcome of a batch of matches. */
export type CreatedAlerts = {
  readonly inserted: readonly { readonly alert: NewAlert; readonly insertion: AlertInsertion }[]
  /** Rules that have just reached the alert limit of the hour. */
  readonly storms: readonly string[]
}

/** Matches of a tenant with its alert limits. */
type MatchBatch = {
  readonly tenant: TenantId
  readonly matches: readonly DetectedMatch[]
  readonly stormLimit: AlertStormLimit
  /** How long matches of one rule, host and user join one alert; 0 creates an alert for each. */
  readonly dedupMs: number
}

/**
 * Creates alerts for the first matches, as many as one transaction takes, and counts them in `storm`. Matches that are
 * already stored change nothing, so a retry is safe.
 */
export async function createAlerts(
  { alerts, enrich, onEnrichmentFailure }: CreateAlertsOptions, { tenant, matches, stormLimit, dedupMs }: MatchBatch,
): Promise<CreatedAlerts & { readonly takenCount: number }> {
  const taken = selectBatch(matches, stormLimit)
  const plain = taken.map((match): EnrichedMatch => {
    const event = normalizeEvent(match.event, 'auto')
    return { alert: toNewAlert(match, event, { stormLimit, dedupMs }), event }
  })
  const enriched = await enrichMatches(enrich, onEnrichmentFailure, tenant, plain)
  const insertions = await alerts.insert(tenant, enriched)
  const made = insertions.map((insertion, i) => ({ alert: enriched[i]!, insertion }))
  const storms: string[] = []
  for (const { alert: { id, ruleId, matchedAt, dedupKey }, insertion } of made) {
    const isOwn = insertion.alertId === id && dedupKey !== getStormKey(ruleId)
    if (isOwn && stormLimit.recordAlert(ruleId, matchedAt)) storms.push(ruleId)
  }
  return { inserted: made, storms, takenCount: taken.length }
}

/** The matches of one transaction: no more of a rule than may create alerts before a storm begins. */
function selectBatch(matches: readonly DetectedMatch[], storm: AlertStormLimit): readonly DetectedMatch[] {
  const counts = new Map<string, number>()
  const end = matches.findIndex(({ rule, matchedAt }, i) => {
    if (i === limits.pipeline.alertsAtOnceMax) return true
    const room = storm.getRemaining(rule.id, matchedAt)
    const count = (counts.get(rule.id) ?? 0) + 1
    counts.set(rule.id, count)
    return room > 0 && count > room
  })
  return end === -1 ? matches : matches.slice(0, end)
}

function toNewAlert(
  { id, rule, ruleVersion, matchedAt, evidence, eventRef, memberRefs, correlation, event: raw }: DetectedMatch,
  event: NormalizedEvent,
  { stormLimit, dedupMs }: Pick<MatchBatch, 'stormLimit' | 'dedupMs'>,
): NewAlert {
  const shown = extractMatchEvent(event, limits.matches.fieldLengthMax)
  const [account = ''] = listObservables(event, 'account')
  const edge = getEdgeAlert({ rule, event: raw })
  const exposure = correlation === undefined ? readExposureMark(event.fields) : undefined
  // What a collector found is of the log source of its event.
  const logged = edge === undefined ? rule : { logsource: event.logsources[0] ?? {} }
  const isStorm = stormLimit.getRemaining(rule.id, matchedAt) <= 0
  return {
    id,
    ruleId: rule.id,
    ruleTitle: isStorm ? `Alert storm: ${rule.title}` : edge?.title ?? rule.title,
    ruleVersion,
    level: getMatchLevel({ rule, event: raw }),
    event: shown,
    source: 'logsource' in logged ? getSourceName(logged.logsource) : 'correlation',
    sourceIp: getSourceIp(event),
    product: 'logsource' in logged ? logged.logsource.product ?? '' : '',
    description: (edge?.description ?? rule.rule.description ?? '').slice(0, limits.matches.descriptionLengthMax),
    attack: parseAttackTags(edge?.tags ?? rule.rule.tags),
    enrichment: {
      ...(correlation && { correlation }), ...(exposure?.alertId !== undefined && { exposure: { causeId: exposure.alertId } }),
    },
    assetCriticality: '',
    matchedAt,
    dedupKey: isStorm
      ? getStormKey(rule.id)
      : exposure === undefined
        ? buildDedupKey(edge?.ruleId ?? rule.id, { ...shown, account }, id)
        : JSON.stringify([rule.id, 'exposure', exposure.key]),
    dedupMs: isStorm ? limits.pipeline.stormMs : exposure === undefined ? dedupMs : limits.pipeline.exposureMs,
    evidence,
    eventRef,
    memberRefs,
  }
}

/** The rule of a collector that matched there; undefined for all other matches. */
function getEdgeAlert({ rule, event }: Pick<DetectedMatch, 'rule' | 'event'>): ReturnType<typeof readEdgeAlert> {
  return rule.id === edgeRuleId ? readEdgeAlert(event, limits.matches.descriptionLengthMax) : undefined
}

/** The level of a match: that of its rule, or of the collector's. */
export function getMatchLevel(match: Pick<DetectedMatch, 'rule' | 'event'>): Level {
  return getEdgeAlert(match)?.level ?? match.rule.level ?? levelDefault
}

/** Deduplication keys of rule, host and user have more than one entry. */
function getStormKey(ruleId: string): string {
  return JSON.stringify([ruleId])
}

async function enrichMatches(
  enrich: Enrich, onEnrichmentFailure: CreateAlertsOptions['onEnrichmentFailure'], tenant: TenantId, matches: readonly EnrichedMatch[],
): Promise<readonly NewAlert[]> {
  try {
    const known = await enrich(tenant, matches)
    return matches.map(({ alert }, i) => {
      return { ...alert, ...known[i], enrichment: { ...known[i]?.enrichment, ...alert.enrichment } }
    })
  } catch (error) {
    onEnrichmentFailure(error)
    return matches.map(({ alert }) => alert)
  }
}

/** Enriches nothing. */
export async function noEnrichment(_tenant: TenantId, matches: readonly EnrichedMatch[]): Promise<readonly AlertEnrichment[]> {
  return matches.map(() => ({ enrichment: {}, assetCriticality: '' }))
}
