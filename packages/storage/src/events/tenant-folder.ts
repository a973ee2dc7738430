import { limits } from '../limits.ts'

/** The folder of all tenants' segments. */
export const tenantsFolder = 'events'

/** Lower case only: some file systems ignore case. */
const plain = /^[a-z0-9_-]{1,64}$/

/**
 * The folder of a tenant. Names that a file system may treat specially are written in hexadecimal, so that no two
 * tenants share a folder and none leaves its own.
 *
 * @throws RangeError for an empty or an overlong name.
 */
export function getTenantFolder(tenant: string): string {
  if (tenant === '' || tenant.length > limits.events.tenantLengthMax) {
    throw new RangeError(`a tenant name has 1 to ${limits.events.tenantLengthMax} characters; this one has ${tenant.length}`)
  }
  const isPlain = plain.test(tenant)
  return `${tenantsFolder}/${isPlain ? `t-${tenant}` : `x-${Buffer.from(tenant, 'utf8').toString('hex')}`}`
}

/** The tenant of a folder name; undefined for other folders. */
export function parseTenantFolder(name: string): string | undefined {
  const rest = name.slice(2)
  if (name.startsWith('t-') && plain.test(rest)) return rest
  return name.startsWith('x-') && /^(?:[0-9a-f]{2})+$/.test(rest) ? Buffer.from(rest, 'hex').toString('utf8') : undefined
}
