import { lookup, Resolver } from 'node:dns/promises'

/** Says the addresses of a host name, in order of preference; rejects or has none where there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/** Resolves names as the machine does or, where servers are named, by asking those. */
export function createResolve(dnsServers: readonly string[]): Resolve {
  if (dnsServers.length === 0) {
    return async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address)
  }
  return async (hostname) => {
    const resolver = new Resolver()
    resolver.setServers(dnsServers)
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}
