import { AppError } from '@tripline/contract/app-error'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Webhooks } from '../../delivery/webhooks/open-webhooks.ts'
import { getSecretContext } from '../../delivery/webhooks/send-delivery.ts'
import { createWebhookSecret } from '../../delivery/webhooks/sign-payload.ts'
import { parseTarget } from '../../egress/check-target.ts'
import { EgressError } from '../../egress/egress-error.ts'
import { limits } from '../../limits.ts'
import type { Principal } from '@tripline/model/access/principal'
import { createUuidV7 } from '@tripline/model/ids'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import type { TenantId } from '@tripline/model/tenant'
import { webhooksMax } from '@tripline/model/delivery/webhook'
import type { Webhook } from '@tripline/model/delivery/webhook'
import type { Clock, Runtime } from '@tripline/common/runtime'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import { checkVersion, requireFound, unwrapChange } from '@tripline/state/ports/version-conflict'
import type { ExpectedVersions, VersionedPatch } from '@tripline/state/ports/version-conflict'

/** What webhooks need of the server. */
export type WebhookDeps = {
  readonly state: StateStore
  readonly webhooks: Webhooks
  readonly settingDefaults: TenantSettings
  readonly clock: Clock
  readonly randomBytes: Runtime['randomBytes']
}

type Stated = Pick<Webhook, 'name' | 'url' | 'events' | 'severities'> & {
  /** Default: that of the tenant. */
  readonly profile: Webhook['profile'] | undefined
  readonly isEnabled: boolean
}
type WebhookPatch = Partial<Stated>

export type WebhookWithSecret = { readonly webhook: Webhook; readonly secret: string }

/** @throws AppError NOT_FOUND. */
export async function getWebhook({ state }: Pick<WebhookDeps, 'state'>, tenant: TenantId, id: string): Promise<Webhook> {
  return requireFound(await state.webhooks.get(tenant, id), 'webhook')
}

/**
 * Creates a webhook; only now and after a rotation is its secret returned. @throws AppError INVALID_BODY for an unusable URL,
 * CONFLICT without a public URL, for a name that is taken and at the limit of the plan.
 */
export async function createWebhook(deps: WebhookDeps, caller: Principal, stated: Stated): Promise<WebhookWithSecret> {
  const { tenant } = caller
  const at = deps.clock.now()
  if (deps.webhooks.sending.publicUrl === '') {
    const message = 'payloads link to the console, whose address is not known; start the server with --public-url'
    throw new AppError('CONFLICT', message, { setting: 'public_url' })
  }
  checkUrl(stated.url)
  const secret = createWebhookSecret(deps.randomBytes)
  const id = createUuidV7(at, deps.randomBytes)
  const { profile, isEnabled, events, severities, ...texts } = stated
  const created = await deps.state.transaction(async (stores) => {
    const settings = resolveSettings(requireFound(await stores.tenants.get(tenant), 'tenant'), deps.settingDefaults)
    const webhook: Webhook = {
      ...texts, id, events: [...new Set(events)], severities: [...new Set(severities)], profile: profile ?? settings.defaultApiProfile,
      status: isEnabled ? 'active' : 'disabled', sealedSecret: deps.webhooks.secrets.seal(getSecretContext(tenant, id), secret),
      previousSecret: undefined, failureCount: 0, skippedCount: 0, lastDeliveryAt: undefined, version: 1, createdAt: at, updatedAt: at,
    }
    const countMax = webhooksMax[settings.plan]
    if (await stores.webhooks.count(tenant) >= countMax) {
      throw new AppError('CONFLICT', `the plan '${settings.plan}' has at most ${countMax} webhooks; delete one first`, { limit: countMax })
    }
    if (await stores.webhooks.insert(tenant, webhook) === 'taken') throw createNameConflict(webhook.name)
    const diff = diffWebhooks(undefined, webhook)
    await recordAudit(stores, caller, { at, action: 'webhook.create', target: { type: 'webhook', id }, diff })
    return webhook
  })
  return { webhook: created, secret }
}

/**
 * Changes a webhook. Disabling it cancels what waits for it; enabling it begins anew with the events from now on.
 *
 * @throws AppError NOT_FOUND, PRECONDITION_FAILED, INVALID_BODY, CONFLICT for a name that is taken.
 */
