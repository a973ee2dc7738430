import { isJsonObject } from '@tripline/common/json'
import { z } from 'zod'

/** A part of an OpenAPI document. */
export type Json = { readonly [name: string]: unknown }

/** Collects schemas by name; nested definitions are hoisted next to their schema. */
export class SharedSchemas {
  readonly all: { [name: string]: unknown } = {}

  /** Adds a part under a name and returns a reference to it. */
  define(name: string, schema: Json): Json {
    this.all[name] = schema
    return { $ref: `#/components/schemas/${name}` }
  }

  /** Adds a schema and returns a reference to it. */
  add(name: string, schema: z.ZodType, direction: 'input' | 'output'): Json {
    const { $defs: inner = {}, ...whole } = toJsonSchema(schema, direction)
    const moved = (value: unknown) => renameReferences(value, (own) => `#/components/schemas/${name}.${own}`)
    for (const [own, definition] of Object.entries(isJsonObject(inner) ? inner : {})) this.all[`${name}.${own}`] = moved(definition)
    this.all[name] = moved(whole)
    return { $ref: `#/components/schemas/${name}` }
  }
}

export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...printed }: Json = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // The pattern of a known format is three hundred characters of redundancy.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
      // Query parameters are texts that mean numbers and truth values: the document says what they mean.
      if (jsonSchema.type === 'integer' || jsonSchema.type === 'boolean') {
        delete jsonSchema.pattern
        delete jsonSchema.enum
      }
    },
  })
  return printed
}

/** Copies JSON with references into `$defs` renamed. Recursion is safe: the schemas are our own. */
function renameReferences(value: unknown, rename: (own: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameReferences(item, rename))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => {
    const own = key === '$ref' && typeof inner === 'string' ? /^#\/\$defs\/(.+)$/.exec(inner)?.[1] : undefined
    return [key, own === undefined ? renameReferences(inner, rename) : rename(own)]
  }))
}
