import type { EventObject, Logsource, NormalizedEvent } from '../event/event.ts'
import { foldCase } from '../event/fold-case.ts'
import { groupEventIds, observableExceptions, observableFields } from './observable-fields.ts'
import type { FieldsOfKind, ObservableKind } from './observable-fields.ts'
import { readOwnValue, readPath } from './read-own-value.ts'

/** What an alert shows of the event that raised it; a text is empty where the event does not say. */
export type PrimaryObservables = {
  readonly host: string
  /** What stands for the machine where there is none: a cloud account, tenant, organisation or cluster. */
  readonly account: string
  readonly user: string
  /** With its folders where the event has them. */
  readonly process: string
  readonly parentProcess: string
  readonly commandLine: string
  readonly sourceAddress: string
}

/**
 * Reads host, user, process, command line and source address of an event in any shape that the taxonomy knows, under
 * the same names as rules do. Of each kind the first field with a value counts, in the order of `observableFields`.
 */
export function readPrimaryObservables(event: NormalizedEvent): PrimaryObservables {
  const first = (kind: ObservableKind): string => findObservable(event, kind)
  return {
    host: first('host'),
    account: first('account'),
    user: first('user'),
    process: first('process'),
    parentProcess: first('parentProcess'),
    commandLine: first('commandLine') || joinArguments(event.fields),
    sourceAddress: first('sourceAddress'),
  }
}

/** The first value of one kind, as `readPrimaryObservables` returns it. */
export function findObservable(event: NormalizedEvent, kind: ObservableKind): string {
  for (const field of fieldsOf(kind, event.logsources)) {
    if (namesGroup(event, field)) continue
    const [text] = textsAt(event, field)
    if (text !== undefined) return text
  }
  return ''
}

/**
 * Lists the values that an event has of one kind, field by field in the order of `observableFields`, each field's own
 * order kept; repeated values are repeated. Placeholders for "no value" are left out.
 */
export function listObservables(event: NormalizedEvent, kind: ObservableKind): string[] {
  return fieldsOf(kind, event.logsources).flatMap((field) => (namesGroup(event, field) ? [] : textsAt(event, field)))
}

const windowsSecurity: Logsource = { product: 'windows', service: 'security' }

/** Whether a field that names an account of Windows names a group in this event. */
function namesGroup(event: NormalizedEvent, field: string): boolean {
  return field === 'TargetUserName' && event.logsources.some((logsource) => isFrom(logsource, windowsSecurity))
    && textsAt(event, 'EventID').some((text) => groupEventIds.has(Number(text)))
}

const fieldsByLogsources = new WeakMap<readonly Logsource[], Map<ObservableKind, readonly string[]>>()

/** The fields of a kind in events of some log sources; the taxonomy makes one list of log sources for each answer. */
function fieldsOf(kind: ObservableKind, logsources: readonly Logsource[]): readonly string[] {
  let byKind = fieldsByLogsources.get(logsources)
  if (byKind === undefined) fieldsByLogsources.set(logsources, (byKind = new Map()))
  let fields = byKind.get(kind)
  if (fields === undefined) byKind.set(kind, (fields = listFields(kind, logsources)))
  return fields
}

function listFields(kind: ObservableKind, logsources: readonly Logsource[]): readonly string[] {
  const rows = observableExceptions.filter((row) => logsources.some((logsource) => isFrom(logsource, row)))
  const ofKind = (lists: readonly FieldsOfKind[]): string[] => lists.filter(([of]) => of === kind).flatMap(([, fields]) => fields)
  const passedOver = new Set(rows.flatMap((row) => ofKind(row.passedOver)))
  const added = rows.flatMap((row) => ofKind(row.added ?? []))
  return [...observableFields[kind].fields.filter((field) => !passedOver.has(field)), ...added]
}

function isFrom(logsource: Logsource, { product, service, category }: Logsource): boolean {
  return (product ?? logsource.product) === logsource.product && (service ?? logsource.service) === logsource.service &&
    (category ?? logsource.category) === logsource.category
}

/** A field's texts: under its name, then its other names, then without regard to case, as rules find it. */
function textsAt({ fields, aliases, ignoresNameCase }: NormalizedEvent, name: string): string[] {
  for (const candidate of [name, ...(aliases.get(name) ?? [])]) {
    const texts = textsIn(Object.hasOwn(fields, candidate) ? fields[candidate] : readPath(fields, candidate.split('.')))
    if (texts.length > 0) return texts
  }
  if (!ignoresNameCase) return []
  const variant = variantsOf(fields).get(foldName(name))?.find((key) => key !== name)
  return variant === undefined ? [] : textsIn(readOwnValue(fields, variant))
}

/** The names of an event's fields by their folded form; of one event many names are looked up. */
const variantsByFields = new WeakMap<EventObject, ReadonlyMap<string, readonly string[]>>()

function variantsOf(fields: EventObject): ReadonlyMap<string, readonly string[]> {
  const known = variantsByFields.get(fields)
  if (known !== undefined) return known
  const variants = new Map<string, string[]>()
  for (const key of Object.keys(fields)) {
    const folded = foldCase(key)
    const same = variants.get(folded)
    if (same === undefined) variants.set(folded, [key])
    else same.push(key)
  }
  variantsByFields.set(fields, variants)
  return variants
}

/** The folded names of the tables, which are few. */
const foldedNames = new Map<string, string>()

function foldName(name: string): string {
  let folded = foldedNames.get(name)
  if (folded === undefined) foldedNames.set(name, (folded = foldCase(name)))
  return folded
}

/** The texts of a value; an object says nothing by itself, and of a list each element counts. */
function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((element: unknown) => (Array.isArray(element) ? [] : textsIn(element)))
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return []
  const text = String(value)
  return isPlaceholder(text) ? [] : [text]
}

/** What products write where they have no value: Windows `-`, audit records `?` and `(null)`, SQL-minded ones the rest. */
function isPlaceholder(text: string): boolean {
  return /^(?:|-|\?|\(null\)|null|n\/a|%%\d+|4294967295|unset)$/i.test(text.trim())
}

/** The arguments of an EXECVE record, joined: audit records have no command line. */
function joinArguments(fields: EventObject): string {
  if (readOwnValue(fields, 'type') !== 'EXECVE') return ''
  const texts: string[] = []
  for (let i = 0; ; i++) {
    const [text] = textsIn(readOwnValue(fields, `a${i}`))
    if (text === undefined) return texts.join(' ')
    texts.push(text)
  }
}
