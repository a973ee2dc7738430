import { ecsAliases, listObservableFields, observableFields } from '@tripline/engine/predicate'
import type { ObservableKind } from '@tripline/engine/predicate'

/** Sigma's field name -> its names in the semantic conventions of OpenTelemetry and in plain logs. */
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
 * Names in the shapes of collectors, and in the results of searches -> Sigma's field, under which events of all shapes have it.
 * Events of other products may have another field of that name, so rules keep it.
 */
const collectorNames: ReadonlyMap<string, string> = new Map(Object.entries({
  'event_id': 'EventID',
  'winlog.event_id': 'EventID',
  'log_name': 'Channel',
  'winlog.channel': 'Channel',
  'source_name': 'Provider_Name',
  'winlog.provider_name': 'Provider_Name',
  'record_number': 'EventRecordID',
  'winlog.record_id': 'EventRecordID',
}))

const namesByField: ReadonlyMap<string, readonly string[]> = joinNames()

/** The fields that words for hosts, users, programs and addresses stand for: those in which alerts find them as well. */
const namesByWord: ReadonlyMap<string, readonly string[]> = new Map(
  (Object.keys(observableFields) as ObservableKind[]).flatMap((kind) => {
    const fields = listObservableFields(kind).flatMap((field) => [field, ...(namesByField.get(field) ?? [])])
    return observableFields[kind].words.map((word) => [word, [...new Set([word, ...fields])]] as const)
  }),
)

/**
 * Lists the names that a field goes by, the given one first: those of Sigma, the Elastic Common Schema and
 * OpenTelemetry stand for each other, and words such as `host` stand for every field that holds a host. A name
 * that no table has goes by itself. Names of collectors, such as `event_id`, also find the field in other shapes.
 */
export function listFieldNames(field: string): readonly string[] {
  const sigma = collectorNames.get(field)
  return sigma === undefined ? listSynonyms(field) : [field, ...listSynonyms(sigma)]
}

function listSynonyms(field: string): readonly string[] {
  return namesByWord.get(field) ?? namesByField.get(field) ?? [field]
}

const programWords: ReadonlySet<string> = new Set([...observableFields.process.words, ...observableFields.parentProcess.words])

/** Whether a word stands for a program, which people name without its folders. */
export function meansProgram(field: string): boolean {
  return programWords.has(field)
}

/** Lists only the name itself, for a store whose fields are renamed already. */
export function exactName(field: string): readonly string[] {
  return [field]
}

/**
 * Converts a field name to Sigma's, under which the engine also finds the names of other schemas. A name with several
 * Sigma equivalents, or none, is unchanged.
 */
export function toSigmaName(field: string): string {
  const [name, ...others] = isSigmaName(field) ? [field] : listSynonyms(field).filter(isSigmaName)
  return name === undefined || others.length > 0 ? field : name
}

function isSigmaName(field: string): boolean {
  return ecsAliases.has(field) || otelNames.has(field)
}

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
    // Not transitive: a file path in ECS corresponds to several fields of Sigma, which are not synonyms.
    for (const name of ecs) add(name, [sigma, ...otel])
    for (const name of otel) add(name, [sigma, ...ecs])
  }
  return new Map(Array.from(names, ([field, all]) => [field, [...all]]))
}
