import { collectorLayers, sourcesLayers } from './collector-layers.ts'
import type { LayerTable } from './find-layer-violations.ts'

/** Predicates, events and their comparison, without rules. */
const evaluation = ['@tripline/engine/evaluate', '@tripline/engine/predicate']

const commonPackages = '@tripline/common/*'
const modelPackage = '@tripline/model/*'
const engineTypes = '@tripline/engine'
/** Results of assessments. */
const complianceTypes = '@tripline/compliance/*'
/** How events are referred to. */
const eventReference = '@tripline/formats/event/event-id'
/** Clock and log, passed in as objects. */
const runtimeTypes = ['@tripline/common/log', '@tripline/common/runtime']

/** The seams of the stores, and the disk. */
const storageSeams = ['@tripline/storage/bus/bus', '@tripline/storage/disk/file-system', '@tripline/storage/events/event-store']

/** The packages below the server: what knows no word of the product, wire shapes, events in bytes, bytes at rest. */
export const sharedLayers: LayerTable = {
  'packages/common': {
    isPure: false,
    rooms: {
      'address.ts': { uses: [], packages: ['node:net'] },
      'address-prefix.ts': { uses: ['address.ts', 'network.ts'] },
      'chunk-by-size.ts': { uses: [] },
      // Arguments as data: reading them, help, completion scripts and manual pages of a program.
      'command-line': { uses: ['error-message.ts', 'exit-error.ts'], packages: ['node:fs/promises', 'node:path', 'node:util'] },
      'csv-cell.ts': { uses: [] },
      // The engine uses it too, so it needs nothing but the language.
      'decode-utf8.ts': { uses: [] },
      'domain-name.ts': { uses: [], packages: ['node:net', 'node:url'] },
      'error-code.ts': { uses: [] },
      'error-message.ts': { uses: [] },
      'escape-markup.ts': { uses: [] },
      'exit-error.ts': { uses: [] },
      'get-path.ts': { uses: ['json.ts'] },
      'json.ts': { uses: ['parse-json.ts'] },
      'latency-histogram.ts': { uses: [] },
      'log.ts': { uses: [] },
      'lossless-json.ts': { uses: ['json.ts', 'parse-json.ts'] },
      'network.ts': { uses: ['address.ts'] },
      'node-version.ts': { uses: [] },
      'omit-undefined.ts': { uses: [] },
      // The engine uses it too, so it needs nothing but the language.
      'parse-json.ts': { uses: [] },
      'processor-time.ts': { uses: [] },
      'request-hash.ts': { uses: [], packages: ['node:crypto'] },
      'stderr-writer.ts': { uses: ['error-code.ts'], packages: ['node:fs', 'node:timers/promises', 'node:util'] },
      'runtime.ts': { uses: ['processor-time.ts'], packages: ['node:crypto', 'node:fs/promises'] },
      'serial-queue.ts': { uses: [] },
      'sleep.ts': { uses: [], packages: ['node:timers/promises'] },
    },
  },

  // The typed client of the public API, for programs elsewhere: it knows nothing of ours but the generated types.
  'packages/client': {
    isPure: true,
    rooms: {
      'index.ts': { uses: ['profile-a.ts', 'profile-b.ts'], packages: ['openapi-fetch'] },
      'profile-a.ts': { uses: [] },
      'profile-b.ts': { uses: [] },
    },
  },

  // Nine frameworks as data, and what the state of a platform shows about their controls: no clock, no store.
  'packages/compliance': {
    isPure: true,
    rooms: {
      'catalogues': { uses: [] },
      'signals': { uses: ['catalogues'] },
      'maps': { uses: ['signals'] },
      'assess.ts': { uses: ['catalogues', 'maps', 'signals'] },
      'count-controls.ts': { uses: ['assess.ts'] },
    },
  },

  // Pollers of outside systems, in server and collector: the outside is passed in as functions.
  'packages/sources': sourcesLayers,

  'packages/collector': collectorLayers,

  'packages/contract': {
    isPure: true,
    rooms: {
      'index.ts': { uses: ['console', 'ingest', 'push', 'errors.ts', 'list.ts', 'page.ts'] },
      'console': { uses: ['public', 'json-object.ts', 'list.ts', 'page.ts', 'limits.ts'], packages: ['zod'] },
      // The public API in both profiles: internal values, and the tables of how each profile names and words them.
      'public': { uses: ['errors.ts', 'json-object.ts', 'page.ts', 'limits.ts'], packages: ['zod'] },
      'push': { uses: ['console', 'limits.ts'], packages: ['zod'] },
      'ingest': { uses: [], packages: ['zod'] },
      'list.ts': { uses: ['page.ts', 'limits.ts'], packages: ['zod'] },
      'page.ts': { uses: [], packages: ['zod'] },
      'json-object.ts': { uses: [], packages: ['zod'] },
      // Rules as their authors write them, for editors.
      'rule-file.ts': { uses: [], packages: ['zod'] },
      'errors.ts': { uses: [], packages: ['zod'] },
      'issue-message.ts': { uses: [], types: ['zod'] },
      'app-error.ts': { uses: [] },
      // Names of fields, for what server and console show of an event.
      'header-fields.ts': { uses: [] },
      'limits.ts': { uses: [] },
    },
  },

  'packages/formats': {
    isPure: false,
    rooms: {
      // What an event states of itself, and how others refer to it.
      'event': {
        uses: [],
        packages: ['@tripline/common/get-path', '@tripline/common/json', '@tripline/engine/evaluate', 'node:crypto'],
        types: ['@tripline/engine'],
      },
      // Bodies of JSON to events.
      'json': { uses: ['limits.ts'], packages: ['@tripline/common/json', '@tripline/contract/app-error', '@tripline/engine'] },
      // Files of events to NDJSON: compression, charset and format by content. `text` are formats of lines.
      'files': {
        uses: ['audit', 'evtx', 'files/text', 'split-pairs.ts', 'limits.ts'],
        packages: ['node:stream', 'node:zlib', 'unbzip2-stream', 'xz-decompress'],
      },
      'files/text': { uses: ['audit', 'files', 'split-pairs.ts', 'syslog', 'limits.ts'] },
      // Records of Linux audit, and those of one audit event as one event.
      'audit': { uses: ['json', 'split-pairs.ts'], packages: ['@tripline/common/json'], types: ['@tripline/engine'] },
      'split-pairs.ts': { uses: [] },
      // Events to what rules read, as a file of the user states.
      'mapping': {
        uses: ['event', 'syslog', 'limits.ts'],
        packages: ['@tripline/common/get-path', '@tripline/common/json', '@tripline/engine/authoring', '@tripline/engine/yaml'],
        types: ['@tripline/engine'],
      },
      // Windows event logs: records of binary XML to JSON.
      'evtx': { uses: ['limits.ts'] },
      // What each shipper speaks, to the same parts and events.
      'elastic': { uses: ['json', 'body-format.ts', 'limits.ts'], packages: ['@tripline/common/json', '@tripline/contract/app-error'] },
      'splunk': {
        uses: ['json', 'body-format.ts', 'limits.ts'], packages: ['@tripline/common/json', '@tripline/contract/app-error'],
        types: ['@tripline/engine'],
      },
      'otlp': {
        uses: ['json', 'body-format.ts', 'limits.ts'],
        packages: ['@bufbuild/protobuf/wire', '@tripline/common/json', '@tripline/contract/app-error'], types: ['@tripline/engine'],
      },
      // Messages of syslog and what they carry, and their frames in a stream.
      'syslog': { uses: ['audit', 'json'], packages: ['@tripline/common/json'], types: ['@tripline/engine'] },
      // Chooses a format by content type.
      'body-format.ts': { uses: ['json'] },
      // Files of rules to their texts.
      'rule-files.ts': { uses: [], packages: ['node:fs/promises', 'node:path'], types: ['@tripline/engine'] },
      'inflate.ts': {
        uses: ['limits.ts'], packages: ['@tripline/common/error-code', '@tripline/contract/app-error', 'node:util', 'node:zlib'],
      },
      'limits.ts': { uses: [] },
    },
  },

  // What the words of the server mean: plain data and rules about it.
  'packages/model': {
    isPure: false,
    rooms: {
      '.': {
        uses: ['access', 'collectors', 'delivery', 'enrichment', 'incidents', 'lists', 'time'],
        packages: [commonPackages, '@tripline/engine/evaluate', 'node:crypto'],
        types: [engineTypes, eventReference],
      },
      // What assets are recognised by, and what is known of them over time.
      'assets': { uses: ['.', 'enrichment', 'lists'], packages: [commonPackages] },
      'access': { uses: ['.'], packages: ['@tripline/common/get-path', 'node:crypto'], types: [engineTypes] },
      'collectors': { uses: ['.'] },
      // Domain events, and webhooks with what they send.
      'delivery': {
        uses: ['.', 'access', 'collectors', 'incidents', 'playbooks', 'time'],
        packages: [commonPackages, 'node:crypto'], types: [engineTypes],
      },
      'enrichment': { uses: ['.', 'lists'], packages: [commonPackages, '@tripline/engine/evaluate'], types: [engineTypes] },
      'incidents': { uses: ['.', 'time'], packages: [commonPackages], types: [engineTypes] },
      'lists': { uses: ['.', 'collectors', 'compliance', 'delivery', 'incidents', 'playbooks', 'risk'], packages: [commonPackages] },
      // Scores of hosts, users and addresses by their open alerts.
      'risk': { uses: ['.', 'incidents'], types: [engineTypes] },
      'playbooks': { uses: [] },
      // Lengths of time in words, and days of a time zone.
      'time': { uses: [], packages: [commonPackages] },
      'compliance': { uses: [], types: [complianceTypes] },
    },
  },

  // The state of a server: what others need of it (`ports`), and SQLite behind it.
  'packages/state': {
    isPure: false,
    rooms: {
      '.': {
        uses: ['ports', 'sqlite', 'migrations', 'limits.ts'],
        packages: [modelPackage, '@tripline/common/json', 'node:fs', 'node:fs/promises', 'node:path', 'node:sqlite'],
        types: [engineTypes, 'kysely'],
      },
      // Runs what the lease table says is due.
      'jobs': {
        uses: ['ports', 'limits.ts'], packages: ['@tripline/common/error-message'], types: [modelPackage, ...runtimeTypes],
      },
      'ports': {
        uses: ['limits.ts'], packages: [commonPackages, modelPackage, 'node:crypto', 'node:timers/promises'],
        types: [eventReference, complianceTypes],
      },
      'sqlite': {
        uses: ['ports', 'limits.ts'],
        packages: [
          commonPackages, modelPackage, 'kysely', 'node:crypto', 'node:fs', 'node:fs/promises', 'node:sqlite', 'node:timers/promises',
          'node:url', 'node:zlib',
        ],
        types: [engineTypes, eventReference, complianceTypes],
      },
      'migrations': { uses: ['sqlite'], packages: ['@tripline/common/error-message', 'kysely', 'kysely/migration', 'node:crypto'] },
      'limits.ts': { uses: [], packages: ['@tripline/contract/limits'] },
    },
  },

  // From accepted events to alerts, in stages on the bus.
  'packages/detection': {
    isPure: false,
    rooms: {
      // Opens the stages, runs them, and is the interface to all of them.
      'pipeline': {
        uses: ['stages', 'tenants', 'fairness', 'limits.ts'],
        packages: [commonPackages, '@tripline/contract/app-error', modelPackage, ...storageSeams],
        types: ['@tripline/engine', '@tripline/state/ports/*'],
      },
      // What each stage makes of a message.
      'stages': {
        uses: ['pipeline', 'tenants', 'limits.ts'],
        packages: [
          commonPackages, modelPackage, ...storageSeams, '@tripline/engine', '@tripline/engine/evaluate', '@tripline/formats/event/*',
          '@tripline/formats/mapping/*',
          '@tripline/state/ports/*', 'node:crypto', 'node:timers/promises',
        ],
      },
      // The engine of a tenant, and what it counts.
      'tenants': {
        uses: ['stages', 'limits.ts'], packages: [commonPackages, modelPackage, '@tripline/engine', 'node:timers/promises'],
        types: ['@tripline/formats/event/event-id', '@tripline/state/ports/*', '@tripline/storage/bus/bus'],
      },
      // The rules of tenants: those that came with the server, under what each tenant has of its own. Stores nothing itself.
      'rules': {
        uses: ['limits.ts'],
        packages: [
          commonPackages, '@tripline/contract/app-error', modelPackage, 'node:timers/promises', 'node:util', 'js-yaml', '@tripline/engine',
          '@tripline/engine/yaml', '@tripline/engine/predicate',
        ],
      },
      // What else is known of alerts: looks it up and caches it.
      'enrichment': {
        uses: ['stages', 'limits.ts'], packages: [commonPackages, modelPackage, '@tripline/state/ports/*'],
      },
      // What events tell of machines: reads it beside the stages, and writes it in batches.
      'assets': {
        uses: ['stages', 'fairness', 'limits.ts'],
        packages: [commonPackages, modelPackage, '@tripline/engine', '@tripline/engine/evaluate'], types: ['@tripline/state/ports/*'],
      },
      // Users and own host names that events tell of: as the machines above.
      'observations': {
        uses: ['fairness', 'stages', 'limits.ts'],
        packages: [commonPackages, modelPackage, '@tripline/engine', '@tripline/engine/evaluate'], types: ['@tripline/state/ports/*'],
      },
      // How tenants share work: queues and turns, whatever the work is.
      'fairness': { uses: ['limits.ts'], packages: ['@tripline/common/processor-time', modelPackage, '@tripline/engine', 'node:timers'] },
      'limits.ts': { uses: [], packages: ['@tripline/contract/limits', '@tripline/storage/limits'] },
    },
  },

  'packages/storage': {
    isPure: false,
    rooms: {
      // The disk, behind a type that tests replace.
      'disk': { uses: [], packages: ['@tripline/common/error-code', 'node:fs/promises', 'node:path'] },
      // Records on disk for both stores: knows neither events nor topics.
      'log': { uses: ['disk'], packages: ['@tripline/common/error-code', 'node:zlib'] },

      // The seam between stages, and the bus that keeps messages in files.
      'bus': { uses: ['log', 'tenant-id.ts', 'limits.ts'] },
      'bus/local': {
        uses: ['bus', 'log', 'disk', 'tenant-id.ts', 'limits.ts'],
        packages: ['@tripline/common/error-code', '@tripline/common/serial-queue'],
      },

      // The seam behind which events are stored and searched, and the store of segments.
      'events/event-store.ts': {
        uses: ['log', 'tenant-id.ts'],
        types: ['@tripline/engine/predicate', '@tripline/formats/event/*'],
      },
      'events': {
        uses: ['events/event-store.ts', 'events/block', 'events/segment', 'events/search', 'log', 'disk', 'limits.ts'],
        packages: [
          '@tripline/common/chunk-by-size', '@tripline/common/error-code', '@tripline/common/error-message',
          '@tripline/common/serial-queue',
          '@tripline/formats/event/event-severity',
        ],
        types: ['@tripline/formats/event/*', '@tripline/engine/predicate'],
      },
      // Blocks in memory and as bytes.
      'events/block': {
        uses: ['events/event-store.ts', 'log', 'limits.ts'],
        packages: [
          '@tripline/common/json', '@tripline/common/serial-queue', '@tripline/engine/evaluate', '@tripline/formats/event/parse-logsource',
          'node:timers/promises', 'node:util', 'node:crypto', 'node:zlib',
        ],
        types: ['@tripline/formats/event/event-arrival'],
      },
      // Files of encoded blocks, and what of them is cached.
      'events/segment': {
        uses: ['events/event-store.ts', 'events/block', 'log', 'disk'],
        packages: ['@tripline/common/error-message', 'node:zlib'],
      },
      // Predicates over blocks, in memory or in segments.
      'events/search': {
        uses: ['events/event-store.ts', 'events/block', 'log', 'limits.ts'],
        packages: [...evaluation, '@tripline/formats/event/event-severity', 'node:timers/promises'],
        types: ['@tripline/formats/event/event-id'],
      },

      'tenant-id.ts': { uses: [] },
      'limits.ts': { uses: [] },
    },
  },
}
