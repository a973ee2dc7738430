import { noAliases } from '../../event/event.ts'
import type { EventObject, FieldAliases, Logsource } from '../../event/event.ts'
import { readPath } from '../read-own-value.ts'
import { products } from './products.ts'

/** The product of an event. */
type DetectedProduct = {
  /** The name of the row in `products`. */
  readonly name: string
  /** Created once, at module load. */
  readonly logsources: readonly Logsource[]
  readonly fields: EventObject
  readonly aliases: FieldAliases
}

/** The product table with split paths. */
const rows = products.map((product) => ({
  product,
  marks: Object.entries(product.matchers).map(([path, mark]) => ({ steps: path.split('.'), mark })),
  serviceSteps: product.services?.path.split('.') ?? [],
}))

/** Finds the first product whose matchers all accept the event. */
export function detectProduct(event: EventObject): DetectedProduct | undefined {
  const row = rows.find((candidate) => isProductEvent(event, candidate))
  if (row === undefined) return undefined
  const { name, logsources, services, read, aliases = noAliases } = row.product
  const value = services === undefined ? undefined : readPath(event, row.serviceSteps)
  const known = typeof value === 'string' ? services?.table.get(value) : undefined
  return { name, logsources: known ?? logsources, fields: read?.(event) ?? event, aliases }
}

function isProductEvent(event: EventObject, { product, marks }: (typeof rows)[number]): boolean {
  const { oneOfFields } = product
  if (!marks.every(({ steps, mark }) => mark(readPath(event, steps)))) return false
  return oneOfFields === undefined || oneOfFields.some((name) => Object.hasOwn(event, name))
}
