import type { PackageLayers } from './find-layer-violations.ts'

/** The agent on other machines: one process, configured by files. */
export const collectorLayers: PackageLayers = {
  isPure: false,
  rooms: {
    'main.ts': { uses: ['run-command.ts', 'version.ts'], packages: ['@tripline/common/*'] },
    'run-command.ts': { uses: ['command-table.ts', 'commands', 'version.ts'], packages: ['@tripline/common/*'] },
    'command-table.ts': { uses: ['commands'] },
    // One file a command: reads its arguments, has the rooms below work, prints.
    'commands': {
      uses: ['collector.ts', 'config', 'control', 'delivery', 'sources', 'limits.ts', 'version.ts'],
      packages: ['@tripline/common/*', '@tripline/engine', 'node:fs/promises', 'node:os'],
    },
    // Assembles spool, sources, delivery and control, and exchanges the sources at a reload.
    'collector.ts': {
      uses: ['config', 'control', 'delivery', 'detection', 'sources', 'spool', 'limits.ts', 'version.ts'],
      packages: ['@tripline/common/*', '@tripline/storage/disk/file-system', 'node:os'],
    },
    'config': {
      uses: ['detection', 'limits.ts'],
      packages: [
        '@tripline/common/*', '@tripline/engine/yaml', '@tripline/formats/*', '@tripline/sources/*', 'node:crypto', 'node:fs/promises',
        'node:path', 'zod',
      ],
    },
    // The Unix socket by which commands reach the running collector.
    'control': {
      uses: ['limits.ts'],
      packages: ['@tripline/common/*', 'node:events', 'node:fs/promises', 'node:net', 'node:path', 'node:readline'],
    },
    // Requests, of which the whole response is read.
    'http': { uses: [], packages: ['node:http', 'node:https'] },
    // From the spool to the server, and the heartbeat.
    'delivery': {
      uses: ['config', 'http', 'spool', 'limits.ts'],
      packages: ['@tripline/common/*', 'node:util', 'node:zlib'],
    },
    // The engine in the collector: events to alerts.
    'detection': { uses: ['limits.ts'], packages: ['@tripline/engine', '@tripline/engine/evaluate'] },
    'sources': {
      uses: ['sources/file', 'config', 'detection', 'http', 'spool', 'limits.ts'],
      packages: [
        '@tripline/common/*', '@tripline/formats/*', '@tripline/sources/*', 'node:child_process', 'node:dns/promises', 'node:readline',
      ],
    },
    // Files that grow, are rotated and truncated.
    'sources/file': {
      uses: ['limits.ts'],
      packages: ['@tripline/common/*', '@tripline/formats/*', 'node:crypto', 'node:fs', 'node:fs/promises', 'node:path'],
    },
    'spool': {
      uses: ['limits.ts'],
      packages: ['@tripline/common/*', '@tripline/storage/disk/file-system', '@tripline/storage/log/*'],
    },
    'version.ts': { uses: [], packages: ['node:module'] },
    'limits.ts': { uses: [] },
  },
}

/** Sources of events that run in server and collector alike. */
export const sourcesLayers: PackageLayers = {
  isPure: false,
  rooms: {
    'scanner': {
      uses: ['limits.ts'],
      packages: ['@tripline/common/error-message', '@tripline/common/json', '@tripline/common/parse-json', 'hyparquet', 'node:crypto'],
    },
    // Pages of HTTP APIs: token, cursor, where to go on.
    'polling': {
      uses: ['limits.ts'],
      packages: ['@tripline/common/json', '@tripline/contract/app-error', '@tripline/formats/json/*', 'node:crypto'],
      types: ['@tripline/engine'],
    },
    // Lines and messages of any of the known forms to events.
    'lines': { uses: [], packages: ['@tripline/common/*', '@tripline/formats/*'], types: ['@tripline/engine'] },
    // Sessions with brokers of messages: connect, take, acknowledge what is durable.
    'broker': { uses: ['limits.ts'], packages: ['node:crypto'] },
    'broker/nats': {
      uses: ['broker', 'limits.ts'],
      packages: [
        '@nats-io/jetstream', '@nats-io/nats-core', '@nats-io/nats-core/internal', '@nats-io/transport-node/*',
        '@tripline/common/error-message', 'node:net', 'node:timers/promises',
      ],
    },
    'broker/kafka': {
      uses: ['broker', 'limits.ts'], packages: ['@tripline/common/error-message', 'hyparquet/src/snappy.js', 'kafkajs', 'node:*'],
    },
    // Sockets that take syslog.
    'syslog': {
      uses: ['limits.ts'],
      packages: [
        '@tripline/common/address-prefix', '@tripline/common/error-message', '@tripline/formats/syslog/frame-reader', 'node:dgram',
        'node:fs/promises', 'node:net', 'node:tls',
      ],
    },
    'limits.ts': { uses: [] },
  },
}
