import { tacticsOfTechniques } from './attack-matrix.ts'
import { findCurrentTechnique } from './replaced-techniques.ts'

/** A rule as coverage sees it: what it is about, and whether it works on the events that arrive. */
export type CoverageRule = {
  /** The tags of the rule, such as `attack.execution` and `attack.t1059.001`; others are ignored. */
  readonly tags: readonly string[]
  readonly isEnabled: boolean
  /** Whether events of its log source have arrived. */
  readonly hasData: boolean
  /** Whether nothing is known to prevent it from matching: no field that it needs is missing, no test fails, it is not quarantined. */
  readonly isHealthy: boolean
  /** Its matches in the time that the coverage is about. */
  readonly matchCount: number
}

/**
 * How well a technique is covered, from worst to best. The best rule decides: one rule that is enabled, healthy and sees data is
 * enough for `covered`.
 */
export const coverageStates = {
  no_rule: 'no rule is about the technique',
  disabled: 'all rules about it are disabled',
  no_data: 'no event of the log sources of its enabled rules has arrived',
  unhealthy: 'its enabled rules whose log source has events cannot match: a field is missing, a test fails, or a rule is quarantined',
  covered: 'an enabled and healthy rule sees data',
  matched: 'a rule that covers it has matched',
} as const
export type CoverageState = keyof typeof coverageStates

/** Numbers of rules; each is part of the one before it. `matches` counts matches of effective rules. */
export type CoverageCounts = {
  readonly rules: number
  readonly enabled: number
  /** Enabled, and events of the log source have arrived. */
  readonly withData: number
  /** Enabled, with data and healthy: rules that can find something. */
  readonly effective: number
  readonly matches: number
}

export type TechniqueCoverage = CoverageCounts & {
  /** An id in upper case: `T1059`, `T1059.001`. */
  readonly technique: string
  /** The tactics of the technique by short name; of an id that ATT&CK's matrix lacks, those that its rules name. */
  readonly tactics: readonly string[]
  readonly state: CoverageState
}

export type TacticCoverage = CoverageCounts & {
  readonly tactic: string
  /** Techniques and sub-techniques of the tactic, and those with at least one effective rule. */
  readonly techniques: number
  readonly coveredTechniques: number
}

/** What rules cover of ATT&CK. */
export type Coverage = {
  /** All techniques of ATT&CK's enterprise matrix, with or without rules, and other ids that rules name, sorted by id. */
  readonly techniques: readonly TechniqueCoverage[]
  readonly tactics: readonly TacticCoverage[]
  /** All rules, and those without a technique, which cover nothing. */
  readonly totals: CoverageCounts & { readonly untagged: number }
}

/**
 * Computes ATT&CK coverage: rules x enabled x data seen x healthy for each technique and tactic. A rule of a sub-technique counts
 * for its technique, too; a rule that names no technique counts for its tactics alone. Ids and tactics of earlier versions of ATT&CK
 * count for those that replaced them.
 */
export function computeCoverage(rules: Iterable<CoverageRule>): Coverage {
  const techniques = new Map<string, Tally>()
  const tactics = new Map<string, Tally>()
  for (const [id, names] of tacticsOfTechniques) {
    techniques.set(id, new Tally(names))
    for (const name of names) if (!tactics.has(name)) tactics.set(name, new Tally())
  }
  const totals = new Tally()
  let untagged = 0
  for (const rule of rules) {
    const tags = readAttackTags(rule.tags)
    totals.add(rule)
    if (tags.techniques.length === 0) untagged++
    for (const id of tags.techniques) {
      if (!techniques.has(id)) techniques.set(id, new Tally())
      const technique = techniques.get(id)!
      technique.add(rule)
      if (!tacticsOfTechniques.has(id)) technique.name(tags.tactics)
    }
    for (const name of tags.tactics) {
      if (!tactics.has(name)) tactics.set(name, new Tally())
      tactics.get(name)!.add(rule)
    }
  }
  const rows = [...techniques].map(([technique, tally]) => {
    return { technique, tactics: [...tally.tactics], state: tally.state, ...tally.counts }
  }).sort((a, b) => compareText(a.technique, b.technique))
  return {
    techniques: rows,
    tactics: [...tactics].map(([tactic, tally]) => {
      const own = rows.filter((row) => row.tactics.includes(tactic))
      const coveredTechniques = own.filter(({ effective }) => effective > 0).length
      return { tactic, techniques: own.length, coveredTechniques, ...tally.counts }
    }),
    totals: { ...totals.counts, untagged },
  }
}

