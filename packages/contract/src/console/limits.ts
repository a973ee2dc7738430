import { z } from 'zod'

/** Every limit by group and name; names end with their unit. */
export const limitsBodySchema = z.strictObject({ limits: z.record(z.string(), z.record(z.string(), z.number())) })
export type LimitsBody = z.infer<typeof limitsBodySchema>
