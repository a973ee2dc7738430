import type { PackageLayers } from './find-layer-violations.ts'

/** Helpers without a word of the product, and the errors of requests: for every room but the state's. */
const common = ['@tripline/common/*', '@tripline/contract/app-error']
/** What an event states of itself, and how others refer to it. */
const event = '@tripline/formats/event/*'
/** The seams of the stores, and the disk. */
const storageSeams = ['@tripline/storage/bus/bus', '@tripline/storage/disk/file-system', '@tripline/storage/events/event-store']

/** What the words mean, and what rooms need of the state without knowing its database. */
const model = '@tripline/model/*'
const statePorts = '@tripline/state/ports/*'

/** What every area may use: routes and lists, what areas share, the words, the ports of the state. */
const forAreas = ['audit', 'http', 'runtime', 'limits.ts']
const contract = '@tripline/contract/*'
const forAreaPackages = [...common, contract, model, statePorts]
const areas = [
  'areas/alert-context', 'areas/alerts', 'areas/api-keys', 'areas/audit', 'areas/changes', 'areas/connectors', 'areas/enrichment',
  'areas/exports', 'areas/incidents', 'areas/ingest', 'areas/limits', 'areas/metrics', 'areas/playbooks', 'areas/profile',
  'areas/push', 'areas/retention', 'areas/rules', 'areas/rules/backtests', 'areas/rules/tests', 'areas/search', 'areas/sessions',
  'areas/tenants', 'areas/users', 'areas/views', 'areas/webhooks',
]

