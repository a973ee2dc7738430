import type { Level } from '@tripline/engine'
import { toSarifUri } from '../print-sarif.ts'
import { listTechniques, printTime } from './describe-match.ts'
import type { DescribedMatch } from './describe-match.ts'
import type { MatchReport } from './match-report.ts'

const sarifLevels: { readonly [L in Level]: 'error' | 'warning' | 'note' } = {
  critical: 'error', high: 'error', medium: 'warning', low: 'note', informational: 'note',
}

/** Prints matches as a SARIF 2.1.0 log with one run: each rule that matched, and each match as a result with its place. */
export function printMatchesSarif({ matches, totals }: MatchReport): string {
  const rules = totals.rules.map(({ rule }) => rule)
  const indexes = new Map(rules.map(({ id }, index) => [id, index]))
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{
      tool: { driver: { name: 'tripline detect', rules: rules.map(toSarifRule) } },
      results: matches.map((match) => toSarifResult(match, indexes.get(match.rule.id) ?? -1)),
    }],
  }
  return `${JSON.stringify(log, undefined, 1)}\n`
}

function toSarifRule(rule: DescribedMatch['rule']): object {
  return {
    id: rule.id,
    name: rule.title,
    shortDescription: { text: rule.title },
    ...(rule.description !== undefined && { fullDescription: { text: rule.description } }),
    ...(rule.references.length > 0 && { helpUri: rule.references[0] }),
    defaultConfiguration: { level: toSarifLevel(rule.level) },
    properties: { tags: rule.tags, path: rule.path },
  }
}

function toSarifResult(match: DescribedMatch, ruleIndex: number): object {
  const { rule, place, at, host, user, conditions } = match
  const about = [host, user].filter((text) => text !== '').join(', ')
  return {
    ruleId: rule.id, ruleIndex, level: toSarifLevel(rule.level),
    message: { text: `${rule.title}${about === '' ? '' : ` (${about})`}: ${conditions.join('; ')}` },
    // Lines of SARIF count from 1.
    locations: place === undefined ? [] : [{
      physicalLocation: { artifactLocation: { uri: toSarifUri(place.path ?? '-') }, region: { startLine: place.line } },
    }],
    properties: { time: printTime(at), host, user, attack: listTechniques(rule) },
  }
}

function toSarifLevel(level: Level | undefined): string {
  return level === undefined ? 'none' : sarifLevels[level]
}
