import { ecsAliases } from '@tripline/engine/predicate'

/** Field that rules and people name -> what the semantic conventions of OpenTelemetry call it, and plain loggers. */
const otelNames: ReadonlyMap<string, readonly string[]> = new Map(Object.entries({
  '@timestamp': ['timestamp', 'UtcTime'],
  'message': ['Message', 'body'],
  'Image': ['process.executable.path'],
  'ParentProcessId': ['process.parent_pid'],
  'User': ['process.owner'],
  'SourceIp': ['source.address', 'client.address'],
  'SourcePort': ['client.port'],
  'DestinationIp': ['destination.address', 'server.address'],
  'DestinationPort': ['server.port'],
}))

/**
 * Lists the names that a field goes by, the given one first: those of Sigma, the Elastic Common Schema and
 * OpenTelemetry stand for each other (D-70). A name that no table has goes by itself.
 */
export function listFieldNames(field: string): readonly string[] {
  return namesByField.get(field) ?? [field]
}

/** Only the name itself, for a store whose fields have been renamed already. */
export function exactName(field: string): readonly string[] {
  return [field]
}

/**
 * The name that rules have for a field: those of other schemas are what the engine looks a rule's field up by.
 * A name that stands for several of Sigma's, or for none, stays.
 */
export function toSigmaName(field: string): string {
  const [name, ...others] = isSigmaName(field) ? [field] : listFieldNames(field).filter(isSigmaName)
  return name === undefined || others.length > 0 ? field : name
}

function isSigmaName(field: string): boolean {
  return ecsAliases.has(field) || otelNames.has(field)
}

const namesByField: ReadonlyMap<string, readonly string[]> = joinNames()

function joinNames(): Map<string, readonly string[]> {
  const names = new Map<string, Set<string>>()
  const add = (field: string, others: Iterable<string>): void => {
    const all = names.get(field) ?? new Set([field])
    for (const other of others) all.add(other)
    names.set(field, all)
  }
  for (const sigma of new Set([...ecsAliases.keys(), ...otelNames.keys()])) {
    const ecs = ecsAliases.get(sigma) ?? []
    const otel = otelNames.get(sigma) ?? []
    add(sigma, [...ecs, ...otel])
    // One step from schema to schema: a file's path in ECS is several fields of Sigma, which are not each other.
    for (const name of ecs) add(name, [sigma, ...otel])
    for (const name of otel) add(name, [sigma, ...ecs])
  }
  return new Map(Array.from(names, ([field, all]) => [field, [...all]]))
}
