import { limits } from '../limits.ts'

/** What a rule has made of late. */
export type RuleStorm = { readonly ruleId: string; readonly since: number; readonly alertCount: number }

/**
 * Counts the alerts that each rule of a tenant makes within an hour. Once a rule has made too many, its further matches
 * of that hour belong to one alert: nobody reads thousands, and nothing is lost (section 8).
 */
export class AlertStormLimit {
  readonly #hours = new Map<string, { since: number; alertCount: number }>()

  constructor(saved: readonly RuleStorm[] = []) {
    for (const { ruleId, since, alertCount } of saved) this.#hours.set(ruleId, { since, alertCount })
  }

  /** How many alerts a rule may make yet in the hour of a match; 0 is a storm. */
  getRemaining(ruleId: string, matchedAt: number): number {
    const hour = this.#hours.get(ruleId)
    if (hour === undefined || isExpired(hour.since, matchedAt)) return limits.pipeline.stormAlertsMax
    return limits.pipeline.stormAlertsMax - hour.alertCount
  }

  /** Notes that a rule made an alert; says whether that was the last before a storm. */
  note(ruleId: string, matchedAt: number): boolean {
    let hour = this.#hours.get(ruleId)
    if (hour === undefined || isExpired(hour.since, matchedAt)) {
      hour = { since: matchedAt, alertCount: 0 }
      this.#hours.set(ruleId, hour)
    }
    hour.alertCount++
    return hour.alertCount === limits.pipeline.stormAlertsMax
  }

  /** The rules whose alerts are one at that moment, and since when they are counted. */
  getStorms(nowMs: number): readonly RuleStorm[] {
    return this.save().filter(({ since, alertCount }) => alertCount >= limits.pipeline.stormAlertsMax && !isExpired(since, nowMs))
  }

  save(): readonly RuleStorm[] {
    return [...this.#hours].map(([ruleId, hour]) => ({ ruleId, ...hour }))
  }
}

function isExpired(since: number, at: number): boolean {
  return at - since >= limits.pipeline.stormMs
}
