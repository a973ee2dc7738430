import type { PackageLayers } from './find-layer-violations.ts'

/** The rows of the engine: from rules and events down to values, each poorer than the one before. */
export const engineLayers: PackageLayers = {
  isPure: true,
  rooms: {
    'index.ts': {
      uses: [
        'costs/budget.ts', 'check-options.ts', 'compile-rules.ts', 'compiled-rule.ts', 'engine.ts', 'engine-options.ts',
        'explain-correlation.ts', 'finish-steps.ts', 'match.ts',
        'costs/rule-costs.ts', 'apply-filters.ts', 'costs/rule-health.ts', 'rule-set.ts', 'stream-state.ts', 'suppressor.ts',
        'correlation', 'sigma', 'snapshot', 'predicate', 'event', 'diagnostics.ts', 'compile/rule-transform.ts', 'compile/work-budget.ts',
        'prepare-rules.ts', 'step-work.ts',
        'limits.ts', 'rule-id.ts', 'saved', 'predicate/matchers/re2.ts', 'parts',
      ],
      packages: ['@tripline/common/parse-json'],
    },
    // Compiled rules that were saved, for programs without YAML.
    'run-api.ts': { uses: ['engine.ts', 'engine-options.ts', 'match.ts', 'rule-set.ts', 'saved', 'event'] },
    // What tools for authors need of rules as they are written, and of the names of the taxonomy.
    'authoring-api.ts': { uses: ['rule-id.ts', 'event', 'sigma', 'sigma/modifiers.ts', 'taxonomy', 'diagnostics.ts'] },
    // The second list: what searches and stores need of predicates, without rules.
    'predicate-api.ts': { uses: ['edit-distance.ts', 'predicate', 'predicate/matchers/re2.ts', 'taxonomy', 'event'] },
    // What a store of events needs of the engine: no rules, and nothing that changes while events pass.
    'evaluate.ts': {
      uses: ['candidates', 'taxonomy', 'predicate', 'predicate/matchers/re2.ts', 'event'], packages: ['@tripline/common/parse-json'],
    },
    'engine.ts': {
      uses: [
        'check-options.ts', 'costs/budget.ts', 'engine-options.ts', 'finish-steps.ts', 'match.ts', 'costs/rule-costs.ts',
        'costs/rule-health.ts', 'rule-set.ts', 'stream-state.ts', 'correlation', 'run', 'taxonomy', 'event', 'limits.ts',
      ],
      packages: ['@tripline/common/decode-utf8'],
    },
    'explain-correlation.ts': { uses: ['engine.ts', 'match.ts', 'rule-set.ts', 'correlation', 'event'] },
    'stream-state.ts': { uses: ['rule-set.ts', 'suppressor.ts', 'correlation', 'snapshot', 'taxonomy', 'event'] },
    'suppressor.ts': { uses: ['correlation', 'event', 'limits.ts'] },
    'costs/budget.ts': { uses: ['compiled-rule.ts', 'rule-set.ts', 'run'] },
    'engine-options.ts': { uses: ['costs/budget.ts', 'check-options.ts', 'event', 'match.ts', 'stream-state.ts'] },
    'check-options.ts': { uses: ['diagnostics.ts'] },
    'costs/rule-costs.ts': { uses: ['compiled-rule.ts', 'rule-set.ts', 'plan', 'run', 'step-work.ts', 'limits.ts'] },
    'prepare-rules.ts': { uses: ['costs/rule-costs.ts', 'rule-set.ts', 'run', 'step-work.ts'] },
    'costs/rule-health.ts': { uses: ['compiled-rule.ts', 'rule-set.ts', 'run', 'predicate'] },
    'match.ts': { uses: ['check-options.ts', 'compiled-rule.ts', 'correlation', 'taxonomy', 'predicate', 'event'] },
    'compile-rules.ts': {
      uses: [
        'check-options.ts', 'compile/compile-correlations.ts', 'compiled-rule.ts', 'compile/filter-drafts.ts', 'rule-id.ts',
        'compile/lazy-rule.ts', 'compile/rule-identities.ts', 'compile/rule-transform.ts', 'rule-set.ts', 'parts', 'sigma',
        'sigma/yaml-document.ts', 'sigma/lower.ts', 'sigma/placeholders.ts', 'sigma/shared-value-tests.ts', 'predicate', 'event',
        'diagnostics.ts', 'hash.ts', 'compile/work-budget.ts',
      ],
    },
    'compiled-rule.ts': { uses: ['rule-set.ts', 'sigma', 'predicate', 'event'] },
    // The parts that a program may lack: importing one of these provides it.
    'parts': { uses: ['stream-state.ts', 'correlation', 'kernel'] },
    // Rule sets as bytes.
    'saved': {
      uses: [
        'apply-filters.ts', 'check-options.ts', 'compiled-rule.ts', 'rule-set.ts', 'parts', 'correlation',
        'snapshot', 'sigma', 'predicate', 'predicate/matchers/re2.ts', 'predicate/matchers/regex.ts', 'event',
      ],
      packages: ['@tripline/common/decode-utf8'],
    },
    'compile/compile-correlations.ts': {
      uses: ['rule-id.ts', 'compile/rule-transform.ts', 'correlation', 'event', 'sigma', 'diagnostics.ts', 'hash.ts'],
    },
    'compile/filter-drafts.ts': { uses: ['apply-filters.ts', 'compiled-rule.ts', 'rule-id.ts', 'sigma', 'event', 'diagnostics.ts'] },
    'apply-filters.ts': { uses: ['predicate', 'event'] },
    'compile/lazy-rule.ts': { uses: ['compiled-rule.ts', 'sigma', 'sigma/yaml-document.ts', 'diagnostics.ts'] },
    'compile/rule-transform.ts': { uses: ['event', 'sigma'] },
    'compile/rule-identities.ts': { uses: ['rule-id.ts', 'sigma/yaml-document.ts', 'diagnostics.ts'] },
    'rule-id.ts': { uses: ['sigma/yaml-document.ts', 'hash.ts'] },
    'rule-set.ts': { uses: ['apply-filters.ts', 'compiled-rule.ts', 'correlation', 'plan', 'sigma', 'predicate', 'event', 'step-work.ts'] },

    // What an engine knows of its stream, as bytes.
    'snapshot': { uses: ['correlation', 'finish-steps.ts'] },

    // Rules over matches of other rules, in the time of events: knows rules and values, not predicates.
    'correlation': { uses: ['sigma', 'taxonomy', 'event', 'hash.ts', 'limits.ts'] },

    // How a plan meets events, and what was learned of them: the one room that changes while events pass.
    'run': {
      uses: ['plan', 'candidates', 'kernel', 'taxonomy', 'predicate', 'event', 'limits.ts', 'step-work.ts'],
      packages: ['@tripline/common/decode-utf8', '@tripline/common/parse-json'],
    },
    // Rules as formulas over atoms, and how values find their atoms: knows predicates, not rules.
    'plan': { uses: ['candidates', 'predicate', 'event', 'finish-steps.ts', 'step-work.ts'] },
    // What can be looked for in values, and how it is found.
    'candidates': { uses: ['predicate', 'predicate/regex', 'event'] },

    // A memory for raw bytes in WebAssembly: knows neither rules nor predicates, its host tells it what matters.
    'kernel': { uses: ['limits.ts', 'step-work.ts'] },

    // Rules as they are written: nothing here knows predicates.
    'sigma': { uses: ['rule-id.ts', 'sigma/yaml-document.ts', 'sigma/array-path.ts', 'event', 'diagnostics.ts', 'limits.ts'] },
    'sigma/yaml-document.ts': { uses: ['sigma/yaml-problem.ts', 'diagnostics.ts', 'limits.ts'], packages: ['js-yaml'] },
    'sigma/yaml-problem.ts': { uses: [] },

    // From rules to predicates, the only files that know both: values, what modifiers make of them, the rest.
    // An array path only borrows the word for which elements are meant.
    'sigma/array-path.ts': { uses: ['predicate'] },
    'sigma/draft-value.ts': { uses: ['predicate'] },
    'sigma/placeholders.ts': { uses: ['sigma/draft-value.ts', 'predicate'] },
    'sigma/shared-value-tests.ts': { uses: ['sigma', 'predicate'] },
    'sigma/windash.ts': { uses: ['sigma/draft-value.ts'] },
    'sigma/modifiers.ts': {
      uses: [
        'sigma', 'sigma/draft-value.ts', 'sigma/placeholders.ts', 'sigma/windash.ts',
        'predicate', 'predicate/matchers/re2.ts', 'diagnostics.ts', 'limits.ts',
      ],
    },
    'sigma/lint-item.ts': { uses: ['sigma', 'sigma/yaml-document.ts', 'sigma/modifiers.ts', 'diagnostics.ts'] },
    'sigma/modify-item.ts': {
      uses: [
        'sigma', 'sigma/yaml-document.ts', 'sigma/draft-value.ts', 'sigma/lint-item.ts', 'sigma/modifiers.ts',
        'sigma/placeholders.ts', 'predicate', 'diagnostics.ts', 'compile/work-budget.ts', 'limits.ts',
      ],
    },
    'sigma/lower.ts': {
      uses: [
        'sigma', 'sigma/draft-value.ts', 'sigma/lint-item.ts', 'sigma/modify-item.ts', 'sigma/shared-value-tests.ts',
        'predicate', 'event', 'diagnostics.ts', 'compile/work-budget.ts', 'limits.ts',
      ],
    },

    // The middle, which knows neither rules nor searches, and events.
    'predicate': { uses: ['predicate/matchers/regex.ts', 'event', 'limits.ts'] },
    'predicate/matchers/regex.ts': { uses: ['predicate', 'predicate/regex'] },
    'predicate/matchers/re2.ts': { uses: ['predicate', 'predicate/matchers/regex.ts', 'limits.ts'], packages: ['re2js'] },
    // An automaton for the common regular expressions: knows nothing of tests but their flags.
    'predicate/regex': { uses: ['predicate', 'limits.ts'] },
    'taxonomy': { uses: ['event', 'limits.ts'] },
    'event': { uses: ['limits.ts'], packages: ['@tripline/common/decode-utf8', '@tripline/common/parse-json'] },

    // The work of compiling, counted before it is done.
    'compile/work-budget.ts': { uses: ['predicate'] },

    // Leaves; a diagnostic only names the type of a logsource.
    'diagnostics.ts': { uses: ['edit-distance.ts', 'event', 'limits.ts'] },
    'edit-distance.ts': { uses: [] },
    // Work divided into steps.
    'step-work.ts': { uses: ['finish-steps.ts'] },
    'finish-steps.ts': { uses: [] },
    'hash.ts': { uses: [] },
    'limits.ts': { uses: [] },
  },
}
