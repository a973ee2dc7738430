import type { ConnectorFieldBody, ConnectorTypeBody } from '@tripline/contract/console/sources/connector-type'
import { splitList } from '../../lib/read-form.ts'

/** A setting that the form asks for. */
export type ConnectorField = {
  readonly key:
    | 'product' | 'category' | 'service' | 'url' | 'client_id' | 'client_secret'
    | 'token_url' | 'polling_interval' | 'items_path'
    | 'cursor_path' | 'port' | 'transport' | 'api_url' | 'api_key' | 'dialect'
    | 'brokers' | 'topic' | 'sasl_mechanism' | 'servers' | 'subject' | 'group' | 'username' | 'password' | 'token'
    | 'tls' | 'tls_ca' | 'tls_cert' | 'tls_key' | 'format' | 'allowed_cidrs'
    | 'api_root' | 'collection' | 'auth_header' | 'expire_after_days' | 'value_column' | 'indicator_type' | 'list_url'
  readonly isRequired?: boolean
  readonly isSecret?: boolean
  /** Whether commas separate several values. */
  readonly isList?: boolean
  readonly isNumber?: boolean
  /** Whether the value is true or false. */
  readonly isFlag?: boolean
  /** Whether the value has several lines, such as a certificate. */
  readonly isMultiline?: boolean
  /** Values to choose from; the first is the default. */
  readonly choices?: readonly string[]
  /** The choice of another field with which the form asks for this one. */
  readonly onlyWith?: readonly [key: string, choice: string]
  /** The name of the setting, where the form calls it otherwise. */
  readonly setting?: string
}

const logSource: readonly ConnectorField[] = [{ key: 'product' }, { key: 'category' }, { key: 'service' }]

/** The kinds of sources that the server runs, with the settings that the form asks for. */
const connectorTypes = [
  { id: 'http_ndjson', fields: logSource },
  { id: 'elastic_bulk', fields: logSource },
  { id: 'splunk_hec', fields: logSource },
  { id: 'otlp_http', fields: logSource },
  {
    id: 'syslog',
    fields: [
      { key: 'port', isRequired: true, isNumber: true }, { key: 'transport', choices: ['tcp', 'udp', 'tls'] },
      { key: 'tls_cert', isRequired: true, isMultiline: true, onlyWith: ['transport', 'tls'] },
      { key: 'tls_key', isRequired: true, isMultiline: true, isSecret: true, onlyWith: ['transport', 'tls'] },
      { key: 'format', choices: ['auto', 'rfc5424', 'rfc3164', 'cef', 'leef', 'json'] },
      { key: 'allowed_cidrs', isList: true },
    ],
  },
  {
    id: 'http_poll',
    fields: [
      { key: 'url', isRequired: true }, { key: 'polling_interval' }, { key: 'items_path' }, { key: 'cursor_path' },
      { key: 'client_id' }, { key: 'client_secret', isSecret: true }, { key: 'token_url' },
    ],
  },
  {
    id: 'vulnerability_scanner',
    fields: [{ key: 'api_url', isRequired: true }, { key: 'api_key', isRequired: true, isSecret: true }, { key: 'dialect' }],
  },
  {
    id: 'kafka',
    fields: [
      { key: 'brokers', isRequired: true, isList: true }, { key: 'topic', isRequired: true }, { key: 'group' },
      { key: 'username' }, { key: 'password', isSecret: true },
      { key: 'sasl_mechanism', choices: ['plain', 'scram-sha-256', 'scram-sha-512'] },
      { key: 'tls', choices: ['true', 'false'], isFlag: true },
      { key: 'tls_ca', isMultiline: true, onlyWith: ['tls', 'true'] },
    ],
  },
  {
    id: 'nats',
    fields: [
      { key: 'servers', isRequired: true, isList: true }, { key: 'subject', isRequired: true }, { key: 'group' },
      { key: 'username' }, { key: 'password', isSecret: true }, { key: 'token', isSecret: true },
    ],
  },
  {
    id: 'taxii',
    fields: [
      { key: 'api_root', isRequired: true }, { key: 'collection', isRequired: true },
      { key: 'username' }, { key: 'password', isSecret: true }, { key: 'auth_header' }, { key: 'polling_interval' },
      { key: 'expire_after_days', isNumber: true },
    ],
  },
  {
    id: 'csv_feed',
    fields: [
      { key: 'list_url', setting: 'api_root', isRequired: true }, { key: 'value_column' },
      { key: 'indicator_type', choices: ['auto', 'ip', 'cidr', 'domain', 'url', 'hash', 'email'] },
      { key: 'username' }, { key: 'password', isSecret: true }, { key: 'auth_header' }, { key: 'polling_interval' },
      { key: 'expire_after_days', isNumber: true },
    ],
  },
] as const satisfies readonly { readonly id: string; readonly fields: readonly ConnectorField[] }[]
export type ConnectorType = (typeof connectorTypes)[number]['id']

/** A kind of source that has a name in words; undefined for one that only collectors or newer servers know. */
export function findTypeName(type: string): ConnectorType | undefined {
  return connectorTypes.find(({ id }) => id === type)?.id
}

/** The field of the form that a setting of a kind comes from; undefined for one that the form does not ask for. */
export function findFieldName(type: string, setting: string): ConnectorField['key'] | undefined {
  const fields: readonly ConnectorField[] = connectorTypes.find(({ id }) => id === type)?.fields ?? []
  return fields.find(({ key, setting: name = key }) => name === setting)?.key
}

/** The settings of a kind that the form asks for. */
function listFormFields(type: ConnectorType): readonly ConnectorField[] {
  return connectorTypes.find(({ id }) => id === type)?.fields ?? []
}

