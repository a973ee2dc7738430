import type { LayerTable } from './find-layer-violations.ts'

/** Predicates and events without rules: all that searches need of the engine. */
const predicatePackage = '@tripline/engine/predicate'

/**
 * Who may import whom. An arrow that is not here does not exist; a file or folder that no row names is
 * refused, so a new room begins with its row. The reasons are in docs/decisions/0005-import-direction.md.
 */
export const layerTable: LayerTable = {
  'packages/engine': {
    isPure: true,
    rooms: {
      'index.ts': {
        uses: [
          'budget.ts', 'compile-rules.ts', 'engine.ts', 'explain-correlation.ts', 'lint', 'match.ts', 'quarantine.ts',
          'rule-costs.ts', 'apply-filters.ts', 'rule-health.ts', 'rule-set.ts', 'rule-tests', 'stream-state.ts', 'suppressor.ts',
          'correlation', 'sigma', 'snapshot', 'predicate', 'event', 'format-diagnostics.ts', 'diagnostics.ts', 'work-budget.ts',
          'limits.ts',
        ],
      },
      // Tests that stand beside rules: reads their texts, runs them through engines.
      'rule-tests': {
        uses: [
          'engine.ts', 'explain-correlation.ts', 'compile-rules.ts', 'match.ts', 'rule-set.ts', 'rule-id.ts', 'correlation',
          'sigma', 'sigma/yaml-document.ts', 'taxonomy', 'event', 'diagnostics.ts', 'limits.ts',
        ],
      },
      // The second list: what searches and stores need of predicates, without rules.
      'predicate-api.ts': { uses: ['predicate', 'taxonomy', 'event'] },
      // What a store of events needs of the engine: no rules, and nothing that changes while events pass.
      'evaluate.ts': { uses: ['candidates', 'taxonomy', 'predicate', 'event'] },
      'engine.ts': {
        uses: [
          'budget.ts', 'match.ts', 'quarantine.ts', 'rule-costs.ts', 'rule-health.ts', 'rule-set.ts', 'stream-state.ts',
          'correlation', 'run', 'taxonomy', 'event', 'limits.ts',
        ],
      },
      'explain-correlation.ts': { uses: ['engine.ts', 'match.ts', 'rule-set.ts', 'correlation', 'event'] },
      'stream-state.ts': { uses: ['rule-set.ts', 'suppressor.ts', 'correlation', 'snapshot', 'taxonomy', 'event'] },
      'suppressor.ts': { uses: ['correlation', 'event', 'limits.ts'] },
      'budget.ts': { uses: ['quarantine.ts', 'rule-set.ts', 'run'] },
      'quarantine.ts': { uses: ['rule-set.ts'] },
      'rule-costs.ts': { uses: ['rule-set.ts', 'plan', 'run', 'limits.ts'] },
      'rule-health.ts': { uses: ['rule-set.ts', 'run', 'predicate'] },
      'match.ts': { uses: ['rule-set.ts', 'correlation', 'taxonomy', 'predicate', 'event'] },
      'compile-rules.ts': {
        uses: [
          'compile-correlations.ts', 'apply-filters.ts', 'rule-id.ts', 'rule-set.ts', 'lazy-rule.ts', 'sigma',
          'sigma/yaml-document.ts', 'sigma/lower.ts', 'sigma/placeholders.ts', 'sigma/shared-value-tests.ts', 'predicate', 'event',
          'diagnostics.ts', 'hash.ts', 'work-budget.ts',
        ],
      },
      // What rules probably got wrong: reads them as they are written, and compiles them to compare what they mean.
      'lint': {
        uses: ['compile-rules.ts', 'sigma', 'sigma/yaml-document.ts', 'taxonomy', 'predicate', 'event', 'diagnostics.ts', 'limits.ts'],
      },
      'lazy-rule.ts': { uses: ['rule-set.ts', 'sigma', 'sigma/yaml-document.ts', 'predicate', 'event', 'diagnostics.ts'] },
      'compile-correlations.ts': { uses: ['correlation', 'sigma', 'diagnostics.ts', 'hash.ts'] },
      'apply-filters.ts': { uses: ['predicate', 'event'] },
      'rule-id.ts': { uses: ['sigma/yaml-document.ts', 'hash.ts'] },
      'rule-set.ts': { uses: ['apply-filters.ts', 'correlation', 'plan', 'sigma', 'predicate', 'event'] },

      // What an engine knows of its stream, as bytes.
      'snapshot': { uses: ['correlation'] },

      // Rules over matches of other rules, in the time of events: knows rules and values, not predicates.
      'correlation': { uses: ['sigma', 'taxonomy', 'event', 'hash.ts', 'limits.ts'] },

      // How a plan meets events, and what was learned of them: the one room that changes while events pass.
      'run': { uses: ['plan', 'candidates', 'kernel', 'taxonomy', 'predicate', 'event', 'limits.ts'] },
      // Rules as formulas over atoms, and how values find their atoms: knows predicates, not rules.
      'plan': { uses: ['candidates', 'predicate', 'event'] },
      // What can be looked for in values, and how it is found.
      'candidates': { uses: ['predicate', 'predicate/regex', 'event'] },

      // A memory for raw bytes in WebAssembly: knows neither rules nor predicates, its host tells it what matters.
      'kernel': { uses: ['limits.ts'] },

      // Rules as they are written: nothing here knows predicates.
      'sigma': { uses: ['sigma/yaml-document.ts', 'sigma/array-path.ts', 'event', 'diagnostics.ts', 'limits.ts'] },
      'sigma/yaml-document.ts': { uses: ['diagnostics.ts', 'limits.ts'], packages: ['js-yaml'] },

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
          'predicate', 'predicate/matchers/regex.ts', 'diagnostics.ts', 'limits.ts',
        ],
      },
      'sigma/lint-item.ts': { uses: ['sigma', 'sigma/yaml-document.ts', 'sigma/modifiers.ts', 'diagnostics.ts'] },
      'sigma/modify-item.ts': {
        uses: [
          'sigma', 'sigma/yaml-document.ts', 'sigma/draft-value.ts', 'sigma/lint-item.ts', 'sigma/modifiers.ts',
          'sigma/placeholders.ts', 'predicate', 'diagnostics.ts', 'work-budget.ts', 'limits.ts',
        ],
      },
      'sigma/lower.ts': {
        uses: [
          'sigma', 'sigma/draft-value.ts', 'sigma/lint-item.ts', 'sigma/modify-item.ts', 'sigma/shared-value-tests.ts',
          'predicate', 'event', 'diagnostics.ts', 'work-budget.ts', 'limits.ts',
        ],
      },

      // The middle, which knows neither rules nor searches, and events.
      'predicate': { uses: ['predicate/matchers/regex.ts', 'event', 'limits.ts'] },
      'predicate/matchers/regex.ts': {
        uses: ['predicate', 'predicate/matchers/re2.ts', 'predicate/regex', 'limits.ts'], packages: ['re2js'],
      },
      'predicate/matchers/re2.ts': { uses: ['predicate'], packages: ['re2js'] },
      // An automaton for the common regular expressions: knows nothing of tests but their flags.
      'predicate/regex': { uses: ['predicate', 'limits.ts'] },
      'taxonomy': { uses: ['event', 'limits.ts'] },
      'event': { uses: ['limits.ts'] },

      // The work of compiling, counted before it is done.
      'work-budget.ts': { uses: ['predicate'] },

      // Leaves; a diagnostic only names the type of a logsource.
      'format-diagnostics.ts': { uses: ['diagnostics.ts'] },
      'diagnostics.ts': { uses: ['event', 'limits.ts'] },
      'hash.ts': { uses: [] },
      'limits.ts': { uses: [] },
    },
  },

  'packages/query': {
    isPure: true,
    rooms: {
      'index.ts': {
        uses: [
          'ast.ts', 'compile.ts', 'complete.ts', 'draft-rule.ts', 'field-names.ts', 'format-query-error.ts', 'limits.ts',
          'lower.ts', 'parse.ts', 'predicate-to-query.ts', 'print.ts', 'query-error.ts', 'translation.ts',
        ],
      },
      'sql-index.ts': { uses: ['sql'] },

      // What is made of a query: a predicate, closures, suggestions.
      'compile.ts': { uses: ['ast.ts', 'lower.ts', 'parse.ts', 'print.ts'], packages: [predicatePackage] },
      'lower.ts': { uses: ['ast.ts', 'field-names.ts', 'print.ts', 'read-time.ts'], packages: [predicatePackage] },
      'complete.ts': {
        uses: ['field-names.ts', 'limits.ts', 'print.ts', 'query-error.ts', 'read-word.ts', 'tokenize.ts'],
        packages: [predicatePackage],
      },

      // Rules as queries and queries as rules, by way of predicates and of YAML: no file here knows the engine's rules.
      'predicate-to-query.ts': {
        uses: ['ast.ts', 'limits.ts', 'parse.ts', 'print.ts', 'query-error.ts', 'translation.ts'], packages: [predicatePackage],
      },
      'draft-rule.ts': { uses: ['ast.ts', 'field-names.ts', 'read-word.ts', 'translation.ts', 'yaml-text.ts'],
        packages: [predicatePackage] },
      'yaml-text.ts': { uses: [] },
      'translation.ts': { uses: [] },

      // Predicates as SQL, which know nothing of queries but how a word is read.
      'sql': { uses: ['limits.ts', 'read-word.ts'], packages: [predicatePackage] },

      // Text to tree and back.
      'print.ts': { uses: ['ast.ts', 'read-word.ts', 'tokenize.ts', 'syntax-tree.ts'], packages: [predicatePackage] },
      'parse.ts': {
        uses: [
          'ast.ts', 'limits.ts', 'parse-syntax.ts', 'query-error.ts', 'read-time.ts', 'read-word.ts', 'tokenize.ts',
          'syntax-tree.ts',
        ],
        packages: [predicatePackage],
      },
      'parse-syntax.ts': { uses: ['query-error.ts', 'query-parser.ts', 'tokenize.ts', 'syntax-tree.ts'] },
      'query-parser.ts': { uses: [] },
      'syntax-tree.ts': { uses: ['ast.ts', 'query-error.ts'] },
      'tokenize.ts': { uses: ['limits.ts', 'query-error.ts'] },
      'read-word.ts': { uses: [], packages: [predicatePackage] },
      'read-time.ts': { uses: [], packages: [predicatePackage] },
      'field-names.ts': { uses: [], packages: [predicatePackage] },

      // Leaves.
      'ast.ts': { uses: ['query-error.ts'], types: [predicatePackage] },
      'format-query-error.ts': { uses: ['query-error.ts'] },
      'query-error.ts': { uses: [] },
      'limits.ts': { uses: [] },
    },
  },

  'packages/pool': {
    isPure: false,
    rooms: {
      // The main thread's side and the worker's: the second knows the engine, the first only its types.
      '.': { uses: ['match-chunk.ts', 'worker.ts'], packages: ['node:worker_threads'], types: ['@tripline/engine'] },
      'worker.ts': { uses: ['.', 'match-chunk.ts'], packages: ['node:worker_threads', '@tripline/engine'] },
      'match-chunk.ts': { uses: [], packages: ['@tripline/engine'] },
    },
  },

  'packages/server': {
    isPure: false,
    rooms: {
      'admin-api.ts': { uses: ['api', 'app', 'auth', 'contract', 'domain', 'store', 'open-data-dir.ts', 'verify-data.ts'] },
      'events-api.ts': { uses: ['app', 'domain', 'events', 'store', 'file-system.ts', 'file-system-overlay.ts'] },
      'index.ts': { uses: ['server.ts', 'config.ts', 'settings.ts', 'exit-error.ts', 'runtime.ts', 'api'] },
      'main.ts': {
        uses: ['server.ts', 'code-cache.ts', 'config.ts', 'settings.ts', 'domain', 'exit-error.ts', 'runtime.ts', 'log.ts'],
      },
      'server.ts': {
        uses: [
          'api', 'app', 'auth', 'metrics', 'pipeline', 'store', 'events', 'bus', 'egress', 'domain', 'periodic-tasks.ts', 'file-system.ts',
          'settings.ts', 'exit-error.ts', 'runtime.ts', 'log.ts', 'limits.ts', 'disk-space-monitor.ts', 'read-host-stats.ts',
        ],
        packages: ['@hono/node-server', 'node:path'],
        types: ['node:net'],
      },
      'read-host-stats.ts': { uses: ['metrics'], packages: ['node:fs/promises', 'node:module'] },
      'periodic-tasks.ts': { uses: ['domain', 'log.ts'] },
      'disk-space-monitor.ts': { uses: ['api', 'file-system.ts', 'log.ts', 'limits.ts'] },

      // A data directory as commands work on it: wires what they need of the server, without one.
      'open-data-dir.ts': { uses: ['app', 'store', 'domain', 'runtime.ts'] },

      // All that a data directory holds, checked and not changed.
      'verify-data.ts': {
        uses: ['app', 'bus', 'events', 'store', 'file-system.ts', 'file-system-overlay.ts', 'runtime.ts'],
          packages: ['node:fs', 'node:path'],
      },

      // A route reads, calls what can be done, and writes; it never touches the store.
      'api': {
        uses: ['app', 'imports', 'push', 'contract', 'domain', 'runtime.ts', 'log.ts', 'limits.ts'],
        packages: [
          'hono', 'hono/cookie', 'hono/html', '@hono/node-server', 'node:crypto', 'node:http', 'zod', '@tripline/engine',
          '@tripline/query',
        ],
        types: ['hono/utils/http-status'],
      },
      'app': {
        uses: [
          'rules', 'enrichment', 'pipeline', 'metrics', 'connectors', 'egress', 'ingest', 'store', 'events', 'bus', 'push', 'auth',
          'auth/redact.ts', 'domain', 'file-system.ts', 'runtime.ts', 'log.ts', 'limits.ts',
        ],
        packages: [
          '@tripline/engine', '@tripline/engine/evaluate', '@tripline/query', 'node:timers/promises', 'node:util', 'node:worker_threads',
        ],
        types: ['@tripline/engine/predicate'],
      },
      // The rules of tenants: those that came with the server, under what each tenant has of its own. Keeps nothing itself.
      'rules': {
        uses: ['domain', 'limits.ts'],
        packages: ['node:util', 'js-yaml', '@tripline/engine', '@tripline/engine/yaml', '@tripline/engine/predicate'],
      },
      // The way from ingest to alerts, in stages on the bus.
      'pipeline': {
        uses: ['metrics', 'store', 'events', 'bus', 'domain', 'file-system.ts', 'runtime.ts', 'log.ts', 'limits.ts'],
        packages: ['@tripline/engine', '@tripline/engine/evaluate', 'node:crypto', 'node:timers/promises'],
      },
      // Files that customers bring: rows out of bytes, facts out of rows.
      'imports': {
        uses: ['contract', 'domain', 'limits.ts'],
        packages: ['csv-parse', 'node:buffer', 'node:stream', 'node:timers/promises'],
        types: ['zod'],
      },
      // What else is known of alerts: looks it up, remembers it.
      'enrichment': { uses: ['store', 'domain', 'limits.ts'] },
      // Who listens to what, and what they are sent; what it needs of the rest is handed in.
      'push': {
        uses: ['auth', 'contract', 'domain', 'runtime.ts', 'log.ts', 'limits.ts'],
        packages: ['@tripline/query', 'node:timers/promises', 'ws', 'zod'],
        types: ['@hono/node-server'],
      },
      // Who asks: keeps nothing itself; what it needs kept it states as types, and other rooms keep it.
      'auth': { uses: ['domain', 'runtime.ts', 'limits.ts'], packages: ['jose', 'node:*', 'zod'] },
      // What is counted and timed, over time; who does the work counts, and asks nothing back.
      'metrics': {
        uses: ['bus', 'store', 'domain', 'runtime.ts', 'log.ts', 'limits.ts'],
        packages: ['node:timers/promises'],
        types: ['@tripline/engine'],
      },
      // What is said may not tell secrets; anyone who speaks may use it.
      'auth/redact.ts': { uses: ['limits.ts'] },
      // The one way out: who asks anything that a tenant named asks here, and nowhere else are sockets opened to the outside.
      'egress': { uses: ['domain', 'limits.ts'], packages: ['node:*'] },
      // Sources of events that are asked or looked after by us. Settings are kept as they came over the wire.
      'connectors': {
        uses: ['contract', 'store', 'egress', 'ingest', 'domain', 'runtime.ts', 'log.ts', 'limits.ts'],
        packages: ['node:crypto', 'zod'],
        types: ['@tripline/engine'],
      },
      'ingest': { uses: ['domain', 'limits.ts'], packages: ['node:*', '@tripline/engine'] },
      'store': { uses: ['domain', 'limits.ts'], packages: ['node:*', 'kysely'], types: ['@tripline/engine'] },

      // The seam behind which events are kept and searched, and the store that is part of the server.
      'events': {
        uses: ['records', 'domain', 'file-system.ts', 'limits.ts'],
        packages: ['node:timers/promises', 'node:util', 'node:zlib', '@tripline/engine/evaluate'],
        types: ['@tripline/engine/predicate'],
      },
      // The seam between stages, and the bus that is part of the server.
      'bus': { uses: ['records', 'domain', 'file-system.ts', 'limits.ts'] },
      // What keeps records on disk for both: knows neither events nor topics.
      'records': { uses: ['file-system.ts'], packages: ['node:zlib'] },

      // Nothing of ours but the leaves: what goes over the wire, and what the words mean.
      'contract': { uses: ['limits.ts'], packages: ['zod'] },
      'domain': { uses: [], packages: ['node:crypto', 'node:net', 'node:url', '@tripline/engine', '@tripline/engine/evaluate'] },

      'code-cache.ts': { uses: [], packages: ['node:fs', 'node:module', 'node:path'] },
      'config.ts': { uses: ['settings.ts', 'domain', 'exit-error.ts', 'runtime.ts'], packages: ['node:net', 'node:path'] },
      'settings.ts': { uses: ['read-setting.ts', 'domain', 'limits.ts'] },
      'read-setting.ts': { uses: ['domain'] },
      'runtime.ts': { uses: [], packages: ['node:*'] },
      'file-system.ts': { uses: [], packages: ['node:*'] },
      'file-system-overlay.ts': { uses: ['file-system.ts'] },
      'log.ts': { uses: ['runtime.ts', 'auth/redact.ts'] },
      'exit-error.ts': { uses: [] },
      'limits.ts': { uses: [] },
    },
  },

  'packages/cli': {
    isPure: false,
    rooms: {
      // Commands and what they share; small enough for one room.
      '.': {
        uses: [],
        packages: [
          'node:*', '@tripline/engine', '@tripline/engine/yaml', '@tripline/engine/predicate', '@tripline/query', '@tripline/pool',
          '@tripline/server', '@tripline/server/admin', '@tripline/server/events', '@tripline/server/serve',
          '@tripline/server/settings',
        ],
        types: ['@tripline/server/contract'],
      },
    },
  },
}
