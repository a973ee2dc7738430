import { z } from 'zod'
import { largeListSchema, listParameters } from '../../list.ts'
import { listParameter } from '../../page.ts'

const kindSchema = z.enum(['host', 'user', 'ip'])
const levelSchema = z.enum(['low', 'medium', 'high', 'critical'])

/** How much a host, user or address is at risk, by its open alerts. */
const riskSchema = z.strictObject({
  entity_type: kindSchema,
  entity: z.string(),
  /** 0 to 100. */
  score: z.int(),
  level: levelSchema,
  /** What makes the score, the greatest part first. */
  factors: z.array(z.string()),
  alert_count: z.int(),
  last_alert_at: z.iso.datetime(),
  calculated_at: z.iso.datetime(),
})

export const riskListSchema = z.strictObject({ risks: z.array(riskSchema), ...largeListSchema })
export const riskListQuerySchema = z.strictObject({
  entity_type: listParameter(kindSchema).optional(), level: listParameter(levelSchema).optional(), ...listParameters,
})
