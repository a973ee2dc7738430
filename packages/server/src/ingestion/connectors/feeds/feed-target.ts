import { indicatorTypes } from '@tripline/model/enrichment/indicator'
import type { IndicatorType } from '@tripline/model/enrichment/indicator'
import type { ConnectorConfig, ConnectorType } from '@tripline/model/connector'
import { formatBasicAuth } from '@tripline/sources/polling/poll-request'
import { parseDurationMs } from '../poll-target.ts'
import type { FeedTerms } from './read-stix.ts'

/** Types of connectors that read indicators instead of events. */
export type FeedType = Extract<ConnectorType, 'taxii' | 'csv_feed'>

export function isFeedType(type: ConnectorType): type is FeedType {
  return type === 'taxii' || type === 'csv_feed'
}

/** How the table of a CSV feed is read. */
export type FeedTable = {
  /** The name of the column with the values, or its number from 1; undefined to find it by the known names. */
  readonly valueColumn: string | undefined
  /** The type of all values; undefined to take each value's own. */
  readonly indicatorType: IndicatorType | undefined
  /** What separates fields; undefined to find out, empty for one value a line. */
  readonly delimiter: string | undefined
}

/** The target of polls: the parsed settings of a feed. */
export type FeedTarget = FeedTerms & {
  readonly type: FeedType
  readonly url: URL
  /** Of TAXII: the id of the collection. */
  readonly collection: string
  readonly credentials: { readonly [header: string]: string }
  readonly intervalMs: number
  readonly table: FeedTable
}

const dayMs = 86_400_000
/** A list says what is bad now; what it no longer names is taken to be gone after a while. */
const listedForDays = 30
const delimiters: { readonly [name: string]: string } = { comma: ',', semicolon: ';', tab: '\t', none: '' }

/** Parses validated settings with decrypted secrets. */
export function parseFeedTarget(type: FeedType, config: ConnectorConfig): FeedTarget {
  const textOf = (key: string): string | undefined => (typeof config[key] === 'string' ? config[key] : undefined)
  const numberOf = (key: string): number | undefined => (typeof config[key] === 'number' ? config[key] : undefined)
  const days = numberOf('expire_after_days') ?? (type === 'csv_feed' ? listedForDays : undefined)
  return {
    type,
    url: new URL(textOf('api_root') ?? ''),
    collection: textOf('collection') ?? '',
    credentials: readCredentials({ username: textOf('username'), password: textOf('password'), header: textOf('auth_header') }),
    intervalMs: parseDurationMs(config['polling_interval']),
    confidence: numberOf('confidence'),
    expireAfterMs: days === undefined ? undefined : days * dayMs,
    table: {
      valueColumn: textOf('value_column')?.trim().toLowerCase(),
      indicatorType: indicatorTypes.find((known) => known === config['indicator_type']),
      delimiter: delimiters[textOf('delimiter') ?? 'auto'],
    },
  }
}

type FeedLogin = { readonly [name in 'username' | 'password' | 'header']: string | undefined }

/** HTTP Basic with a user name; else a token, in the header that the source has for it. */
function readCredentials({ username, password, header }: FeedLogin): FeedTarget['credentials'] {
  if (password === undefined) return {}
  if (username !== undefined) return { authorization: formatBasicAuth({ id: username, secret: password }) }
  return header === undefined ? { authorization: `Bearer ${password}` } : { [header.toLowerCase()]: password }
}
