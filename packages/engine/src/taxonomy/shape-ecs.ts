import type { EventObject, Logsource } from '../event/event.ts'
import { isObject } from '../event/value.ts'
import { syslogServices } from './products/product-tables.ts'
import { readOwnText, readOwnValue, readPath } from './read-own-value.ts'

const ecsObjects = ['event', 'process', 'host', 'ecs'] as const

/**
 * Whether an event has the shape of the Elastic Common Schema: one of the objects that nearly all of its events have.
 * A `process` or `host` with a plain text does not count.
 */
export function isEcsShape(event: EventObject): boolean {
  return ecsObjects.some((name) => isObject(readOwnValue(event, name)))
}

/** `event.category` and `event.type` -> Sigma category. Ambiguous combinations have no row. */
const categories: readonly (readonly [kind: string, type: string, category: string])[] = [
  ['process', 'start', 'process_creation'],
  ['process', 'end', 'process_termination'],
  ['network', 'start', 'network_connection'],
  ['file', 'creation', 'file_event'],
  ['file', 'deletion', 'file_delete'],
  ['library', 'start', 'image_load'],
  ['driver', 'start', 'driver_load'],
  ['registry', 'creation', 'registry_event'],
  ['registry', 'change', 'registry_event'],
  ['registry', 'deletion', 'registry_event'],
]

const routesBySystem: ReadonlyMap<string, readonly Route[]> = new Map(
  ['windows', 'linux', 'macos'].map((product) => [product, categories.map(([kind, type, category]): Route => (
    { kind, type, logsources: [{ category, product }] }
  ))]),
)

/** The data sets of Filebeat's modules whose fields are those of a Sigma category. */
const dataSets: ReadonlyMap<unknown, readonly Logsource[]> = new Map(
  ['apache.access', 'iis.access', 'nginx.access'].map((name) => [name, [{ category: 'webserver' }]]),
)

/** Finds the logsources of an event in the Elastic Common Schema: by system, category and type, by data set, or by program. */
export function findEcsLogsources(event: EventObject): readonly Logsource[] | undefined {
  return findSystemLogsources(event) ?? dataSets.get(readPath(event, ['event', 'dataset'])) ?? findProgramLogsources(event)
}

function findSystemLogsources(event: EventObject): readonly Logsource[] | undefined {
  const system = readPath(event, ['host', 'os', 'type'])
  const routes = typeof system === 'string' ? routesBySystem.get(system) : undefined
  if (routes === undefined) return undefined
  const kinds = toTexts(readPath(event, ['event', 'category']))
  const types = toTexts(readPath(event, ['event', 'type']))
  return routes.find(({ kind, type }) => kinds.includes(kind) && types.includes(type))?.logsources
}

/** What a sensor of endpoints observes of a program; all else under the name of a program is what it logged. */
const observed: ReadonlySet<unknown> = new Set(categories.map(([kind]) => kind))

/** A line that a Linux program logged, which collectors print with its name in `process.name` alone. */
function findProgramLogsources(event: EventObject): readonly Logsource[] | undefined {
  const program = readPath(event, ['process', 'name'])
  if (typeof program !== 'string' || readOwnText(event, 'message') === undefined) return undefined
  if (toTexts(readPath(event, ['event', 'category'])).some((kind) => observed.has(kind))) return undefined
  const system = readPath(event, ['host', 'os', 'type'])
  return system === undefined || system === 'linux' ? syslogServices.get(program) : undefined
}

type Route = { readonly kind: string; readonly type: string; readonly logsources: readonly Logsource[] }

/** Converts one value or a list to a list. The schema defines fewer than eight values for one event. */
function toTexts(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, 8) : [value]
}
