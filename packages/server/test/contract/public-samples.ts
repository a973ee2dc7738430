import type { Call } from '../open-test-server.ts'
import type { SampleWorld } from './sample-world.ts'

/** A call of an operation of the public API: its path, and its body in each profile where they differ. */
export type PublicSample = Call & { readonly path?: string; readonly bodies?: { readonly a: unknown; readonly b: unknown }; readonly status: number }

/** How each operation is called so that it answers as its row says; a GET without a name in its path needs no row. */
export const publicSamples: { readonly [operation: string]: (world: SampleWorld) => PublicSample } = {
  'GET /alerts': () => ({ path: '/alerts?severity=high&size=1', status: 200 }),
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
    body: { name: 'Integration', scope: 'read-write', ...body }, ...(token !== undefined && { token }),
  })
  return String(Reflect.get(Object(created.body), 'key'))
}
