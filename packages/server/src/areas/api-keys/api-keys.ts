import { parseNetwork } from '@tripline/common/network'
import { AppError } from '@tripline/contract/app-error'
import type { ApiKey, ApiProfile } from '@tripline/model/access/api-key'
import type { KeyScope } from '@tripline/model/access/permission'
import type { Principal } from '@tripline/model/access/principal'
import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { ApiKeyChange, Stores } from '@tripline/state/ports/state-store'
import { unwrapChange, checkVersion, requireFound } from '@tripline/state/ports/version-conflict'
import type { VersionedPatch } from '@tripline/state/ports/version-conflict'
import { checkApiKeyExpiry, checkApiKeyName, generateApiKey } from '../../access/keys/api-key.ts'
import type { NewApiKey } from '../../access/keys/api-key.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { AuditNote } from '../../audit/record-audit.ts'
import { limits } from '../../limits.ts'
import type { AdminDeps } from '../shared/admin-deps.ts'

export type { NewApiKey }

/** Attributes of a new key. */
type ApiKeyInput = {
  readonly name: string
  readonly scope: KeyScope
  /** In milliseconds since 1970; undefined for one year from now. */
  readonly expiresAt: number | 'never' | undefined
  readonly apiProfile?: ApiProfile | undefined
  /** Resources of the public API; none for any. */
  readonly resources?: readonly string[] | undefined
  /** A limit below that of the tenant's plan. */
  readonly requestsPerMinute?: number | 'unlimited' | undefined
  readonly allowedCidrs?: readonly string[] | undefined
}

/** Changeable attributes of a key; a different scope needs a new key. */
type ApiKeyPatch = { readonly [Name in Exclude<keyof ApiKeyInput, 'scope'>]?: ApiKeyInput[Name] | undefined }

/** What API keys need of the server. */
export type ApiKeyDeps = Pick<AdminDeps, 'state' | 'clock' | 'randomBytes'>

/** Lists all keys of a tenant, oldest first, including expired and revoked ones. */
export function listApiKeys({ state }: ApiKeyDeps, tenant: TenantId): Promise<readonly ApiKey[]> {
  return state.apiKeys.list(tenant)
}

/** @throws AppError NOT_FOUND. */
export async function getApiKey({ state }: ApiKeyDeps, tenant: TenantId, id: string): Promise<ApiKey> {
  return requireFound(await state.apiKeys.get(tenant, id), 'API key')
}

/** Creates a key; the response is the only place where its text appears. @throws AppError INVALID_PARAMETER, CONFLICT. */
export function issueApiKey(deps: ApiKeyDeps, caller: Principal, order: ApiKeyInput): Promise<NewApiKey> {
  return deps.state.transaction((stores) => insertKey(deps, stores, caller, { order, action: 'api_key.create' }))
}

/** @throws AppError NOT_FOUND, PRECONDITION_FAILED, INVALID_PARAMETER; CONFLICT for a key that was revoked. */
export async function changeApiKey(
  deps: ApiKeyDeps, caller: Principal, id: string, { patch, versions }: VersionedPatch<ApiKeyPatch>,
): Promise<ApiKey> {
  const at = deps.clock.now()
  return await deps.state.transaction(async (stores) => {
    const before = await getLiveKey(stores, caller.tenant, id)
    checkVersion(before, versions, 'API key')
    const { name = before.name, apiProfile = before.apiProfile, resources = before.resources, allowedCidrs = before.allowedCidrs } = patch
    const requestsPerMinute = resolveRate(patch.requestsPerMinute, before.requestsPerMinute)
    const expiresAt = patch.expiresAt === undefined ? before.expiresAt : patch.expiresAt === 'never' ? undefined : patch.expiresAt
    checkApiKeyName(name)
    checkNetworks(allowedCidrs)
    if (expiresAt !== before.expiresAt) await checkRequestedExpiry(stores, caller.tenant, { expiresAt, at })
    const next = { name, apiProfile, resources, requestsPerMinute, allowedCidrs, expiresAt }
    const diff = diffApiKeys(before, next)
    if (Object.keys(diff).length === 0) return before
    const key = unwrapChange(await stores.apiKeys.update(caller.tenant, id, next, { expectedVersion: before.version, at }), 'API key')
    await recordAudit(stores, caller, { at, action: 'api_key.update', target: { type: 'api_key', id }, diff })
    return key
  })
}

/** Revokes a key; revoking it again has no effect. @throws AppError NOT_FOUND. */
export async function revokeApiKey(deps: ApiKeyDeps, caller: Principal, id: string): Promise<void> {
  const at = deps.clock.now()
  await deps.state.transaction(async (stores) => {
    const key = requireFound(await stores.apiKeys.get(caller.tenant, id), 'API key')
    if (key.revokedAt !== undefined) return
    await stores.apiKeys.revoke(caller.tenant, id, at)
    const diff = { name: [key.name, null] }
    await recordAudit(stores, caller, { at, action: 'api_key.revoke', target: { type: 'api_key', id }, diff })
  })
}

/**
 * Replaces a key by a new one with the same permissions; the old one stays valid for a while so that clients can be updated.
 * Neither outlives the original expiry.
 *
 * @throws AppError NOT_FOUND; CONFLICT for an expired or revoked key.
 */
