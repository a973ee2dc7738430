import { z } from 'zod'
import { largeListSchema, listParameters } from '../../list.ts'
import { instantParameter, listParameter } from '../../page.ts'
import { entryText, entryValue } from './enrichment.ts'

const source = z.enum(['dns', 'tls', 'http', 'import'])

/** A host name under the tenant's own domains, seen in events or imported. */
export const subdomainSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** The own domain that it is under; empty for an imported name under none. */
  domain: z.string(),
  /** Empty if unknown. */
  ip: z.string(),
  sources: z.array(source),
  /** Null if never seen. */
  first_seen: z.iso.datetime().nullable(),
  last_seen: z.iso.datetime().nullable(),
})
export type SubdomainBody = z.infer<typeof subdomainSchema>

export const subdomainListSchema = z.strictObject({ subdomains: z.array(subdomainSchema), ...largeListSchema })

export const subdomainListQuerySchema = z.strictObject({
  domain: listParameter(z.string()).optional(),
  ...listParameters,
})

/** A change of a host name; omitted fields are kept. */
export const subdomainChangeSchema = z.strictObject({
  /** Empty if unknown. */
  ip: entryText.optional(),
  first_seen: instantParameter.optional(),
  last_seen: instantParameter.optional(),
})
export type SubdomainChange = z.output<typeof subdomainChangeSchema>

/** A row of an import. */
export const subdomainRowSchema = z.strictObject({ name: entryValue, ...subdomainChangeSchema.shape })
