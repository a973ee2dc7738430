import type { RequestContext } from './route.ts'

/** The address that a request came from, as its connection says it; undefined for a request without one, as in tests. */
export function addressOf(c: RequestContext): string | undefined {
  const bindings: unknown = c.env
  if (!hasKey(bindings, 'incoming') || !hasKey(bindings.incoming, 'socket')) return undefined
  const { socket } = bindings.incoming
  return hasKey(socket, 'remoteAddress') && typeof socket.remoteAddress === 'string' ? socket.remoteAddress : undefined
}

function hasKey<Key extends string>(value: unknown, key: Key): value is { readonly [name in Key]: unknown } {
  return typeof value === 'object' && value !== null && key in value
}
