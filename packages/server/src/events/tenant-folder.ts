import { limits } from '../limits.ts'

/** All tenants' segments are below it. */
export const tenantsFolder = 'events'

/**
 * The folder of a tenant. Names that could mean something to a file system are written in hexadecimal digits, so
 * that no two tenants share a folder and none leaves its own.
 *
 * @throws RangeError for an empty or an overlong name.
 */
export function getTenantFolder(tenant: string): string {
  if (tenant === '' || tenant.length > limits.events.tenantLengthMax) {
    throw new RangeError(`a tenant's name has ${tenant.length} characters; it takes 1 to ${limits.events.tenantLengthMax}`)
  }
  const isPlain = plain.test(tenant)
  return `${tenantsFolder}/${isPlain ? `t-${tenant}` : `x-${Buffer.from(tenant, 'utf8').toString('hex')}`}`
}

/** The tenant of a folder's name; undefined for folders of nobody. */
export function parseTenantFolder(name: string): string | undefined {
  const rest = name.slice(2)
  if (name.startsWith('t-') && plain.test(rest)) return rest
  return name.startsWith('x-') && /^(?:[0-9a-f]{2})+$/.test(rest) ? Buffer.from(rest, 'hex').toString('utf8') : undefined
}

/** Lower case only: some file systems do not tell the cases apart. */
const plain = /^[a-z0-9_-]{1,64}$/
