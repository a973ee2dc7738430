/** Where to listen; port 0 takes a free one. */
export type Address = { readonly host: string; readonly port: number }

/** Every setting of the server, read and checked. */
export type Config = {
  readonly dataDir: string
  readonly listen: Address
  readonly rules: readonly string[]
  readonly publicUrl: string
  readonly trustedIssuer: string
  readonly trustedAudience: string
  readonly trustedJwksFile: string
  readonly trustedTenantClaim: string
  readonly trustedRolesClaim: string
  readonly egressAllowCidrs: readonly string[]
  readonly egressAllowInsecure: boolean
  readonly egressDnsServers: readonly string[]
  readonly metricsTokenFile: string
  readonly shutdownGraceMs: number
}

export type SettingName = keyof Config

/** One setting: how its text is read, what it is without one, and the sentence that the help prints. */
export type Setting<Value> = {
  /** What stands after the flag; a setting without one is on or off. */
  readonly argument?: string
  /** Whether several arguments may follow the flag. */
  readonly isList?: boolean
  readonly default: Value
  readonly sentence: string
  /** @throws Error with what is wrong with the texts, as it reads after the setting's name. */
  readonly read: (texts: readonly string[]) => Value
}

const shutdownGraceMsMax = 600_000

/** The table of settings: type, default, bound and meaning of each. */
export const settings: { readonly [Name in SettingName]: Setting<Config[Name]> } = {
  dataDir: {
    argument: 'directory',
    default: './tripline-data',
    sentence: 'Where the server keeps what must outlive it; created when absent.',
    read: (texts) => oneText(texts),
  },
  listen: {
    argument: 'host:port',
    default: { host: '127.0.0.1', port: 8080 },
    sentence: 'The address to serve HTTP on; port 0 takes a free one.',
    read: (texts) => readAddress(oneText(texts)),
  },
  rules: {
    argument: 'path...',
    isList: true,
    default: [],
    sentence: 'Rule files, or directories of .yml and .yaml files.',
    read: (texts) => texts,
  },
  publicUrl: {
    argument: 'url',
    default: '',
    sentence: 'Where users reach the server, such as https://tripline.example; also the issuer of its tokens.',
    read: (texts) => readUrl(oneText(texts)),
  },
  trustedIssuer: {
    argument: 'issuer',
    default: '',
    sentence: 'Lets in the tokens of this issuer too, such as your identity provider: what they have as iss.',
    read: (texts) => oneText(texts),
  },
  trustedAudience: {
    argument: 'audience',
    default: 'console',
    sentence: 'What tokens of the trusted issuer have as aud.',
    read: (texts) => oneText(texts),
  },
  trustedJwksFile: {
    argument: 'file',
    default: '',
    sentence: "The trusted issuer's public keys, a JWKS document.",
    read: (texts) => oneText(texts),
  },
  trustedTenantClaim: {
    argument: 'claim',
    default: 'tenant_id',
    sentence: 'Where the tokens of the trusted issuer name the tenant; dots lead inside.',
    read: (texts) => oneText(texts),
  },
  trustedRolesClaim: {
    argument: 'claim',
    default: 'roles',
    sentence: 'Where they name the roles.',
    read: (texts) => oneText(texts),
  },
  egressAllowCidrs: {
    argument: 'cidr,...',
    default: [],
    sentence: 'Ranges inside that connectors may ask, at any port and over http too; without one, only the internet.',
    read: readList,
  },
  egressAllowInsecure: {
    argument: 'boolean',
    default: false,
    sentence: 'Lets connectors ask the internet over http too, at port 80.',
    read: (texts) => readSwitch(oneText(texts)),
  },
  egressDnsServers: {
    argument: 'address,...',
    default: [],
    sentence: "Servers to ask for the names of what connectors ask; without one, the machine's.",
    read: readList,
  },
  metricsTokenFile: {
    argument: 'file',
    default: '',
    sentence: 'A secret with which monitoring may read /metrics, as its bearer token; operators always may.',
    read: (texts) => oneText(texts),
  },
  shutdownGraceMs: {
    argument: 'milliseconds',
    default: 10_000,
    sentence: `How long requests may take to finish after SIGTERM, 0 to ${shutdownGraceMsMax}.`,
    read: (texts) => readInteger(oneText(texts), shutdownGraceMsMax),
  },
}

export const settingNames = Object.keys(settings).filter(isSettingName)

/** A setting as a flag: `--data-dir`. */
export function flagOf(name: SettingName): string {
  return `--${fileKeyOf(name).replaceAll('_', '-')}`
}

/** A setting as a key of the configuration file: `data_dir`. */
export function fileKeyOf(name: SettingName): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** A setting as an environment variable: `TRIPLINE_DATA_DIR`. */
export function variableOf(name: SettingName): string {
  return `TRIPLINE_${fileKeyOf(name).toUpperCase()}`
}

/** The settings as lines of help. */
export function printSettings(): string {
  const rows: [string, string][] = [
    ['--config <file>', 'A JSON object of settings, like {"data_dir": "data", "rules": ["rules"]}.'],
  ]
  for (const name of settingNames) {
    const { argument, sentence } = settings[name]
    const flag = argument === undefined ? flagOf(name) : `${flagOf(name)} <${argument}>`
    const value = printDefault(name)
    rows.push([flag, value === '' ? sentence : `${sentence} Default ${value}.`])
  }
  rows.push(['--demo', 'Begins with the sample rules and events of a clone, and tells what to try; keeps nothing without --data-dir.'])
  rows.push(['--help', 'Prints this.'])
  return rows.map(([flag, sentence]) => `  ${flag.padEnd(36)}${sentence}`).join('\n')
}

/** An address as it is written: `127.0.0.1:8080`, `[::1]:8080`. */
export function printAddress({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

function printDefault(name: SettingName): string {
  const value = settings[name].default
  return typeof value === 'object' && 'host' in value ? printAddress(value) : String(value)
}

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settings, name)
}

function oneText(texts: readonly string[]): string {
  const [text, ...others] = texts
  if (text === undefined || text === '') throw new Error('needs a value')
  if (others.length > 0) throw new Error('is given more than once')
  return text
}

function readAddress(text: string): Address {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  if (host === undefined || Number(port) > 65_535) {
    throw new Error(`must be host:port, like 127.0.0.1:8080 or [::1]:8080 with a port up to 65535, and not '${text}'`)
  }
  return { host, port: Number(port) }
}

/** Without a slash at its end, as paths begin with one. */
function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text.replace(/\/+$/, '')
  throw new Error(`must be an address that begins with http:// or https://, and not '${text}'`)
}

function readSwitch(text: string): boolean {
  if (text === 'true') return true
  if (text === 'false') return false
  throw new Error(`must be true or false and not '${text}'`)
}

/** Several in one text have commas between them: what stands in such lists may have colons in it. */
function readList(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(',')).map((part) => part.trim()).filter((part) => part !== '')
}

function readInteger(text: string, max: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value <= max) return value
  throw new Error(`must be a whole number from 0 to ${max} and not '${text}'`)
}
