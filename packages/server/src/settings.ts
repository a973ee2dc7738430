import { settingDefaults } from './domain/tenant-settings.ts'
import { limits } from './limits.ts'
import { readSingleText, printRange, readAddress, readInteger, readList, readNetworks, readSwitch, readUrl } from './read-setting.ts'
import type { Address, Range } from './read-setting.ts'

export type { Address }

/** Every setting of the server, read and checked. */
export type Config = {
  readonly dataDir: string
  readonly listen: Address
  readonly rules: readonly string[]
  readonly publicUrl: string
  readonly trustedIssuer: string
  readonly trustedAudience: string
  readonly trustedJwksFile: string
  readonly trustedJwksUrl: string
  readonly trustedTenantClaim: string
  readonly trustedRolesClaim: string
  readonly egressAllowCidrs: readonly string[]
  readonly egressAllowInsecure: boolean
  readonly egressDnsServers: readonly string[]
  readonly metricsTokenFile: string
  readonly trustedProxies: readonly string[]
  readonly retentionEventsDays: number
  readonly retentionAlertsDays: number
  readonly retentionAuditDays: number
  readonly shutdownGraceMs: number
}

export type SettingName = keyof Config

/** One setting: how its text is read, what it is without one, and the sentence that the help prints. */
export type Setting<Value> = {
  /** What stands for the value in help: `host:port`. */
  readonly argument: string
  /** Whether the command line takes it as operands, without an option. */
  readonly isOperand?: boolean
  readonly default: Value
  /** What it may be, where that does not follow from the argument. */
  readonly bound?: string
  readonly description: string
  /** @throws Error with what is wrong with the texts, as it reads after the setting's name. */
  readonly read: (texts: readonly string[]) => Value
}

const shutdownGraceRange = { min: 0, max: 600_000 }
const { eventsRetentionDaysMax, alertsRetentionDaysMax, auditRetentionDaysMax, auditRetentionDaysMin } = limits.tenantSettings

/** The table of settings: type, default, bound and meaning of each. */
export const settings: { readonly [Name in SettingName]: Setting<Config[Name]> } = {
  dataDir: {
    argument: 'dir',
    default: './tripline-data',
    description: 'Where the server keeps what must outlive it; created when absent.',
    read: (texts) => readSingleText(texts),
  },
  listen: {
    argument: 'host:port',
    default: { host: '127.0.0.1', port: 8080 },
    description: 'The address to serve HTTP on; port 0 takes a free one.',
    read: (texts) => readAddress(readSingleText(texts)),
  },
  rules: {
    argument: 'file|dir',
    isOperand: true,
    default: [],
    description: 'Rule files, or directories of .yml and .yaml files.',
    read: (texts) => texts,
  },
  publicUrl: {
    argument: 'url',
    default: '',
    description: 'Where users reach the server, such as https://tripline.example; also the issuer of its tokens.',
    read: (texts) => readUrl(readSingleText(texts)),
  },
  trustedIssuer: {
    argument: 'issuer',
    default: '',
    description: 'Lets in the tokens of this issuer too, such as your identity provider: what they have as iss.',
    read: (texts) => readSingleText(texts),
  },
  trustedAudience: {
    argument: 'audience',
    default: 'console',
    description: 'What tokens of the trusted issuer have as aud.',
    read: (texts) => readSingleText(texts),
  },
  trustedJwksFile: {
    argument: 'file',
    default: '',
    description: "The trusted issuer's public keys, a JWKS document.",
    read: (texts) => readSingleText(texts),
  },
  trustedJwksUrl: {
    argument: 'url',
    default: '',
    description: 'Where to fetch them instead, again and again; asked as connectors ask, so it is https or --egress-allow-cidrs has it.',
    read: (texts) => readUrl(readSingleText(texts)),
  },
  trustedTenantClaim: {
    argument: 'claim',
    default: 'tenant_id',
    description: 'Where the tokens of the trusted issuer name the tenant; dots lead inside.',
    read: (texts) => readSingleText(texts),
  },
  trustedRolesClaim: {
    argument: 'claim',
    default: 'roles',
    description: 'Where they name the roles.',
    read: (texts) => readSingleText(texts),
  },
  egressAllowCidrs: {
    argument: 'cidr,...',
    default: [],
    description: 'Ranges inside that connectors may ask, at any port and over http too; without one, only the internet.',
    read: readList,
  },
  egressAllowInsecure: {
    argument: 'boolean',
    default: false,
    description: 'Lets connectors ask the internet over http too, at port 80.',
    read: (texts) => readSwitch(readSingleText(texts)),
  },
  egressDnsServers: {
    argument: 'address,...',
    default: [],
    description: "Servers to ask for the names of what connectors ask; without one, the machine's.",
    read: readList,
  },
  metricsTokenFile: {
    argument: 'file',
    default: '',
    description: 'A secret with which monitoring may read /metrics, as its bearer token; operators always may.',
    read: (texts) => readSingleText(texts),
  },
  trustedProxies: {
    argument: 'cidr,...',
    default: [],
    description: 'Proxies in front of the server, whose X-Forwarded-For says who asks; without one, whoever connects does.',
    read: readNetworks,
  },
  retentionEventsDays: daysSetting({ min: 1, max: eventsRetentionDaysMax }, settingDefaults.eventsRetentionDays,
    'How long events are kept, by the time at which they happened and in whole days, where a tenant says nothing else.'),
  retentionAlertsDays: daysSetting({ min: 1, max: alertsRetentionDaysMax }, settingDefaults.alertsRetentionDays,
    'The same of alerts with their matches, by their last change.'),
  retentionAuditDays: daysSetting({ min: auditRetentionDaysMin, max: auditRetentionDaysMax }, settingDefaults.auditRetentionDays,
    'The same of audit trails.'),
  shutdownGraceMs: {
    argument: 'milliseconds',
    default: 10_000,
    bound: printRange(shutdownGraceRange),
    description: 'How long requests may take to finish after SIGTERM.',
    read: (texts) => readInteger(readSingleText(texts), shutdownGraceRange),
  },
}

export const settingNames = Object.keys(settings).filter(isSettingName)

function daysSetting(range: Range, value: number, sentence: string): Setting<number> {
  return { argument: 'days', default: value, bound: printRange(range), description: sentence, read: (texts) =>
    readInteger(readSingleText(texts), range) }
}

/** A setting as a flag: `--data-dir`. */
export function toFlag(name: SettingName): string {
  return `--${toFileKey(name).replaceAll('_', '-')}`
}

/** A setting as a key of the configuration file: `data_dir`. */
export function toFileKey(name: SettingName): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** A setting as an environment variable: `TRIPLINE_DATA_DIR`. */
export function toVariable(name: SettingName): string {
  return `TRIPLINE_${toFileKey(name).toUpperCase()}`
}

/** An address as it is written: `127.0.0.1:8080`, `[::1]:8080`. */
export function printAddress({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** What a setting is without being said, as it would be written; empty where that is nothing. */
export function printDefault(name: SettingName): string {
  const value = settings[name].default
  return typeof value === 'object' && 'host' in value ? printAddress(value) : String(value)
}

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settings, name)
}
