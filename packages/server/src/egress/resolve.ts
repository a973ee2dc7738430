import { lookup, Resolver } from 'node:dns/promises'

/** Says the addresses of a host name, in order of preference; rejects or has none where there are none. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>

/**
 * Resolves names as the machine does or, where servers are named, by asking those.
 *
 * @throws Error for a server that is no address.
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
