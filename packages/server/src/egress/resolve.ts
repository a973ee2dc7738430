import { lookup, Resolver } from 'node:dns/promises'

/** Resolves a host name to its addresses, in order of preference; rejects or returns none if it has none. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>

/**
 * Creates a resolver: the system's, or one that asks the given DNS servers.
 *
 * @throws Error for a server that is no IP address.
 */
export function createResolver(dnsServers: readonly string[]): ResolveHost {
  if (dnsServers.length === 0) {
    return async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address)
  }
  const resolver = new Resolver()
  resolver.setServers(dnsServers)
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}