/** Counts rules as they are added. */
class Tally {
  readonly tactics: Set<string>
  #rules = 0
  #enabled = 0
  #withData = 0
  #effective = 0
  #matches = 0

  constructor(tactics: readonly string[] = []) {
    this.tactics = new Set(tactics)
  }

  get counts(): CoverageCounts {
    return { rules: this.#rules, enabled: this.#enabled, withData: this.#withData, effective: this.#effective, matches: this.#matches }
  }

  get state(): CoverageState {
    if (this.#rules === 0) return 'no_rule'
    if (this.#enabled === 0) return 'disabled'
    if (this.#withData === 0) return 'no_data'
    if (this.#effective === 0) return 'unhealthy'
    return this.#matches === 0 ? 'covered' : 'matched'
  }

  add({ isEnabled, hasData, isHealthy, matchCount }: CoverageRule): void {
    this.#rules++
    if (!isEnabled) return
    this.#enabled++
    // A rule that has matched has seen data, whatever its counters since the last start say.
    if (!hasData && matchCount === 0) return
    this.#withData++
    if (!isHealthy) return
    this.#effective++
    this.#matches += matchCount
  }

  name(tactics: readonly string[]): void {
    for (const tactic of tactics) this.tactics.add(tactic)
  }
}

/** The tactics of the matrix by their ids, for tags such as `attack.ta0002`. */
const tacticIds: { readonly [id: string]: string } = {
  ta0043: 'reconnaissance', ta0042: 'resource-development', ta0001: 'initial-access', ta0002: 'execution', ta0003: 'persistence',
  ta0004: 'privilege-escalation', ta0005: 'stealth', ta0112: 'defense-impairment', ta0006: 'credential-access',
  ta0007: 'discovery', ta0008: 'lateral-movement', ta0009: 'collection', ta0011: 'command-and-control', ta0010: 'exfiltration',
  ta0040: 'impact',
}

/** Techniques, each with the technique that it is a part of, and tactics, each once, as ATT&CK names them now. */
function readAttackTags(tags: readonly string[]): { readonly techniques: readonly string[]; readonly tactics: readonly string[] } {
  const words = tags.map((tag) => tag.toLowerCase()).filter((tag) => tag.startsWith('attack.')).map((tag) => tag.slice('attack.'.length))
  const ids = words.filter((word) => /^t\d{4}(?:\.\d{3})?$/.test(word)).map((word) => findCurrentTechnique(word.toUpperCase()))
  const others = words.filter((word) => !/^(?:[tgsma]|ds)\d{4}(?:\.\d{3})?$/.test(word))
  const names = others.map((word) => tacticIds[word] ?? word.replaceAll('_', '-'))
  return {
    techniques: [...new Set(ids.flatMap((id) => [id.slice(0, 5), id]))],
    tactics: [...new Set(names.flatMap((name) => toCurrentTactics(name, ids)))],
  }
}

/** Defense Evasion became Stealth and Defense Impairment: of a rule that names it, those of its techniques, where these have one. */
function toCurrentTactics(name: string, ids: readonly string[]): readonly string[] {
  if (name !== 'defense-evasion') return [name]
  const tactics = ids.flatMap((id) => tacticsOfTechniques.get(id) ?? [])
  const heirs = tactics.filter((tactic) => tactic === 'stealth' || tactic === 'defense-impairment')
  return heirs.length > 0 ? heirs : [name]
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
