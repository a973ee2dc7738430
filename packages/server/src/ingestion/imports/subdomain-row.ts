import { normalizeAddress } from '@tripline/common/address'
import { omitUndefined } from '@tripline/common/omit-undefined'
import { subdomainRowSchema } from '@tripline/contract/console/enrichment/subdomain'
import type { SubdomainChange } from '@tripline/contract/console/enrichment/subdomain'
import { normalizeSubdomain } from '@tripline/model/enrichment/subdomain'
import type { SubdomainFacts } from '@tripline/model/enrichment/subdomain'
import { invalidBody, normalizeValue } from './normalize-value.ts'
import type { RowReader } from './open-import-file.ts'

/** Converts a change of a host name to its facts. @throws AppError INVALID_BODY for what is no address, or seen last before first. */
export function parseSubdomainFacts({ ip, first_seen, last_seen }: SubdomainChange): Partial<Omit<SubdomainFacts, 'name' | 'domain'>> {
  if (first_seen !== undefined && last_seen !== undefined && last_seen < first_seen) {
    throw invalidBody("last_seen: must not be before 'first_seen'")
  }
  return omitUndefined({
    ip: ip && normalizeValue('ip', ip, normalizeAddress, 'an IP address'), firstSeenAt: first_seen, lastSeenAt: last_seen,
  })
}

/** Host names as rows of an imported file, identified by name; which own domain one is under, the tenant's settings say. */
export const subdomainRows: RowReader<Pick<SubdomainFacts, 'name' | 'domain'> & Partial<SubdomainFacts>, typeof subdomainRowSchema> = {
  columns: { name: 'text', ip: 'text', first_seen: 'text', last_seen: 'text' },
  schema: subdomainRowSchema,
  parseFacts: ({ name, ...change }) => ({
    ...parseSubdomainFacts(change), name: normalizeValue('name', name, normalizeSubdomain, 'a host name'), domain: '', sources: ['import'],
  }),
}
