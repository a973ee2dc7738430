import {
  apiKeyListSchema, apiKeyPatchSchema, apiKeySchema, createdApiKeySchema, newApiKeyBodySchema, rotateBodySchema,
} from '@tripline/contract/console/access/api-key'
import { readIfMatch } from '../../http/etag.ts'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { printApiKeyBody } from './api-key-view.ts'
import { changeApiKey, getApiKey, listApiKeys, issueApiKey, revokeApiKey, rotateApiKey } from './api-keys.ts'
import type { ApiKeyDeps, NewApiKey } from './api-keys.ts'

const path = '/v1/api-keys'
const access = 'administer_tenant'

/** Routes for API keys. */
export function apiKeyRoutes(deps: ApiKeyDeps): Route[] {
  return [
    {
      method: 'GET', path, access, summary: 'Lists API keys, including expired and revoked ones', responses: { 200: apiKeyListSchema },
      handle: async (c) => {
        const keys = await listApiKeys(deps, getPrincipal(c).tenant)
        return respond(c, { api_keys: keys.map((key) => printApiKeyBody(key, deps.clock.now())) })
      },
    },
    {
      method: 'POST', path, access, isIdempotent: true, summary: 'Creates an API key, which is shown only in this response',
      body: newApiKeyBodySchema, headers: ['ETag', 'Location'], responses: { 201: createdApiKeySchema },
      handle: async (c) => {
        const { scope, ...rest } = await readJson(c, newApiKeyBodySchema)
        const order = { ...toKeyInput(rest), scope: scope === 'read-write' ? 'read_write' : 'read_only' } as const
        return respondWithNewKey(deps, c, await issueApiKey(deps, getPrincipal(c), { ...order, name: rest.name }))
      },
    },
    {
      method: 'GET', path: `${path}/:id`, access, summary: 'Returns an API key without its secret',
      headers: ['ETag'], responses: { 200: apiKeySchema },
      handle: async (c) => {
        const key = await getApiKey(deps, getPrincipal(c).tenant, readIdParam(c))
        return respondWithEtag(c, printApiKeyBody(key, deps.clock.now()), key.version)
      },
    },
    {
      method: 'PATCH', path: `${path}/:id`, access, summary: "Updates what an API key may do, or its name or expiry",
      body: apiKeyPatchSchema, checksVersion: true, headers: ['ETag'], errors: ['INVALID_PARAMETER', 'CONFLICT'],
      responses: { 200: apiKeySchema },
      handle: async (c) => {
        const patch = toKeyInput(await readJson(c, apiKeyPatchSchema))
        const key = await changeApiKey(deps, getPrincipal(c), readIdParam(c), { patch, versions: readIfMatch(c) })
        return respondWithEtag(c, printApiKeyBody(key, deps.clock.now()), key.version)
      },
    },
    {
      method: 'DELETE', path: `${path}/:id`, access, summary: 'Revokes an API key', responses: { 204: null },
      handle: async (c) => {
        await revokeApiKey(deps, getPrincipal(c), readIdParam(c))
        return c.body(null, 204)
      },
    },
    {
      method: 'POST', path: `${path}/:id/rotate`, access, isIdempotent: true,
      summary: 'Replaces an API key; the old one stays valid for a while',
      body: rotateBodySchema, headers: ['ETag', 'Location'], responses: { 201: createdApiKeySchema },
      handle: async (c) => {
        const { overlap_seconds: overlap } = await readJson(c, rotateBodySchema)
        return respondWithNewKey(deps, c, await rotateApiKey(deps, getPrincipal(c), readIdParam(c), overlap))
      },
    },
  ]
}

type ApiKeyFields = {
  readonly name?: string | undefined
  readonly expires_at?: string | null | undefined
  readonly api_profile?: 'auto' | 'a' | 'b' | undefined
  readonly resources?: readonly string[] | undefined
  readonly requests_per_minute?: number | null | undefined
  readonly allowed_cidrs?: readonly string[] | undefined
}

function toKeyInput({ name, expires_at: end, api_profile: apiProfile, resources, ...more }: ApiKeyFields) {
  const { requests_per_minute: rate, allowed_cidrs: allowedCidrs } = more
  const expiresAt = end === null ? 'never' : end === undefined ? undefined : Date.parse(end)
  const requestsPerMinute = rate === null ? 'unlimited' : rate
  return { name, expiresAt, apiProfile, resources, requestsPerMinute, allowedCidrs } as const
}

function respondWithNewKey({ clock }: Pick<ApiKeyDeps, 'clock'>, c: RequestContext, { key, text }: NewApiKey): Response {
  c.header('Location', `${path}/${key.publicId}`)
  return respondWithEtag(c, { ...printApiKeyBody(key, clock.now()), key: text }, key.version, 201)
}
