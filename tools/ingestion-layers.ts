import type { PackageLayers } from './find-layer-violations.ts'

const common = ['@tripline/common/*', '@tripline/contract/app-error']
const model = '@tripline/model/*'
const statePorts = '@tripline/state/ports/*'

/** The rooms of the server that events come in by. */
export const ingestionRooms: PackageLayers['rooms'] = {
  // Events from outside: bodies, polled sources, imported files.
  'ingestion': {
    uses: ['ingestion/join-audit-events.ts', 'ingestion/limits.ts', 'ingestion/connectors', 'limits.ts'],
    packages: ['@tripline/detection/*', model, ...common, '@tripline/formats/*', 'node:crypto', 'node:timers/promises'],
    types: ['@tripline/sources/polling/read-page'],
  },
  // Records of Linux audit among the events of a request or a listener.
  'ingestion/join-audit-events.ts': {
    uses: [],
    packages: ['@tripline/common/parse-json', '@tripline/formats/*', 'node:crypto'],
    types: ['@tripline/detection/stages/event-message', '@tripline/engine'],
  },
  // Listeners for syslog: sockets, frames, and a queue before the pipeline.
  'ingestion/syslog': {
    uses: ['ingestion/join-audit-events.ts', 'ingestion/limits.ts'],
    packages: [
      ...common, model, '@tripline/detection/*', '@tripline/formats/*', '@tripline/sources/syslog/*',
    ],
  },
  // Sources that the server polls. Settings are stored as they came over the wire.
  'ingestion/connectors': {
    uses: ['ingestion/limits.ts', 'ingestion/split-into-pieces.ts', 'ingestion/syslog', 'egress', 'runtime', 'limits.ts'],
    packages: [
      model, statePorts, '@tripline/state/*',
      ...common, '@tripline/contract/console/sources/connector-config', '@tripline/contract/issue-message', '@tripline/formats/json/*',
      '@tripline/sources/*',
      'csv-parse',
      'node:crypto', 'node:stream',
      'node:timers/promises', 'zod',
    ],
    types: ['@tripline/engine', '@tripline/storage/events/event-store'],
  },
  // Files that customers bring: rows out of bytes, facts out of rows.
  'ingestion/imports': {
    uses: ['ingestion/limits.ts', 'ingestion/split-into-pieces.ts'],
    packages: [
      model,
      ...common, '@tripline/contract/console/*', '@tripline/contract/issue-message', '@tripline/formats/json/json-elements', 'csv-parse',
      'node:buffer', 'node:stream', 'node:timers/promises',
    ],
    types: ['zod'],
  },
}
