import { ecsAliases, generalAliases, windowsAliases, windowsCategories, windowsChannels } from '@tripline/engine/authoring'

/** What the taxonomy knows of events, by where they come from. */
export const taxonomyShapes = ['sysmon', 'windows-audit', 'ecs', 'general'] as const
export type TaxonomyShape = (typeof taxonomyShapes)[number]

type Step = { readonly id: string; readonly [name: string]: unknown }

const stepsOfShapes: { readonly [Shape in TaxonomyShape]: () => Step[] } = {
  'sysmon': () => [...listCategorySteps(true), ...listServiceSteps()],
  'windows-audit': () => [...listCategorySteps(false), ...listServiceSteps()],
  'ecs': () => [renameFields('ecs', ecsAliases)],
  'general': () => [renameFields('general', generalAliases)],
}

/**
 * Prints the engine's own taxonomy as a processing pipeline in the YAML of pySigma: the conditions that stand for log sources of
 * Windows, and the other names of fields. It does to rules what the engine does to events as it reads them, for other programs.
 */
export function printTaxonomyPipeline(shape: TaxonomyShape): string {
  const steps = stepsOfShapes[shape]()
  return `name: Tripline taxonomy ${shape}\npriority: 10\ntransformations:\n${steps.map(printStep).join('')}`
}

/** Values are JSON, which YAML is a superset of. */
function printStep({ id, ...rest }: Step): string {
  return `  - id: ${id}\n${Object.entries(rest).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}\n`).join('')}`
}

/** The channels of each service. */
function listServiceSteps(): Step[] {
  const channels = new Map<string, string[]>()
  for (const [channel, ...services] of windowsChannels) {
    for (const service of services) channels.set(service, [...channels.get(service) ?? [], channel])
  }
  return [...channels].map(([service, names]) => ({
    id: `service_${service}`, ...addCondition({ Channel: names }, { product: 'windows', service }),
  }))
}

/** The channels and event ids of each category, and how its fields are called there. */
function listCategorySteps(isSysmon: boolean): Step[] {
  // A category that both Sysmon and the audit policy record is taken from the one that was asked for.
  const rows = windowsCategories.filter(({ service, categories }) => isSysmon
    ? service === 'sysmon' || !categories.some((category) => listRows(category).some((other) => other.service === 'sysmon'))
    : service !== 'sysmon')
  return [...new Set(rows.flatMap(({ categories }) => categories))].flatMap((category) => {
    const own = rows.filter(({ categories }) => categories.includes(category))
    const services = new Set(own.map(({ service }) => service))
    const channels = windowsChannels.filter(([, ...names]) => names.some((name) => services.has(name))).map(([channel]) => channel)
    const eventTypes = own.flatMap(({ eventType }) => eventType ?? [])
    const isByType = eventTypes.length === own.length
    const conditions = {
      Channel: channels, EventID: [...new Set(own.flatMap(({ eventIds }) => eventIds))], ...(isByType && { EventType: eventTypes }),
    }
    const logsource = { product: 'windows', category }
    const aliases = own.find((row) => row.aliases !== undefined)?.aliases
    const renaming = aliases === undefined ? [] : [renameFields(category, windowsAliases[aliases].none, logsource)]
    // Fields are renamed first, so that those of the added condition stay.
    return [...renaming, { id: `category_${category}`, ...addCondition(conditions, logsource) }]
  })
}

function listRows(category: string): typeof windowsCategories {
  return windowsCategories.filter(({ categories }) => categories.includes(category))
}

type LogsourceCondition = { readonly product: string; readonly service?: string; readonly category?: string }

function addCondition(conditions: object, logsource: LogsourceCondition): Omit<Step, 'id'> {
  return { type: 'add_condition', conditions, rule_conditions: [{ type: 'logsource', ...logsource }] }
}

/** A field keeps its own name beside the others: events have either. */
function renameFields(name: string, aliases: ReadonlyMap<string, readonly string[]>, logsource?: LogsourceCondition): Step {
  return {
    id: `fields_${name}`, type: 'field_name_mapping',
    mapping: Object.fromEntries([...aliases].map(([field, others]) => [field, [field, ...others]])),
    ...(logsource !== undefined && { rule_conditions: [{ type: 'logsource', ...logsource }] }),
  }
}
