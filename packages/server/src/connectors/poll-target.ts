import type { ConnectorConfig } from '../domain/connector.ts'

/** What is polled, and with what: the settings of a connector of type `http_poll`, read. */
export type PollTarget = {
  readonly url: URL
  /** Sent with each request; in exchange for a token where there is a place to have one. */
  readonly client: { readonly id: string; readonly secret: string } | undefined
  readonly tokenUrl: URL | undefined
  /** Names on the way to the list of events; none where the whole body is what `POST /ingest/v1/events` takes. */
  readonly itemsPath: readonly string[]
  readonly cursorPath: readonly string[] | undefined
  readonly intervalMs: number
}

/** Reads settings that were checked, with their secrets in the clear. */
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

/** Milliseconds of `60s`. */
export function parseDurationMs(duration: unknown): number {
  return Number.parseInt(String(duration), 10) * 1_000
}
