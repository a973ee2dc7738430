import { toPlainObject } from '@tripline/engine/authoring'
import { LineIndex, findPathOffset, readYaml } from '@tripline/engine/yaml'
import { limits } from '../limits.ts'
import { checkParameters } from './check-parameters.ts'
import { ruleConditionTypes, fieldConditionTypes, itemConditionTypes } from './conditions.ts'
import { parseConditionExpression } from './condition-expression.ts'
import { PipelineError } from './pipeline.ts'
import type { ConditionExpression, ConditionSet, RulePipeline, PipelineCondition, PipelineItem } from './pipeline.ts'
import { transformationTypes } from './transformations.ts'

const pipelineKeys = ['name', 'priority', 'transformations', 'vars', 'postprocessing', 'finalizers', 'allowed_backends']

/**
 * Parses a processing pipeline in the YAML of pySigma (docs/reference/sigma.md).
 *
 * @throws PipelineError for a text that is none, with what is wrong and where.
 */
export function parsePipeline(text: string): RulePipeline {
  const { pipelineCharactersMax } = limits
  if (text.length > pipelineCharactersMax) throw new PipelineError(`the pipeline has more than ${pipelineCharactersMax} characters`)
  const { documents, problem } = readYaml(text)
  const lines = new LineIndex(text)
  if (problem !== undefined) throw new PipelineError(`the pipeline is no YAML: ${problem.message}`, '', lines.position(problem.offset))
  const [node] = documents
  if (documents.length !== 1 || node?.kind !== 'map') {
    const position = lines.position((documents[1] ?? node)?.offset ?? 0)
    throw new PipelineError('a pipeline is one map with a list of transformations', '', position)
  }
  try {
    return readPipeline(toPlainObject(node.entries))
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error
    const { message, path = '' } = error
    throw new PipelineError(message, path, lines.position(findPathOffset(node, path) ?? node.offset))
  }
}

function readPipeline(map: PlainMap): RulePipeline {
  for (const key of ['postprocessing', 'finalizers']) {
    if (isFilled(map[key])) throw new PipelineError(`'${key}' changes queries of a backend; Tripline applies pipelines to rules`, key)
  }
  refuseUnknownKeys(map, pipelineKeys, { what: 'the pipeline', path: '' })
  const { name, priority = 0, vars = {} } = map
  if (typeof priority !== 'number' || !Number.isFinite(priority)) throw new PipelineError("'priority' is no number", 'priority')
  if (!isMap(vars)) throw new PipelineError("'vars' is no map", 'vars')
  return {
    name: typeof name === 'string' ? name : '',
    priority,
    items: readItems(map['transformations'], 'transformations', 0),
    variables: vars,
  }
}

type PlainMap = { readonly [key: string]: unknown }

function isMap(value: unknown): value is PlainMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null
}

function refuseUnknownKeys(
  map: PlainMap, known: readonly string[], { what, path }: { readonly what: string; readonly path: string },
): void {
  const unknown = Object.keys(map).find((key) => !known.includes(key))
  if (unknown === undefined) return
  throw new PipelineError(`${what} has the unknown key '${unknown}'`, path === '' ? unknown : `${path}.${unknown}`)
}

const conditionKeys = ['conditions', 'cond_op', 'cond_not', 'cond_expr'] as const
const scopes = { rule: 'rule', detection_item: 'detection_item', field_name: 'field_name' } as const
const itemKeys: ReadonlySet<string> = new Set([
  'id', 'type', ...Object.keys(scopes).flatMap((scope) => conditionKeys.map((key) => `${scope}_${key}`)),
])

function readItems(value: unknown, path: string, depth: number): PipelineItem[] {
  if (depth > limits.pipelineDepthMax) throw new PipelineError(`'nest' nests deeper than ${limits.pipelineDepthMax} levels`, path)
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new PipelineError(`'${path}' is no list`, path)
  if (value.length > limits.pipelineItemsMax) throw new PipelineError(`'${path}' has more than ${limits.pipelineItemsMax} items`, path)
  return value.map((item: unknown, i) => readItem(item, `${path}[${i}]`, depth))
}

