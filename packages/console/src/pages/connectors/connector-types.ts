import type { NewConnectorBody } from '@tripline/contract/console/sources/connector'

/** A setting that the form asks for. */
type ConnectorField = {
  readonly key:
    | 'product' | 'category' | 'service' | 'url' | 'client_id' | 'client_secret' | 'token_url' | 'polling_interval' | 'items_path'
    | 'cursor_path' | 'api_url' | 'api_key' | 'dialect' | 'servers' | 'subject' | 'group' | 'username' | 'password' | 'token'
  readonly isRequired?: boolean
  readonly isSecret?: boolean
  /** Whether commas separate several values. */
  readonly isList?: boolean
}

const logSource: readonly ConnectorField[] = [{ key: 'product' }, { key: 'category' }, { key: 'service' }]

/** The kinds of sources that the server runs, with the settings that the form asks for. */
export const connectorTypes = [
  { id: 'http_ndjson', fields: logSource },
  { id: 'elastic_bulk', fields: logSource },
  { id: 'splunk_hec', fields: logSource },
  { id: 'otlp_http', fields: logSource },
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
    id: 'nats',
    fields: [
      { key: 'servers', isRequired: true, isList: true }, { key: 'subject', isRequired: true }, { key: 'group' },
      { key: 'username' }, { key: 'password', isSecret: true }, { key: 'token', isSecret: true },
    ],
  },
] as const satisfies readonly { readonly id: string; readonly fields: readonly ConnectorField[] }[]
export type ConnectorType = (typeof connectorTypes)[number]['id']

/** The settings of a kind that the form asks for. */
export function listFields(type: ConnectorType): readonly ConnectorField[] {
  return connectorTypes.find(({ id }) => id === type)?.fields ?? []
}

/** Reads the settings of a form; those that are empty are left to the server's defaults. */
export function readConfig(type: ConnectorType, read: (name: string) => string): { readonly [key: string]: unknown } {
  const readField = ({ key, isList }: ConnectorField): readonly [key: string, value: unknown] => {
    const value = read(key).trim()
    return [key, isList === true ? value.split(',').map((part) => part.trim()).filter((part) => part !== '') : value]
  }
  const given = Object.fromEntries(listFields(type).map(readField).filter(([, value]) => value !== ''))
  if (listFields(type) !== logSource) return given
  return Object.keys(given).length === 0 ? {} : { log_source: given }
}

/** A command that sends one event to a new source; undefined for sources that the server asks itself. */
export function printSnippet({ type, ingest }: Pick<NewConnectorBody, 'type' | 'ingest'>, origin: string): string | undefined {
  if (ingest === undefined) return undefined
  const url = new URL(ingest.url, origin).href
  const bodies: { readonly [Type in string]?: readonly [contentType: string, body: string, scheme: string] } = {
    elastic_bulk: ['application/x-ndjson', `{"create":{}}\\n{"message":"hello","host":{"name":"ws-1"}}\\n`, 'ApiKey'],
    splunk_hec: ['application/json', `{"event":{"message":"hello","host":"ws-1"}}`, 'Splunk'],
    otlp_http: [
      'application/json', `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"hello"}}]}]}]}`, 'Bearer',
    ],
  }
  const [contentType, body, scheme] = bodies[type] ?? ['application/x-ndjson', `{"message":"hello","host":"ws-1"}`, 'Bearer']
  return [
    `curl '${url}' \\`, `  -H 'authorization: ${scheme} ${ingest.token}' \\`, `  -H 'content-type: ${contentType}' \\`,
    `  --data-binary $'${body}'`,
  ].join('\n')
}
