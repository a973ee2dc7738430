import type { EventObject } from '@tripline/engine'
import { sourceIpOf, sourceOf } from '../domain/alert-source.ts'
import { dedupKeyOf } from '../domain/alert.ts'
import type { NewAlert } from '../domain/alert.ts'
import { attackOf } from '../domain/attack.ts'
import { levelDefault } from '../domain/level.ts'
import { matchEventOf } from '../domain/match-event.ts'
import type { TenantId } from '../domain/tenant.ts'
import { limits } from '../limits.ts'
import type { AlertInsertion, AlertStore } from '../store/alert-store.ts'
import type { StormBreaker } from './alert-storm-limit.ts'
import type { FoundMatch } from './tenant-engine.ts'

/** What is known of user, host and addresses of a match beside its event. */
export type Enrichment = Pick<NewAlert, 'enrichment' | 'assetCriticality'>

/** Looks up what is known of matches, one answer for each and in their order. */
export type Enrich = (tenant: TenantId, matches: readonly EnrichedMatch[]) => Promise<readonly Enrichment[]>

/** A match as it is enriched: the alert that it would make, and the whole event. */
export type EnrichedMatch = { readonly alert: NewAlert; readonly event: EventObject }

export type AlertMakerOptions = {
  readonly alerts: AlertStore
  readonly enrich: Enrich
  /** Told where an enrichment fails: the alert is made without it, because it is worth more. */
  readonly onUnenriched: (error: unknown) => void
}

/** What became of matches: what was made, and those of which nothing could be. */
export type MadeAlerts = {
  readonly made: readonly { readonly alert: NewAlert; readonly insertion: AlertInsertion }[]
  /** Rules that have made so many alerts that all others of the hour are one. */
  readonly storms: readonly string[]
}

/** Matches of a tenant, and what its rules have made of late. */
export type FoundMatches = {
  readonly tenant: TenantId
  readonly matches: readonly FoundMatch[]
  readonly storm: StormBreaker
  /** For how long matches of one rule, host and user come to one alert; 0 makes one of each. */
  readonly dedupMs: number
}

/**
 * Makes alerts of the first of some matches, as many as one transaction takes; `storm` counts them. A match that was
 * taken in before changes nothing, so the same may be handed over again.
 */
export async function makeAlerts(
  { alerts, enrich, onUnenriched }: AlertMakerOptions, { tenant, matches, storm, dedupMs }: FoundMatches,
): Promise<MadeAlerts & { readonly takenCount: number }> {
  const taken = firstOf(matches, storm)
  const plain = taken.map((match) => ({ alert: newAlertOf(match, { storm, dedupMs }), event: match.event }))
  const enriched = await enriching(enrich, onUnenriched, tenant, plain)
  const insertions = await alerts.insert(tenant, enriched)
  const made = insertions.map((insertion, i) => ({ alert: enriched[i]!, insertion }))
  const storms: string[] = []
  for (const { alert: { id, ruleId, matchedAt, dedupKey }, insertion } of made) {
    const isOwn = insertion.alertId === id && dedupKey !== stormKeyOf(ruleId)
    if (isOwn && storm.note(ruleId, matchedAt)) storms.push(ruleId)
  }
  return { made, storms, takenCount: taken.length }
}

/** The matches that are decided together: no more of a rule than may make alerts before a storm begins. */
function firstOf(matches: readonly FoundMatch[], storm: StormBreaker): readonly FoundMatch[] {
  const counts = new Map<string, number>()
  const end = matches.findIndex(({ rule, matchedAt }, i) => {
    if (i === limits.pipeline.alertsAtOnceMax) return true
    const room = storm.roomOf(rule.id, matchedAt)
    const count = (counts.get(rule.id) ?? 0) + 1
    counts.set(rule.id, count)
    return room > 0 && count > room
  })
  return end === -1 ? matches : matches.slice(0, end)
}

function newAlertOf(
  { id, rule, matchedAt, event, evidence }: FoundMatch,
  { storm, dedupMs }: Pick<FoundMatches, 'storm' | 'dedupMs'>,
): NewAlert {
  const shown = matchEventOf(event, limits.matches.fieldLengthMax)
  const isStorm = storm.roomOf(rule.id, matchedAt) <= 0
  return {
    id,
    ruleId: rule.id,
    ruleTitle: isStorm ? `Alert storm: ${rule.title}` : rule.title,
    level: rule.level ?? levelDefault,
    event: shown,
    source: 'logsource' in rule ? sourceOf(rule.logsource) : 'correlation',
    sourceIp: sourceIpOf(event),
    attack: attackOf(rule.rule.tags),
    enrichment: {},
    assetCriticality: '',
    matchedAt,
    dedupKey: isStorm ? stormKeyOf(rule.id) : dedupKeyOf(rule.id, shown),
    dedupMs: isStorm ? limits.pipeline.stormMs : dedupMs,
    evidence,
  }
}

/** No key of rule, host and user has one entry. */
function stormKeyOf(ruleId: string): string {
  return JSON.stringify([ruleId])
}

async function enriching(
  enrich: Enrich, onUnenriched: AlertMakerOptions['onUnenriched'], tenant: TenantId, matches: readonly EnrichedMatch[],
): Promise<readonly NewAlert[]> {
  try {
    const known = await enrich(tenant, matches)
    return matches.map(({ alert }, i) => ({ ...alert, ...known[i] }))
  } catch (error) {
    onUnenriched(error)
    return matches.map(({ alert }) => alert)
  }
}

/** Knows nothing of anybody. */
export async function noEnrichment(_tenant: TenantId, matches: readonly EnrichedMatch[]): Promise<readonly Enrichment[]> {
  return matches.map(() => ({ enrichment: {}, assetCriticality: '' }))
}
