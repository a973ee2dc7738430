import { AppError } from '@tripline/contract/app-error'
import { connectorConfigSchemas, secretMask } from '@tripline/contract/console/sources/connector-config'
import { describeZodIssue } from '@tripline/contract/issue-message'
import type { SecretBox } from '@tripline/model/access/secret-box'
import type { Connector, ConnectorConfig, ConnectorType } from '@tripline/model/connector'
import type { TenantId } from '@tripline/model/tenant'
import { getErrorMessage } from '@tripline/common/error-message'
import { parseBrokerAddress } from '@tripline/sources/broker/broker-address'
import { findTopicProblem } from '@tripline/sources/broker/kafka/kafka-settings'
import { findConsumerProblem, findSubjectProblem } from '@tripline/sources/broker/nats/nats-settings'
import { detectDialect, scannerDialects } from '@tripline/sources/scanner/scanner-settings'
import type { z } from 'zod'
import { parseTarget } from '../../egress/check-target.ts'
import { EgressError } from '../../egress/egress-error.ts'
import { limits } from '../../limits.ts'
import { isFeedType } from './feeds/feed-target.ts'

/** Settings that a client sends; null removes one. */
export type SettingsPatch = { readonly [key: string]: unknown }

type StoredSettings = Pick<Connector, 'config' | 'sealedSecrets'>

/**
 * Valid settings of a connector type: the public ones, the secrets that were sent, and the names of the stored secrets
 * to retain.
 */
type ConnectorSettings = {
  readonly config: ConnectorConfig
  readonly secrets: { readonly [key: string]: string }
  readonly retainedSecrets: readonly string[]
}

/** Settings that are never returned to clients. */
const secretKeys: { readonly [Type in ConnectorType]: readonly string[] } = {
  syslog: ['tls_key'],
  http_ndjson: [],
  elastic_bulk: [],
  splunk_hec: [],
  otlp_http: [],
  http_poll: ['client_secret'],
  file: [],
  kafka: ['password'],
  nats: ['password', 'token', 'credentials'],
  vulnerability_scanner: ['api_key', 'token'],
  taxii: ['password'],
  csv_feed: ['password'],
  journald: [],
}

/** Whether a setting is never returned to clients. */
export function isSecretSetting(type: ConnectorType, key: string): boolean {
  return secretKeys[type].includes(key)
}

/** Settings that decide which host receives a secret. */
const targetKeys = ['url', 'base_url', 'token_url', 'api_url', 'api_root', 'brokers', 'servers'] as const
const urlKeys: readonly string[] = ['url', 'base_url', 'token_url', 'api_url', 'api_root']

/**
 * Merges the sent settings into the stored ones, key by key, and validates the result. A stored secret is retained when
 * it is not sent, or sent as its mask, unless a setting now points to another host: permission to redirect a connector
 * must not reveal its secrets.
 *
 * @throws AppError INVALID_BODY with the invalid settings.
 */
export function mergeSettings(type: ConnectorType, patch: SettingsPatch, stored: StoredSettings | undefined): ConnectorSettings {
  const schema: z.ZodObject = connectorConfigSchemas[type]
  const unknown = Object.keys(patch).find((key) => !Object.hasOwn(schema.shape, key))
  if (unknown !== undefined) throw createSettingsError([[shorten(unknown), `is not a setting of a connector of type '${type}'`]])
  const before = { ...stored?.config, ...maskSecrets(stored) }
  const merged = Object.fromEntries(Object.entries({ ...before, ...patch }).filter(([, value]) => value !== null))
  const parsed = schema.safeParse(merged, { error: describeZodIssue })
  if (!parsed.success) {
    const issues = parsed.error.issues.slice(0, limits.request.warningsListedMax)
    throw createSettingsError(issues.map(({ path, message }) => [shorten(path.join('.')), message]))
  }
  const settings = splitSecrets(type, parsed.data, stored)
  checkTargets(settings.config)
  if (type === 'http_poll') checkPoll(parsed.data)
  if (type === 'kafka') checkKafka(parsed.data)
  if (type === 'nats') checkNats(parsed.data)
  if (isFeedType(type)) checkFeedLogin(parsed.data)
  if (type === 'vulnerability_scanner') checkScannerDialect(parsed.data)
  checkHosts(settings, stored)
  return settings
}

