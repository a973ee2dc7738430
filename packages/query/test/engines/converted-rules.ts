import { compileRules } from '@tripline/engine'
import type { EventObject } from '@tripline/engine'
import type { Predicate } from '@tripline/engine/predicate'
import { readSharedLines } from '@tripline/engine/test/read-shared-data'
import { activeFolders, sigmaRules, sigmaRulesFile } from '@tripline/engine/test/sigma-rules'
import { flattenEvent } from './event-table.ts'

export type RulesAndEvents = { readonly predicates: readonly Predicate[]; readonly events: readonly EventObject[] }

/** Compiles detections, each of some lines. */
export function compile(detections: readonly (readonly string[])[]): Predicate[] {
  const rules = detections.map((lines, at) =>
    [`title: Rule ${at}`, 'logsource: { category: any }', 'detection:', ...lines.map((line) => `  ${line}`)].join('\n'))
  const { ruleSet, reports } = compileRules(rules.map((text) => ({ text })))
  if (ruleSet.rules.length !== detections.length) throw new Error(JSON.stringify(reports))
  return ruleSet.rules.map(({ predicate }) => predicate)
}

/** What rules ask, in many forms. */
export const ownRules = compile([
  ["s: { Image|endswith: '\\cmd.exe' }", 'condition: s'],
  ["s: { Image: ['a%b', 'a_b', 'x*y', 'x\\*y', 'a?b', ''] }", 'condition: s'],
  ["s: { Image: 'x\\*y' }", 'condition: s'],
  ["s: { Image: 'a?b' }", 'condition: s'],
  ["s: { Image: '' }", 'condition: s'],
  ["s: { Image|contains: 'A' }", "f: { User: ['root', 'adm*'] }", 'condition: s and not f'],
  ['s: { Image: null }', 'condition: s'],
  ['s: { Image: null }', 'condition: not s'],
  ['s: { User|exists: true, Image|exists: false }', 'condition: s'],
  ['s: { EventID: 1 }', 'condition: s'],
  ['s: { EventID|gt: 1 }', 'condition: not s'],
  ['s: { EventID|lte: 10.5 }', 'condition: s'],
  ['s: [{ EventID: [1, 4624] }, { User|startswith: r }]', 'condition: not s'],
  ['a: { User: root }', 'b: { Image: x }', 'condition: 1 of them'],
  ['s: { Ip|cidr: [10.0.0.0/8, 172.16.0.0/12, 192.168.1.7/32] }', 'condition: s'],
  ['s: { Ip|cidr: ["fe80::/10", "::1/128"] }', 'condition: s'],
  ['s: { Ip|cidr: 10.0.0.0/8 }', 'condition: not s'],
  ["s: { Image|contains|all: [a, b] }", "t: { Image: \"it's\" }", 'condition: s or t'],
  ['s: { Image|windash|contains: " -f" }', 'condition: s'],
  ["s: { Image|re: '^c:.*\\.exe$' }", 'condition: s'],
  ["s: { Image|re|i: '^c:.*\\.exe$' }", 'condition: s'],
  ["s: { Image|re: 'a.b' }", 'condition: not s'],
  ["s: { Image|re: 'x\\*y|run [-/]f' }", 'condition: s'],
  ['s: { User|cased: root }', 'condition: s'],
  ["s: { Image|contains|cased: 'CMD' }", 'condition: s'],
  ['s: { User: [Éva, straße] }', 'condition: s'],
  ["s: { 'a-b.1c': x }", 'condition: s'],
  ["s: { 'a b': '*y*' }", 'condition: s'],
  ["s: { 'it''s \"a\" `b`': '*' }", 'condition: s'],
  ['s: { Enabled: true }', 'condition: s'],
])

/** Deeper than SQLite's deepest tree if each value were a level, and just below the length that ClickHouse takes by default. */
export const longRules = compile([
  [`s: { Image: [${Array.from({ length: 2_500 }, (_, at) => `v${at}.exe`).join(', ')}] }`, 'condition: s'],
  [`s: { Image|contains: [${Array.from({ length: 2_500 }, (_, at) => `SHA256=${String(at).padStart(64, '0')}`).join(', ')}] }`, 'condition: s'],
])

/** The shared files that `readSharedRules` needs. */
export const sharedFiles = [sigmaRulesFile, 'regression-dev.ndjson.gz', 'events-other-dev.ndjson.gz']

let shared: RulesAndEvents | undefined

/** Rules of SigmaHQ that have an event, one in thirty of the others, and those events with one in a hundred of other recordings. */
export function readSharedRules(): RulesAndEvents {
  if (shared !== undefined) return shared
  const regression = readSharedLines('regression-dev.ndjson.gz') as { readonly _sigma: { readonly rule_id: string } }[]
  const ids = new Set(regression.map((event) => event._sigma.rule_id))
  const others = readSharedLines('events-other-dev.ndjson.gz').filter((_, at) => at % 100 === 0)
  const rules = sigmaRules(activeFolders).filter(({ text }, at) => at % 30 === 0 || ids.has(/^id: (.*)$/m.exec(text)?.[1] ?? ''))
  shared = {
    predicates: compileRules(rules).ruleSet.rules.map(({ predicate }) => predicate),
    events: [...regression, ...others].map(flattenEvent),
  }
  return shared
}
