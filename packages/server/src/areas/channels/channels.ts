import type { Clock, Runtime } from '@tripline/common/runtime'
import { AppError, createBodyError, createNameConflict } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import { channelSecretNames, secretsOfTypes } from '@tripline/model/delivery/channel'
import type { Channel, ChannelSecrets, ChannelSettings } from '@tripline/model/delivery/channel'
import { createUuidV7 } from '@tripline/model/ids'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import { checkVersion, requireFound, unwrapChange } from '@tripline/state/ports/version-conflict'
import type { ExpectedVersions, VersionedPatch } from '@tripline/state/ports/version-conflict'
import { recordAudit } from '../../audit/record-audit.ts'
import { findTemplateProblem } from '../../channels/fill-template.ts'
import type { Channels } from '../../channels/open-channels.ts'
import { getChannelSecretContext } from '../../channels/send-message.ts'
import { parseTarget } from '../../egress/check-target.ts'
import { EgressError } from '../../egress/egress-error.ts'
import { limits } from '../../limits.ts'

/** What channels need of the server. */
export type ChannelDeps = {
  readonly state: StateStore
  readonly channels: Channels
  readonly clock: Clock
  readonly randomBytes: Runtime['randomBytes']
}

type Stated = Pick<Channel, 'name' | 'settings' | 'language' | 'isEnabled'> & { readonly secrets: ChannelSecrets }

const kind = 'channel'

/** @throws AppError NOT_FOUND. */
export async function getChannel({ state }: Pick<ChannelDeps, 'state'>, tenant: TenantId, id: string): Promise<Channel> {
  return requireFound(await state.channels.get(tenant, id), kind)
}

/**
 * Creates a channel; its secrets are sealed and never returned. @throws AppError INVALID_BODY for settings or secrets that do
 * not fit its type, CONFLICT without a public URL, for a name that is taken and at the limit.
 */
export async function createChannel(deps: ChannelDeps, caller: Principal, { secrets, ...stated }: Stated): Promise<Channel> {
  const { tenant } = caller
  const at = deps.clock.now()
  if (deps.channels.sending.publicUrl === '') {
    const message = 'messages link to the console, whose address is not known; start the server with --public-url'
    throw new AppError('CONFLICT', message, { setting: 'public_url' })
  }
  checkSettings(stated.settings, secrets)
  const id = createUuidV7(at, deps.randomBytes)
  return await deps.state.transaction(async (stores) => {
    const { channelsMax } = limits.channels
    if ((await stores.channels.list(tenant)).length >= channelsMax) {
      throw new AppError('CONFLICT', `the tenant has ${channelsMax} channels, which is the limit; delete one first`, { limit: channelsMax })
    }
    const channel: Channel = {
      ...stated, id, ...sealSecrets(deps, tenant, { id, secrets }), lastDeliveryAt: undefined, skippedCount: 0, version: 1, createdAt: at,
      updatedAt: at,
    }
    if (await stores.channels.insert(tenant, channel) === 'taken') throw createNameConflict('a channel', channel.name)
    await recordAudit(stores, caller, { at, action: 'channel.create', target: { type: kind, id }, diff: diffChannels(undefined, channel) })
    return channel
  })
}

/**
 * Changes a channel; secrets that are not stated stay. Disabling it cancels what waits for it. @throws AppError NOT_FOUND,
 * PRECONDITION_FAILED, INVALID_BODY, CONFLICT for a name that is taken.
 */
export async function changeChannel(
  deps: ChannelDeps, caller: Principal, id: string, { patch: { secrets: stated, ...patch }, versions }: VersionedPatch<Partial<Stated>>,
): Promise<Channel> {
  const { tenant } = caller
  const at = deps.clock.now()
  return await deps.state.transaction(async (stores) => {
    const before = requireFound(await stores.channels.get(tenant, id), kind)
    checkVersion(before, versions, kind)
    const known = stated === undefined && patch.settings === undefined ? undefined : openSecrets(deps, tenant, before)
    const settings = patch.settings ?? before.settings
    if (settings.type !== before.settings.type) {
      throw createBodyError('settings.type', `the channel is of type '${before.settings.type}'; create another one`)
    }
    checkMoved(before.settings, { settings, stated })
    const secrets = known && { ...known, ...stated }
    if (secrets !== undefined) checkSettings(settings, secrets)
    const sealed = stated === undefined || secrets === undefined ? {} : sealSecrets(deps, tenant, { id, secrets })
    const changed = await stores.channels.update(tenant, id, { ...patch, ...sealed }, { expectedVersion: before.version, at })
    if (changed.outcome === 'taken') throw createNameConflict('a channel', patch.name ?? before.name)
    const channel = unwrapChange(changed, kind)
    if (changed.outcome === 'unchanged') return channel
    const canceledCount = channel.isEnabled ? 0 : await stores.channelMessages.cancelPending(tenant, id)
    const diff = {
      ...diffChannels(before, channel), ...(canceledCount > 0 && { canceled_deliveries: canceledCount }),
      ...(stated !== undefined && { secrets_set: Object.keys(stated) }),
    }
    await recordAudit(stores, caller, { at, action: 'channel.update', target: { type: kind, id }, diff })
    return channel
  })
}

/**
 * Removes a channel with its messages. @throws AppError NOT_FOUND, PRECONDITION_FAILED, CONFLICT where something uses it.
 */