function readItem(item: unknown, path: string, depth: number): PipelineItem {
  if (!isMap(item)) throw new PipelineError(`${path} is no map`, path)
  const type = item['type']
  if (typeof type !== 'string' || !Object.hasOwn(transformationTypes, type)) {
    const types = Object.keys(transformationTypes).join(', ')
    throw new PipelineError(`${path} has the type '${String(type)}'; Tripline has ${types}`, 'type' in item ? `${path}.type` : path)
  }
  const parameters = Object.fromEntries(Object.entries(item).filter(([key]) => !itemKeys.has(key)))
  const known = transformationTypes[type as keyof typeof transformationTypes]
  refuseUnknownKeys(parameters, known, { what: `${path} of the type '${type}'`, path })
  checkParameters(type, parameters, path)
  return {
    id: typeof item['id'] === 'string' ? item['id'] : undefined, type, parameters,
    ruleConditions: readConditions(item, { scope: 'rule', path, types: ruleConditionTypes }),
    itemConditions: readConditions(item, { scope: 'detection_item', path, types: itemConditionTypes }),
    fieldConditions: readConditions(item, { scope: 'field_name', path, types: fieldConditionTypes }),
    nested: type === 'nest' ? readItems(parameters['items'], `${path}.items`, depth + 1) : [],
  }
}

type ConditionPlace = { readonly scope: keyof typeof scopes; readonly path: string; readonly types: { readonly [type: string]: unknown } }

function readConditions(item: PlainMap, { scope, path: ofItem, types }: ConditionPlace): ConditionSet {
  const path = `${ofItem}.${scope}`
  const stated = item[`${scope}_conditions`] ?? []
  if (!Array.isArray(stated) && !isMap(stated)) {
    throw new PipelineError(`${path}_conditions is neither a list nor a map`, `${path}_conditions`)
  }
  // The names of a list are its positions.
  const entries: [string, unknown][] = Object.entries(stated)
  const conditions = new Map(entries.map(([name, one]) => {
    const ofOne = `${path}_conditions${Array.isArray(stated) ? `[${name}]` : `.${name}`}`
    return [name, readCondition(one, ofOne, types)]
  }))
  const names = [...conditions.keys()]
  const text = item[`${scope}_cond_expr`]
  const operator = item[`${scope}_cond_op`] ?? 'and'
  if (operator !== 'and' && operator !== 'or') throw new PipelineError(`${path}_cond_op is neither 'and' nor 'or'`, `${path}_cond_op`)
  const kind = operator === 'or' && names.length > 0 ? 'any' : 'all'
  const all: ConditionExpression = { kind, of: names.map((name) => ({ kind: 'name', name })) }
  const expression = typeof text === 'string' ? readExpression(text, names, `${path}_cond_expr`) : all
  return { conditions, expression: item[`${scope}_cond_not`] === true ? { kind: 'not', of: expression } : expression }
}

function readExpression(text: string, names: readonly string[], path: string): ConditionExpression {
  try {
    return parseConditionExpression(text, names)
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error
    throw new PipelineError(error.message, path)
  }
}

function readCondition(condition: unknown, path: string, types: { readonly [type: string]: unknown }): PipelineCondition {
  if (!isMap(condition)) throw new PipelineError(`${path} is no map`, path)
  const { type, ...parameters } = condition
  if (typeof type !== 'string' || !Object.hasOwn(types, type)) {
    const known = Object.keys(types).join(', ')
    throw new PipelineError(`${path} has the type '${String(type)}'; Tripline has ${known}`, 'type' in condition ? `${path}.type` : path)
  }
  checkParameters(type, parameters, path)
  return { type, parameters }
}
