import { getErrorMessage } from '@tripline/common/error-message'
import { isJsonObject } from '@tripline/common/json'
import type { Runtime } from '@tripline/common/runtime'
import { delimiter } from 'node:path'
import { suggestName } from '@tripline/engine'
import { parseConfigFile } from '../runtime/parse-config-file.ts'
import { configurationError } from '../runtime/configuration-error.ts'
import { readAddress } from './read-setting.ts'
import { printAddress, settingNames, settings, toFileKey, toFlag, toVariable } from './settings.ts'
import type { Config, SettingName } from './settings.ts'

/** The texts that one place gives for each setting. */
export type SettingTexts = { [Name in SettingName]?: readonly string[] | undefined }

/** What the command line of `tripline serve` sets. */
export type ServeArguments = {
  /** The path of a configuration file. */
  readonly configFile?: string | undefined
  readonly settings: SettingTexts
}

/** The settings, and where the value of each comes from: `option --listen`, `default`. */
type ResolvedConfig = {
  readonly config: Config
  readonly sources: { readonly [Name in SettingName]: string }
  /** The configuration file that was read. */
  readonly file: string | undefined
}

/** Settings of the listener, which a program that embeds the server has instead. */
const listenerSettings = [
  'listen', 'otlpListen', 'tlsCert', 'tlsKey', 'tlsClientCa', 'behindProxy', 'listenConnectionsMax', 'listenConnectionsPerAddressMax',
] as const satisfies readonly SettingName[]

/** Settings that a program gives by name: `{ dataDir: 'data', verifyHours: 0, rules: ['rules'] }`. */
export type GivenSettings = {
  readonly [Name in Exclude<SettingName, typeof listenerSettings[number]>]?: string | number | boolean | readonly string[]
}

/** What reads settings needs of the process. */
type ConfigDeps = Pick<Runtime, 'environment' | 'readText'>

/**
 * Reads the settings. Arguments of `tripline serve` override `TRIPLINE_*` variables, which override the file named by
 * `--config` or `TRIPLINE_CONFIG`, which overrides the defaults.
 *
 * @throws ExitError (78) for the first invalid setting, with one sentence about it.
 */
export async function readConfig(args: ServeArguments, io: ConfigDeps): Promise<Config> {
  return (await resolveConfig(args, io)).config
}

/** As `readConfig`, with the source of each value. */
export async function resolveConfig(args: ServeArguments, io: ConfigDeps): Promise<ResolvedConfig> {
  const file = args.configFile ?? io.environment['TRIPLINE_CONFIG']
  const places: readonly Place[] = [
    { texts: args.settings, print: (name) => (settings[name].isOperand === true ? 'arguments' : `option ${toFlag(name)}`) },
    { texts: readVariables(io.environment), print: (name) => `variable ${toVariable(name)}` },
    { texts: file === undefined ? {} : await readConfigFile(file, io.readText), print: (name) => `key ${toFileKey(name)} of ${file}` },
  ]
  return { ...readPlaces(places, toFlag), file }
}

/** Reads each setting from the first place that gives it. */
function readPlaces(places: readonly Place[], printName: (name: SettingName) => string): Omit<ResolvedConfig, 'file'> {
  const values = settingNames.map((name) => [name, readSetting(name, places, printName)] as const)
  // Each value was read by the row of its own name, from which the type of the setting is derived.
  const read: unknown = Object.fromEntries(values.map(([name, { value }]) => [name, value]))
  const config = read as Config
  const sources = Object.fromEntries(values.map(([name, { source }]) => [name, source])) as ResolvedConfig['sources']
  checkTogether(config)
  return { config, sources }
}

/**
 * Reads the settings that a program gives; the others have their defaults.
 *
 * @throws ExitError (78) for the first invalid setting, with one sentence about it.
 */
export function readGivenConfig(given: GivenSettings): Config {
  const texts: SettingTexts = {}
  for (const [name, value] of Object.entries(given)) {
    const known = settingNames.find((candidate) => candidate === name)
    if (known === undefined) {
      const hint = suggestName(name, settingNames)
      throw configurationError(`unknown setting '${name}'${hint === undefined ? '' : `; ${hint}`}`)
    }
    if (listenerSettings.some((candidate) => candidate === known)) {
      throw configurationError(`the setting '${name}' is of a listener, and the HTTP server around this one has that; leave it out`)
    }
    if (value === undefined) continue
    texts[known] = toTexts(value)
    if (texts[known] === undefined) {
      throw configurationError(`the setting '${name}' is not a string, a number, a boolean or a list of them`)
    }
  }
  return readPlaces([{ texts, print: (name) => `setting ${name}` }], (name) => `the setting '${name}'`).config
}

/** One place that settings come from, and how a setting is named there. */
type Place = { readonly texts: SettingTexts; readonly print: (name: SettingName) => string }

/** @throws ExitError (78) for settings that do not go together. */
function checkTogether({ trustedIssuer, trustedJwksFile, trustedJwksUrl, listen, otlpListen, behindProxy, ...config }: Config): void {
  const { tlsCert, tlsKey, tlsClientCa } = config
  if ((tlsCert === '') !== (tlsKey === '')) throw configurationError('set --tls-cert and --tls-key together')
  if (tlsClientCa !== '' && tlsCert === '') throw configurationError('--tls-client-ca needs --tls-cert and --tls-key')
  const open = [['--listen', listen], ...otlpListen === '' ? [] : [['--otlp-listen', readAddress(otlpListen)] as const]] as const
  const plain = tlsCert !== '' || behindProxy ? undefined : open.find(([, { host }]) => !isLoopback(host))
  if (plain !== undefined) {
    throw configurationError(`${plain[0]} ${printAddress(plain[1])} would send passwords and events over the network in plain text; `
      + 'set --tls-cert and --tls-key, or --behind-proxy where a proxy ends TLS')
  }
  const keySourceCount = [trustedJwksFile, trustedJwksUrl].filter((source) => source !== '').length
  if (keySourceCount !== (trustedIssuer === '' ? 0 : 1)) {
    throw configurationError('set --trusted-issuer together with exactly one of --trusted-jwks-file and --trusted-jwks-url')
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

function readSetting(
  name: SettingName, places: readonly Place[], printName: (name: SettingName) => string,
): { readonly value: unknown; readonly source: string } {
  const place = places.find(({ texts }) => texts[name] !== undefined)
  const texts = place?.texts[name]
  if (place === undefined || texts === undefined) return { value: settings[name].default, source: 'default' }
  try {
    return { value: settings[name].read(texts), source: place.print(name) }
  } catch (error) {
    throw configurationError(`${printName(name)} ${getErrorMessage(error)}`, { cause: error })
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
  const text = await readText(path).catch((error: unknown) => {
    throw configurationError(`configuration file '${path}' cannot be read: ${getErrorMessage(error)}`, { cause: error })
  })
  const given: SettingTexts = {}
  for (const [key, value] of flattenGroups(parseConfigFile(path, text))) {
    const name = settingNames.find((candidate) => toFileKey(candidate) === key)
    if (name === undefined) {
      const hint = suggestName(key, settingNames.map(toFileKey))
      throw configurationError(`configuration file '${path}' has an unknown setting '${key}'${hint === undefined ? '' : `; ${hint}`}`)
    }
    given[name] = toTexts(value)
    if (given[name] !== undefined) continue
    const problem = `has an invalid value for '${key}'; use a string, a number, a boolean or a list of them`
    throw configurationError(`configuration file '${path}' ${problem}`)
  }
  return given
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
