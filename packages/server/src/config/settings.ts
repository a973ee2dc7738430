import { settingDefaults } from '@tripline/model/tenant-settings'
import { limits } from '../limits.ts'
import { backupSettings } from './backup-settings.ts'
import type { BackupConfig } from './backup-settings.ts'
import {
  printRange, readAddress, readInteger, splitList, readNetworks, readPorts,
  readOnOff, readOrigins, readSingleText, readSwitch, readTime, readUrl,
} from './read-setting.ts'
import type { Address, Range } from './read-setting.ts'
import type { Setting } from './setting.ts'

export type { Address }

/** Every setting of the server, read and checked. */
export type Config = BackupConfig & {
  readonly dataDir: string
  readonly listen: Address
  readonly tlsCert: string
  readonly tlsKey: string
  readonly tlsClientCa: string
  readonly behindProxy: boolean
  readonly listenConnectionsMax: number
  readonly listenConnectionsPerAddressMax: number
  readonly otlpListen: string
  readonly syslogPorts: readonly string[]
  readonly rules: readonly string[]
  readonly publicUrl: string
  readonly allowedOrigins: readonly string[]
  readonly console: 'on' | 'off'
  readonly trustedIssuer: string
  readonly trustedAudience: string
  readonly trustedJwksFile: string
  readonly trustedJwksUrl: string
  readonly trustedTenantClaim: string
  readonly trustedRolesClaim: string
  readonly trustIssuerMfa: boolean
  readonly requireOperatorMfa: boolean
  readonly egressAllowCidrs: readonly string[]
  readonly egressAllowInsecure: boolean
  readonly egressDnsServers: readonly string[]
  readonly metricsTokenFile: string
  readonly trustedProxies: readonly string[]
  readonly adminPasswordFile: string
  readonly retentionEventsDays: number
  readonly retentionAlertsDays: number
  readonly retentionAuditDays: number
  readonly trustedTime: string
  readonly verifyHours: number
  readonly signingKeyDays: number
  readonly shutdownGraceMs: number
}

export type SettingName = keyof Config

const shutdownGraceRange = { min: 0, max: 600_000 }
const verifyHoursRange = { min: 0, max: 500 }
const signingKeyDaysRange = { min: 0, max: 3_650 }
const connectionsRange = { min: 1, max: 1_000_000 }
const { eventsRetentionDaysMax, alertsRetentionDaysMax, auditRetentionDaysMax, auditRetentionDaysMin } = limits.tenantSettings

