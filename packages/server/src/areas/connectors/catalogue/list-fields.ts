import type { ConnectorFieldBody } from '@tripline/contract/console/sources/connector-type'
import { connectorConfigSchemas } from '@tripline/contract/console/sources/connector-config'
import type { ConnectorType } from '@tripline/model/connector'
import { z } from 'zod'
import { isSecretSetting } from '../../../ingestion/connectors/connector-settings.ts'

/** Texts that may be this long are shown in several lines. */
const multilineFrom = 4_096

/** The settings of a type, read from the schema that checks them. */
export function listFields(type: ConnectorType): ConnectorFieldBody[] {
  const { properties = {}, required = [] } = z.toJSONSchema(connectorConfigSchemas[type], { io: 'input' })
  return Object.entries(properties).map(([name, property]) => {
    const schema = typeof property === 'boolean' ? {} : property
    const { kind, ...rest } = describeKind(schema)
    return {
      name,
      kind: isSecretSetting(type, name) ? 'secret' : kind,
      required: required.includes(name),
      multiline: schema.type === 'string' && (schema.maxLength ?? 0) >= multilineFrom,
      ...(schema.default !== undefined && { default: schema.default }),
      ...rest,
    }
  })
}

type JsonSchema = z.core.JSONSchema.BaseSchema

function describeKind(schema: JsonSchema): Pick<ConnectorFieldBody, 'kind' | 'choices' | 'minimum' | 'maximum' | 'keys'> {
  if (schema.enum !== undefined) return { kind: 'choice', choices: schema.enum.map(String) }
  switch (schema.type) {
    case 'array': {
      const { items } = schema
      const choices = typeof items === 'object' && !Array.isArray(items) ? items.enum : undefined
      return choices === undefined ? { kind: 'list' } : { kind: 'choices', choices: choices.map(String) }
    }
    case 'integer':
    case 'number': {
      const { minimum, maximum } = schema
      return { kind: 'number', ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) }
    }
    case 'boolean':
      return { kind: 'flag' }
    case 'object':
      return { kind: 'object', keys: Object.keys(schema.properties ?? {}) }
    default:
      return { kind: 'text' }
  }
}
