import type { TenantId } from '@tripline/model/tenant'
import type { TokenPrincipal } from '../../access/tokens/token-principal.ts'
import { limits } from '../limits.ts'
import { closeCodes } from './close-codes.ts'
import type { CloseCode } from './close-codes.ts'
import type { Connection } from './connection.ts'

const noConnections: ReadonlySet<Connection> = new Set()

/** The open connections by tenant and by user, with the limits of each (docs/reference/console-api.md#live-push). */
export class ConnectionTable {
  readonly #byTenant = new Map<TenantId, Set<Connection>>()
  readonly #countByUser = new Map<string, number>()

  /** Why a user may not open another connection; undefined where it may. */
  findRefusal(identity: TokenPrincipal): CloseCode | undefined {
    if (this.getByTenant(identity.tenant).size >= limits.push.tenantConnectionsMax) return closeCodes.tenantFull
    const count = this.#countByUser.get(getUserKey(identity)) ?? 0
    return count >= limits.push.userConnectionsMax ? closeCodes.userFull : undefined
  }

  add(connection: Connection): void {
    const { principal } = connection
    const key = getUserKey(principal)
    const connections = this.#byTenant.get(principal.tenant) ?? new Set<Connection>()
    connections.add(connection)
    this.#byTenant.set(principal.tenant, connections)
    this.#countByUser.set(key, (this.#countByUser.get(key) ?? 0) + 1)
  }

  remove(connection: Connection): void {
    const { principal } = connection
    const connections = this.#byTenant.get(principal.tenant)
    if (connections?.delete(connection) !== true) return
    if (connections.size === 0) this.#byTenant.delete(principal.tenant)
    const key = getUserKey(principal)
    const count = (this.#countByUser.get(key) ?? 1) - 1
    if (count === 0) this.#countByUser.delete(key)
    else this.#countByUser.set(key, count)
  }

  getByTenant(tenant: TenantId): ReadonlySet<Connection> {
    return this.#byTenant.get(tenant) ?? noConnections
  }

  /** A snapshot of all connections: handling one may end it. */
  all(): readonly Connection[] {
    return [...this.#byTenant.values()].flatMap((connections) => [...connections])
  }
}

/** A user belongs to a tenant; as JSON, distinct pairs print differently. */
function getUserKey({ tenant, subject }: TokenPrincipal): string {
  return JSON.stringify([tenant, subject])
}
