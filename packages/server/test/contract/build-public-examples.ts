import type { ErrorCode } from '@tripline/contract/errors'
import { profiles } from '@tripline/contract/public/profile'
import type { ByProfile, Profile } from '@tripline/contract/public/profile'
import type { ApiExamples, OperationExample } from '../../src/http/openapi/example-types.ts'
import { toOperationId } from '../../src/http/openapi.ts'
import { publicBase } from '../../src/http/public/public-handler.ts'
import { ExampleNormalizer } from './normalize-example.ts'
import { createApiKey, makePublicSample } from './public-samples.ts'
import { openSampleWorld } from './sample-world.ts'
import type { SampleWorld } from './sample-world.ts'

/** Sends one request of each operation of the public API in both profiles, and one for each error, and returns the answers. */
export async function buildPublicExamples(): Promise<ByProfile<ApiExamples>> {
  const examples = new Map<Profile, ApiExamples>()
  for (const profile of profiles) examples.set(profile, await buildProfileExamples(profile))
  return { a: examples.get('a') ?? noExample(), b: examples.get('b') ?? noExample() }
}

async function buildProfileExamples(profile: Profile): Promise<ApiExamples> {
  const world = await openSampleWorld()
  const key = await createApiKey(world, { api_profile: profile })
  const operations: { [operationId: string]: OperationExample } = {}
  for (const { method, path } of world.server.app.http.publicApi.routes) {
    const sample = makePublicSample(world, { method, path })
    const sent = sample.bodies?.[profile] ?? sample.body
    const url = `${publicBase}${sample.path ?? path}`
    const { status, body } = await world.server.call(method, url, { ...sample, token: key, ...(sent !== undefined && { body: sent }) })
    if (status !== sample.status) throw new Error(`${method} ${url} answered ${status}, not ${sample.status}: ${JSON.stringify(body)}`)
    const { normalize } = new ExampleNormalizer()
    operations[toOperationId({ method, path: `${publicBase}${path}` })] = {
      path: String(normalize(url)), ...(sent !== undefined && { body: normalize(sent) }), status,
      ...(body !== undefined && { response: normalize(body) }),
    }
  }
  return { operations, errors: await runErrorSamples(world, profile, key) }
}

type ErrorSample = { readonly method: string; readonly path: string; readonly body?: unknown; readonly headers?: { readonly [name: string]: string } }

const unknownId = '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0009'

/** A request for each error that integrations meet most. */
const errorSamples: { readonly [Code in ErrorCode]?: ErrorSample } = {
  INVALID_PARAMETER: { method: 'GET', path: '/alerts?severity=hgih' },
  INVALID_CURSOR: { method: 'GET', path: '/alerts?cursor=x' },
  NOT_FOUND: { method: 'GET', path: `/alerts/${unknownId}` },
  METHOD_NOT_ALLOWED: { method: 'DELETE', path: '/alerts' },
  FORBIDDEN: { method: 'PATCH', path: `/alerts/${unknownId}`, body: { comment: 'seen' } },
  UNAUTHORIZED: { method: 'GET', path: '/alerts' },
  RATE_LIMITED: { method: 'GET', path: '/alerts' },
}

async function runErrorSamples(world: SampleWorld, profile: Profile, key: string): Promise<ApiExamples['errors']> {
  const reader = await createApiKey(world, { scope: 'read-only', api_profile: profile })
  const slow = await createApiKey(world, { requests_per_minute: 1, api_profile: profile })
  const headers = { 'x-api-profile': profile }
  await world.server.call('GET', `${publicBase}/alerts`, { token: slow })
  const tokens: { readonly [code: string]: string | null } = { FORBIDDEN: reader, UNAUTHORIZED: null, RATE_LIMITED: slow }
  const examples: { [code: string]: { readonly request: string; readonly response: unknown } } = {}
  for (const [code, { method, path, body }] of Object.entries(errorSamples)) {
    const token = code in tokens ? tokens[code] ?? null : key
    const answered = await world.server.call(method, `${publicBase}${path}`, { token, headers, ...(body !== undefined && { body }) })
    if (!JSON.stringify(answered.body).includes(`"${code}"`)) throw new Error(`${method} ${path} did not answer ${code}`)
    examples[code] = { request: `${method} ${publicBase}${path}`, response: new ExampleNormalizer().normalize(answered.body) }
  }
  return examples
}

function noExample(): ApiExamples {
  return { operations: {}, errors: {} }
}
