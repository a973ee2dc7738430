import { limitsBodySchema } from '@tripline/contract/console/limits'
import type { LimitsBody } from '@tripline/contract/console/limits'
import { limits as engineLimits } from '@tripline/engine'
import { limits as queryLimits } from '@tripline/query'
import { limits as ruleToolsLimits } from '@tripline/rule-tools'
import { respond } from '../../http/respond.ts'
import type { Route } from '../../http/route.ts'
import { limits } from '../../limits.ts'

/** Route that returns every limit of the server and its engine. */
export const limitRoutes: readonly Route[] = [
  {
    method: 'GET', path: '/v1/limits', access: 'anyone', summary: 'Returns every limit of the server and its engine',
    responses: { 200: limitsBodySchema }, handle: (c) => respond(c, printLimits()),
  },
]

/** Prints the limits with names in snake_case; those of rule tests are in the group of the engine that runs them. */
export function printLimits(): LimitsBody {
  const engine = { ...engineLimits, ...ruleToolsLimits }
  const groups = Object.entries({ ...limits, engine, query: queryLimits })
  return { limits: Object.fromEntries(groups.map(([group, values]) => [snakeCase(group), snakeCaseKeys(values)])) }
}

function snakeCaseKeys(values: { readonly [name: string]: number }): { [name: string]: number } {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [snakeCase(name), value]))
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
