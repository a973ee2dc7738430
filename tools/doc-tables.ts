import { limits as cliLimits } from '../packages/cli/src/limits.ts'
import { limits as contractLimits } from '../packages/contract/src/limits.ts'
import { limits as detectionLimits } from '../packages/detection/src/limits.ts'
import { diagnosticCodes } from '../packages/engine/src/diagnostics.ts'
import { limits as engineLimits } from '../packages/engine/src/limits.ts'
import { limits as sourcesLimits } from '../packages/sources/src/limits.ts'
import { limits as formatsLimits } from '../packages/formats/src/limits.ts'
import { limits as poolLimits } from '../packages/pool/src/limits.ts'
import { limits as queryLimits } from '../packages/query/src/limits.ts'
import { queryErrorCodes } from '../packages/query/src/query-error.ts'
import { lintChecks } from '../packages/rule-tools/src/checks/lint-checks.ts'
import { limits as ruleToolsLimits } from '../packages/rule-tools/src/limits.ts'
import { limits as serverLimits } from '../packages/server/src/limits.ts'
import { printDefault, settingNames, settings, toFileKey, toFlag, toVariable } from '../packages/server/src/config/settings.ts'
import type { SettingName } from '../packages/server/src/config/settings.ts'
import { limits as stateLimits } from '../packages/state/src/limits.ts'
import { limits as storageLimits } from '../packages/storage/src/limits.ts'
import { listFiles, readText } from './workspace.ts'

/**
 * The tables of the documents that have their source in code, by name. A document asks for one with the
 * two lines `<!-- table: engine-limits -->` and `<!-- /table -->`; what stands between them is ours.
 */
export const docTables: { readonly [name: string]: () => string } = {
  'engine-limits': () => printLimitsTable(engineLimits, 'packages/engine/src/limits.ts'),
  'cli-limits': () => printLimitsTable(cliLimits, 'packages/cli/src/limits.ts'),
  'pool-limits': () => printLimitsTable(poolLimits, 'packages/pool/src/limits.ts'),
  'query-limits': () => printLimitsTable(queryLimits, 'packages/query/src/limits.ts'),
  'rule-tools-limits': () => printLimitsTable(ruleToolsLimits, 'packages/rule-tools/src/limits.ts'),
  'contract-limits': () => printLimitsTable(contractLimits, 'packages/contract/src/limits.ts'),
  'formats-limits': () => printLimitsTable(formatsLimits, 'packages/formats/src/limits.ts'),
  'sources-limits': () => printLimitsTable(sourcesLimits, 'packages/sources/src/limits.ts'),
  'state-limits': () => printLimitsTable(withoutTaken(stateLimits, [contractLimits]), 'packages/state/src/limits.ts'),
  'detection-limits': () => printLimitsTable(
    withoutTaken(detectionLimits, [contractLimits, storageLimits]), 'packages/detection/src/limits.ts'),
  'storage-limits': () => printLimitsTable(storageLimits, 'packages/storage/src/limits.ts'),
  'server-limits': () => printLimitsTable(
    withoutTaken(serverLimits, [
      contractLimits, detectionLimits, formatsLimits, stateLimits, storageLimits, { connector: sourcesLimits.polling },
    ]),
    'packages/sources/src/limits.ts', ...listFiles('packages/server/src/**/limits.ts')),
  'settings': printSettingsTable,
  'diagnostics': () => printCodesTable(diagnosticCodes),
  'query-errors': () => printCodesTable(queryErrorCodes),
  'lint-checks': () => printMarkdownTable(['code', 'family', 'level', 'fix', 'what it reports'],
    lintChecks.map(({ code, family, level, fix, text }) => [`\`${code}\``, family, level, fix ?? '', text])),
}

/** Writes every table of a document anew; a name that no table has is an error. */
export function fillTables(path: string, text: string): string {
  const places = /(<!-- table: (\S+) -->\n)[^]*?(<!-- \/table -->)/g
  return text.replaceAll(places, (_, begin: string, name: string, end: string) => {
    const table = docTables[name]
    if (table === undefined) throw new Error(`${path} asks for the table '${name}', which does not exist`)
    return `${begin}\n${table()}\n${end}`
  })
}

function printSettingsTable(): string {
  return printMarkdownTable(['option', 'type', 'default', 'bound', 'what it does'], settingNames.map((name) => {
    const { argument, bound = '', description } = settings[name]
    const value = printDefault(name)
    return [printOption(name), argument, value === '' ? '' : `\`${value}\``, bound, description]
  })) + '\n' + printMarkdownTable(['option', 'variable', 'key of the file'], settingNames.map((name) => {
    return [printOption(name), `\`${toVariable(name)}\``, `\`${toFileKey(name)}\``]
  }))
}

/** How the command line takes a setting. */
function printOption(name: SettingName): string {
  return settings[name].isOperand === true ? `operands \`<${settings[name].argument}>...\`` : `\`${toFlag(name)}\``
}

function printCodesTable(codes: { readonly [code: string]: string }): string {
  return printMarkdownTable(['code', 'meaning'], Object.entries(codes).map(([code, meaning]) => [`\`${code}\``, meaning]))
}

/** A number, or a group of them. */
type Limits = { readonly [name: string]: number | { readonly [name: string]: number } }

/** The limits of a table that no other table states. */
function withoutTaken(limits: Limits, tables: readonly Limits[]): Limits {
  const isTaken = (group: string, name: string): boolean => tables.some((table) => typeof table[group] === 'object' && name in table[group])
  return Object.fromEntries(Object.entries(limits).map(([group, limit]) => [
    group,
    typeof limit === 'number' ? limit : Object.fromEntries(Object.entries(limit).filter(([name]) => !isTaken(group, name))),
  ]))
}

/** Values come from the code itself, reasons from the comments of its sources. */
function printLimitsTable(limits: Limits, ...paths: readonly string[]): string {
  const reasons = new Map(paths.flatMap((path) => [...readReasons(readText(path))]))
  const rows = Object.entries(limits).flatMap(([name, limit]) =>
    typeof limit === 'number'
      ? [[name, limit] as const]
      : Object.entries(limit).map(([inner, value]) => [`${name}.${inner}`, value] as const))
  return printMarkdownTable(['limit', 'value', 'what it bounds, and why'], rows.map(([name, value]) => {
    const reason = reasons.get(name)
    if (reason === undefined) throw new Error(`${paths.join(', ')}: the limit ${name} has no comment that says why`)
    return [`\`${name}\``, value.toLocaleString('en-US'), reason]
  }))
}

/** The comment above each limit, by its dotted name; one without a comment shares that of the limit before it. */
function readReasons(source: string): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>()
  let group = ''
  let reason: string | undefined
  const parts = /\/\*\*(?<comment>[^]*?)\*\/|(?<name>\w+): (?<opens>\{)?|^ {2}(?<closes>\})/gm
  for (const { groups } of source.matchAll(parts)) {
    const { comment, name, opens, closes } = groups ?? {}
    if (comment !== undefined) reason = comment.replaceAll(/\s*\n\s*\*\s*/g, ' ').trim()
    else if (opens !== undefined || closes !== undefined) {
      group = opens === undefined ? '' : `${name}.`
      reason = undefined
    } else if (name !== undefined && reason !== undefined) reasons.set(group + name, reason)
  }
  return reasons
}

function printMarkdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const escaped = rows.map((cells) => cells.map((cell) => cell.replaceAll('|', String.raw`\|`)))
  return [heads, heads.map(() => '---'), ...escaped].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}
