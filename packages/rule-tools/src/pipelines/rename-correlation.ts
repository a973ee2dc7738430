import type { CorrelationRule } from '@tripline/engine'
import { scoreField } from '@tripline/engine/authoring'
import { limits } from '../limits.ts'
import { PipelineError } from './pipeline.ts'
import type { PipelineItem } from './pipeline.ts'
import { renameWhereMatched } from './rename-field.ts'
import type { RuleState } from './rule-state.ts'

/**
 * Renames the fields of a correlation: those that it groups by, those of its aliases, and those of its condition. What is no field
 * of events keeps its name: aliases, its own and those of correlations that it names, and the score that rules state.
 */
export function renameCorrelation(step: PipelineItem, state: RuleState<CorrelationRule>): void {
  const { correlation } = state.rule
  const { groupBy, aliases, condition, references } = correlation
  const isOfEvents = (name: string): boolean => !state.referenced.aliases.has(name) && name !== scoreField
  const isField = (name: string): boolean => !aliases.has(name) && isOfEvents(name)
  const renameOne = (field: string, place: string): string => {
    const [name, ...others] = renameWhereMatched(field, step, state)
    if (name !== undefined && others.length === 0) return name
    throw new PipelineError(`a step gives the field '${field}' ${name === undefined ? 'no' : 'several'} names; ${place} takes one`)
  }
  const renameAlias = (alias: string, fields: ReadonlyMap<string, string>): [string, ReadonlyMap<string, string>] => {
    const place = `the alias '${alias}'`
    const named = references.flatMap(({ name }): [string, string][] => {
      const field = fields.get(name)
      if (field !== undefined) return [[name, isOfEvents(field) ? renameOne(field, place) : field]]
      // The alias is a field of the rules that it does not name.
      const own = isOfEvents(alias) ? renameOne(alias, place) : alias
      return own === alias ? [] : [[name, own]]
    })
    return [alias, new Map(named)]
  }
  const groups = new Set(groupBy.flatMap((field) => isField(field) ? renameWhereMatched(field, step, state) : [field]))
  const { pipelineGroupFieldsMax: max } = limits
  if (groups.size > max) throw new PipelineError(`the pipelines let the correlation group by more than ${max} fields`)
  state.rule = {
    ...state.rule,
    correlation: {
      ...correlation,
      groupBy: [...groups],
      aliases: new Map(Array.from(aliases, ([alias, fields]) => renameAlias(alias, fields))),
      condition: condition.kind === 'formula' ? condition : {
        ...condition, fields: condition.fields.map((field) => isField(field) ? renameOne(field, 'the condition of a correlation') : field),
      },
    },
  }
}
