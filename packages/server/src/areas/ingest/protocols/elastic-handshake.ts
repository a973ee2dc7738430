import type { Route } from '../../../http/route.ts'

/** A question of a client before it sends documents, and the answer that lets it go on. */
type Handshake = { readonly method: Route['method']; readonly path: string; readonly answer: object }

/** The oldest version whose bulk API every supported client accepts. */
const version = {
  number: '8.19.0', build_flavor: 'default', build_type: 'tar', build_hash: 'unknown', build_date: '2025-07-23T22:10:18.138215992Z',
  build_snapshot: false, lucene_version: '9.12.2', minimum_wire_compatibility_version: '7.17.0',
  minimum_index_compatibility_version: '7.0.0',
}

/** What a client asks first, and recognises the product by. */
export const rootAnswer = { name: 'tripline', cluster_name: 'tripline', cluster_uuid: 'tripline', version, tagline: 'You Know, for Search' }

const license = { license: { status: 'active', uid: 'tripline', type: 'basic', issued_to: 'tripline', issuer: 'tripline' } }

const health = {
  cluster_name: 'tripline', status: 'green', timed_out: false, number_of_nodes: 1, number_of_data_nodes: 1, active_primary_shards: 1,
  active_shards: 1, relocating_shards: 0, initializing_shards: 0, unassigned_shards: 0, delayed_unassigned_shards: 0,
  number_of_pending_tasks: 0, number_of_in_flight_fetch: 0, task_max_waiting_in_queue_millis: 0, active_shards_percent_as_number: 100,
}

const done = { acknowledged: true, errors: false }

/** What clients look for and install when it is missing: templates, policies, pipelines. None is used, so each exists. */
const managedPaths = [
  '/_ilm/policy/:name', '/_index_template/:name', '/_component_template/:name', '/_template/:name', '/_ingest/pipeline/:name',
  '/_data_stream/:name', '/_alias/:name',
]

/** The handshakes of Beats, Logstash, Fluent Bit, Fluentd, Vector and the client libraries. Hono answers HEAD by GET. */
export const handshakes: readonly Handshake[] = [
  { method: 'GET', path: '/', answer: rootAnswer },
  { method: 'GET', path: '/_license', answer: license },
  { method: 'GET', path: '/_xpack', answer: { ...license, features: {} } },
  { method: 'GET', path: '/_cluster/health', answer: health },
  { method: 'GET', path: '/_cluster/health/:index', answer: health },
  { method: 'GET', path: '/_nodes', answer: { nodes: {} } },
  { method: 'GET', path: '/_nodes/*', answer: { nodes: {} } },
  { method: 'GET', path: '/_logstash/*', answer: {} },
  { method: 'GET', path: '/_ilm/status', answer: { operation_mode: 'RUNNING' } },
  ...managedPaths.flatMap((path): readonly Handshake[] => [
    { method: 'GET', path, answer: {} }, { method: 'PUT', path, answer: done },
  ]),
]
