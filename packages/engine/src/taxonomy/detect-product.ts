import type { EventObject, Logsource } from '../event/event.ts'
import { products } from './products.ts'
import { readPath } from './read-own-value.ts'

/** The product that an event shows to be of. */
export type DetectedProduct = {
  /** Name of the row of `products` that fits. */
  readonly name: string
  /** Made once, when this module loads. */
  readonly logsources: readonly Logsource[]
  readonly fields: EventObject
}

/** Finds the first product all of whose marks an event has; undefined when none fits. */
export function detectProduct(event: EventObject): DetectedProduct | undefined {
  const row = rows.find((candidate) => isProductEvent(event, candidate))
  if (row === undefined) return undefined
  const { name, logsources, services, read } = row.product
  const value = services === undefined ? undefined : readPath(event, row.serviceSteps)
  const known = typeof value === 'string' ? services?.table.get(value) : undefined
  return { name, logsources: known ?? logsources, fields: read?.(event) ?? event }
}

/** The table with its paths split. */
const rows = products.map((product) => ({
  product,
  marks: Object.entries(product.matchers).map(([path, mark]) => ({ steps: path.split('.'), mark })),
  serviceSteps: product.services?.path.split('.') ?? [],
}))

function isProductEvent(event: EventObject, { product, marks }: (typeof rows)[number]): boolean {
  const { oneOfFields } = product
  if (!marks.every(({ steps, mark }) => mark(readPath(event, steps)))) return false
  return oneOfFields === undefined || oneOfFields.some((name) => Object.hasOwn(event, name))
}
