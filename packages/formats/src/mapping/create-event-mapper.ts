import type { EventMapper } from '@tripline/engine'
import { applyMapping } from './apply-mapping.ts'
import { parseMapping } from './parse-mapping.ts'

/**
 * Makes the option `mapping` of an engine from the text of a mapping file. `readAt`, in milliseconds since the epoch, completes
 * times without a year.
 *
 * ```ts
 * import { Engine, compileRules } from '@tripline/engine'
 * import { createEventMapper } from '@tripline/formats/mapping/create-event-mapper'
 *
 * const mapping = createEventMapper('mappings: [{ rename: { src: src_ip }, logsource: { category: firewall } }]', Date.now())
 * const rule = `
 * title: Connection from a test network
 * logsource: { category: firewall }
 * detection: { selection: { src_ip|cidr: 192.0.2.0/24 }, condition: selection }`
 * const engine = new Engine(compileRules(rule).ruleSet, { mapping })
 * for (const { rule, event } of engine.push([{ src: '192.0.2.7' }])) console.log(rule.title, event)
 * ```
 *
 * @throws MappingError for a text that is no mapping.
 */
export function createEventMapper(text: string, readAt: number): EventMapper {
  const mapping = parseMapping(text)
  return (event) => applyMapping(mapping, event, readAt).event
}
