import type { PackageLayers } from './find-layer-violations.ts'

/** Helpers without a word of the product, and the errors of requests: for every room. */
const common = ['@tripline/common/*', '@tripline/contract/app-error']
/** What an event states of itself, and how others refer to it. */
const event = '@tripline/formats/event/*'
/** The seams of the stores, and the disk. */
const storageSeams = ['@tripline/storage/bus/bus', '@tripline/storage/disk/file-system', '@tripline/storage/events/event-store']

export const serverLayers: PackageLayers = {
  isPure: false,
  rooms: {
    // What the command line uses of the server.
    'admin-api.ts': {
      uses: ['api', 'app', 'access', 'state', 'open-data-dir.ts', 'verify-data.ts'],
      packages: ['@tripline/contract/app-error', '@tripline/contract/console/*'],
    },
    'events-api.ts': {
      uses: ['app', 'model', 'state'],
      packages: [...storageSeams, '@tripline/storage/disk/file-system-overlay', '@tripline/storage/events/segment-store'],
    },
    'index.ts': { uses: ['server.ts', 'config.ts', 'settings.ts', 'runtime', 'api'] },

    // Wiring.
    'main.ts': { uses: ['server.ts', 'code-cache.ts', 'config.ts', 'runtime'], packages: common },
    'server.ts': {
      uses: [
        'api', 'app', 'access', 'metrics', 'detection', 'delivery', 'state', 'egress', 'periodic-tasks.ts', 'settings.ts', 'runtime',
        'limits.ts', 'disk-space-monitor.ts', 'read-host-stats.ts', 'http-listener.ts', 'descriptor-limit.ts',
      ],
      packages: [
        ...common, ...storageSeams, '@tripline/storage/bus/local/local-bus', '@tripline/storage/events/segment-store', 'node:path',
      ],
    },
    'http-listener.ts': {
      uses: ['access', 'metrics', 'connection-limiter.ts', 'settings.ts', 'runtime', 'limits.ts'],
      packages: [...common, '@hono/node-server', 'node:http', 'node:timers/promises'],
      types: ['node:net'],
    },
    'connection-limiter.ts': { uses: [] },
    'descriptor-limit.ts': { uses: ['runtime', 'limits.ts'], packages: ['node:fs/promises'] },
    'read-host-stats.ts': { uses: ['metrics', 'descriptor-limit.ts'], packages: ['node:fs/promises', 'node:module'] },
    'periodic-tasks.ts': { uses: ['runtime'], packages: common },
    'disk-space-monitor.ts': { uses: ['api', 'runtime', 'limits.ts'], packages: ['@tripline/storage/disk/file-system'] },

    // A data directory as commands work on it: wires what they need of the server, without one.
    'open-data-dir.ts': { uses: ['app', 'access', 'state', 'model', 'runtime'] },
    // All that a data directory holds, checked and not changed.
    'verify-data.ts': {
      uses: ['app', 'state', 'runtime'],
      packages: [
        ...storageSeams, '@tripline/storage/bus/local/verify-bus', '@tripline/storage/disk/file-system-overlay',
        '@tripline/storage/events/segment-store', 'node:fs', 'node:path',
      ],
    },

    // A route reads, calls what can be done, and writes; it never touches the store.
    'api': {
      uses: ['app', 'access', 'ingestion', 'ingestion/imports', 'delivery', 'model', 'runtime', 'limits.ts'],
      packages: [
        ...common, '@tripline/contract/*', '@tripline/formats/event/parse-event-time', '@tripline/engine', '@tripline/query',
        '@tripline/rule-tools', 'hono',
        'hono/cookie',
        'hono/html', '@hono/node-server', 'node:crypto', 'node:http', 'zod',
      ],
      types: ['hono/utils/http-status'],
    },
    // What can be done, by resource. It still wires the rooms below; `areas` will not.
    'app': {
      uses: [
        'access', 'detection', 'detection/rules', 'detection/enrichment', 'delivery', 'metrics', 'ingestion', 'ingestion/connectors',
        'egress', 'state', 'state/ports', 'state/sqlite', 'model', 'runtime', 'limits.ts',
      ],
      packages: [
        ...common, ...storageSeams, event, '@tripline/engine', '@tripline/engine/evaluate', '@tripline/query', '@tripline/rule-tools',
        'node:timers/promises', 'node:util', 'node:worker_threads',
      ],
      types: ['@tripline/engine/predicate'],
    },

    // Events from outside: bodies, polled sources, imported files.
    'ingestion': {
      uses: ['app', 'ingestion/connectors', 'detection', 'model', 'limits.ts'],
      packages: [...common, '@tripline/formats/*', 'node:timers/promises'],
    },
    // Sources that the server polls. Settings are stored as they came over the wire.
    'ingestion/connectors': {
      uses: ['state', 'state/ports', 'egress', 'model', 'runtime', 'limits.ts'],
      packages: [
        ...common, '@tripline/contract/console/connector-config', '@tripline/contract/issue-message', '@tripline/formats/json/*',
        'node:crypto',
        'node:timers/promises', 'zod',
      ],
      types: ['@tripline/engine'],
    },
    // Files that customers bring: rows out of bytes, facts out of rows.
    'ingestion/imports': {
      uses: ['model', 'limits.ts'],
      packages: [
        ...common, '@tripline/contract/console/*', '@tripline/contract/issue-message', '@tripline/formats/json/json-elements', 'csv-parse',
        'node:buffer', 'node:stream', 'node:timers/promises',
      ],
      types: ['zod'],
    },

    // How tenants share work: queues and turns, whatever the work is.
    'fairness': { uses: [], types: ['fast-check'] },

    // The way from ingest to alerts, in stages on the bus.
    'detection': {
      uses: ['fairness', 'metrics', 'state/ports', 'model', 'runtime', 'limits.ts'],
      packages: [
        ...common, ...storageSeams, event, '@tripline/engine', '@tripline/engine/evaluate', 'node:crypto', 'node:timers/promises',
      ],
    },
    // The rules of tenants: those that came with the server, under what each tenant has of its own. Stores nothing itself.
    'detection/rules': {
      uses: ['model', 'limits.ts'],
      packages: [...common, 'node:util', 'js-yaml', '@tripline/engine', '@tripline/engine/yaml', '@tripline/engine/predicate'],
    },
    // What else is known of alerts: looks it up and caches it.
    'detection/enrichment': {
      uses: ['detection', 'state/ports', 'model', 'limits.ts'],
      packages: common,
      types: ['@tripline/engine/evaluate'],
    },

    // From changes to clients: who listens to what, and what they receive.
    'delivery': {
      uses: ['app', 'access', 'detection', 'ingestion/connectors', 'state/ports', 'model', 'runtime', 'limits.ts'],
      packages: [
        ...common, '@tripline/contract/issue-message', '@tripline/contract/push/push', '@tripline/engine', '@tripline/query',
        'node:timers/promises', 'ws', 'zod',
      ],
      types: ['@hono/node-server'],
    },

    // Who asks, and what they may: stores nothing itself.
    'access': {
      uses: ['ingestion/connectors', 'state', 'state/ports', 'model', 'runtime', 'limits.ts'],
      packages: [...common, '@tripline/formats/event/parse-logsource', 'jose', 'node:crypto', 'node:zlib', 'zod'],
    },

    // What is counted and timed, over time; who does the work counts, and asks nothing back.
    'metrics': {
      uses: ['state/ports', 'state/sqlite', 'model', 'runtime', 'limits.ts'],
      packages: [...common, 'node:timers/promises'],
      types: ['@tripline/engine', '@tripline/storage/bus/bus'],
    },

    // The only way out: requests whose target a tenant chose leave here, and nowhere else are sockets opened to the outside.
    'egress': { uses: ['limits.ts'], packages: ['@tripline/common/address', '@tripline/common/network', 'node:*'] },

    // The state of the server: what other rooms need of it (`ports`), and SQLite behind it.
    'state': {
      uses: ['state/ports', 'state/sqlite', 'state/migrations', 'limits.ts'],
      packages: ['@tripline/common/json', 'node:fs', 'node:fs/promises', 'node:path', 'node:sqlite'],
      types: ['@tripline/engine', 'kysely'],
    },
    'state/ports': {
      uses: ['state/sqlite', 'model', 'limits.ts'],
      packages: [...common, 'node:crypto'],
      types: ['@tripline/formats/event/event-id'],
    },
    'state/sqlite': {
      uses: ['state/ports', 'model', 'limits.ts'],
      packages: [...common, 'kysely', 'node:crypto', 'node:fs', 'node:sqlite'],
      types: ['@tripline/engine', '@tripline/formats/event/event-id'],
    },
    'state/migrations': { uses: ['state/sqlite'], packages: ['kysely', 'node:crypto'] },

    // What the words mean: plain data and rules about it.
    'model': {
      uses: [],
      packages: ['@tripline/common/*', '@tripline/engine/evaluate', 'node:crypto'],
      types: ['@tripline/engine', '@tripline/formats/event/event-id'],
    },

    // Clock, random bytes, environment and output, and the log, which masks secrets.
    'runtime': { uses: ['limits.ts'], packages: ['node:crypto', 'node:fs/promises'] },
    'code-cache.ts': { uses: [], packages: ['node:fs', 'node:module', 'node:path'] },
    'config.ts': { uses: ['settings.ts', 'runtime'], packages: [...common, 'node:net', 'node:path'] },
    'settings.ts': { uses: ['read-setting.ts', 'model', 'limits.ts'] },
    'read-setting.ts': { uses: [], packages: ['@tripline/common/network'] },
    'limits.ts': {
      uses: [],
      packages: ['@tripline/contract/limits', '@tripline/formats/limits', '@tripline/storage/limits'],
    },
  },
}
