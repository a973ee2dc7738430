import type { PackageLayers } from './find-layer-violations.ts'
import { ingestionRooms } from './ingestion-layers.ts'
import { areaLayers, common, event, model, statePorts } from './server-area-layers.ts'

/** The seams of the stores, and the disk. */
const storageSeams = ['@tripline/storage/bus/bus', '@tripline/storage/disk/file-system', '@tripline/storage/events/event-store']

/** All areas; what they share is no area. */
const areas = Object.keys(areaLayers).filter((room) => room !== 'areas/shared')

export const serverLayers: PackageLayers = {
  isPure: false,
  rooms: {
    // What the command line uses of the server.
    'admin-api.ts': {
      uses: [
        'areas/api-keys', 'areas/audit', 'areas/sessions', 'areas/tenants', 'areas/users', 'errors', 'http',
        'access', 'backup', 'open-data-dir.ts', 'reports', 'verification',
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
      uses: ['create-server.ts', 'server.ts', 'open-stores.ts', 'config', 'areas/limits'],
      packages: ['@tripline/common/exit-error', '@tripline/common/runtime'],
    },
    // The server inside another program.
    'create-server.ts': {
      uses: ['server.ts', 'open-stores.ts', 'config', 'listener'], packages: ['@tripline/common/runtime'],
      types: ['node:http', 'node:stream'],
    },

    // Wiring.
    'main.ts': {
      uses: ['server.ts', 'code-cache.ts', 'config', 'runtime', 'limits.ts'], packages: [...common, 'node:timers/promises'],
    },
    'server.ts': {
      uses: [
        'app.ts', 'backup', 'open-app.ts', 'open-stores.ts', 'config', 'host', 'listener', 'retention', 'verification',
        'areas/sessions', 'areas/shared', 'areas/users', 'audit', 'access', 'expiry',
        'delivery', 'http', 'ingestion/syslog', 'metrics', 'site', 'runtime', 'limits.ts',
      ],
      packages: [model, '@tripline/state/*', ...common, '@tripline/storage/disk/file-system'],
    },
    // The stores below the data directory.
    'open-stores.ts': {
      uses: ['app.ts', 'config', 'delivery', 'metrics', 'runtime'],
      packages: [
        '@tripline/detection/*', '@tripline/state/*',
        ...common, ...storageSeams, '@tripline/storage/bus/local/local-bus', '@tripline/storage/events/segment-store', 'node:path',
      ],
    },
    // The settings, and what they name, read and checked.
    'config': {
      uses: ['areas/users', 'access', 'egress', 'runtime', 'limits.ts'],
      packages: [
        ...common, model, '@tripline/common/network', '@tripline/detection/rules/exposure-rules', '@tripline/formats/rule-files',
        '@tripline/state/*', '@tripline/engine',
        'node:crypto', 'node:fs', 'node:fs/promises', 'node:path', 'node:tls',
      ],
    },
    // The socket and its connections.
    'listener': {
      uses: ['access', 'config', 'metrics', 'runtime', 'limits.ts'],
      packages: [...common, '@hono/node-server', 'node:http', 'node:https', 'node:timers/promises'],
      types: ['node:net', 'node:stream'],
    },
    // What the machine allows and reports: file descriptors, disk, process.
    'host': {
      uses: ['http', 'metrics', 'runtime', 'limits.ts'],
      packages: ['@tripline/common/log', '@tripline/storage/disk/file-system', 'node:fs/promises', 'node:module'],
    },
    // Warns of what expires: keys, certificates.
    'expiry': {
      uses: ['access', 'config', 'metrics', 'limits.ts'],
      packages: ['node:crypto'], types: ['@tripline/common/log', '@tripline/common/runtime', model, statePorts],
    },
    // Removes what is too old, where the clock is plausible.
    'retention': {
      uses: ['runtime', 'limits.ts'],
      packages: ['@tripline/detection/*', model, statePorts, ...common, 'node:timers/promises'],
      types: ['@tripline/storage/events/event-store'],
    },

    // A data directory as commands work on it: wires what they need of the server, without one.
    'open-data-dir.ts': { uses: ['areas/shared', 'access'], packages: ['@tripline/common/runtime', model, '@tripline/state/*'] },
    // All that a data directory holds, checked and not changed; beside a server in a thread, slowly and on a schedule.
    'verification': {
      uses: ['areas/audit', 'metrics', 'runtime', 'limits.ts'],
      packages: [
        '@tripline/state/*', ...common,
        ...storageSeams, '@tripline/storage/bus/local/verify-bus', '@tripline/storage/events/verify-store', 'node:fs', 'node:path',
        'node:worker_threads',
      ],
    },

    // Backups of a data directory that a server may be writing, by commands and on a schedule; works on files alone.
    'backup': {
      uses: ['backup/limits.ts', 'config', 'runtime'],
      packages: [
        ...common, '@tripline/state/*', '@tripline/storage/bus/local/freeze-bus', '@tripline/storage/disk/file-system',
        '@tripline/storage/events/freeze-store', '@tripline/storage/log/held-log', 'age-encryption', 'aws4fetch', 'node:crypto',
        'node:fs/promises', 'node:path',
        'node:timers/promises', 'node:util', 'node:worker_threads', 'node:zlib',
      ],
    },

    // What a server is opened with and consists of.
    'app.ts': {
      uses: [
        'access', 'areas/rules', 'areas/rules/backtests', 'areas/rules/tests', 'channels', 'collectors', 'compliance', 'delivery',
        'egress', 'erasure',
        'exposures', 'failures', 'http',
        'ingestion/connectors', 'ingestion/syslog', 'metrics', 'overview', 'playbooks', 'reports', 'retention',
      ],
      types: [
        '@tripline/common/log', '@tripline/common/runtime', '@tripline/detection/*', '@tripline/engine', model, statePorts,
        '@tripline/state/installation-keys', ...storageSeams,
      ],
    },
    // Opens the parts of a server in order.
    'open-app.ts': {
      uses: [
        'app.ts', 'areas/metrics', 'areas/rules', 'areas/rules/attack', 'areas/rules/backtests', 'areas/rules/pipelines',
        'areas/rules/tests', 'areas/support', 'access', 'channels', 'collectors', 'compliance', 'delivery',
        'erasure', 'exposures', 'failures', 'incidents', 'ingestion',
        'ingestion/connectors', 'metrics', 'mount-areas.ts', 'overview', 'playbooks', 'reports', 'retention',
      ],
      packages: ['@tripline/common/sleep', '@tripline/detection/*', model],
      types: ['@tripline/common/log'],
    },
    // Gives each area what it states, of the opened parts.
    'mount-areas.ts': {
      uses: [
        ...areas, 'app.ts', 'areas/shared', 'access', 'collectors', 'compliance', 'http', 'ingestion', 'open-public-routes.ts', 'risk',
        'sign-on',
      ],
    },
    'open-public-routes.ts': {
      uses: [
        'areas/alerts', 'areas/collectors', 'areas/compliance', 'areas/enrichment', 'areas/exports', 'areas/incidents', 'areas/rules',
        'areas/search', 'areas/webhooks', 'http',
      ],
    },

    // Routes, lists and the document of the API, without any resource.
    'http': {
      uses: ['http/limits.ts', 'audit', 'errors', 'access', 'runtime', 'limits.ts'],
      packages: [
        model, statePorts,
        ...common, '@tripline/contract/errors', '@tripline/contract/issue-message', '@tripline/contract/list', '@tripline/contract/page',
        '@tripline/contract/public/*', '@tripline/rule-tools', 'hono', 'hono/html', 'node:crypto', 'node:http', 'node:stream', 'node:tls',
        'node:util', 'node:zlib', 'zod',
      ],
      types: ['hono/utils/http-status'],
    },

    // The pages of the console, as its build made them.
    'site': {
      uses: ['http'], packages: ['node:crypto', 'node:fs/promises', 'node:path', 'node:url'], types: ['hono'],
    },

    // The refusals of requests that errors of stores, bus and disk stand for.
    'errors': { uses: [], packages: ['@tripline/detection/*', statePorts, ...common, ...storageSeams] },

    // One folder for each resource; its rows are in a table of their own.
    ...areaLayers,

    // Collectors: their enrolment and heartbeats, and which of them are heard.
    // How much entities are at risk, for lists and exports.
    'risk': {
      uses: ['limits.ts'], packages: ['@tripline/common/error-message', model, statePorts],
      types: ['@tripline/common/log', '@tripline/common/runtime'],
    },

    // What rules hear of assets: events that the server makes of findings, blind spots and alerts.
    'exposures': {
      uses: ['limits.ts'], packages: [...common, model], types: ['@tripline/detection/pipeline/pipeline', statePorts],
    },
    // Resources of SCIM, its filters and changes; what they mean for users and roles.
    'scim': { uses: ['limits.ts'], packages: [...common, model], types: [statePorts] },
    'collectors': {
      uses: ['access', 'audit', 'ingestion/connectors', 'limits.ts'],
      packages: ['@tripline/contract/app-error', '@tripline/sources/scanner/*', model, statePorts],
      types: ['@tripline/common/runtime'],
    },
    // What is read of a platform, assessed and kept, and what people add.
    'compliance': {
      uses: ['audit', 'runtime'],
      packages: [
        '@tripline/common/error-message', '@tripline/contract/app-error', '@tripline/compliance/*', '@tripline/engine', model,
        '@tripline/rule-tools', '@tripline/state/ports/version-conflict', 'node:crypto',
      ],
      types: ['@tripline/common/log', '@tripline/common/runtime', '@tripline/detection/rules/*', statePorts],
    },

    // Erases the data of a person from events, queues and the state.
    'erasure': {
      uses: ['audit', 'erasure/limits.ts', 'runtime'],
      packages: [
        '@tripline/common/error-message', '@tripline/contract/app-error', '@tripline/detection/rules/*', model,
        '@tripline/state/ports/version-conflict', 'node:util',
      ],
      types: [statePorts, '@tripline/common/log', '@tripline/common/runtime', ...storageSeams],
    },

    // What the pipeline could not handle, by tenant, and sending it again.
    'failures': {
      uses: ['failures/limits.ts'],
      packages: [
        ...common, '@tripline/common/serial-queue', '@tripline/detection/pipeline/topics', '@tripline/detection/stages/dead-letter',
        '@tripline/detection/stages/event-message', 'node:crypto',
      ],
      types: [model, '@tripline/detection/pipeline/pipeline', '@tripline/storage/bus/bus'],
    },

    // Reports as data, and the formats that they are printed in.
    'reports': {
      uses: ['audit', 'compliance', 'overview', 'reports/limits.ts', 'runtime'],
      packages: [
        '@tripline/common/csv-cell', '@tripline/common/error-message', '@tripline/common/escape-markup',
        '@tripline/common/serial-queue', '@tripline/compliance/*', '@tripline/contract/app-error', '@tripline/contract/limits', model,
        '@tripline/state/ports/version-conflict', 'croner', 'node:crypto', 'node:module', 'node:worker_threads', 'node:zlib', 'pdfkit',
      ],
      types: [statePorts, '@tripline/common/log', '@tripline/common/runtime', '@tripline/rule-tools'],
    },

    // The figures of a period, for pages and reports.
    'overview': { uses: ['limits.ts', 'metrics'], packages: [...common, model, statePorts], types: ['@tripline/engine'] },

    // Incidents: how alerts become one, and what is done with it. The console and other interfaces render them.
    // Notifications to people: which route a change takes to which channel, and how each channel speaks.
    'channels': {
      uses: ['delivery', 'egress', 'http', 'limits.ts', 'playbooks', 'reports'],
      packages: [...common, model, statePorts, 'node:net', 'nodemailer'],
    },

    'playbooks': { uses: ['access', 'audit', 'egress', 'http', 'limits.ts'], packages: [...common, model, statePorts] },

    'incidents': {
      uses: ['access', 'audit', 'http', 'limits.ts'], packages: [...common, model, statePorts], types: ['@tripline/engine'],
    },

    // How actions are recorded in the audit trail: with the change, once per window, or by their outcome.
    'audit': {
      uses: ['errors', 'runtime', 'limits.ts'],
      packages: [model, statePorts, ...common, 'node:timers/promises'],
    },

    ...ingestionRooms,

    // From changes to clients: who listens to what, and what they receive.
    'delivery': {
      uses: ['delivery/limits.ts', 'access', 'egress', 'runtime', 'limits.ts'],
      packages: [
        '@tripline/detection/*',
        model, statePorts,
        ...common, event, 'node:crypto', '@tripline/contract/issue-message', '@tripline/contract/push/push',
        '@tripline/engine', '@tripline/engine/evaluate', '@tripline/query',
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

    // Logins at identity providers that tenants chose: the way there and back, through `egress` alone.
    'sign-on': {
      uses: ['access', 'egress', 'runtime', 'scim', 'limits.ts'],
      packages: [
        ...common, model, statePorts, '@node-saml/node-saml', '@tripline/contract/app-error', '@xmldom/xmldom',
        'node:crypto', 'node:worker_threads', 'openid-client',
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

    // The log, which masks secrets, what a faulty configuration ends with, and threads for work beside the server.
    'runtime': {
      uses: ['limits.ts'],
      packages: [
        '@tripline/common/error-message', '@tripline/common/exit-error', '@tripline/common/json', 'js-yaml', 'node:timers/promises',
        'node:v8', 'node:worker_threads',
      ],
      types: ['@tripline/common/log', '@tripline/common/runtime'],
    },
    'code-cache.ts': { uses: [], packages: ['node:fs', 'node:module', 'node:path'] },
    // A table of limits for each of these rooms, and the table that takes them in.
    'access/limits.ts': { uses: [], packages: ['@tripline/contract/limits'] },
    'backup/limits.ts': { uses: [] },
    'delivery/limits.ts': { uses: [], packages: ['@tripline/contract/limits'] },
    'egress/limits.ts': { uses: [] },
    'http/limits.ts': { uses: [], packages: ['@tripline/contract/limits'] },
    'ingestion/limits.ts': { uses: [], packages: ['@tripline/contract/limits', '@tripline/sources/limits'] },
    'ingestion/split-into-pieces.ts': { uses: ['ingestion/limits.ts'], packages: ['node:timers/promises'] },
    'metrics/limits.ts': { uses: [], packages: ['@tripline/state/limits'] },
    'reports/limits.ts': { uses: [] },
    'limits.ts': {
      uses: [
        'access/limits.ts', 'backup/limits.ts', 'delivery/limits.ts', 'egress/limits.ts', 'http/limits.ts', 'ingestion/limits.ts',
        'metrics/limits.ts', 'reports/limits.ts',
      ],
      packages: [
        '@tripline/contract/limits', '@tripline/detection/limits', '@tripline/formats/limits', '@tripline/state/limits',
        '@tripline/storage/limits',
      ],
    },
  },
}
