import { consoleLayers } from './console-layers.ts'
import { engineLayers } from './engine-layers.ts'
import type { LayerTable } from './find-layer-violations.ts'
import { serverLayers } from './server-layers.ts'
import { sharedLayers } from './shared-layers.ts'

/** Predicates and events without rules: all that searches need of the engine. The others are its further doors. */
const predicatePackage = '@tripline/engine/predicate'
const enginePackage = '@tripline/engine'
const yamlPackage = '@tripline/engine/yaml'
const authoringPackage = '@tripline/engine/authoring'
/** What knows no word of the product. */
const commonPackages = '@tripline/common/*'

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
          'add-condition.ts', 'ast.ts', 'compile.ts', 'complete.ts', 'convert', 'draft-rule.ts', 'field-names.ts', 'format-query-error.ts',
          'limits.ts', 'lower.ts', 'parse.ts', 'predicate-to-query.ts', 'print.ts', 'query-error.ts', 'translation.ts', 'warn.ts',
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
      'add-condition.ts': { uses: ['ast.ts', 'parse.ts', 'print.ts'] },
      'draft-rule.ts': { uses: ['ast.ts', 'field-names.ts', 'read-word.ts', 'translation.ts'],
        packages: [predicatePackage] },
      'translation.ts': { uses: [] },

      // Predicates as whole queries of other systems.
      'convert': { uses: [], packages: [predicatePackage] },

      // Predicates as SQL, which know nothing of queries but how a word is read.
      'sql': { uses: ['limits.ts', 'read-word.ts'], packages: [predicatePackage] },

      // Text to tree and back.
      'print.ts': { uses: ['ast.ts', 'read-word.ts', 'tokenize.ts', 'syntax-tree.ts'], packages: [predicatePackage] },
      'parse.ts': {
        uses: [
          'ast.ts', 'limits.ts', 'query-error.ts', 'query-parser.ts', 'read-time.ts', 'read-word.ts', 'tokenize.ts',
          'syntax-tree.ts',
        ],
        packages: [predicatePackage],
      },
      'query-parser.ts': { uses: [] },
      'syntax-tree.ts': { uses: ['ast.ts', 'query-error.ts'] },
      'warn.ts': { uses: ['limits.ts', 'parse.ts', 'read-time.ts', 'tokenize.ts', 'unknown-fields.ts'] },
      'unknown-fields.ts': { uses: ['ast.ts', 'field-names.ts', 'query-error.ts'], packages: [predicatePackage] },
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
      'index.ts': { uses: ['attack', 'pipelines', 'checks', 'complete', 'draft', 'lint', 'rule-tests', 'try', 'limits.ts'] },

      // Processing pipelines: YAML to steps that rewrite parsed rules.
      'pipelines': {
        uses: ['limits.ts'], packages: [authoringPackage, predicatePackage, yamlPackage, 're2js'], types: [enginePackage],
      },
      // What rules cover of ATT&CK: counts, and layers of its Navigator.
      'attack': { uses: [] },

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
      // What fits at the cursor of an editor, from the lists that the checks hold.
      'complete': { uses: ['checks'], packages: [enginePackage, authoringPackage] },
      // Rules and filters made of what events have in common, verified with the engine.
      'draft': { uses: ['limits.ts'], packages: [enginePackage, predicatePackage] },
      // A rule tried on events, in the server and in pages alike.
      'try': { uses: [], packages: [enginePackage] },

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

  ...sharedLayers,

  'packages/server': serverLayers,

  'packages/console': consoleLayers,

  'packages/cli': {
    isPure: false,
    rooms: {
      // The process, and the table of commands.
      'main.ts': { uses: ['run.ts', 'framework', 'measuring'], packages: [commonPackages, 'node:*'] },
      'run.ts': { uses: ['command-table.ts', 'framework'], packages: [commonPackages, enginePackage] },
      'command-table.ts': { uses: ['commands', 'framework'] },

      // One file a command: reads its arguments, has the rooms below work, prints.
      'commands': {
        uses: [
          'framework', 'rules', 'collections', 'input', 'data-dir', 'matching', 'output', 'measuring', 'demo', 'language-server', 'mcp',
          'limits.ts',
        ],
        packages: [
          commonPackages, 'node:*', enginePackage, '@tripline/engine/evaluate', '@tripline/pool', '@tripline/query', '@tripline/rule-tools',
          '@tripline/server', '@tripline/contract/rule-file',
          '@tripline/server/admin', '@tripline/server/events', '@tripline/server/serve', '@tripline/server/settings',
        ],
        types: ['@tripline/contract'],
      },
      // The Language Server Protocol: what an editor asks about the rules that it has open.
      'language-server': {
        uses: ['output', 'limits.ts'],
        packages: [
          'node:*', enginePackage, '@tripline/query', '@tripline/rule-tools', 'vscode-languageserver-protocol',
          'vscode-languageserver-protocol/node', 'vscode-languageserver-textdocument',
        ],
      },
      // The Model Context Protocol: commands that only read, as tools.
      'mcp': { uses: ['framework', 'limits.ts'], packages: [commonPackages, 'node:*'] },
      // A server with sample events, and the tour through it.
      'demo': {
        uses: ['framework'], packages: [commonPackages, 'node:*', '@tripline/server'], types: ['@tripline/contract'],
      },
      // How fast rules match events, for `tripline bench` and for the suites of bench/, which enter by its index.
      'measuring': { uses: ['input', 'limits.ts'], packages: [commonPackages, 'node:*', enginePackage, yamlPackage, '@tripline/pool'] },
      // What people and programs read: explanations, findings, reports. Reads no file.
      'output': {
        uses: ['framework', 'rules', 'collections', 'limits.ts'],
        packages: [commonPackages, 'node:path', 'node:url', enginePackage, '@tripline/engine/evaluate', '@tripline/rule-tools'],
        types: ['@tripline/pool', '@tripline/server', '@tripline/server/events'],
      },
      // Chunks of lines to matches, in this thread or in others, in order.
      'matching': {
        uses: ['framework', 'input', 'limits.ts'], packages: [commonPackages, 'node:*', enginePackage, '@tripline/pool'],
      },
      // Files and folders to rules and their tests.
      'rules': { uses: ['framework', 'input', 'limits.ts'], packages: [commonPackages, 'node:*', enginePackage, '@tripline/rule-tools'] },
      // Releases of rule collections: read, compared, written.
      'collections': {
        uses: ['framework', 'input', 'limits.ts'],
        packages: [
          commonPackages, 'node:*', enginePackage, '@tripline/engine/authoring', yamlPackage, '@tripline/rule-tools', 'fflate', 'tar/parse',
        ],
      },
      // The folders of a server: its stored events and its state.
      'data-dir': {
        uses: ['framework', 'limits.ts'],
        packages: [commonPackages, 'node:*', enginePackage, predicatePackage, '@tripline/server/admin', '@tripline/server/events'],
      },
      // Bytes to lines, in bounded chunks, and how far a run has come.
      'input': {
        uses: ['framework', 'limits.ts'],
        packages: [
          commonPackages, 'node:*', enginePackage, '@tripline/formats/files/*', '@tripline/formats/mapping/*', 'tinyglobby',
        ],
      },
      // What a command is: its arguments as data, help, errors with exit codes, the context that it may use.
      'framework': { uses: [], packages: [commonPackages, 'node:*', enginePackage, '@tripline/formats/files/file-format'] },

      'limits.ts': { uses: [] },
    },
  },
}