export const serverLayers: PackageLayers = {
  isPure: false,
  rooms: {
    // What the command line uses of the server.
    'admin-api.ts': {
      uses: [
        'areas/api-keys', 'areas/audit', 'areas/sessions', 'areas/tenants', 'areas/users', 'errors', 'http',
        'access', 'open-data-dir.ts', 'verify-data.ts',
      ],
      packages: ['@tripline/state/*', '@tripline/contract/app-error', '@tripline/contract/console/*'],
    },
    'events-api.ts': {
      uses: ['areas/rules/backtests', 'areas/search'],
      packages: [
        ...storageSeams, '@tripline/state/*', '@tripline/storage/disk/file-system-overlay', '@tripline/storage/events/segment-store',
      ],
    },
    'index.ts': {
      uses: ['server.ts', 'check-serve.ts', 'config.ts', 'settings.ts', 'areas/limits'], packages: ['@tripline/common/runtime'],
    },

    // Wiring.
    'main.ts': { uses: ['server.ts', 'check-keys.ts', 'code-cache.ts', 'config.ts', 'runtime'], packages: common },
    'server.ts': {
      uses: [
        'open-app.ts', 'check-keys.ts', 'open-settings.ts', 'tls-files.ts', 'areas/retention', 'areas/users', 'audit', 'access',
        'delivery', 'http', 'metrics', 'site', 'periodic-tasks.ts', 'settings.ts', 'runtime',
        'limits.ts', 'scheduled-verification.ts', 'disk-space-monitor.ts', 'read-host-stats.ts', 'http-listener.ts', 'descriptor-limit.ts',
      ],
      packages: [
        '@tripline/detection/*',
        model, '@tripline/state/*',
        ...common, ...storageSeams, '@tripline/storage/bus/local/local-bus', '@tripline/storage/events/segment-store', 'node:path',
      ],
    },
    // The settings, and what they name, read and checked.
    'open-settings.ts': {
      uses: ['areas/users', 'access', 'egress', 'settings.ts', 'tls-files.ts', 'runtime', 'limits.ts'],
      packages: [...common, '@tripline/state/*'],
    },
    'check-keys.ts': { uses: ['settings.ts', 'runtime'], packages: [...common, '@tripline/state/*'] },
    'check-serve.ts': {
      uses: ['config.ts', 'check-keys.ts', 'open-settings.ts', 'settings.ts', 'runtime'],
      packages: [...common, '@tripline/state/*', '@tripline/engine', 'node:fs', 'node:fs/promises', 'node:path'],
    },
    'tls-files.ts': { uses: ['settings.ts', 'runtime'], packages: [...common, 'node:crypto', 'node:tls'] },
    'http-listener.ts': {
      uses: ['access', 'metrics', 'connection-limiter.ts', 'settings.ts', 'tls-files.ts', 'runtime', 'limits.ts'],
      packages: [...common, '@hono/node-server', 'node:http', 'node:https', 'node:timers/promises'],
      types: ['node:net'],
    },
    'connection-limiter.ts': { uses: [] },
    'descriptor-limit.ts': { uses: ['runtime', 'limits.ts'], packages: ['node:fs/promises'] },
    'read-host-stats.ts': { uses: ['metrics', 'descriptor-limit.ts'], packages: ['node:fs/promises', 'node:module'] },
    'periodic-tasks.ts': { uses: ['runtime'], packages: common },
    'disk-space-monitor.ts': { uses: ['http', 'limits.ts'], packages: ['@tripline/common/log', '@tripline/storage/disk/file-system'] },

    // A data directory as commands work on it: wires what they need of the server, without one.
    'open-data-dir.ts': { uses: ['areas/shared', 'access'], packages: ['@tripline/common/runtime', model, '@tripline/state/*'] },
    // All that a data directory holds, checked and not changed.
    'verify-data.ts': {
      uses: ['areas/audit'],
      packages: [
        '@tripline/state/*',
        ...storageSeams, '@tripline/storage/bus/local/verify-bus', '@tripline/storage/events/verify-store', 'node:fs', 'node:path',
      ],
    },
    // The same in a thread of the server, slowly and on a schedule.
    'verify-worker.ts': { uses: ['verify-data.ts', 'limits.ts'], packages: ['node:timers/promises', 'node:worker_threads'] },
    'scheduled-verification.ts': {
      uses: ['metrics', 'runtime', 'limits.ts', 'verify-data.ts', 'verify-worker.ts'],
      packages: [statePorts, ...common, ...storageSeams, 'node:worker_threads'],
    },

    // Opens the parts of a server in order, and gives each area what it states.
    'open-app.ts': {
      uses: [
        ...areas, 'access', 'delivery', 'egress', 'http', 'incidents', 'ingestion', 'ingestion/connectors', 'metrics',
        'playbooks', 'runtime',
      ],
      packages: ['@tripline/detection/*', model, statePorts, '@tripline/state/installation-keys', '@tripline/state/open-state'],
      types: ['@tripline/common/log', '@tripline/common/runtime', '@tripline/engine', ...storageSeams],
    },

    // Routes, lists and the document of the API, without any resource.
    'http': {
      uses: ['http/limits.ts', 'audit', 'errors', 'access', 'runtime', 'limits.ts'],
      packages: [
        model, statePorts,
        ...common, '@tripline/contract/errors', '@tripline/contract/issue-message', '@tripline/contract/list', '@tripline/contract/page',
        '@tripline/contract/public/*', 'hono', 'hono/html', 'node:crypto', 'node:http', 'node:stream', 'node:tls', 'node:util',
        'node:zlib', 'zod',
      ],
      types: ['hono/utils/http-status'],
    },

    // The pages of the console, as its build made them.
    'site': {
      uses: ['http'], packages: ['node:crypto', 'node:fs/promises', 'node:path', 'node:url'], types: ['hono'],
    },

    // The refusals of requests that errors of stores, bus and disk stand for.
    'errors': { uses: [], packages: ['@tripline/detection/*', statePorts, ...common, ...storageSeams] },

    // One folder for each resource: what can be done, its routes, what is printed of it. No area imports another, but where a row
    // below says so.
    // Why an alert came: its rule is tested, its event is searched for.
    'areas/alert-context': {
      uses: ['http', 'limits.ts'], packages: [...forAreaPackages, event], types: ['@tripline/detection/rules/*', '@tripline/engine'],
    },
    'areas/alerts': {
      uses: [...forAreas, 'areas/shared', 'access'], packages: [...forAreaPackages, event, 'node:timers/promises'],
      types: ['@tripline/engine', 'zod'],
    },
    'areas/api-keys': { uses: [...forAreas, 'areas/shared', 'access'], packages: [...forAreaPackages] },
    'areas/audit': { uses: ['areas/shared', 'http', 'runtime'], packages: [model, statePorts, contract] },
    'areas/changes': { uses: ['http', 'limits.ts'], packages: [model, contract], types: ['@tripline/detection/rules/*', statePorts] },
    'areas/connectors': { uses: [...forAreas, 'access', 'ingestion/connectors'], packages: [...forAreaPackages] },
    'areas/enrichment': {
      uses: [...forAreas, 'ingestion/imports'], packages: [...forAreaPackages, 'node:timers/promises', 'zod'],
    },
    'areas/incidents': { uses: [...forAreas, 'areas/shared', 'incidents'], packages: [...forAreaPackages] },
    'areas/playbooks': { uses: [...forAreas, 'playbooks'], packages: [...forAreaPackages], types: ['zod'] },
    'areas/ingest': {
      uses: ['http', 'access', 'ingestion', 'limits.ts'], packages: [contract, 'zod'], types: ['@tripline/detection/pipeline/pipeline'],
    },
    'areas/limits': { uses: ['http', 'limits.ts'], packages: [contract, '@tripline/engine', '@tripline/query', '@tripline/rule-tools'] },
    'areas/metrics': {
      uses: ['http', 'metrics', 'limits.ts'],
      packages: ['@tripline/detection/rules/*', model, statePorts, contract],
      types: ['@tripline/detection/pipeline/compute-accounting'],
    },
    'areas/profile': { uses: [...forAreas, 'areas/shared', 'access'], packages: [...forAreaPackages], types: ['zod'] },
    'areas/push': { uses: ['http', 'delivery', 'runtime', 'limits.ts'], packages: [...common, contract, '@hono/node-server'] },
    'areas/retention': {
      uses: ['runtime', 'limits.ts'],
      packages: ['@tripline/detection/*', model, statePorts, ...common, 'node:timers/promises'],
      types: ['@tripline/storage/events/event-store'],
    },
    'areas/rules': {
      uses: [...forAreas, 'areas/rules/tests', 'metrics'],
      packages: ['@tripline/detection/*', ...forAreaPackages, event, 'node:timers/promises', 'node:util'],
      types: ['@tripline/engine', 'zod'],
    },
    'areas/rules/tests': {
      uses: [...forAreas, 'areas/rules', 'access'],
      packages: [
        ...forAreaPackages, '@tripline/detection/rules/*', '@tripline/engine', '@tripline/rule-tools', 'node:timers/promises',
        'node:worker_threads',
      ],
    },
    'areas/rules/backtests': {
      uses: [...forAreas, 'areas/rules', 'areas/rules/tests'],
      packages: ['@tripline/detection/rules/*', ...forAreaPackages, '@tripline/engine', '@tripline/engine/evaluate'],
      types: ['@tripline/engine/predicate', '@tripline/storage/events/event-store'],
    },
    'areas/search': {
      uses: [...forAreas, 'errors'],
      packages: [
        ...forAreaPackages, event, '@tripline/engine', '@tripline/engine/evaluate', '@tripline/query',
        '@tripline/storage/events/event-store',
      ],
    },
    'areas/sessions': { uses: [...forAreas, 'areas/shared', 'access'], packages: [...forAreaPackages, 'hono/cookie'] },
    'areas/tenants': { uses: [...forAreas, 'areas/shared', 'access'], packages: [...forAreaPackages], types: ['zod'] },
    'areas/users': { uses: [...forAreas, 'areas/shared', 'access'], packages: [...forAreaPackages] },
    'areas/views': { uses: ['audit', 'http', 'limits.ts'], packages: ['@tripline/common/runtime', model, statePorts, contract] },

    'areas/exports': { uses: [...forAreas], packages: [...forAreaPackages, 'zod'], types: ['hono/utils/http-status'] },
    'areas/webhooks': { uses: [...forAreas, 'delivery', 'egress'], packages: forAreaPackages },

    // What several areas need: the dependencies of administration, the end of sessions, alerts as lists show them.
    'areas/shared': {
      uses: ['access', 'audit', 'http'], types: ['@tripline/common/runtime'], packages: [...forAreaPackages, event],
    },

    // Incidents: how alerts become one, and what is done with it. The console and other interfaces render them.
    'playbooks': { uses: ['access', 'audit', 'egress', 'http', 'limits.ts'], packages: [...common, model, statePorts] },

    'incidents': {
      uses: ['access', 'audit', 'http', 'limits.ts'], packages: [...common, model, statePorts], types: ['@tripline/engine'],
    },

    // How actions are recorded in the audit trail: with the change, once per window, or by their outcome.
    'audit': {
      uses: ['errors', 'runtime', 'limits.ts'],
      packages: [model, statePorts, ...common, 'node:timers/promises'],
    },

    // Events from outside: bodies, polled sources, imported files.
    'ingestion': {
      uses: ['ingestion/limits.ts', 'ingestion/connectors', 'limits.ts'],
      packages: ['@tripline/detection/*', model, ...common, '@tripline/formats/*', 'node:timers/promises'],
    },
    // Sources that the server polls. Settings are stored as they came over the wire.
    'ingestion/connectors': {
      uses: ['ingestion/limits.ts', 'egress', 'runtime', 'limits.ts'],
      packages: [
        model, statePorts, '@tripline/state/*',
        ...common, '@tripline/contract/console/connector-config', '@tripline/contract/issue-message', '@tripline/formats/json/*',
        'node:crypto',
        'node:timers/promises', 'zod',
      ],
      types: ['@tripline/engine'],
    },
    // Files that customers bring: rows out of bytes, facts out of rows.
    'ingestion/imports': {
      uses: ['ingestion/limits.ts'],
      packages: [
        model,
        ...common, '@tripline/contract/console/*', '@tripline/contract/issue-message', '@tripline/formats/json/json-elements', 'csv-parse',
        'node:buffer', 'node:stream', 'node:timers/promises',
      ],
      types: ['zod'],
    },

    // From changes to clients: who listens to what, and what they receive.
    'delivery': {
      uses: ['delivery/limits.ts', 'access', 'egress', 'runtime', 'limits.ts'],
      packages: [
        '@tripline/detection/*',
        model, statePorts,
        ...common, event, 'node:crypto', '@tripline/contract/issue-message', '@tripline/contract/push/push',
        '@tripline/engine', '@tripline/query',
        'node:timers/promises', 'ws', 'zod',
      ],
      types: ['@hono/node-server', '@tripline/storage/bus/bus'],
    },

    // Who asks, and what they may: stores nothing itself.
    'access': {
      uses: ['runtime', 'limits.ts'],
      packages: [
        ...common, model, statePorts, '@tripline/state/installation-keys', '@tripline/formats/event/parse-logsource', 'jose',
        'mnemonist', 'node:crypto', 'node:zlib', 'zod',
      ],
    },

    // What is counted and timed, over time; who does the work counts, and asks nothing back.
    'metrics': {
      uses: ['metrics/limits.ts', 'runtime'],
      packages: [model, statePorts, ...common, 'node:timers/promises'],
      types: ['@tripline/detection/pipeline/*', '@tripline/engine', '@tripline/storage/bus/bus'],
    },

    // The only way out: requests whose target a tenant chose leave here, and nowhere else are sockets opened to the outside.
    'egress': { uses: ['egress/limits.ts'], packages: ['@tripline/common/address', '@tripline/common/network', 'node:*'] },

    // The log, which masks secrets, and what a faulty configuration ends with.
    'runtime': {
      uses: ['limits.ts'],
      packages: ['@tripline/common/error-message', '@tripline/common/exit-error', '@tripline/common/json', 'js-yaml'],
      types: ['@tripline/common/log', '@tripline/common/runtime'],
    },
    'code-cache.ts': { uses: [], packages: ['node:fs', 'node:module', 'node:path'] },
    'config.ts': { uses: ['settings.ts', 'runtime'], packages: [...common, '@tripline/engine', 'node:path'] },
    'settings.ts': { uses: ['read-setting.ts', 'limits.ts'], packages: [model] },
    'read-setting.ts': { uses: [], packages: ['@tripline/common/network'] },
    // A table of limits for each of these rooms, and the table that takes them in.
    'delivery/limits.ts': { uses: [], packages: ['@tripline/contract/limits'] },
    'egress/limits.ts': { uses: [] },
    'http/limits.ts': { uses: [], packages: ['@tripline/contract/limits'] },
    'ingestion/limits.ts': { uses: [], packages: ['@tripline/contract/limits'] },
    'metrics/limits.ts': { uses: [], packages: ['@tripline/state/limits'] },
    'limits.ts': {
      uses: ['delivery/limits.ts', 'egress/limits.ts', 'http/limits.ts', 'ingestion/limits.ts', 'metrics/limits.ts'],
      packages: [
        '@tripline/contract/limits', '@tripline/detection/limits', '@tripline/formats/limits', '@tripline/state/limits',
        '@tripline/storage/limits',
      ],
    },
  },
}
