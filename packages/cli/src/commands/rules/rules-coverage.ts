import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { Engine } from '@tripline/engine'
import type { Match, RuleHealth, RuleSet } from '@tripline/engine'
import { computeCoverage, navigatorLayers, toNavigatorLayer } from '@tripline/rule-tools'
import type { CoverageRule, NavigatorLayerKind } from '@tripline/rule-tools'
import { defineCommand } from '../../framework/command.ts'
import { engineOptions, inputOptions, ruleOperands, ruleOptions } from '../../framework/shared-options.ts'
import { writeText } from '../../framework/write-text.ts'
import { openInputs } from '../../input/open-inputs.ts'
import { limits } from '../../limits.ts'
import { runEngine } from '../../matching/run-engine.ts'
import { printCoverage } from '../../output/print-coverage.ts'
import { loadRunnableRules } from '../../rules/load-rules.ts'

/** Shows what rules cover of ATT&CK on these events. */
export const rulesCoverageCommand = defineCommand({
  name: 'rules coverage',
  summary: 'Shows which ATT&CK techniques your rules cover on your events.',
  operands: ruleOperands,
  options: {
    ...inputOptions,
    layer: {
      kind: 'choice', choices: Object.keys(navigatorLayers) as NavigatorLayerKind[],
      help: 'Prints a layer for the ATT&CK Navigator: rules (that work), hits (their matches), gaps (techniques without one, and why).',
    },
    json: { kind: 'flag', help: 'Prints one JSON object: {"techniques","tactics","totals"}.' },
    ...engineOptions,
    ...ruleOptions,
  },
  notes: [
    'A rule covers its techniques if events of its log source are in the input and have the fields that it needs. A rule of a '
      + 'sub-technique counts for its technique, too.',
    'Exit codes: 0 done; 2 wrong arguments; 65 no rule compiled, or no event; 66 a path cannot be read.',
  ],
  async run({ options, operands }, context) {
    const input = await openInputs(options, context)
    try {
      const { ruleSet } = loadRunnableRules({ ...options, paths: operands }, context)
      const { taxonomy, lenient, layer, json: isJson } = options
      const engine = new Engine(ruleSet, { taxonomy, lenient, correlation: { allowedLatenessMs: limits.healthLatenessMs } })
      const counts = new Map<string, number>()
      const count = (matches: readonly Match[]): void => {
        for (const { rule: { id } } of matches) counts.set(id, (counts.get(id) ?? 0) + 1)
      }
      await runEngine(engine, input, context, count)
      count(engine.finish())
      if (engine.counts.events === 0) throw new ExitError(exitCodes.noData, `no event in '${input.name}'`)
      const coverage = computeCoverage(listCoverageRules(ruleSet, engine.ruleHealth(), counts))
      const body = layer === undefined ? coverage : toNavigatorLayer(coverage, layer)
      await writeText(context.stdout, isJson || layer !== undefined ? `${JSON.stringify(body)}\n` : printCoverage(coverage))
      return exitCodes.ok
    } finally {
      input.close()
    }
  },
})

/** Rules as coverage sees them; a correlation works if all rules that it names do. */
function listCoverageRules(ruleSet: RuleSet, health: readonly RuleHealth[], counts: ReadonlyMap<string, number>): CoverageRule[] {
  const states = new Map<string, Pick<CoverageRule, 'hasData' | 'isHealthy'>>()
  for (const { id, state } of health) states.set(id, { hasData: state !== 'never_routed', isHealthy: state !== 'field_never_seen' })
  const rules = ruleSet.rules.map(({ id, tags }): CoverageRule => {
    return { tags, isEnabled: true, ...states.get(id)!, matchCount: counts.get(id) ?? 0 }
  })
  const correlations = ruleSet.correlations.map(({ id, rule, members }): CoverageRule => {
    // Members that are correlations themselves come after the rules that feed them.
    const named = members.map(({ ruleId }) => states.get(ruleId) ?? { hasData: true, isHealthy: true })
    const state = { hasData: named.every(({ hasData }) => hasData), isHealthy: named.every(({ isHealthy }) => isHealthy) }
    states.set(id, state)
    return { tags: rule.tags, isEnabled: true, ...state, matchCount: counts.get(id) ?? 0 }
  })
  return [...rules, ...correlations]
}
