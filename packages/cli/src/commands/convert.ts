import { exitCodes } from '@tripline/common/exit-error'
import { convertPredicate, queryTargets } from '@tripline/query'
import type { QueryTarget } from '@tripline/query'
import { usageError } from '../framework/command-error.ts'
import { defineCommand } from '../framework/command.ts'
import { escapeControl } from '../framework/escape-control.ts'
import { ruleOperands, ruleOptions } from '../framework/shared-options.ts'
import { writeText } from '../framework/write-text.ts'
import { loadRunnableRules } from '../rules/load-rules.ts'

const targets = Object.keys(queryTargets) as QueryTarget[]
/** What users of these products call their language. */
const otherNames: { readonly [name: string]: QueryTarget } = {
  postgres: 'postgresql', splunk: 'spl', kusto: 'kql', sentinel: 'kql', elasticsearch: 'lucene', opensearch: 'lucene',
}
const comments: { readonly [T in QueryTarget]: string } = {
  sqlite: '--', postgresql: '--', clickhouse: '--', duckdb: '--', lucene: '#', esql: '//', spl: '#', kql: '//',
}

/** What ClickHouse takes by its own default of max_query_size, which a query cannot raise for itself. */
const clickhouseBytesMax = 262_144

/** Converts rules to queries of other systems. */
export const convertCommand = defineCommand({
  name: 'convert',
  summary: 'Converts rules to queries: SQL, Lucene, ES|QL, Splunk or KQL.',
  operands: ruleOperands,
  options: {
    language: {
      kind: 'choice', value: '<language>', choices: [...targets, ...Object.keys(otherNames)],
      otherNames: ['--target', '-t', '--to', '--backend', '-b'],
      help: `The language: ${targets.join(', ')}, or what it is called by: ${Object.keys(otherNames).join(', ')}. Required.`,
    },
    table: { kind: 'text', value: '<name>', default: 'events', help: 'The table or index that the query reads.' },
    json: {
      kind: 'flag',
      help: 'Prints one JSON object per rule: {"rule_id","title","level","query"}, or "unsaid" for what cannot be stated.',
    },
    ...ruleOptions,
  },
  notes: [
    'A query finds the same events as the rule, where events are stored as the language expects: '
      + `${targets.map((target) => queryTargets[target]).join('; ')}. A rule of which the language cannot state a part is not `
      + 'converted: stderr says which part. Log sources are not part of the query: a pipeline (-p) adds them as conditions and renames '
      + 'fields. Correlations are not converted.',
    'Exit codes: 0 all rules converted; 1 some cannot be; 2 wrong arguments; 65 no rule compiled; 66 a path cannot be read.',
  ],
  async run({ options, operands }, context) {
    const { language: name, table, json: isJson } = options
    if (name === undefined) {
      throw usageError(`option '--language <language>' is missing for 'tripline convert'; it takes one of ${targets.join(', ')}`)
    }
    const language = otherNames[name] ?? name as QueryTarget
    const { ruleSet } = loadRunnableRules({ ...options, paths: operands }, context)
    let refusedCount = ruleSet.correlations.length
    for (const { title } of ruleSet.correlations) context.stderr.write(`tripline: ${escapeControl(title)}: a correlation is no query\n`)
    for (const { id, title, level, predicate } of ruleSet.rules) {
      const converted = convertPredicate(predicate, language, table)
      if ('unsaid' in converted) {
        refusedCount++
        const reason = `${language} cannot state ${escapeControl(converted.unsaid)}`
        context.stderr.write(`tripline: ${escapeControl(title)} is not converted: ${reason}\n`)
      }
      const byteCount = 'query' in converted && language === 'clickhouse' ? Buffer.byteLength(converted.query) : 0
      if (byteCount > clickhouseBytesMax) {
        const advice = `ClickHouse takes ${clickhouseBytesMax} unless the profile or the client has a larger max_query_size`
        context.stderr.write(`tripline: ${escapeControl(title)} is converted to ${byteCount} bytes: ${advice}\n`)
      }
      if (isJson) await writeText(context.stdout, `${JSON.stringify({ rule_id: id, title, level: level ?? null, ...converted })}\n`)
      else if ('query' in converted) {
        await writeText(context.stdout, `${comments[language]} ${escapeControl(title)} (${id})\n${converted.query}\n`)
      }
    }
    return refusedCount === 0 ? exitCodes.ok : exitCodes.found
  },
})
