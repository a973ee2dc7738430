import type { Identity } from '../auth/token-principal.ts'
import type { TenantId } from '../domain/tenant.ts'
import { limits } from '../limits.ts'
import { closings } from './close-codes.ts'
import type { Closing } from './close-codes.ts'
import type { Connection } from './connection.ts'

/** The connections that are open, by tenant and by user, as many as each may have (D-35). */
export class ConnectionTable {
  readonly #ofTenant = new Map<TenantId, Set<Connection>>()
  readonly #countOfUser = new Map<string, number>()

  /** Why a user may not have one more connection; undefined where it may. */
  refusalOf(identity: Identity): Closing | undefined {
    if (this.ofTenant(identity.tenant).size >= limits.push.tenantConnectionsMax) return closings.tenantFull
    const count = this.#countOfUser.get(userKey(identity)) ?? 0
    return count >= limits.push.userConnectionsMax ? closings.userFull : undefined
  }

  add(connection: Connection): void {
    const { identity } = connection
    const key = userKey(identity)
    const connections = this.#ofTenant.get(identity.tenant) ?? new Set<Connection>()
    connections.add(connection)
    this.#ofTenant.set(identity.tenant, connections)
    this.#countOfUser.set(key, (this.#countOfUser.get(key) ?? 0) + 1)
  }

  remove(connection: Connection): void {
    const { identity } = connection
    const connections = this.#ofTenant.get(identity.tenant)
    if (connections?.delete(connection) !== true) return
    if (connections.size === 0) this.#ofTenant.delete(identity.tenant)
    const key = userKey(identity)
    const count = (this.#countOfUser.get(key) ?? 1) - 1
    if (count === 0) this.#countOfUser.delete(key)
    else this.#countOfUser.set(key, count)
  }

  ofTenant(tenant: TenantId): ReadonlySet<Connection> {
    return this.#ofTenant.get(tenant) ?? none
  }

  /** All of them, as they are now: what is done to one may end it. */
  all(): readonly Connection[] {
    return [...this.#ofTenant.values()].flatMap((connections) => [...connections])
  }
}

const none: ReadonlySet<Connection> = new Set()

/** A user is one of a tenant; as JSON no two pairs read the same. */
function userKey({ tenant, subject }: Identity): string {
  return JSON.stringify([tenant, subject])
}
