import type { EventObject, Logsource } from '../event/event.ts'
import { products } from './products.ts'
import { valueAt } from './read-own-value.ts'

/** The product that an event shows to be of. */
export type ProductKind = {
  /** Name of the row of `products` that fits. */
  readonly name: string
  /** Made once, when this module loads. */
  readonly logsources: readonly Logsource[]
  readonly fields: EventObject
}

/** Finds the first product all of whose marks an event has; undefined when none fits. */
export function productKindOf(event: EventObject): ProductKind | undefined {
  const row = rows.find((candidate) => fits(event, candidate))
  if (row === undefined) return undefined
  const { name, logsources, services, read } = row.product
  const value = services === undefined ? undefined : valueAt(event, row.serviceSteps)
  const known = typeof value === 'string' ? services?.table.get(value) : undefined
  return { name, logsources: known ?? logsources, fields: read?.(event) ?? event }
}

/** The table with its paths split. */
const rows = products.map((product) => ({
  product,
  marks: Object.entries(product.marks).map(([path, mark]) => ({ steps: path.split('.'), mark })),
  serviceSteps: product.services?.path.split('.') ?? [],
}))

function fits(event: EventObject, { product, marks }: (typeof rows)[number]): boolean {
  const { oneOfFields } = product
  if (!marks.every(({ steps, mark }) => mark(valueAt(event, steps)))) return false
  return oneOfFields === undefined || oneOfFields.some((name) => Object.hasOwn(event, name))
}
