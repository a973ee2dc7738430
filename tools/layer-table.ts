import { engineLayers } from './engine-layers.ts'
import type { LayerTable } from './find-layer-violations.ts'

/** Predicates and events without rules: all that searches need of the engine. The others are its further doors. */
const predicatePackage = '@tripline/engine/predicate'
const enginePackage = '@tripline/engine'
const yamlPackage = '@tripline/engine/yaml'
const authoringPackage = '@tripline/engine/authoring'

/**
 * Who may import whom. An arrow that is not here does not exist; a file or folder that no row names is
 * refused, so a new room begins with its row. The reasons are in docs/decisions/0005-import-direction.md.
 */
export const layerTable: LayerTable = {
  'packages/engine': engineLayers,

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

  // What authors of rules need and streams do not: it reads rules as they are written, and runs engines over tests.
  'packages/rule-tools': {
    isPure: true,
    rooms: {
      'index.ts': { uses: ['checks', 'lint', 'rule-tests', 'limits.ts'] },

      // Runs the checks over rules and the compiler beside them, and applies fixes that change no meaning.
      'lint': { uses: ['checks', 'document', 'limits.ts'], packages: [enginePackage, predicatePackage, yamlPackage] },
      // What rules probably got wrong, as tables: a check reads a document and compiles nothing.
      'checks': {
        uses: ['document', 'limits.ts'], packages: [enginePackage, authoringPackage, predicatePackage, yamlPackage],
      },
      // A rule as checks read it, beside the other rules of its collection.
      'document': { uses: ['limits.ts'], packages: [enginePackage, authoringPackage, yamlPackage] },

      // Tests that stand beside rules: reads their texts, runs them through engines.
      'rule-tests': {
        uses: ['limits.ts'], packages: [enginePackage, authoringPackage, predicatePackage, '@tripline/engine/evaluate', yamlPackage],
      },

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
          'http-listener.ts', 'descriptor-limit.ts',
        ],
        packages: ['node:path'],
      },
      'http-listener.ts': {
        uses: ['auth', 'domain', 'metrics', 'connection-limiter.ts', 'settings.ts', 'exit-error.ts', 'limits.ts'],
        packages: ['@hono/node-server', 'node:http', 'node:timers/promises'],
        types: ['node:net'],
      },
      'connection-limiter.ts': { uses: [] },
      'descriptor-limit.ts': { uses: ['exit-error.ts', 'limits.ts'], packages: ['node:fs/promises'] },
      'read-host-stats.ts': { uses: ['metrics', 'descriptor-limit.ts'], packages: ['node:fs/promises', 'node:module'] },
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
          '@tripline/query', '@tripline/rule-tools',
        ],
        types: ['hono/utils/http-status'],
      },
      'app': {
        uses: [
          'rules', 'enrichment', 'pipeline', 'metrics', 'connectors', 'egress', 'ingest', 'store', 'events', 'bus', 'push', 'auth',
          'runtime/redact.ts', 'domain', 'file-system.ts', 'runtime.ts', 'log.ts', 'limits.ts',
        ],
        packages: [
          '@tripline/engine', '@tripline/engine/evaluate', '@tripline/query', '@tripline/rule-tools', 'node:timers/promises', 'node:util',
          'node:worker_threads',
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
      'runtime/redact.ts': { uses: ['limits.ts'] },
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
      'log.ts': { uses: ['runtime.ts', 'runtime/redact.ts'] },
      'exit-error.ts': { uses: [] },
      'limits.ts': { uses: [] },
    },
  },

  'packages/cli': {
    isPure: false,
    rooms: {
      // The process, and the table of commands.
      'main.ts': { uses: ['run.ts', 'framework', 'measuring'], packages: ['node:*'] },
      'run.ts': { uses: ['commands', 'framework'], packages: ['node:module', enginePackage] },

      // One file a command: reads its arguments, has the rooms below work, prints.
      'commands': {
        uses: ['framework', 'rules', 'input', 'data-dir', 'matching', 'output', 'measuring', 'demo', 'limits.ts'],
        packages: [
          'node:*', enginePackage, '@tripline/pool', '@tripline/query', '@tripline/rule-tools', '@tripline/server',
          '@tripline/server/admin', '@tripline/server/events', '@tripline/server/serve', '@tripline/server/settings',
        ],
        types: ['@tripline/server/contract'],
      },
      // A server with sample events, and the tour through it.
      'demo': {
        uses: ['framework'], packages: ['node:*', '@tripline/server'], types: ['@tripline/server/contract'],
      },
      // How fast rules match events, for `tripline bench` and for the suites of bench/, which enter by its index.
      'measuring': { uses: ['input', 'limits.ts'], packages: ['node:*', enginePackage, yamlPackage, '@tripline/pool'] },
      // What people and programs read: explanations, findings, reports. Reads no file.
      'output': {
        uses: ['framework', 'rules', 'limits.ts'],
        packages: ['node:path', 'node:url', enginePackage, '@tripline/rule-tools'],
        types: ['@tripline/pool'],
      },
      // Chunks of lines to matches, in this thread or in others, in order.
      'matching': {
        uses: ['framework', 'input', 'limits.ts'], packages: ['node:*', enginePackage, '@tripline/pool'],
      },
      // Files and folders to rules and their tests.
      'rules': { uses: ['framework', 'input', 'limits.ts'], packages: ['node:*', enginePackage, '@tripline/rule-tools'] },
      // The folders of a server: its stored events and its state.
      'data-dir': {
        uses: ['framework'],
        packages: ['node:*', enginePackage, predicatePackage, '@tripline/server/admin', '@tripline/server/events'],
      },
      // Bytes to lines, in bounded chunks, and how far a run has come.
      'input': { uses: ['framework', 'limits.ts'], packages: ['node:*', enginePackage] },
      // What a command is: its arguments as data, help, errors with exit codes, the context that it may use.
      'framework': { uses: [], packages: ['node:*', enginePackage] },

      'limits.ts': { uses: [] },
    },
  },
}
