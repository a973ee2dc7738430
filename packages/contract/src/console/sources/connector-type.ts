import { z } from 'zod'
import { connectorTypeSchema } from './connector.ts'

/** What a form asks for: `choices` takes several of a few values, `list` texts, `object` an object of texts. */
const fieldKind = z.enum(['text', 'secret', 'number', 'flag', 'choice', 'choices', 'list', 'object'])

/** A setting of a connector type, as a form shows it. */
const fieldSchema = z.strictObject({
  name: z.string(),
  kind: fieldKind,
  required: z.boolean(),
  /** Whether the text has several lines, such as a certificate. */
  multiline: z.boolean(),
  default: z.unknown().optional(),
  /** The values of a choice. */
  choices: z.array(z.string()).optional(),
  /** Of numbers. */
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  /** The keys of an object. */
  keys: z.array(z.string()).optional(),
})
export type ConnectorFieldBody = z.infer<typeof fieldSchema>

/** The configuration that points a product at this server. */
const configurationSchema = z.strictObject({
  /** The product, such as `rsyslog`. */
  product: z.string(),
  name: z.string(),
  /** Where the text goes. */
  file: z.string(),
  language: z.enum(['rsyslog', 'syslog-ng', 'yaml', 'toml', 'ini', 'shell']),
  text: z.string(),
  /** Words of the text that stand for what the server does not know; they are to be replaced. */
  placeholders: z.array(z.string()),
})
export type ShipperConfigurationBody = z.infer<typeof configurationSchema>

const typeSchema = z.strictObject({
  type: connectorTypeSchema,
  /** How events come: sent to the server, sent to a port of the connector, asked for, consumed, or read by a collector. */
  direction: z.enum(['push', 'listen', 'poll', 'consume', 'collector']),
  /** Where connectors of the type run. */
  runs_on: z.array(z.enum(['server', 'collector'])),
  fields: z.array(fieldSchema),
  configurations: z.array(configurationSchema),
})
export type ConnectorTypeBody = z.infer<typeof typeSchema>

export const connectorTypeListSchema = z.strictObject({ connector_types: z.array(typeSchema) })

export const connectorTypeQuerySchema = z.strictObject({
  /** A connector of the tenant, whose port and transport the configurations have. */
  connector_id: z.string().max(64).optional(),
})
