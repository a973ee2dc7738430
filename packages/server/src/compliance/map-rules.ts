import { controlMaps } from '@tripline/compliance/maps/control-maps'
import { techniqueLinks } from '@tripline/compliance/maps/technique-links'
import type { TenantRules } from '@tripline/detection/rules/tenant-rules'
import { isRunning } from '@tripline/model/rule'
import type { Rule } from '@tripline/model/rule'
import { findCurrentTechnique } from '@tripline/rule-tools'
import { readsMalwareProtection } from './classify-source.ts'

/** A running rule that watches techniques which are linked with a control: monitoring evidence for it, no proof. */
export type MonitoringRule = { readonly id: string; readonly title: string; readonly techniques: readonly string[] }

/** The techniques that are linked with each control, by the ids that ATT&CK gives them now. */
const currentLinks: ReadonlyMap<string, ReadonlySet<string>> =
  new Map(Array.from(techniqueLinks, ([control, linked]) => [control, new Set(Array.from(linked, findCurrentTechnique))]))

/** The running rules that watch what controls are about; they turn nothing green. */
export type MappedRules = {
  readonly count: (framework: string, control: string) => number
  /** Those with a technique that is linked with the control, by title; none where no links are known. */
  readonly list: (framework: string, control: string) => readonly MonitoringRule[]
}

/**
 * Finds the running rules that watch what controls are about: those with a linked technique where links are known, and otherwise those
 * that the control's signals count.
 */
export function mapRules({ rules }: Pick<TenantRules, 'rules'>): MappedRules {
  const running = rules.filter(({ rule, problem }) => problem === undefined && isRunning(rule)).map(({ rule }) => rule)
  const withTechnique = running.filter(({ attack }) => attack.techniques.length > 0)
  const onMalware = running.filter(({ logsource }) => readsMalwareProtection(logsource))
  const bySignal: { readonly [signal: string]: readonly Rule[] } = { S6: withTechnique, S11: onMalware }
  const findLinked = (linked: ReadonlySet<string>): readonly Rule[] =>
    withTechnique.filter(({ attack }) => attack.techniques.some((id) => linked.has(findCurrentTechnique(id))))
  return {
    count(framework, control) {
      const linked = getLinks(framework, control)
      if (linked !== undefined) return findLinked(linked).length
      const needs = controlMaps[framework]?.[control]?.signals ?? []
      return new Set(needs.flatMap(({ signal }) => bySignal[signal] ?? [])).size
    },
    list(framework, control) {
      const linked = getLinks(framework, control)
      if (linked === undefined) return []
      return findLinked(linked)
        .map(({ id, title, attack }) => ({ id, title, techniques: attack.techniques.filter((id) => linked.has(findCurrentTechnique(id))) }))
        .sort((a, b) => (a.title < b.title ? -1 : 1))
    },
  }
}

function getLinks(framework: string, control: string): ReadonlySet<string> | undefined {
  return framework === 'nistcsf' ? currentLinks.get(control) : undefined
}
