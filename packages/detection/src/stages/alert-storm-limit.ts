import { limits } from '../limits.ts'

/** The recent alerts of a rule. */
export type RuleStorm = { readonly ruleId: string; readonly since: number; readonly alertCount: number }

/**
 * A rate limit on alerts: counts the alerts of each rule of a tenant within an hour. Above the limit, a rule's further
 * matches of that hour join one alert, so analysts are not flooded and nothing is lost.
 */
export class AlertStormLimit {
  readonly #hours = new Map<string, { since: number; alertCount: number }>()

  constructor(saved: readonly RuleStorm[] = []) {
    for (const { ruleId, since, alertCount } of saved) this.#hours.set(ruleId, { since, alertCount })
  }

  /** How many alerts a rule may still create in the hour of a match; 0 is a storm. */
  getRemaining(ruleId: string, matchedAt: number): number {
    const hour = this.#hours.get(ruleId)
    if (hour === undefined || isExpired(hour.since, matchedAt)) return limits.pipeline.stormAlertsMax
    return limits.pipeline.stormAlertsMax - hour.alertCount
  }

  /** Records a new alert of a rule; returns whether it was the last before a storm. */
  recordAlert(ruleId: string, matchedAt: number): boolean {
    let hour = this.#hours.get(ruleId)
    if (hour === undefined || isExpired(hour.since, matchedAt)) {
      hour = { since: matchedAt, alertCount: 0 }
      this.#hours.set(ruleId, hour)
    }
    hour.alertCount++
    return hour.alertCount === limits.pipeline.stormAlertsMax
  }

  /** The rules in a storm at a moment, and since when they are counted. */
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
