import type { HuntComparison, HuntMatch, HuntResult } from '@tripline/server/events'
import { escapeControl } from '../framework/escape-control.ts'
import { limits } from '../limits.ts'

const entityNames = { user: 'users', host: 'hosts', processName: 'processes' } as const

/** Prints what a hunt found, for people or as one JSON object. */
export function printHuntResult(result: HuntResult, isJson: boolean): string {
  if (isJson) return `${JSON.stringify(toResultBody(result))}\n`
  const { matchCount, eventCount, tookMs, isWhole, damagedCount, degradedRules, rules, entities, examples } = result
  const lines = [
    [
      `${printCount(matchCount, 'match', 'matches')} in ${printCount(eventCount, 'event read', 'events read')}`,
      `${(tookMs / 1_000).toFixed(1)} s`,
    ].join(', '),
    ...(isWhole ? [] : ['the hunt was interrupted before the end of its range']),
    ...(damagedCount > 0 ? [`${damagedCount} damaged blocks were skipped`] : []),
    ...(degradedRules.length > 0 ? [printLostState(degradedRules)] : []),
    ...rules.slice(0, limits.huntRulesShown).map(({ title, matchCount: each, firstAt, lastAt }) => {
      return `  ${String(each).padStart(7)}  ${escapeControl(title)}, ${formatTimestamp(firstAt)} to ${formatTimestamp(lastAt)}`
    }),
    ...(Object.keys(entityNames) as (keyof typeof entityNames)[]).flatMap((kind) => {
      const named = entities[kind].slice(0, limits.huntEntitiesShown)
      const listed = named.map(({ value, count: each }) => `${value} ${each}`).join(', ')
      return named.length === 0 ? [] : [`${entityNames[kind]}: ${escapeControl(listed)}`]
    }),
    ...(examples.length === 0 ? [] : ['first:']),
    ...examples.slice(0, limits.huntExamplesShown).map((match) => `  ${printMatch(match)}`),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** Prints what two versions of rules found. */
export function printHuntComparison({ before, after, gone, added }: HuntComparison, isJson: boolean): string {
  if (isJson) return `${JSON.stringify(toComparisonBody({ before, after, gone, added }))}\n`
  const lines = [
    `${printCount(before.matchCount, 'match', 'matches')} now, ${after.matchCount.toLocaleString('en')} with the change, `
      + `in ${printCount(before.eventCount, 'event', 'events')}`,
    ...(before.degradedRules.length > 0 ? [`now: ${printLostState(before.degradedRules)}`] : []),
    ...(after.degradedRules.length > 0 ? [`with the change: ${printLostState(after.degradedRules)}`] : []),
    ...(gone.count === 0 ? [] : [`${gone.count.toLocaleString('en')} disappear:`]),
    ...gone.matches.slice(0, limits.huntExamplesShown).map((match) => `  - ${printMatch(match)}`),
    ...(added.count === 0 ? [] : [`${added.count.toLocaleString('en')} are new:`]),
    ...added.matches.slice(0, limits.huntExamplesShown).map((match) => `  + ${printMatch(match)}`),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function printLostState(ruleIds: readonly string[]): string {
  const correlations = ruleIds.length === 1 ? 'one correlation' : `${ruleIds.length} correlations`
  return `${correlations} forgot events or values to bound memory, so that matches may be missing: ${ruleIds.join(', ')}`
}

/** A comparison as JSON shows it. */
export function toComparisonBody({ before, after, gone, added }: HuntComparison): object {
  return {
    before: toResultBody(before), after: toResultBody(after),
    gone: { count: gone.count, matches: gone.matches.map(toMatchBody) },
    added: { count: added.count, matches: added.matches.map(toMatchBody) },
  }
}

function printMatch({ at, title, event, conditions }: HuntMatch): string {
  const about = [event?.host, event?.user, event?.processName].filter((text) => text !== undefined && text !== '').join(' ')
  return escapeControl(`${formatTimestamp(at)}  ${title}${about === '' ? '' : `  ${about}`}  ${conditions.join('; ')}`)
}

function toResultBody({ rules, buckets, bucketMs, entities, examples, ...result }: HuntResult): object {
  return {
    matches: result.matchCount,
    events_read: result.eventCount,
    took_ms: Math.round(result.tookMs),
    whole: result.isWhole,
    damaged_blocks: result.damagedCount,
    degraded_rules: result.degradedRules,
    rules: rules.map(({ ruleId, title, matchCount: each, firstAt, lastAt }) => {
      return { rule_id: ruleId, title, matches: each, first_at: formatTimestamp(firstAt), last_at: formatTimestamp(lastAt) }
    }),
    bucket_ms: bucketMs,
    buckets: buckets.map(({ startsAt, count: each }) => ({ time: formatTimestamp(startsAt), count: each })),
    entities: { user: entities.user, host: entities.host, process_name: entities.processName },
    examples: examples.map(toMatchBody),
  }
}

function toMatchBody({ ruleId, title, level, at, sequence, conditions, event }: HuntMatch): object {
  return {
    rule_id: ruleId, title, level: level ?? null, time: formatTimestamp(at), sequence, matched_conditions: conditions,
    host: event?.host ?? '', user: event?.user ?? '', process_name: event?.processName ?? '',
  }
}

function printCount(number: number, one: string, several: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : several}`
}

function formatTimestamp(at: number): string {
  return new Date(at).toISOString()
}
