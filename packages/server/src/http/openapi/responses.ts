import { errorBodySchema, errorStatus, problemSchema } from '@tripline/contract/errors'
import type { ErrorCode } from '@tripline/contract/errors'
import type { Profile } from '@tripline/contract/public/profile'
import { errorForms } from '@tripline/contract/public/wrapper'
import { STATUS_CODES } from 'node:http'
import type { Route } from '../route.ts'
import { listErrorCodes } from './error-codes.ts'
import type { AnswerExample, ApiExamples } from './example-types.ts'
import { buildErrorHeaders, buildHeaders } from './response-headers.ts'
import type { Json, SharedSchemas } from './schemas.ts'

/** Builds the responses of operations; operations with the same error codes of a status share its response. */
export class ResponseBuilder {
  /** The shared responses, by name. */
  readonly shared: { [name: string]: unknown } = {}
  readonly #schemas: SharedSchemas
  readonly #examples: ApiExamples
  readonly #profile: Profile | undefined
  readonly #error: Json
  readonly #problem: Json | undefined

  constructor(schemas: SharedSchemas, examples: ApiExamples, profile?: Profile) {
    this.#schemas = schemas
    this.#examples = examples
    this.#profile = profile
    this.#error = schemas.add('Error', profile === undefined ? errorBodySchema : errorForms[profile].schema, 'output')
    this.#problem = profile === undefined ? schemas.add('Problem', problemSchema, 'output') : undefined
  }

  build(route: Route, operationId: string): Json {
    return { ...this.#buildOwn(route, operationId), ...this.#buildErrors(route) }
  }

  #buildOwn(route: Route, operationId: string): Json {
    const headers = buildHeaders(route)
    const example = this.#examples.operations[operationId]
    const own = Object.entries(route.responses).map(([status, schema]) => {
      const response = { description: STATUS_CODES[status] ?? 'Answer', headers }
      const type = route.responseType ?? 'application/json'
      if (schema === null && route.responseType === undefined) return [status, response] as const
      const reference = schema === null ? { type: 'string' } : this.#schemas.add(`${operationId}${status}`, schema, 'output')
      const answers = example === undefined ? [] : [example, ...(example.others ?? [])].filter((answer) => answer.status === Number(status))
      const others = (route.otherTypes ?? []).map((other) =>
        [other, { schema: { type: other === 'application/json' ? 'object' : 'string' }, ...toExamples(route, answers, other) }] as const)
      const content = { [type]: { schema: reference, ...toExamples(route, answers, type) }, ...Object.fromEntries(others) }
      return [status, { ...response, content }] as const
    })
    const isConditional = route.method === 'GET' && route.headers?.includes('ETag') === true
    return Object.fromEntries([...own, ...(isConditional ? [['304', { description: 'Not Modified', headers }] as const] : [])])
  }

  #buildErrors(route: Route): Json {
    const byStatus = Map.groupBy(listErrorCodes(route), (code) => errorStatus[code])
    return Object.fromEntries(Array.from(byStatus, ([status, codes]) => {
      const name = codes.join('.')
      this.shared[name] ??= this.#buildError(status, codes)
      return [String(status), { $ref: `#/components/responses/${name}` }]
    }))
  }

  #buildError(status: number, codes: readonly ErrorCode[]): Json {
    const code = { type: 'object', properties: { code: { enum: codes } } }
    // Profile A has the code beside the message.
    const coded = this.#profile === 'a' ? code : { type: 'object', properties: { error: code } }
    const shown = codes.filter((one) => this.#examples.errors[one] !== undefined)
    const examples = Object.fromEntries(shown.map((one) => [one, { $ref: `#/components/examples/${one}` }]))
    return {
      description: `${STATUS_CODES[status] ?? 'Error'}: ${codes.join(', ')}`,
      headers: buildErrorHeaders(status, this.#profile),
      content: {
        'application/json': {
          schema: { allOf: [this.#error, coded] },
          ...(shown.length > 0 && { examples }),
        },
        ...(this.#problem && { 'application/problem+json': { schema: { allOf: [this.#problem, code] } } }),
      },
    }
  }
}

/** The shared examples of errors, by code. */
export function defineErrorExamples({ errors }: ApiExamples): Json {
  return Object.fromEntries(Object.entries(errors).map(([code, { request, response }]) => {
    return [code, { summary: request, value: response }]
  }))
}

/** The executed example among answers of one status that has a type. */
function toExamples({ method }: Route, answers: readonly AnswerExample[], wanted: string): Json {
  const answer = answers.find(({ type = 'application/json', response }) => type === wanted && response !== undefined)
  return answer === undefined ? {} : { examples: { executed: { summary: `${method} ${answer.path}`, value: answer.response } } }
}
