import type { ConnectorConfig } from '@tripline/model/connector'

/** The target of polls: the parsed settings of a connector of type `http_poll`. */
export type PollTarget = {
  readonly url: URL
  /** Sent with each request; exchanged for a token where `tokenUrl` is set. */
  readonly client: { readonly id: string; readonly secret: string } | undefined
  readonly tokenUrl: URL | undefined
  /** Names that lead to the list of events; empty where the body has a format of `POST /ingest/v1/events`. */
  readonly itemsPath: readonly string[]
  readonly cursorPath: readonly string[] | undefined
  readonly intervalMs: number
}

/** Parses validated settings with decrypted secrets. */
export function parsePollTarget(config: ConnectorConfig): PollTarget {
  const textOf = (key: string): string | undefined => (typeof config[key] === 'string' ? config[key] : undefined)
  const [id, secret, tokenUrl] = [textOf('client_id'), textOf('client_secret'), textOf('token_url')]
  return {
    url: new URL(textOf('url') ?? textOf('base_url') ?? ''),
    client: id === undefined || secret === undefined ? undefined : { id, secret },
    tokenUrl: tokenUrl === undefined ? undefined : new URL(tokenUrl),
    itemsPath: textOf('items_path')?.split('.') ?? [],
    cursorPath: textOf('cursor_path')?.split('.'),
    intervalMs: parseDurationMs(config['polling_interval']),
  }
}

/** Parses a duration such as `60s` to milliseconds. */
export function parseDurationMs(duration: unknown): number {
  return Number.parseInt(String(duration), 10) * 1_000
}
