import type { Call } from '../open-test-server.ts'
import type { SampleWorld } from './sample-world.ts'

/** A call of an operation of the public API: its path, and its body in each profile where they differ. */
export type PublicSample = Call & { readonly path?: string; readonly bodies?: { readonly a: unknown; readonly b: unknown }; readonly status: number }

/** How each operation is called so that it answers as its row says; a GET without a name in its path needs no row. */
export const publicSamples: { readonly [operation: string]: (world: SampleWorld) => PublicSample } = {
  'GET /alerts': () => ({ path: '/alerts?severity=high&size=1', status: 200 }),
  ...Object.fromEntries(['/search', '/siem/search'].map((path) => [`POST ${path}`, () => ({
    status: 200,
    bodies: {
      a: { query: 'host:web-1', fromTime: '2026-11-20T09:58:00Z', toTime: '2026-11-20T10:01:00Z', limit: 5 },
      b: { query: 'host:web-1', from: '2026-11-20T09:58:00Z', to: '2026-11-20T10:01:00Z', size: 5, histogram: true },
    },
  })])),
  'GET /siem/rules': () => ({ path: '/siem/rules?mitre=T1059&size=1', status: 200 }),
  'GET /compliance/:framework/coverage': () => ({ path: '/compliance/iso27001/coverage', status: 200 }),
  'GET /compliance/:framework/controls': () => ({ path: '/compliance/ccpa/controls', status: 200 }),
  'GET /compliance/:framework/controls/:id': () => ({ path: '/compliance/iso27001/controls/A.8.17', status: 200 }),
  'GET /compliance/:framework/report': () => ({ path: '/compliance/iso27001/report?format=json', status: 200 }),
  'POST /compliance/evidence/collect': () => ({ body: { frameworks: ['iso27001'] }, status: 202 }),
  'GET /compliance/evidence/jobs/:id': () => ({ path: '/compliance/evidence/jobs/known-1', status: 200 }),
  'POST /webhooks': () => ({
    path: '/webhooks', body: { name: 'SOAR', url: 'https://soar.example/hook', events: ['alert.created'], filters: { severity: ['high'] } },
    status: 201,
  }),
  'GET /webhooks/:id': () => ({ path: '/webhooks/w1', status: 200 }),
  'PATCH /webhooks/:id': () => ({ path: '/webhooks/w1', body: { events: ['alert.created', 'alert.updated'] }, status: 200 }),
  'PUT /webhooks/:id': () => ({ path: '/webhooks/w1', body: { name: 'Renamed' }, status: 200 }),
  'POST /webhooks/:id/rotate-secret': () => ({ path: '/webhooks/w1/rotate-secret', status: 200 }),
  'POST /webhooks/:id/test': () => ({ path: '/webhooks/w1/test', status: 200 }),
  'POST /webhooks/:id/replay': () => ({
    path: '/webhooks/w1/replay', body: { from: '2026-11-20T09:00:00.000Z', to: '2026-11-20T10:00:00.000Z' }, status: 202,
  }),
  'GET /webhooks/:id/deliveries': () => ({ path: '/webhooks/w1/deliveries', status: 200 }),
  'POST /webhooks/:id/deliveries/:deliveryId/redeliver': () => ({ path: '/webhooks/w1/deliveries/d1/redeliver', status: 202 }),
  'DELETE /webhooks/:id': () => ({ path: '/webhooks/w2', status: 204 }),
  'GET /incidents': () => ({ path: '/incidents?severity=high&size=1', status: 200 }),
  'POST /incidents': () => ({
    status: 201,
    bodies: {
      a: { title: 'Credentials found in a repository', severity: 'high', assignedTo: null },
      b: { title: 'Credentials found in a repository', severity: 'high', assignee: null },
    },
  }),
  'GET /incidents/:id': () => ({ path: '/incidents/known-1', status: 200 }),
  'PATCH /incidents/:id': () => ({
    path: '/incidents/known-1', status: 200,
    bodies: { a: { status: 'ERADICATED', comment: 'Host isolated' }, b: { status: 'contained', comment: 'Host isolated' } },
  }),
  'GET /incidents/:id/comments': () => ({ path: '/incidents/known-1/comments', status: 200 }),
  'POST /incidents/:id/comments': () => ({ path: '/incidents/known-1/comments', body: { content: 'Seen on two more hosts' }, status: 201 }),
  'POST /incidents/:id/alerts': () => ({
    path: '/incidents/known-2/alerts', bodies: { a: { alertIds: ['known-c'] }, b: { alert_ids: ['known-c'] } }, status: 200,
  }),
  'DELETE /incidents/:id/alerts/:alertId': () => ({ path: '/incidents/known-2/alerts/known-c', status: 200 }),
  'POST /incidents/:id/merge': () => ({
    path: '/incidents/known-1/merge', bodies: { a: { incidentIds: ['known-2'] }, b: { incident_ids: ['known-2'] } }, status: 200,
  }),
  'GET /collectors/:id': () => ({ path: '/collectors/known-1', status: 200 }),
  'POST /assets/import': () => ({
    status: 200, bodies: {
      a: { assets: [{ hostname: 'web-7', ipAddresses: ['192.0.2.77'], criticality: 'high', tags: ['dmz'] }, { owner: 'Ann' }] },
      b: { assets: [{ hostname: 'web-7', ip_addresses: ['192.0.2.77'], criticality: 'high', tags: ['dmz'] }, { owner: 'Ann' }] },
    },
  }),
  'GET /assets/:id': () => ({ path: '/assets/known-1', status: 200 }),
  'GET /alerts/:id': ({ alertId }) => ({ path: `/alerts/${alertId}`, status: 200 }),
  'PATCH /alerts/:id': ({ alertId }) => ({
    path: `/alerts/${alertId}`, status: 200,
    bodies: { a: { status: 'IN_PROGRESS', comment: 'seen' }, b: { status: 'in_progress', comment: 'seen' } },
  }),
}

/** The sample of an operation. */
export function makePublicSample(
  world: SampleWorld, { method, path }: { readonly method: string; readonly path: string },
): PublicSample {
  return publicSamples[`${method} ${path}`]?.(world) ?? { status: 200 }
}

/** Creates an API key and returns its text. */
export async function createApiKey({ server }: Pick<SampleWorld, 'server'>, body: object = {}, token?: string): Promise<string> {
  const created = await server.call('POST', '/v1/api-keys', {
    // A fresh token: tests move the clock.
    body: { name: 'Integration', scope: 'read-write', ...body }, token: token ?? await server.tokenOf(['admin']),
  })
  return String(Reflect.get(Object(created.body), 'key'))
}
