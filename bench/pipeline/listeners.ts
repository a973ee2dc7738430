import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createTenant, createUser, issueToken, commandLinePrincipal, openAdminDataDir } from '../../packages/server/src/admin-api.ts'
import { limits } from '../../packages/server/src/limits.ts'

/** WebSockets that only listen, on a thread of their own. */
export type Listeners = { readonly count: number; readonly stop: () => Promise<number> }

/** Opens as many; `stop` ends them and tells how many messages they got. */
export async function startListeners(url: string, tokens: readonly string[]): Promise<Listeners> {
  const thread = new Worker(new URL('listener-thread.ts', import.meta.url), { workerData: { url, tokens } })
  await once(thread, 'message')
  return {
    count: tokens.length,
    async stop() {
      thread.postMessage('stop')
      const [messageCount] = (await once(thread, 'message')) as [number]
      await thread.terminate()
      return messageCount
    },
  }
}

const { tenantConnectionsMax, userConnectionsMax } = limits.push

/**
 * Gives tokens for as many WebSockets: each of a user who has no more than a user may, in tenants that have no more than
 * a tenant may. The first tenant, which sends the load, receives alerts; it has one less, for the WebSocket of the probes.
 */
export async function createListenerTokens(dataDir: string, count: number): Promise<readonly string[]> {
  const io = { now: () => Date.now(), elapsedMs: () => performance.now(), randomBytes: (length: number) => randomBytes(length) }
  const installation = await openAdminDataDir({ dataDir, issuerName: 'tripline' }, io)
  const tokens: string[] = []
  try {
    for (let number = 0; tokens.length < count; number++) {
      const tenant = number === 0 ? 'default' : `listeners-${number}`
      const caller = commandLinePrincipal(tenant)
      if (number > 0) await createTenant(installation, caller, { id: tenant, name: tenant })
      const left = Math.min(count - tokens.length, tenantConnectionsMax - (number === 0 ? 1 : 0))
      for (let done = 0; done < left; done += userConnectionsMax) {
        const email = `listener-${number}-${done}@example.org`
        await createUser(installation, caller, { email, name: email, roles: ['viewer'] })
        const { text } = await issueToken(installation, caller, email)
        tokens.push(...Array<string>(Math.min(userConnectionsMax, left - done)).fill(text))
      }
    }
  } finally {
    await installation.close()
  }
  return tokens
}

/** Creates a tenant with as many administrators, and gives a token of each. */
export async function createUserTokens(dataDir: string, tenant: string, count: number): Promise<string[]> {
  const io = { now: () => Date.now(), elapsedMs: () => performance.now(), randomBytes: (length: number) => randomBytes(length) }
  const installation = await openAdminDataDir({ dataDir, issuerName: 'tripline' }, io)
  try {
    const caller = commandLinePrincipal(tenant)
    await createTenant(installation, caller, { id: tenant, name: tenant })
    const tokens: string[] = []
    for (let i = 0; i < count; i++) {
      const email = `${tenant}-${i}@example.org`
      await createUser(installation, caller, { email, name: email, roles: ['admin'] })
      tokens.push((await issueToken(installation, caller, email)).text)
    }
    return tokens
  } finally {
    await installation.close()
  }
}
