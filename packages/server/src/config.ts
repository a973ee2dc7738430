import { getErrorMessage } from '@tripline/common/error-message'
import { isJsonObject } from '@tripline/common/json'
import type { Runtime } from '@tripline/common/runtime'
import { delimiter } from 'node:path'
import { configurationError } from './runtime/configuration-error.ts'
import { settingNames, settings, toFileKey, toFlag, toVariable } from './settings.ts'
import type { Config, SettingName } from './settings.ts'

/** The texts that one place gives for each setting. */
export type SettingTexts = { [Name in SettingName]?: readonly string[] | undefined }

/** What the command line of `tripline serve` sets. */
export type ServeArguments = {
  /** The path of a configuration file. */
  readonly configFile?: string | undefined
  readonly settings: SettingTexts
}

/**
 * Reads the settings. Arguments of `tripline serve` override `TRIPLINE_*` variables, which override the JSON file named by
 * `--config` or `TRIPLINE_CONFIG`, which overrides the defaults.
 *
 * @throws ExitError (78) for the first invalid setting, with one sentence about it.
 */
export async function readConfig(args: ServeArguments, io: Pick<Runtime, 'environment' | 'readText'>): Promise<Config> {
  const variables = readVariables(io.environment)
  const path = args.configFile ?? io.environment['TRIPLINE_CONFIG']
  const places = [args.settings, variables, path === undefined ? {} : await readConfigFile(path, io.readText)]
  const config: Config = {
    dataDir: readSetting('dataDir', places),
    listen: readSetting('listen', places),
    listenConnectionsMax: readSetting('listenConnectionsMax', places),
    listenConnectionsPerAddressMax: readSetting('listenConnectionsPerAddressMax', places),
    rules: readSetting('rules', places),
    publicUrl: readSetting('publicUrl', places),
    allowedOrigins: readSetting('allowedOrigins', places),
    trustedIssuer: readSetting('trustedIssuer', places),
    trustedAudience: readSetting('trustedAudience', places),
    trustedJwksFile: readSetting('trustedJwksFile', places),
    trustedJwksUrl: readSetting('trustedJwksUrl', places),
    trustedTenantClaim: readSetting('trustedTenantClaim', places),
    trustedRolesClaim: readSetting('trustedRolesClaim', places),
    trustIssuerMfa: readSetting('trustIssuerMfa', places),
    requireOperatorMfa: readSetting('requireOperatorMfa', places),
    egressAllowCidrs: readSetting('egressAllowCidrs', places),
    egressAllowInsecure: readSetting('egressAllowInsecure', places),
    egressDnsServers: readSetting('egressDnsServers', places),
    metricsTokenFile: readSetting('metricsTokenFile', places),
    trustedProxies: readSetting('trustedProxies', places),
    retentionEventsDays: readSetting('retentionEventsDays', places),
    retentionAlertsDays: readSetting('retentionAlertsDays', places),
    retentionAuditDays: readSetting('retentionAuditDays', places),
    trustedTime: readSetting('trustedTime', places),
    verifyHours: readSetting('verifyHours', places),
    shutdownGraceMs: readSetting('shutdownGraceMs', places),
  }
  const { trustedIssuer, trustedJwksFile, trustedJwksUrl } = config
  const keySourceCount = [trustedJwksFile, trustedJwksUrl].filter((source) => source !== '').length
  if (keySourceCount !== (trustedIssuer === '' ? 0 : 1)) {
    throw configurationError('set --trusted-issuer together with exactly one of --trusted-jwks-file and --trusted-jwks-url')
  }
  return config
}

function readSetting<Name extends SettingName>(name: Name, places: readonly SettingTexts[]): Config[Name] {
  const texts = places.map((given) => given[name]).find((found) => found !== undefined)
  if (texts === undefined) return settings[name].default
  try {
    return settings[name].read(texts)
  } catch (error) {
    throw configurationError(`${toFlag(name)} ${getErrorMessage(error)}`, { cause: error })
  }
}

function readVariables(environment: Runtime['environment']): SettingTexts {
  const given: SettingTexts = {}
  for (const name of settingNames) {
    const text = environment[toVariable(name)]
    if (text === undefined) continue
    given[name] = settings[name].isOperand === true ? text.split(delimiter).filter((part) => part !== '') : [text]
  }
  return given
}

async function readConfigFile(path: string, readText: Runtime['readText']): Promise<SettingTexts> {
  const given: SettingTexts = {}
  for (const [key, value] of flattenGroups(await parseConfigFile(path, readText))) {
    const name = settingNames.find((candidate) => toFileKey(candidate) === key)
    if (name === undefined) throw configurationError(`configuration file '${path}' has an unknown setting '${key}'`)
    given[name] = toTexts(value)
    if (given[name] !== undefined) continue
    const problem = `has an invalid value for '${key}'; use a string, a number, a boolean or a list of them`
    throw configurationError(`configuration file '${path}' ${problem}`)
  }
  return given
}

async function parseConfigFile(path: string, readText: Runtime['readText']): Promise<object> {
  let parsed: unknown
  try {
    parsed = JSON.parse(await readText(path))
  } catch (error) {
    throw configurationError(`configuration file '${path}' cannot be read: ${getErrorMessage(error)}`, { cause: error })
  }
  if (isJsonObject(parsed)) return parsed
  throw configurationError(`configuration file '${path}' must contain a JSON object`)
}

/** Flattens nested objects: `{"egress": {"allow_cidrs": []}}` is the same as `{"egress_allow_cidrs": []}`. */
function flattenGroups(settings: object): [key: string, value: unknown][] {
  return Object.entries(settings).flatMap(([key, value]: [string, unknown]): [string, unknown][] => {
    if (!isJsonObject(value)) return [[key, value]]
    return Object.entries(value).map(([name, held]) => [`${key}_${name}`, held])
  })
}

function toTexts(value: unknown): string[] | undefined {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  const texts = values.flatMap((item) =>
    typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean' ? [String(item)] : [],
  )
  return texts.length === values.length ? texts : undefined
}
