import type { LayerTable } from './layers.ts'

/**
 * Who may import whom. An arrow that is not here does not exist; a file or folder that no row names is
 * refused, so a new room begins with its row. The reasons are in docs/decisions/0005-import-direction-as-a-test.md.
 */
export const layerTable: LayerTable = {
  'packages/engine': {
    isPure: true,
    rooms: {
      'index.ts': {
        uses: [
          'budget.ts', 'compile-rules.ts', 'engine.ts', 'match.ts', 'quarantine.ts', 'rule-costs.ts', 'rule-set.ts',
          'sigma', 'predicate', 'event', 'format-diagnostics.ts', 'diagnostics.ts', 'limits.ts',
        ],
      },
      // What a store of events needs of the engine: no rules, and nothing that changes while events pass.
      'evaluate.ts': { uses: ['candidates', 'taxonomy', 'predicate', 'event'] },
      'engine.ts': {
        uses: [
          'budget.ts', 'match.ts', 'quarantine.ts', 'rule-costs.ts', 'rule-set.ts', 'run', 'taxonomy', 'event',
          'limits.ts',
        ],
      },
      'budget.ts': { uses: ['quarantine.ts', 'rule-set.ts', 'run'] },
      'quarantine.ts': { uses: ['rule-set.ts'] },
      'rule-costs.ts': { uses: ['rule-set.ts', 'plan', 'run', 'limits.ts'] },
      'match.ts': { uses: ['rule-set.ts', 'taxonomy', 'predicate', 'event'] },
      'compile-rules.ts': {
        uses: [
          'rule-set.ts', 'text-rule.ts', 'sigma', 'sigma/document.ts', 'sigma/lower.ts', 'sigma/placeholders.ts',
          'sigma/shared-tests.ts', 'event', 'diagnostics.ts', 'hash.ts',
        ],
      },
      'text-rule.ts': { uses: ['rule-set.ts', 'sigma', 'sigma/document.ts', 'predicate', 'event', 'diagnostics.ts'] },
      'rule-set.ts': { uses: ['plan', 'sigma', 'predicate', 'event'] },

      // How a plan meets events, and what was learned of them: the one room that changes while events pass.
      'run': { uses: ['plan', 'candidates', 'kernel', 'taxonomy', 'predicate', 'event', 'limits.ts'] },
      // Rules as formulas over atoms, and how values find their atoms: knows predicates, not rules.
      'plan': { uses: ['candidates', 'predicate', 'event'] },
      // What can be looked for in values, and how it is found.
      'candidates': { uses: ['predicate', 'event'] },

      // A memory for raw bytes in WebAssembly: knows neither rules nor predicates, its host tells it what matters.
      'kernel': { uses: ['limits.ts'] },

      // Rules as they are written: nothing here knows predicates.
      'sigma': { uses: ['sigma/document.ts', 'sigma/array-path.ts', 'event', 'diagnostics.ts', 'limits.ts'] },
      'sigma/document.ts': { uses: ['diagnostics.ts', 'limits.ts'], packages: ['js-yaml'] },

      // From rules to predicates, the only files that know both: values, what modifiers make of them, the rest.
      // An array path only borrows the word for which elements are meant.
      'sigma/array-path.ts': { uses: ['predicate'] },
      'sigma/draft-value.ts': { uses: ['predicate'] },
      'sigma/placeholders.ts': { uses: ['sigma/draft-value.ts', 'predicate'] },
      'sigma/shared-tests.ts': { uses: ['sigma', 'predicate'] },
      'sigma/windash.ts': { uses: ['sigma/draft-value.ts'] },
      'sigma/modifiers.ts': {
        uses: [
          'sigma', 'sigma/draft-value.ts', 'sigma/placeholders.ts', 'sigma/windash.ts',
          'predicate', 'predicate/matchers/regex.ts', 'diagnostics.ts', 'limits.ts',
        ],
      },
      'sigma/item-lint.ts': { uses: ['sigma', 'sigma/document.ts', 'sigma/modifiers.ts', 'diagnostics.ts'] },
      'sigma/modify-item.ts': {
        uses: [
          'sigma', 'sigma/document.ts', 'sigma/draft-value.ts', 'sigma/item-lint.ts', 'sigma/modifiers.ts',
          'sigma/placeholders.ts', 'predicate', 'diagnostics.ts', 'limits.ts',
        ],
      },
      'sigma/lower.ts': {
        uses: [
          'sigma', 'sigma/draft-value.ts', 'sigma/item-lint.ts', 'sigma/modify-item.ts', 'sigma/shared-tests.ts',
          'predicate', 'event', 'diagnostics.ts', 'limits.ts',
        ],
      },

      // The middle, which knows neither rules nor searches, and events.
      'predicate': { uses: ['predicate/matchers/regex.ts', 'event', 'limits.ts'] },
      'predicate/matchers/regex.ts': { uses: ['predicate', 'limits.ts'], packages: ['re2js'] },
      'taxonomy': { uses: ['event', 'limits.ts'] },
      'event': { uses: ['limits.ts'] },

      // Leaves; a diagnostic only names the type of a logsource.
      'format-diagnostics.ts': { uses: ['diagnostics.ts'] },
      'diagnostics.ts': { uses: ['event', 'limits.ts'] },
      'hash.ts': { uses: [] },
      'limits.ts': { uses: [] },
    },
  },

  // Its place; the first file brings the first row.
  'packages/query': { isPure: true, rooms: {} },

  'packages/pool': {
    isPure: false,
    rooms: {
      // The main thread's side and the worker's: the second knows the engine, the first only its types.
      '.': { uses: ['match-piece.ts', 'worker.ts'], packages: ['node:worker_threads'], types: ['@tripline/engine'] },
      'worker.ts': { uses: ['.', 'match-piece.ts'], packages: ['node:worker_threads', '@tripline/engine'] },
      'match-piece.ts': { uses: [], packages: ['@tripline/engine'] },
    },
  },

  'packages/server': {
    isPure: false,
    rooms: {
      'index.ts': { uses: ['main.ts', 'server.ts', 'config.ts', 'settings.ts', 'io.ts', 'api'] },
      'main.ts': { uses: ['server.ts', 'config.ts', 'settings.ts', 'exit-error.ts', 'io.ts', 'log.ts'] },
      'server.ts': {
        uses: ['api', 'app', 'store', 'config.ts', 'settings.ts', 'exit-error.ts', 'io.ts', 'log.ts', 'limits.ts'],
        packages: ['@hono/node-server'],
        types: ['node:net'],
      },

      // A route reads, calls what can be done, and writes; it never touches the store.
      'api': {
        uses: ['app', 'contract', 'domain', 'io.ts', 'log.ts', 'limits.ts'],
        packages: ['hono', 'node:http', '@tripline/engine'],
        types: ['zod'],
      },
      'app': {
        uses: ['pipeline', 'ingest', 'store', 'domain', 'io.ts', 'log.ts', 'limits.ts'],
        packages: ['@tripline/engine', 'node:timers/promises'],
      },
      'pipeline': { uses: ['store', 'domain', 'limits.ts'], packages: ['@tripline/engine'] },
      'ingest': { uses: ['domain', 'limits.ts'], packages: ['node:*', '@tripline/engine'] },
      'store': { uses: ['domain', 'limits.ts'], packages: ['node:*'], types: ['@tripline/engine'] },

      // The seam behind which events are kept and searched, and the store that is part of the server.
      'events': {
        uses: ['domain', 'disk.ts', 'limits.ts'],
        packages: ['node:timers/promises', 'node:util', 'node:zlib', '@tripline/engine/evaluate'],
        types: ['@tripline/engine/predicate'],
      },

      // Nothing of ours but the leaves: what goes over the wire, and what the words mean.
      'contract': { uses: ['limits.ts'], packages: ['zod'] },
      'domain': { uses: [], packages: ['node:crypto', '@tripline/engine'] },

      'config.ts': { uses: ['settings.ts', 'exit-error.ts', 'io.ts'], packages: ['node:net', 'node:path'] },
      'settings.ts': { uses: [] },
      'io.ts': { uses: [], packages: ['node:*'] },
      'disk.ts': { uses: [], packages: ['node:*'] },
      'log.ts': { uses: ['io.ts'] },
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
        packages: ['node:*', '@tripline/engine', '@tripline/engine/yaml', '@tripline/pool', '@tripline/server'],
        types: ['@tripline/server/contract'],
      },
    },
  },
}