export async function rotateApiKey(
  deps: ApiKeyDeps, caller: Principal, id: string, overlapSeconds: number = limits.admin.keyOverlapSeconds,
): Promise<NewApiKey> {
  const at = deps.clock.now()
  return await deps.state.transaction(async (stores) => {
    const old = await getLiveKey(stores, caller.tenant, id)
    const { name, scope, apiProfile, resources, requestsPerMinute, allowedCidrs } = old
    if (old.expiresAt !== undefined && old.expiresAt <= at) throw new AppError('CONFLICT', 'the key has expired; create a new one')
    const expiresAt = old.expiresAt ?? 'never'
    const added = await insertKey(deps, stores, caller, {
      order: { name, scope, apiProfile, resources, requestsPerMinute, allowedCidrs, expiresAt }, action: 'api_key.rotate', replaced: id,
    })
    const endsAt = Math.min(at + overlapSeconds * 1_000, old.expiresAt ?? Number.POSITIVE_INFINITY)
    const terms = { expectedVersion: old.version, at }
    if (overlapSeconds === 0) await stores.apiKeys.revoke(caller.tenant, id, at)
    else unwrapChange(await stores.apiKeys.update(caller.tenant, id, { expiresAt: endsAt }, terms), 'API key')
    return added
  })
}

type KeyInsertion = { readonly order: ApiKeyInput; readonly action: 'api_key.create' | 'api_key.rotate'; readonly replaced?: string }

async function insertKey(
  deps: ApiKeyDeps, stores: Stores, caller: Principal, { order, action, replaced }: KeyInsertion,
): Promise<NewApiKey> {
  const { tenant, actor } = caller
  const at = deps.clock.now()
  const { name, scope, expiresAt, apiProfile = 'auto', resources = [], allowedCidrs = [] } = order
  const requestsPerMinute = resolveRate(order.requestsPerMinute, undefined)
  checkNetworks(allowedCidrs)
  if (action === 'api_key.create' && expiresAt === 'never') await checkRequestedExpiry(stores, tenant, { expiresAt: undefined, at })
  const live = (await stores.apiKeys.list(tenant)).filter((key) => isLive(key, at))
  const { apiKeysMax } = limits.admin
  if (live.length >= apiKeysMax) {
    throw new AppError('CONFLICT', `the tenant has reached its limit of ${apiKeysMax} active API keys; revoke one first`)
  }
  const room = { apiKeys: stores.apiKeys, io: { now: () => at, randomBytes: deps.randomBytes } }
  const reach = { apiProfile, resources, requestsPerMinute, allowedCidrs }
  const added = await generateApiKey(room, tenant, { name, scope, createdBy: actor.id, expiresAt, ...reach })
  const shownScope = scope === 'read_write' ? 'read-write' : 'read-only'
  const diff = { name: [null, name], scope: [null, shownScope], ...(replaced === undefined ? {} : { replaces: [null, replaced] }) }
  await recordAudit(stores, caller, { at, action, target: { type: 'api_key', id: added.key.publicId }, diff })
  return added
}

/** The changed attributes, as the audit trail records them. */
function diffApiKeys(
  before: ApiKey, { name, apiProfile, resources, requestsPerMinute, allowedCidrs, expiresAt }: Required<ApiKeyChange>,
): NonNullable<AuditNote['diff']> {
  const pairs = {
    name: [before.name, name],
    api_profile: [before.apiProfile, apiProfile],
    resources: [before.resources, resources],
    requests_per_minute: [before.requestsPerMinute ?? null, requestsPerMinute ?? null],
    allowed_cidrs: [before.allowedCidrs, allowedCidrs],
    expires_at: [toInstant(before.expiresAt), toInstant(expiresAt)],
  }
  return Object.fromEntries(Object.entries(pairs).filter(([, [from, to]]) => JSON.stringify(from) !== JSON.stringify(to)))
}

/** The limit that a request means: its number, none for `unlimited`, or the one before. */
function resolveRate(wanted: number | 'unlimited' | undefined, before: number | undefined): number | undefined {
  return wanted === undefined ? before : wanted === 'unlimited' ? undefined : wanted
}

function toInstant(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString()
}

/** Whether a key is neither revoked nor expired. */
function isLive({ revokedAt, expiresAt }: ApiKey, nowMs: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > nowMs)
}

async function getLiveKey({ apiKeys }: Stores, tenant: TenantId, id: string): Promise<ApiKey> {
  const key = requireFound(await apiKeys.get(tenant, id), 'API key')
  if (key.revokedAt !== undefined) throw new AppError('CONFLICT', 'the key is revoked and cannot be changed; create a new one')
  return key
}

async function checkRequestedExpiry(
  { tenants }: Stores, tenant: TenantId, { expiresAt, at }: { readonly expiresAt: number | undefined; readonly at: number },
): Promise<void> {
  if (expiresAt !== undefined) return checkApiKeyExpiry(expiresAt, at)
  const { settings } = (await tenants.get(tenant)) ?? { settings: {} }
  if (resolveSettings({ settings }).allowsEndlessApiKeys) return
  throw new AppError('INVALID_PARAMETER', "'expires_at' is required: the tenant does not allow API keys without expiry")
}

function checkNetworks(networks: readonly string[]): void {
  const wrong = networks.find((network) => parseNetwork(network) === undefined)
  if (wrong === undefined) return
  throw new AppError('INVALID_PARAMETER', `'allowed_cidrs' contains '${wrong}', which is not a network such as 192.0.2.0/24`)
}