/** The table of settings: type, default, bound and meaning of each. */
export const settings: { readonly [Name in SettingName]: Setting<Config[Name]> } = {
  dataDir: {
    argument: 'dir',
    default: './tripline-data',
    description: 'Directory for all data of the server; created when missing.',
    read: (texts) => readSingleText(texts),
  },
  listen: {
    argument: 'host:port',
    default: { host: '127.0.0.1', port: 8080 },
    description: 'Address to serve HTTP on; port 0 picks a free port.',
    read: (texts) => readAddress(readSingleText(texts)),
  },
  tlsCert: {
    argument: 'file',
    default: '',
    description: 'Certificate of the server with its chain, as PEM: serves HTTPS. Read again when it changes, and at SIGHUP.',
    read: (texts) => readSingleText(texts),
  },
  tlsKey: {
    argument: 'file',
    default: '',
    description: 'Private key of the certificate, as PEM.',
    read: (texts) => readSingleText(texts),
  },
  tlsClientCa: {
    argument: 'file',
    default: '',
    description: 'Authorities, as PEM, of the client certificates that senders of events must present to /ingest.',
    read: (texts) => readSingleText(texts),
  },
  behindProxy: {
    argument: 'boolean',
    default: false,
    description: 'Whether a reverse proxy ends TLS: allows plain HTTP on addresses that other machines reach.',
    read: (texts) => readSwitch(readSingleText(texts)),
  },
  listenConnectionsMax: connectionsSetting(4_096, 'Connections accepted at once; fewer if the limit of open files requires it.'),
  listenConnectionsPerAddressMax: connectionsSetting(1_024,
    'Connections accepted from one address, or IPv6 /64 network; trusted proxies are exempt.'),
  otlpListen: {
    argument: 'host:port',
    default: '',
    description: 'Address of a listener of its own for OTLP/HTTP, with its path /v1/logs, such as 127.0.0.1:4318; by default none.',
    read: (texts) => printAddress(readAddress(readSingleText(texts))),
  },
  syslogPorts: {
    argument: 'port,first-last,...',
    default: ['5514-5523'],
    description: 'Ports that connectors of type syslog may listen on, at the host of --listen.',
    read: readPorts,
  },
  rules: {
    argument: 'file|dir',
    isOperand: true,
    default: [],
    description: 'Rule files, or directories with .yml and .yaml files.',
    read: (texts) => texts,
  },
  publicUrl: {
    argument: 'url',
    default: '',
    description: 'URL at which users reach the server, such as https://tripline.example; also the issuer of its tokens.',
    read: (texts) => readUrl(readSingleText(texts)),
  },
  allowedOrigins: {
    argument: 'origin,...',
    default: [],
    description: 'Origins of other pages that may use the API (CORS) and open its WebSocket, such as https://console.example.',
    read: readOrigins,
  },
  console: {
    argument: 'on|off',
    default: 'on',
    description: 'Whether to serve the web pages of the console.',
    read: (texts) => readOnOff(readSingleText(texts)),
  },
  trustedIssuer: {
    argument: 'issuer',
    default: '',
    description: 'External token issuer to accept, such as your identity provider: the iss claim of its tokens.',
    read: (texts) => readSingleText(texts),
  },
  trustedAudience: {
    argument: 'audience',
    default: 'console',
    description: "Audience that the trusted issuer's tokens must have: their aud claim.",
    read: (texts) => readSingleText(texts),
  },
  trustedJwksFile: {
    argument: 'file',
    default: '',
    description: "File with the trusted issuer's public keys, as a JWKS document.",
    read: (texts) => readSingleText(texts),
  },
  trustedJwksUrl: {
    argument: 'url',
    default: '',
    description: "URL to fetch the trusted issuer's keys from instead of a file; https, or a host in --egress-allow-cidrs.",
    read: (texts) => readUrl(readSingleText(texts)),
  },
  trustedTenantClaim: {
    argument: 'claim',
    default: 'tenant_id',
    description: "Claim of the trusted issuer's tokens that names the tenant; dots address nested claims.",
    read: (texts) => readSingleText(texts),
  },
  trustedRolesClaim: {
    argument: 'claim',
    default: 'roles',
    description: "Claim of the trusted issuer's tokens that names the roles.",
    read: (texts) => readSingleText(texts),
  },
  trustIssuerMfa: {
    argument: 'boolean',
    default: false,
    description: 'Whether users of the trusted issuer have a second factor there, even if no token says so in its amr claim.',
    read: (texts) => readSwitch(readSingleText(texts)),
  },
  requireOperatorMfa: {
    argument: 'boolean',
    default: false,
    description: 'Whether operators need a second factor, whatever their tenant requires.',
    read: (texts) => readSwitch(readSingleText(texts)),
  },
  egressAllowCidrs: {
    argument: 'cidr,...',
    default: [],
    description: 'Private networks that connectors may reach, at any port and over http. Default: the public internet only.',
    read: splitList,
  },
  egressAllowInsecure: {
    argument: 'boolean',
    default: false,
    description: 'Allows connectors plain http to the public internet, at port 80.',
    read: (texts) => readSwitch(readSingleText(texts)),
  },
  egressDnsServers: {
    argument: 'address,...',
    default: [],
    description: 'DNS servers for outbound connector requests. Default: the system resolver.',
    read: splitList,
  },
  metricsTokenFile: {
    argument: 'file',
    default: '',
    description: 'File with a bearer token that gives access to /metrics; operators always have access.',
    read: (texts) => readSingleText(texts),
  },
  trustedProxies: {
    argument: 'cidr,...',
    default: [],
    description: 'Reverse proxies whose X-Forwarded-For header is trusted. Default: none.',
    read: readNetworks,
  },
  adminPasswordFile: {
    argument: 'file',
    default: '',
    description: 'File with the password of the first administrator, read at the first start only. Default: a random one is written to '
      + 'first-password in the data directory.',
    read: (texts) => readSingleText(texts),
  },
  retentionEventsDays: daysSetting({ min: 1, max: eventsRetentionDaysMax }, settingDefaults.eventsRetentionDays,
    'Days to keep events, by event time, unless the tenant sets its own.'),
  retentionAlertsDays: daysSetting({ min: 1, max: alertsRetentionDaysMax }, settingDefaults.alertsRetentionDays,
    'Days to keep alerts and their matches, by last change, unless the tenant sets its own.'),
  retentionAuditDays: daysSetting({ min: auditRetentionDaysMin, max: auditRetentionDaysMax }, settingDefaults.auditRetentionDays,
    'Days to keep audit trails, unless the tenant sets its own.'),
  trustedTime: {
    argument: 'time',
    default: '',
    description: 'The true time, to remove data by age again after a long downtime; such as 2026-11-22T09:00:00Z.',
    read: (texts) => readTime(readSingleText(texts)),
  },
  verifyHours: {
    argument: 'hours',
    default: 24,
    bound: printRange(verifyHoursRange),
    description: 'Hours between two verifications of the data directory while the server runs; 0 turns them off.',
    read: (texts) => readInteger(readSingleText(texts), verifyHoursRange),
  },
  ...backupSettings,
  signingKeyDays: {
    argument: 'days',
    default: 90,
    bound: printRange(signingKeyDaysRange),
    description: 'Days after which the key that signs tokens is rotated; 0 leaves it to tripline admin signing-key rotate.',
    read: (texts) => readInteger(readSingleText(texts), signingKeyDaysRange),
  },
  shutdownGraceMs: {
    argument: 'milliseconds',
    default: 10_000,
    bound: printRange(shutdownGraceRange),
    description: 'Time that running requests and event processing have to finish after SIGTERM.',
    read: (texts) => readInteger(readSingleText(texts), shutdownGraceRange),
  },
}

export const settingNames = Object.keys(settings).filter(isSettingName)

function daysSetting(range: Range, value: number, sentence: string): Setting<number> {
  return { argument: 'days', default: value, bound: printRange(range), description: sentence, read: (texts) =>
    readInteger(readSingleText(texts), range) }
}

function connectionsSetting(value: number, sentence: string): Setting<number> {
  return { argument: 'count', default: value, bound: printRange(connectionsRange), description: sentence, read: (texts) =>
    readInteger(readSingleText(texts), connectionsRange) }
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

/** The default of a setting as a user would write it; empty for an empty default. */
export function printDefault(name: SettingName): string {
  return printSetting(settings[name].default)
}

/** A value as a user would write it; a list with commas. */
export function printSetting(value: Config[SettingName]): string {
  return typeof value === 'object' && 'host' in value ? printAddress(value) : String(value)
}

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settings, name)
}