/** Settings as they are stored, with the secrets sealed for this connector. */
export function sealSettings(
  box: SecretBox, { tenant, id }: { readonly tenant: TenantId; readonly id: string },
  { settings, stored }: { readonly settings: ConnectorSettings; readonly stored: StoredSettings | undefined },
): StoredSettings {
  const kept = settings.retainedSecrets.map((key) => [key, stored?.sealedSecrets[key] ?? ''] as const)
  const seal = (key: string, secret: string): string => box.seal({ tenant, owner: id, key }, secret)
  const sealed = Object.entries(settings.secrets).map(([key, secret]) => [key, seal(key, secret)] as const)
  return { config: settings.config, sealedSecrets: Object.fromEntries([...kept, ...sealed]) }
}

/**
 * Settings with the secrets decrypted, for requests to the source. They must not reach a response, a log or the audit
 * trail.
 */
export function openConnectorSettings(
  box: SecretBox, tenant: TenantId, { id, config, sealedSecrets }: Pick<Connector, 'id'> & StoredSettings,
): ConnectorConfig {
  const open = (key: string, sealed: string): string => box.open({ tenant, owner: id, key }, sealed)
  const opened = Object.entries(sealedSecrets).map(([key, sealed]) => [key, open(key, sealed)] as const)
  return { ...config, ...Object.fromEntries(opened) }
}

function maskSecrets(stored: StoredSettings | undefined): ConnectorConfig {
  return Object.fromEntries(Object.keys(stored?.sealedSecrets ?? {}).map((key) => [key, secretMask]))
}

function splitSecrets(type: ConnectorType, merged: ConnectorConfig, stored: StoredSettings | undefined): ConnectorSettings {
  const isSecret = (key: string): boolean => isSecretSetting(type, key)
  const secrets = Object.entries(merged).filter(([key]) => isSecret(key)).map(([key, value]) => [key, String(value)] as const)
  const keptSecrets = secrets.filter(([, value]) => value === secretMask).map(([key]) => key)
  const absent = keptSecrets.find((key) => !Object.hasOwn(stored?.sealedSecrets ?? {}, key))
  if (absent !== undefined) throw createSettingsError([[absent, `'${secretMask}' stands for a stored secret, but there is none; send it`]])
  return {
    config: Object.fromEntries(Object.entries(merged).filter(([key]) => !isSecret(key))),
    secrets: Object.fromEntries(secrets.filter(([, value]) => value !== secretMask)),
    retainedSecrets: keptSecrets,
  }
}

/** Accepts any URL that some installation could allow; the egress policy decides for each request. */
function checkTargets(config: ConnectorConfig): void {
  for (const key of urlKeys) {
    const value = config[key]
    if (typeof value !== 'string') continue
    try {
      parseTarget(value)
    } catch (error) {
      if (!(error instanceof EgressError)) throw error
      throw createSettingsError([[key, error.message]])
    }
  }
}

function checkPoll(config: ConnectorConfig): void {
  const { url, base_url: baseUrl, client_id: id, client_secret: secret, token_url: tokenUrl } = config
  if ((url === undefined) === (baseUrl === undefined)) throw createSettingsError([['url', "or 'base_url' is required, not both"]])
  if ((id === undefined) !== (secret === undefined)) throw createSettingsError([['client_secret', "and 'client_id' must be set together"]])
  if (tokenUrl !== undefined && id === undefined) throw createSettingsError([['token_url', "needs 'client_id' and 'client_secret'"]])
  for (const key of ['cursor_path', 'items_path']) {
    const path = config[key]
    if (typeof path !== 'string') continue
    const steps = path.split('.')
    if (steps.includes('')) throw createSettingsError([[key, 'must be names joined by dots, such as meta.next']])
    const { pathStepsMax } = limits.connector
    if (steps.length > pathStepsMax) throw createSettingsError([[key, `must have at most ${pathStepsMax} steps`]])
  }
}