export async function removeChannel(deps: ChannelDeps, caller: Principal, id: string, versions: ExpectedVersions): Promise<void> {
  const { tenant } = caller
  const at = deps.clock.now()
  await deps.state.transaction(async (stores) => {
    const channel = requireFound(await stores.channels.get(tenant, id), kind)
    checkVersion(channel, versions, kind)
    const users = await findUsers(stores, tenant, id)
    if (users.length > 0) {
      throw new AppError('CONFLICT', `the channel is used by ${users.join(', ')}; change these first`, { used_by: users })
    }
    await stores.channels.remove(tenant, id)
    await recordAudit(stores, caller, { at, action: 'channel.delete', target: { type: kind, id }, diff: { name: [channel.name, null] } })
  })
}

async function findUsers({ channelRoutes, playbooks, reportSchedules }: Stores, tenant: TenantId, id: string): Promise<readonly string[]> {
  const routes = (await channelRoutes.list(tenant)).map(({ route }) => route)
    .filter(({ channelIds, escalation }) => channelIds.includes(id) || escalation?.channelIds.includes(id) === true)
  const notifying = (await playbooks.list(tenant))
    .filter(({ steps }) => steps.some((step) => step.type === 'notify' && step.channel === id))
  const schedules = (await reportSchedules.list(tenant)).filter(({ channelIds }) => channelIds.includes(id))
  return [
    ...routes.map(({ name }) => `route '${name}'`), ...notifying.map(({ name }) => `playbook '${name}'`),
    ...schedules.map(({ name }) => `report schedule '${name}'`),
  ]
}

function sealSecrets(
  { channels }: ChannelDeps, tenant: TenantId, { id, secrets }: { readonly id: string; readonly secrets: ChannelSecrets },
): Pick<Channel, 'sealedSecrets' | 'secretNames'> {
  return {
    sealedSecrets: channels.secrets.seal(getChannelSecretContext(tenant, id), JSON.stringify(secrets)),
    secretNames: channelSecretNames.filter((name) => secrets[name] !== undefined),
  }
}

/** The secrets of a channel; none where they were sealed under another key, so that they can be set again. */
function openSecrets({ channels }: ChannelDeps, tenant: TenantId, { id, sealedSecrets }: Channel): ChannelSecrets {
  try {
    return JSON.parse(channels.secrets.open(getChannelSecretContext(tenant, id), sealedSecrets)) as ChannelSecrets
  } catch {
    return {}
  }
}

/** A kept secret must not be sent to another server than the one that it was entered for. */
function checkMoved(
  before: ChannelSettings, { settings, stated }: { readonly settings: ChannelSettings; readonly stated: ChannelSecrets | undefined },
): void {
  const isSentElsewhere = before.type === 'email' && settings.type === 'email' && settings.username !== ''
    && (before.host !== settings.host || before.port !== settings.port || before.caCertificate !== settings.caCertificate)
  if (isSentElsewhere && stated?.password === undefined) {
    throw createBodyError('secrets.password', 'must be given again for another server')
  }
  const isOtherPager = before.type === 'pagerduty' && settings.type === 'pagerduty' && before.url !== settings.url
  if (isOtherPager && stated?.routing_key === undefined) {
    throw createBodyError('secrets.routing_key', 'must be given again for another server')
  }
}

/** Checks what a schema cannot: the secrets of a type, its addresses and template. */
function checkSettings(settings: ChannelSettings, secrets: ChannelSecrets): void {
  const { needed, optional } = secretsOfTypes[settings.type]
  const missing = needed.find((name) => secrets[name] === undefined)
  if (missing !== undefined) throw createBodyError(`secrets.${missing}`, `a channel of type '${settings.type}' needs it`)
  const other = channelSecretNames.find((name) => secrets[name] !== undefined && !needed.includes(name) && !optional.includes(name))
  if (other !== undefined) throw createBodyError(`secrets.${other}`, `a channel of type '${settings.type}' has none`)
  if (secrets.url !== undefined) checkUrl('secrets.url', secrets.url)
  if (settings.type === 'pagerduty') checkUrl('settings.url', settings.url)
  if (settings.type === 'webhook') {
    const problem = findTemplateProblem(settings.template)
    if (problem !== undefined) throw createBodyError('settings.template', problem)
  }
  if (settings.type === 'email') checkMail(settings, secrets.password)
}

function checkMail(settings: Extract<ChannelSettings, { readonly type: 'email' }>, password: string | undefined): void {
  const { username, security } = settings
  if ((username === '') !== (password === undefined)) {
    throw createBodyError(username === '' ? 'settings.username' : 'secrets.password', 'user name and password are given together')
  }
  if (password !== undefined && security === 'none') {
    throw createBodyError('settings.security', 'a password is not sent without TLS; use starttls or tls')
  }
}

/** Accepts any URL that some installation could allow; the egress policy decides for each request. */
function checkUrl(path: string, url: string): void {
  try {
    parseTarget(url)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw createBodyError(path, error.message)
  }
}

/** What changed, in the words of the API; never a secret. */
function diffChannels(before: Channel | undefined, after: Channel): { readonly [name: string]: readonly unknown[] } {
  const facts = (channel: Channel | undefined): { readonly [name: string]: unknown } => (channel === undefined ? {} : {
    name: channel.name, settings: channel.settings, secrets: channel.secretNames, language: channel.language, enabled: channel.isEnabled,
  })
  const old = facts(before)
  const pairs = Object.entries(facts(after)).map(([name, value]) => [name, [old[name] ?? null, value]] as const)
  return Object.fromEntries(pairs.filter(([, [from, to]]) => JSON.stringify(from) !== JSON.stringify(to)))
}
