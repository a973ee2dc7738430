import { hasKey } from './client-address.ts'

/** Headers that follow a body, whose values are known at its end. */
type OutgoingTrailers = { readonly add: (name: string, value: string) => void }

/**
 * The trailers of a response, of the bindings of Node's server. Undefined where there can be none: only HTTP/1.1 sends a body
 * in chunks, and requests within the program have no connection.
 */
export function getOutgoingTrailers(bindings: unknown): OutgoingTrailers | undefined {
  if (!hasKey(bindings, 'incoming') || !hasKey(bindings, 'outgoing')) return undefined
  const { incoming, outgoing } = bindings
  if (!hasKey(incoming, 'httpVersion') || incoming.httpVersion !== '1.1') return undefined
  if (!hasKey(outgoing, 'addTrailers') || typeof outgoing.addTrailers !== 'function') return undefined
  return { add: (name, value) => void Reflect.apply(outgoing.addTrailers as () => void, outgoing, [{ [name]: value }]) }
}