/** The fields that the form shows for what is chosen in it so far, and for what is stored. */
export function listShownFields(
  type: ConnectorType, chosen: { readonly [key: string]: string }, getStored: (field: ConnectorField) => string = () => '',
): readonly ConnectorField[] {
  const fields = listFormFields(type)
  const getChoice = (key: string): string | undefined => {
    const field = fields.find((one) => one.key === key)
    const stored = field === undefined ? '' : getStored(field)
    return chosen[key] ?? (stored === '' ? field?.choices?.[0] : stored)
  }
  return fields.filter(({ onlyWith }) => onlyWith === undefined || getChoice(onlyWith[0]) === onlyWith[1])
}

/** Whether a kind reads indicators instead of events. */
export function isFeed(type: ConnectorType): boolean {
  return type === 'taxii' || type === 'csv_feed'
}

/** The name of a setting that a field of the form is of. */
function toSetting({ key, setting = key }: ConnectorField): string {
  return setting
}

/** The settings that the form asks for, but secrets: what is empty there has no value. */
export function listAskedSettings(type: string): readonly string[] {
  const known = findTypeName(type)
  if (known === undefined) return []
  const fields = listFormFields(known)
  return fields === logSource ? ['log_source'] : fields.filter(({ isSecret }) => isSecret !== true).map(toSetting)
}

/** The settings of a type that the form does not ask for, as the server describes them. */
export function listOtherFields(
  type: string, catalogue: readonly ConnectorTypeBody[],
): readonly ConnectorFieldBody[] {
  const known = findTypeName(type)
  if (known === undefined) return []
  const asked = new Set([...listAskedSettings(known), ...listFormFields(known).map(toSetting)])
  return catalogue.find((entry) => entry.type === type)?.fields.filter(({ name }) => !asked.has(name)) ?? []
}

/** The value of a field of the form in stored settings, as the form writes it; secrets are never sent to the page. */
export function printStored(field: ConnectorField, config: { readonly [key: string]: unknown }): string {
  if (field.isSecret === true) return ''
  const { log_source: source } = config
  const from = logSource.includes(field) && typeof source === 'object' && source !== null ? source : config
  const value = (from as { readonly [key: string]: unknown })[toSetting(field)]
  if (Array.isArray(value)) return value.join(', ')
  return value === undefined || value === null ? '' : String(value as string | number | boolean)
}

/** What a form changes of stored settings: of those that it asks for, an empty one is removed. */
export function toConfigChange(
  stored: { readonly [key: string]: unknown }, given: { readonly [key: string]: unknown }, asked: readonly string[],
): { readonly [key: string]: unknown } {
  const removed = asked.filter((key) => stored[key] !== undefined && given[key] === undefined)
  return { ...given, ...Object.fromEntries(removed.map((key) => [key, null])) }
}

/** Reads the settings of a form; those that are empty are left to the server's defaults. */
export function readConfig(type: ConnectorType, read: (name: string) => string): { readonly [key: string]: unknown } {
  const readField = (field: ConnectorField): readonly [key: string, value: unknown] => {
    const { key: name, setting: key = name, isList, isNumber, isFlag } = field
    const value = read(name).trim()
    if (isFlag === true) return [key, value === '' ? value : value === 'true']
    if (isNumber === true) return [key, value === '' ? value : Number(value)]
    return [key, isList === true && value !== '' ? splitList(value) : value]
  }
  const given = Object.fromEntries(listFormFields(type).map(readField).filter(([, value]) => value !== ''))
  if (listFormFields(type) !== logSource) return given
  return Object.keys(given).length === 0 ? {} : { log_source: given }
}

/** What one points at the server, or what the server asks: a product with the connector type that takes its events. */
export type ConnectorProduct = {
  readonly key: string
  readonly type: ConnectorType
  readonly product: string | undefined
  /** What it is called by itself, and with the kind of source. */
  readonly name: string
  readonly label: string
}

/** Sources of collectors are configured in their files. */
const collector = 'tripline-collector'

/** The products of the catalogue, by name; behind them the sources that the server asks itself. */
export function listProducts(catalogue: readonly ConnectorTypeBody[], getTypeName: (type: ConnectorType) => string): ConnectorProduct[] {
  const known = catalogue.flatMap((entry) => connectorTypes.filter(({ id }) => id === entry.type).map(({ id }) => ({ id, entry })))
  const pushed = known.filter(({ entry }) => entry.direction === 'push' || entry.direction === 'listen')
  const products = pushed.flatMap(({ id, entry: { configurations } }) => configurations.filter(({ product }) => product !== collector)
    .map(({ product, name }) => ({ key: `${id}/${product}`, type: id, product, name, label: `${name}: ${getTypeName(id)}` })))
  const asked = known.filter((one) => !pushed.includes(one))
  return [
    ...products.toSorted((a, b) => a.label.localeCompare(b.label)),
    ...asked.map(({ id }) => ({ key: id, type: id, product: undefined, name: getTypeName(id), label: getTypeName(id) })),
  ]
}

/** The configuration of a product for a new connector, with its token; undefined for sources that the server asks itself. */
export function printConfiguration(
  catalogue: readonly ConnectorTypeBody[], { type, product }: Pick<ConnectorProduct, 'type' | 'product'>, token: string | undefined,
): { readonly file: string; readonly text: string } | undefined {
  const found = catalogue.find((entry) => entry.type === type)?.configurations.find((entry) => entry.product === product)
  return found && { file: found.file, text: found.text.replaceAll('TRIPLINE_TOKEN', token ?? 'TRIPLINE_TOKEN') }
}