function checkKafka({ brokers, topic, username, password }: ConnectorConfig): void {
  checkAddresses('kafka', 'brokers', brokers)
  const problem = findTopicProblem(String(topic))
  if (problem !== undefined) throw createSettingsError([['topic', problem]])
  checkLogin(username, password)
}

function checkNats({ servers, subject, group, username, password }: ConnectorConfig): void {
  checkAddresses('nats', 'servers', servers)
  const groupProblem = typeof group === 'string' ? findConsumerProblem(group) : undefined
  const problems = [['subject', findSubjectProblem(String(subject))], ['group', groupProblem]] as const
  for (const [key, problem] of problems) if (problem !== undefined) throw createSettingsError([[key, problem]])
  checkLogin(username, password)
}

function checkAddresses(kind: 'kafka' | 'nats', key: string, addresses: unknown): void {
  for (const [index, address] of (Array.isArray(addresses) ? addresses : []).entries()) {
    try {
      parseBrokerAddress(kind, String(address))
    } catch (error) {
      throw createSettingsError([[`${key}.${index}`, getErrorMessage(error)]])
    }
  }
}

function checkLogin(username: unknown, password: unknown): void {
  if ((username === undefined) === (password === undefined)) return
  throw createSettingsError([['password', "and 'username' must be set together"]])
}

function checkFeedLogin({ username, password, auth_header: header }: ConnectorConfig): void {
  if (username !== undefined && password === undefined) throw createSettingsError([['password', "is required with 'username'"]])
  if (header !== undefined && password === undefined) throw createSettingsError([['password', "is required with 'auth_header'"]])
  if (header !== undefined && username !== undefined) throw createSettingsError([['auth_header', "or 'username' can be set, not both"]])
  if (username === undefined && typeof password === 'string' && !/^[!-~]+$/.test(password)) {
    throw createSettingsError([['password', "must have printable ASCII characters only where there is no 'username'"]])
  }
}

function checkScannerDialect({ api_url: url, dialect }: ConnectorConfig): void {
  if (dialect === undefined && detectDialect(String(url)) === undefined) {
    throw createSettingsError([['dialect', `must be one of ${scannerDialects.join(', ')}, because the address does not tell it`]])
  }
}

function checkHosts({ config, retainedSecrets }: ConnectorSettings, stored: StoredSettings | undefined): void {
  const [secret] = retainedSecrets
  if (stored === undefined || secret === undefined) return
  const before = new Set(targetKeys.flatMap((key) => getHosts(stored.config[key])))
  const moved = targetKeys.find((key) => getHosts(config[key]).some((host) => !before.has(host)))
  if (moved !== undefined) {
    throw createSettingsError([[secret, `must be sent again, because '${moved}' now points to another host`]])
  }
}

/** The origin of URLs; other addresses as they are written. */
function getHosts(value: unknown): string[] {
  const places: readonly unknown[] = Array.isArray(value) ? value : [value]
  const texts = places.filter((place) => typeof place === 'string')
  return texts.map((place) => (/^https?:/.test(place) ? new URL(place).origin : place))
}

function createSettingsError(problems: readonly (readonly [key: string, sentence: string])[]): AppError {
  const errors = problems.map(([key, message]) => ({ path: `config.${key}`, message }))
  const [first] = errors
  return new AppError('INVALID_BODY', `${first?.path ?? 'config'}: ${first?.message ?? 'is not valid'}`, { errors })
}

function shorten(text: string): string {
  return text.length <= 64 ? text : `${text.slice(0, 64)}...`
}
