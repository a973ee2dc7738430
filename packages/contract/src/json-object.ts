import { z } from 'zod'

/** A JSON object with any fields. */
export const jsonObject = z.custom<{ readonly [field: string]: unknown }>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
)
