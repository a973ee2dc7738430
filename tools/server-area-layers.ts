import type { Room } from './find-layer-violations.ts'

/** Helpers without a word of the product, and the errors of requests: for every room but the state's. */
export const common = ['@tripline/common/*', '@tripline/contract/app-error']
/** What an event states of itself, and how others refer to it. */
export const event = '@tripline/formats/event/*'

/** What the words mean, and what rooms need of the state without knowing its database. */
export const model = '@tripline/model/*'
export const statePorts = '@tripline/state/ports/*'

/** What every area may use: routes and lists, what areas share, the words, the ports of the state. */
const forAreas = ['audit', 'http', 'runtime', 'limits.ts']
const contract = '@tripline/contract/*'
const forAreaPackages = [...common, contract, model, statePorts]

/** The rows of the server's areas. */
export const areaLayers: { readonly [room: string]: Room } = {
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
  // What happened to an asset, and which machine it is.
  'areas/assets': { uses: [...forAreas, 'areas/shared'], packages: [...forAreaPackages] },
  'areas/audit': { uses: ['areas/shared', 'http', 'runtime'], packages: [model, statePorts, contract] },
  'areas/changes': { uses: ['http', 'limits.ts'], packages: [model, contract], types: ['@tripline/detection/rules/*', statePorts] },
  'areas/collectors': { uses: ['collectors', 'http', 'limits.ts'], packages: [contract, model, '@tripline/state/ports/memory-list'] },
  'areas/connectors': {
    uses: [...forAreas, 'access', 'areas/shared', 'collectors', 'ingestion/connectors', 'ingestion/syslog'],
    packages: [...forAreaPackages, '@tripline/sources/*', 'zod'],
  },
  'areas/enrichment': {
    uses: [...forAreas, 'areas/shared', 'ingestion/imports'], packages: [...forAreaPackages, 'node:timers/promises', 'zod'],
  },
  'areas/reports': { uses: ['http', 'reports'], packages: [contract, '@tripline/common/omit-undefined'], types: [model] },
  'areas/compliance': { uses: ['compliance', 'http', 'reports'], packages: [contract, '@tripline/compliance/*'], types: [model] },
  'areas/incidents': { uses: [...forAreas, 'areas/shared', 'incidents'], packages: [...forAreaPackages] },
  // The register of requests that persons made about their data.
  'areas/requests': { uses: [...forAreas, 'erasure'], packages: [...forAreaPackages] },
  'areas/playbooks': { uses: [...forAreas, 'playbooks'], packages: [...forAreaPackages], types: ['zod'] },
  'areas/ingest': {
    uses: ['http', 'access', 'ingestion', 'limits.ts'], packages: [contract, '@tripline/formats/*', 'zod'],
    types: ['@tripline/detection/pipeline/pipeline', '@tripline/model/tenant'],
  },
  // What shippers speak that are not ours, each a parser of packages/formats before the one intake, and answers in its words.
  'areas/ingest/protocols': {
    uses: ['areas/ingest', 'http', 'ingestion', 'limits.ts'], packages: [contract, '@tripline/formats/*', '@bufbuild/protobuf/wire'],
  },
  'areas/limits': { uses: ['http', 'limits.ts'], packages: [contract, '@tripline/engine', '@tripline/query', '@tripline/rule-tools'] },
  'areas/metrics': {
    uses: ['http', 'metrics', 'limits.ts'],
    packages: ['@tripline/detection/rules/*', model, statePorts, contract],
    types: ['@tripline/detection/pipeline/compute-accounting'],
  },
  // One file of what other areas show, without names and texts.
  // Records that the pipeline could not handle.
  'areas/failures': { uses: [...forAreas, 'failures'], packages: [...forAreaPackages] },
  // What those who help with a server ask for, and an event that is sent through it.
  'areas/support': {
    uses: [...forAreas, 'metrics'], packages: [...forAreaPackages, '@tripline/engine', 'node:timers/promises'],
    types: ['@tripline/detection/pipeline/pipeline'],
  },
  'areas/overview': { uses: ['http', 'overview', 'limits.ts'], packages: [...forAreaPackages], types: ['@tripline/engine'] },
  'areas/profile': { uses: [...forAreas, 'areas/shared', 'access'], packages: [...forAreaPackages], types: ['zod'] },
  'areas/push': { uses: ['http', 'delivery', 'runtime', 'limits.ts'], packages: [...common, contract, '@hono/node-server'] },
  'areas/rules': {
    uses: [...forAreas, 'areas/rules/authoring', 'areas/rules/tests', 'metrics'],
    packages: ['@tripline/detection/*', ...forAreaPackages, event, '@tripline/rule-tools', 'node:timers/promises', 'node:util'],
    types: ['@tripline/engine', 'zod'],
  },
  'areas/rules/tests': {
    uses: [...forAreas, 'areas/rules', 'areas/rules/pipelines', 'access'],
    packages: [
      ...forAreaPackages, '@tripline/detection/rules/*', '@tripline/engine', '@tripline/rule-tools', 'node:timers/promises',
      'node:worker_threads',
    ],
  },
  // Earlier versions of rules, and what a text is compiled with.
  'areas/rules/authoring': {
    uses: [...forAreas, 'areas/rules'],
    packages: [...forAreaPackages, '@tripline/detection/rules/*', 'node:crypto', 'node:module', 'zod'], types: ['@tripline/engine'],
  },
  // What rewrites the rules of a tenant before they are compiled.
  'areas/rules/pipelines': {
    uses: [...forAreas, 'areas/rules', 'areas/rules/tests'],
    packages: [...forAreaPackages, '@tripline/detection/rules/*', '@tripline/engine', '@tripline/rule-tools'],
  },
  // What the rules cover of ATT&CK.
  'areas/rules/attack': { uses: [...forAreas, 'areas/rules'], packages: [...forAreaPackages, '@tripline/rule-tools', 'zod'] },
  // What an exception would hide.
  'areas/rules/exceptions': {
    uses: [...forAreas, 'areas/rules', 'areas/rules/tests'],
    packages: ['@tripline/common/json', '@tripline/detection/rules/*', ...forAreaPackages], types: ['@tripline/engine'],
  },
  'areas/rules/backtests': {
    uses: [...forAreas, 'areas/rules', 'areas/rules/exceptions', 'areas/rules/tests'],
    packages: [
      '@tripline/detection/rules/*', ...forAreaPackages, '@tripline/engine', '@tripline/engine/evaluate', '@tripline/rule-tools',
      'node:timers/promises',
    ],
    types: ['@tripline/engine/predicate', '@tripline/storage/events/event-store'],
  },
  'areas/search': {
    uses: [...forAreas, 'areas/shared', 'errors'],
    packages: [
      ...forAreaPackages, event, '@tripline/engine', '@tripline/engine/evaluate', '@tripline/query',
      '@tripline/detection/fairness/*', '@tripline/storage/events/event-store',
    ],
  },
  'areas/sessions': { uses: [...forAreas, 'areas/shared', 'access'], packages: [...forAreaPackages, 'hono/cookie'] },
  // Logins at identity providers; the way there is the room `sign-on`.
  'areas/sign-on': {
    uses: [...forAreas, 'areas/shared', 'access', 'sign-on'], packages: [...forAreaPackages, 'hono/cookie', 'node:crypto'], types: ['zod'],
  },
  // Users and groups of identity providers; the resources and filters of SCIM are the room `scim`.
  'areas/scim': { uses: [...forAreas, 'areas/shared', 'access', 'scim'], packages: [...forAreaPackages, 'zod'] },
  'areas/tenants': {
    uses: [...forAreas, 'areas/shared', 'access'],
    packages: [...forAreaPackages, '@tripline/engine/evaluate', '@tripline/formats/mapping/*'],
    types: ['@tripline/storage/events/event-store', 'zod'],
  },
  'areas/users': { uses: [...forAreas, 'areas/shared', 'access'], packages: [...forAreaPackages] },
  'areas/views': { uses: ['audit', 'http', 'limits.ts'], packages: ['@tripline/common/runtime', model, statePorts, contract] },

  'areas/risk': { uses: ['http', 'risk'], packages: ['@tripline/contract/console/risk/risk'], types: [model] },
  'areas/exports': {
    uses: [...forAreas, 'areas/shared', 'channels', 'collectors', 'compliance', 'risk'],
    packages: [...forAreaPackages, '@tripline/compliance/*', 'zod'],
    types: ['hono/utils/http-status'],
  },
  'areas/channels': { uses: [...forAreas, 'channels', 'egress'], packages: forAreaPackages },
  'areas/webhooks': { uses: [...forAreas, 'delivery', 'egress'], packages: forAreaPackages },

  // What several areas need: the dependencies of administration, the end of sessions, alerts as lists show them.
  'areas/shared': {
    uses: ['access', 'audit', 'http'], types: ['@tripline/common/runtime', '@tripline/storage/events/event-store'],
    packages: [...forAreaPackages, event, '@tripline/engine/evaluate', 'hono/cookie'],
  },
}
