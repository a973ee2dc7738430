import { Engine, compileRules } from '@tripline/engine'
import type { EventObject, Match, RuleSource } from '@tripline/engine'
import { normalizeEvent } from '@tripline/engine/evaluate'
import { limits } from '../limits.ts'

/** What a set of rules compiles to, and why some of them are left out. */
export type CompiledRules = {
  readonly ruleSet: ReturnType<typeof compileRules>['ruleSet']
  readonly ruleCount: number
  /** `file:line: what is wrong`, one for each rule that cannot run. */
  readonly problems: readonly string[]
}

/** Compiles the rules of a collector that detects itself. */
export function compileEdgeRules(sources: readonly RuleSource[]): CompiledRules {
  const { ruleSet, reports } = compileRules(sources)
  const problems = reports.filter(({ verdict }) => verdict !== 'compiled').map(({ path, verdict, diagnostics }) => {
    const { message = verdict, line = 1 } = diagnostics.find(({ kind }) => kind !== 'lint') ?? {}
    return `${path}:${line}: ${message}`
  })
  return { ruleSet, ruleCount: ruleSet.rules.length + ruleSet.correlations.length, problems }
}

/** What the rules found in some events. */
type Detected = {
  /** Alerts as lines of JSON: the event that matched with what the rule says. */
  readonly alerts: readonly Uint8Array[]
  /** Lines that are no events. */
  readonly malformedCount: number
}

const lineEnd = Buffer.from('\n')

/**
 * The engine of a collector: events go in, alerts come out. It holds the windows of correlations in memory, so that a restart
 * begins them anew.
 */
export class EdgeDetector {
  readonly #engine: Engine
  readonly #now: () => number
  /** The last events by their number, which alerts of correlations show. */
  readonly #recent = new Map<number, Uint8Array>()
  #sequence = 0
  #heardAt = 0
  eventCount = 0
  alertCount = 0

  constructor({ ruleSet }: Pick<CompiledRules, 'ruleSet'>, now: () => number) {
    const { groupsMax: groups, eventsMax: events } = limits.edge
    this.#engine = new Engine(ruleSet, { correlation: { stateMax: { groups, events } } })
    this.#now = now
  }

  /** Rules that did not change keep their windows. */
  useRules({ ruleSet }: Pick<CompiledRules, 'ruleSet'>): void {
    this.#engine.swap(ruleSet)
  }

  /** Evaluates lines of one event each, in their order. */
  detect(lines: readonly Uint8Array[]): Detected {
    const sequence = this.#sequence
    this.#sequence += lines.length
    if (lines.length > 0) this.#heardAt = this.#now()
    this.eventCount += lines.length
    if (this.#engine.ruleSet.correlations.length > 0) this.#remember(lines, sequence)
    const bytes = Buffer.concat(lines.flatMap((line) => [line, lineEnd]))
    const { matches, malformed } = this.#engine.pushBytes(bytes, { sequence, receivedAt: this.#now() })
    return { alerts: this.#printAlerts(matches), malformedCount: malformed.length }
  }

  /** Ends windows that wait for time alone, while no events come; returns their alerts. Time is that of events, as on the server. */
  advance(): readonly Uint8Array[] {
    const silentMs = this.#now() - this.#heardAt - limits.edge.silenceMs
    const { newestAt } = this.#engine
    if (silentMs <= 0 || !Number.isFinite(newestAt)) return []
    return this.#printAlerts(this.#engine.advance(newestAt + silentMs))
  }

  #printAlerts(matches: readonly Match[]): readonly Uint8Array[] {
    this.alertCount += matches.length
    return matches.map((match) => this.#printAlert(match))
  }

  #remember(lines: readonly Uint8Array[], sequence: number): void {
    lines.forEach((line, i) => this.#recent.set(sequence + i, line))
    for (const number of this.#recent.keys()) {
      if (this.#recent.size <= limits.edge.recentEventsMax) break
      this.#recent.delete(number)
    }
  }

  /** The event under the names that rules use, with all of its log sources, that of alerts of collectors and what the rule says. */
  #printAlert(match: Match): Uint8Array {
    const { rule } = match
    const { fields, logsources } = normalizeEvent(match.kind === 'detection' ? match.event : this.#recall(match), 'auto')
    const edge = {
      rule_id: rule.id, title: rule.title, level: rule.level ?? 'medium', description: rule.rule.description ?? '', tags: rule.rule.tags,
      conditions: match.conditions.slice(0, limits.edge.conditionsMax), detected_at: new Date(this.#now()).toISOString(),
    }
    const declared = [...logsources.slice(0, limits.edge.logsourcesMax), { product: 'tripline', category: 'edge_alert' }]
    return Buffer.from(JSON.stringify({ ...fields, _logsource: declared, _edge: edge }))
  }

  /** The newest event of a correlation; what its events have in common where that is forgotten. */
  #recall({ newest, group }: Extract<Match, { readonly kind: 'correlation' }>): EventObject {
    const line = this.#recent.get(newest.sequence)
    return line === undefined ? Object.fromEntries(group) : JSON.parse(Buffer.from(line).toString('utf8')) as EventObject
  }
}
