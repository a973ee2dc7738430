import { load as parse } from 'js-yaml'
import { connectorTypeListSchema } from '@tripline/contract/console/sources/connector-type'
import type { ConnectorTypeBody } from '@tripline/contract/console/sources/connector-type'
import { newConnectorSchema, runningTypes } from '@tripline/contract/console/sources/connector'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestServer } from '../../../../test/open-test-server.ts'
import type { TestServer } from '../../../../test/open-test-server.ts'
import { describeIntakeAddress } from './intake-address.ts'
import { listConnectorTypes } from './connector-catalogue.ts'

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([])
})
afterEach(async () => {
  await server.app.connectors.runner.stop()
  await server.app.state.close()
})

async function readTypes(query = ''): Promise<readonly ConnectorTypeBody[]> {
  const { status, body } = await server.call('GET', `/v1/connector-types${query}`)
  expect(status).toBe(200)
  return connectorTypeListSchema.parse(body).connector_types
}

const find = (types: readonly ConnectorTypeBody[], type: string): ConnectorTypeBody | undefined =>
  types.find((entry) => entry.type === type)

test('all types that run are listed, with where they run', async () => {
  const types = await readTypes()
  expect(types.filter(({ runs_on: places }) => places.includes('server')).map(({ type }) => type)).toEqual([...runningTypes])
  expect(find(types, 'journald')).toMatchObject({ direction: 'collector', runs_on: ['collector'] })
  expect(find(types, 'syslog')).toMatchObject({ direction: 'listen', runs_on: ['server', 'collector'] })
  expect(find(types, 'http_poll')).toMatchObject({ direction: 'poll', runs_on: ['server', 'collector'] })
})

test('fields are those that the server checks', async () => {
  const types = await readTypes()
  const fields = find(types, 'nats')?.fields ?? []
  expect(fields.filter(({ required }) => required).map(({ name, kind }) => [name, kind])).toEqual([['servers', 'list'], ['subject', 'text']])
  expect(fields.filter(({ kind }) => kind === 'secret').map(({ name }) => name).toSorted()).toEqual(['credentials', 'password', 'token'])
  expect(find(types, 'syslog')?.fields).toContainEqual({
    name: 'transport', kind: 'choice', required: false, multiline: false, default: 'udp', choices: ['udp', 'tcp', 'tls'],
  })
  expect(find(types, 'http_ndjson')?.fields).toContainEqual({
    name: 'log_source', kind: 'object', required: false, multiline: false, keys: ['product', 'category', 'service'],
  })
})

test('configurations name this server, and words stand for what only the caller knows', async () => {
  const products = (await readTypes()).flatMap(({ configurations }) => configurations.map(({ product }) => product))
  expect(new Set(products)).toEqual(new Set([
    'rsyslog', 'syslog-ng', 'filebeat', 'winlogbeat', 'fluent-bit', 'vector', 'opentelemetry-collector', 'opentelemetry-sdk', 'cribl',
    'splunk-forwarder', 'logger', 'curl', 'tripline-collector',
  ]))
  const types = listConnectorTypes(describeIntakeAddress('https://siem.example', undefined))
  const beat = find(types, 'elastic_bulk')?.configurations.find(({ product }) => product === 'winlogbeat')
  expect(beat?.placeholders).toEqual(['TRIPLINE_TOKEN'])
  expect(parse(beat?.text ?? '')).toMatchObject({
    'setup.ilm.enabled': false,
    'output.elasticsearch': { hosts: ['https://siem.example:443'], path: '/ingest/elastic', password: 'TRIPLINE_TOKEN' },
  })
  const forwarder = find(types, 'syslog')?.configurations.find(({ product }) => product === 'splunk-forwarder')
  expect(forwarder?.text).toContain('server = siem.example:TRIPLINE_PORT')
})

test('each configuration in YAML is YAML', () => {
  const types = listConnectorTypes(describeIntakeAddress('http://[::1]:8080', undefined))
  const texts = types.flatMap(({ configurations }) => configurations).filter(({ language }) => language === 'yaml').map(({ text }) => text)
  expect(texts.length).toBeGreaterThan(10)
  expect(texts.filter((text) => typeof parse(text) !== 'object')).toEqual([])
})

test('the port and transport of a connector are in its configurations', async () => {
  const config = { port: 6514, transport: 'udp' }
  const made = await server.call('POST', '/v1/connectors', { body: { name: 'Syslog', type: 'syslog', enabled: false, config } })
  const { id } = newConnectorSchema.parse(made.body)
  const found = find(await readTypes(`?connector_id=${id}`), 'syslog')?.configurations.find(({ product }) => product === 'rsyslog')
  expect(found).toMatchObject({ placeholders: [], text: expect.stringContaining('port="6514" protocol="udp"') })
  expect((await server.call('GET', '/v1/connector-types?connector_id=0198f1c0-7a10-7c3e-9b1e-2f6a3a1f0001')).status).toBe(404)
})

test('events that a sender sent are the sample of the test of its connector, as rules see them', async () => {
  const made = await server.call('POST', '/v1/connectors', { body: { name: 'Push', type: 'http_ndjson', config: {} } })
  const { id, ingest } = newConnectorSchema.parse(made.body)
  const body = ['one', 'two', 'three', 'four'].map((name) => JSON.stringify({ EventID: 1, Channel: 'Security', Image: name })).join('\n')
  const sent = await server.call('POST', '/ingest/v1/events', { token: ingest?.token ?? '', body })
  expect(sent.status).toBe(202)
  await server.app.pipeline.untilIdle()
  const test = async (): Promise<unknown> => (await server.call('POST', `/v1/connectors/${id}/test`)).body
  expect(await test()).toMatchObject({ sample: [{ Image: 'four' }, { Image: 'three' }, { Image: 'two' }] })
  server.io.nowMs += 900_001
  expect(await test()).not.toHaveProperty('sample')
})
