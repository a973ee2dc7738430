import { parseAddress } from '@tripline/common/address'
import { containsAddress, isLoopback } from '@tripline/common/network'
import type { Network } from '@tripline/common/network'
import type { RequestContext } from './route.ts'

/**
 * The client address of a request: the peer address of the connection, or, if that is a trusted proxy, the last address in
 * `X-Forwarded-For` that is not a trusted proxy; anyone can write the addresses before it. Undefined without a connection,
 * as in tests.
 */
export function getClientAddress(c: RequestContext, trustedProxies: readonly Network[]): string | undefined {
  let address = getPeerAddress(c)
  if (trustedProxies.length === 0) return address
  const isTrusted = (text: string) => trustedProxies.some((network) => containsAddress(network, text))
  for (const hop of (c.req.header('x-forwarded-for') ?? '').split(',').reverse()) {
    if (address === undefined || !isTrusted(address) || parseAddress(hop.trim()) === undefined) break
    address = hop.trim()
  }
  return address
}

/**
 * Whether the peer of the connection is this machine, and no proxy says that it sends the request for another. A proxy on this
 * machine that says nothing cannot be told from a browser.
 */
export function isLocalRequest(c: RequestContext): boolean {
  const isForwarded = c.req.header('x-forwarded-for') !== undefined || c.req.header('forwarded') !== undefined
  return !isForwarded && isLoopback(getPeerAddress(c) ?? '')
}

/** The socket of a request; undefined without a connection, as in tests. */
export function getSocket(c: RequestContext): unknown {
  const bindings: unknown = c.env
  return hasKey(bindings, 'incoming') && hasKey(bindings.incoming, 'socket') ? bindings.incoming.socket : undefined
}

function getPeerAddress(c: RequestContext): string | undefined {
  const socket = getSocket(c)
  return hasKey(socket, 'remoteAddress') && typeof socket.remoteAddress === 'string' ? socket.remoteAddress : undefined
}

/** Whether a value is an object with a key. */
export function hasKey<Key extends string>(value: unknown, key: Key): value is { readonly [name in Key]: unknown } {
  return typeof value === 'object' && value !== null && key in value
}