export async function changeWebhook(
  deps: WebhookDeps, caller: Principal, id: string, { patch, versions }: VersionedPatch<WebhookPatch>,
): Promise<Webhook> {
  const { tenant } = caller
  const at = deps.clock.now()
  const { isEnabled, profile, events, severities, ...texts } = patch
  if (patch.url !== undefined) checkUrl(patch.url)
  return await deps.state.transaction(async (stores) => {
    const before = requireFound(await stores.webhooks.get(tenant, id), 'webhook')
    checkVersion(before, versions, 'webhook')
    // A webhook that deliveries disabled is disabled already.
    const isSwitched = isEnabled !== undefined && isEnabled !== (before.status === 'active')
    const change = {
      ...texts, ...(profile !== undefined && { profile }), ...(events !== undefined && { events: [...new Set(events)] }),
      ...(severities !== undefined && { severities: [...new Set(severities)] }),
      ...(isSwitched && { status: isEnabled ? 'active' as const : 'disabled' as const }),
    }
    const changed = await stores.webhooks.update(tenant, id, change, { expectedVersion: before.version, at })
    if (changed.outcome === 'taken') throw createNameConflict(patch.name ?? before.name)
    const webhook = unwrapChange(changed, 'webhook')
    if (changed.outcome === 'unchanged') return webhook
    const canceledCount = webhook.status === 'active' ? 0 : await stores.webhookDeliveries.cancelPending(tenant, id)
    const diff = { ...diffWebhooks(before, webhook), ...(canceledCount > 0 && { canceled_deliveries: canceledCount }) }
    await recordAudit(stores, caller, { at, action: 'webhook.update', target: { type: 'webhook', id }, diff })
    return webhook
  })
}

/** Replaces the signing secret; the one before signs too for a day. @throws AppError NOT_FOUND, PRECONDITION_FAILED. */
export async function rotateWebhookSecret(
  deps: WebhookDeps, caller: Principal, id: string, versions: ExpectedVersions,
): Promise<WebhookWithSecret> {
  const { tenant } = caller
  const at = deps.clock.now()
  const secret = createWebhookSecret(deps.randomBytes)
  const sealedSecret = deps.webhooks.secrets.seal(getSecretContext(tenant, id), secret)
  const webhook = await deps.state.transaction(async (stores) => {
    const before = requireFound(await stores.webhooks.get(tenant, id), 'webhook')
    checkVersion(before, versions, 'webhook')
    const previousSecret = { sealed: before.sealedSecret, until: at + limits.webhooks.secretOverlapMs }
    const changed = await stores.webhooks.update(tenant, id, { sealedSecret, previousSecret }, { expectedVersion: before.version, at })
    await recordAudit(stores, caller, { at, action: 'webhook.rotate_secret', target: { type: 'webhook', id } })
    return changed.outcome === 'taken' ? before : unwrapChange(changed, 'webhook')
  })
  return { webhook, secret }
}

/** Removes a webhook with its deliveries. @throws AppError NOT_FOUND, PRECONDITION_FAILED. */
export async function removeWebhook(deps: WebhookDeps, caller: Principal, id: string, versions: ExpectedVersions): Promise<void> {
  const { tenant } = caller
  const at = deps.clock.now()
  await deps.state.transaction(async (stores) => {
    const webhook = requireFound(await stores.webhooks.get(tenant, id), 'webhook')
    checkVersion(webhook, versions, 'webhook')
    await stores.webhooks.remove(tenant, id)
    const diff = { name: [webhook.name, null] }
    await recordAudit(stores, caller, { at, action: 'webhook.delete', target: { type: 'webhook', id }, diff })
  })
}

/** Accepts any URL that some installation could allow; the egress policy decides for each request. */
function checkUrl(url: string): void {
  try {
    parseTarget(url)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    const errors = [{ path: 'url', message: error.message }]
    throw new AppError('INVALID_BODY', `url: ${error.message}`, { errors })
  }
}

function createNameConflict(name: string): AppError {
  return new AppError('CONFLICT', `a webhook named '${name}' already exists`, { parameter: 'name', value: name })
}

/** What changed, in the words of the API; never a secret. */
function diffWebhooks(before: Webhook | undefined, after: Webhook): { readonly [name: string]: readonly unknown[] } {
  const facts = (webhook: Webhook | undefined): { readonly [name: string]: unknown } => (webhook === undefined ? {} : {
    name: webhook.name, url: webhook.url, events: webhook.events, severity: webhook.severities, profile: webhook.profile,
    status: webhook.status,
  })
  const old = facts(before)
  const pairs = Object.entries(facts(after)).map(([name, value]) => [name, [old[name] ?? null, value]] as const)
  return Object.fromEntries(pairs.filter(([, [from, to]]) => JSON.stringify(from) !== JSON.stringify(to)))
}

/** The stores and webhook of a use case that sends something. */
export async function getActiveWebhook({ webhooks }: Pick<Stores, 'webhooks'>, tenant: TenantId, id: string): Promise<Webhook> {
  const webhook = requireFound(await webhooks.get(tenant, id), 'webhook')
  if (webhook.status === 'active') return webhook
  throw new AppError('CONFLICT', `the webhook is ${webhook.status.replaceAll('_', ' ')}; enable it first`, { status: webhook.status })
}
