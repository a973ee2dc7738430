import { expect, test } from 'vitest'
import { findBreakingChanges } from './find-breaking-changes.ts'
import { readText } from './workspace.ts'

const read = (path: string): { readonly [name: string]: unknown } => JSON.parse(readText(path)) as { readonly [name: string]: unknown }

test.for(['public-a', 'public-b'])('what was released of %s is still there', (name) => {
  const released = read(`fixtures/api/${name}.json`)
  expect(Object.keys(Object(released['paths'])).length).toBeGreaterThan(20)
  expect(findBreakingChanges(released, read(`docs/api/${name}.json`))).toEqual([])
})

const entry = {
  type: 'object', required: ['id', 'status'],
  properties: { id: { type: 'string' }, status: { type: 'string', enum: ['open', 'closed'] }, note: { type: 'string' } },
}
const operation = {
  parameters: [{ name: 'size', in: 'query', schema: { type: 'integer', maximum: 100 } }],
  requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Change' } } } },
  responses: { 200: { content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Entry' } } } } } },
}
const change = { type: 'object', required: ['title'], properties: { title: { type: 'string', maxLength: 9 } } }
type Change = { readonly operation?: object; readonly entry?: object; readonly change?: object; readonly path?: string }
const documentWith = ({ path = '/alerts', ...parts }: Change) => ({
  paths: { [path]: { post: { ...operation, ...parts.operation } } },
  components: { schemas: { Entry: { ...entry, ...parts.entry }, Change: { ...change, ...parts.change } } },
})

test.for<[title: string, change: Change, found: readonly string[]]>([
  ['nothing', {}, []],
  ['a path that is gone', { path: '/alarms' }, ['POST /alerts is gone']],
  ['a parameter that is gone', { operation: { parameters: [] } }, ['POST /alerts: parameter size is gone']],
  ['a smaller maximum', { operation: { parameters: [{ name: 'size', in: 'query', schema: { type: 'integer', maximum: 50 } }] } },
    ['POST /alerts: parameter size: maximum is 50']],
  ['a further parameter', { operation: { parameters: [...operation.parameters, { name: 'q', in: 'query', schema: { type: 'string' } }] } }, []],
  ['a further parameter that is required', { operation: { parameters: [...operation.parameters, { name: 'q', in: 'query', required: true }] } },
    ['POST /alerts: parameter q is required']],
  ['a status that is gone', { operation: { responses: {} } }, ['POST /alerts: 200 is gone']],
  ['a further field', { entry: { properties: { ...entry.properties, more: { type: 'string' } } } }, []],
  ['a field that is gone', { entry: { properties: { id: { type: 'string' }, status: entry.properties.status } } }, ['POST /alerts: 200[].note is gone']],
  ['a field of another type', { entry: { properties: { ...entry.properties, id: { type: 'integer' } } } }, ['POST /alerts: 200[].id: string is integer']],
  ['a field that may be null', { entry: { properties: { ...entry.properties, id: { type: ['string', 'null'] } } } },
    ['POST /alerts: 200[].id: string is null,string']],
  ['a field that may be missing', { entry: { required: ['id'] } }, ['POST /alerts: 200[].status is no longer always there']],
  ['a further word', { entry: { properties: { ...entry.properties, status: { type: 'string', enum: ['open', 'closed', 'new'] } } } }, []],
  ['a word that is gone', { entry: { properties: { ...entry.properties, status: { type: 'string', enum: ['open'] } } } },
    ['POST /alerts: 200[].status: no longer closed']],
  ['a body that needs more', { change: { required: ['title', 'note'] } }, ['POST /alerts: body.note is required']],
  ['a body that needs less', { change: { required: [] } }, []],
  ['a body that takes another form too', { change: { properties: { title: { anyOf: [{ type: 'integer' }, { type: 'string', maxLength: 9 }] } } } }, []],
  ['a body that takes other forms only', { change: { properties: { title: { anyOf: [{ type: 'integer' }, { type: 'string', maxLength: 5 }] } } } },
    ['POST /alerts: body.title: string is gone']],
  ['a field that may have another form', { entry: { properties: { ...entry.properties, id: { anyOf: [{ type: 'string' }, { type: 'integer' }] } } } },
    ['POST /alerts: 200[].id: string is gone']],
  ['a body that takes less', { change: { properties: { title: { type: 'string', maxLength: 5 } } } }, ['POST /alerts: body.title: maxLength is 5']],
])('%s', ([, change, found]) => {
  expect(findBreakingChanges(documentWith({}), documentWith(change))).toEqual(found)
})
