import type { ConnectorConfig } from '@tripline/model/connector'
import type { PollTarget } from '@tripline/sources/polling/poll-target'

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
