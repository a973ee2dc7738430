import { isJsonObject } from '@tripline/common/json'
import { html, raw } from 'hono/html'
import type { OpenApiInfo } from './openapi.ts'
import type { Json } from './openapi/schemas.ts'

/** The style sheet of the page; its Content-Security-Policy allows it by hash and allows no script. */
export const docsStyle = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
details { border: 1px solid #8884; border-radius: 6px; margin: .4rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; }
summary code { font-weight: 600; }
summary span { opacity: .75; margin-left: .6rem; }
pre { overflow: auto; background: #8881; padding: .6rem; border-radius: 6px; font-size: 13px; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .2rem .8rem .2rem 0; vertical-align: top; }
`

/** Renders the API as an HTML page: each operation with its parameters, body, responses and an executed example. */
export function renderDocsPage(document: Json, info: OpenApiInfo, documentPath: string): ReturnType<typeof html> {
  const components = asObject(document['components'])
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${info.title}</title><style>${raw(docsStyle)}</style>
</head>
<body>
<h1>${info.title} ${info.version}</h1>
<p>${info.description} Also available as <a href="${documentPath}">OpenAPI 3.1</a>.</p>
${Object.entries(asObject(document['paths'])).flatMap(([path, methods]) => {
    const operations = Object.entries(asObject(methods))
    return operations.map(([method, operation]) => renderOperation({ path, method, operation: asObject(operation), components }))
  })}
<h2>Errors</h2>
${Object.entries(asObject(components['examples'])).map(([code, example]) => renderErrorExample(code, asObject(example)))}
</body>
</html>`
}

type Html = ReturnType<typeof html> | string
type JsonObject = { readonly [name: string]: unknown }
type OperationView = {
  readonly path: string
  readonly method: string
  readonly operation: JsonObject
  readonly components: JsonObject
}

function renderOperation({ path, method, operation, components }: OperationView): Html {
  const { summary, description, parameters, requestBody, responses } = operation
  return html`<details><summary><code>${method.toUpperCase()} ${path}</code><span>${summary}</span></summary>
${description === undefined ? '' : html`<p>${description}</p>`}
${Array.isArray(parameters) ? html`<table>${parameters.map((parameter) => renderParameter(asObject(parameter)))}</table>` : ''}
${requestBody === undefined ? '' : html`<p>Request body</p>${renderContent(asObject(requestBody), components)}`}
${Object.entries(asObject(responses)).map(([status, response]) => renderResponse(status, asObject(response), components))}
</details>`
}

function renderParameter({ name, in: place, schema, content, description }: JsonObject): Html {
  const { schema: inContent } = asObject(asObject(content)['application/json'])
  const text = typeof description === 'string' ? description : ''
  const shape = JSON.stringify(schema ?? inContent)
  return html`<tr><td><code>${name}</code></td><td>${place}</td><td>${text}</td><td><code>${shape}</code></td></tr>`
}

/** An error is shown by its codes; a shared response stands for all operations that answer with the same ones. */
function renderResponse(status: string, response: JsonObject, components: JsonObject): Html {
  const { $ref: reference } = response
  if (typeof reference === 'string') {
    const shared = asObject(asObject(components['responses'])[reference.split('/').at(-1) ?? ''])
    return html`<p>Response ${status}: ${shared['description']}</p>`
  }
  const headers = Object.keys(asObject(response['headers'])).join(', ')
  return html`<p>Response ${status}, with the headers ${headers}</p>${renderContent(response, components)}`
}

/** Renders the schema of a body inline instead of as a reference, and its executed example. */
function renderContent(holder: JsonObject, components: JsonObject): Html[] {
  return Object.entries(asObject(holder['content'])).map(([type, media]) => {
    const { schema, examples } = asObject(media)
    const { summary = '', value } = asObject(asObject(examples)['executed'])
    const { $ref: reference } = asObject(schema)
    const shown = typeof reference === 'string' ? asObject(components['schemas'])[reference.split('/').at(-1) ?? ''] : schema
    const example = value === undefined ? '' : html`<p>Example ${summary}</p><pre>${JSON.stringify(value, undefined, 2)}</pre>`
    return html`<p><code>${type}</code></p><pre>${JSON.stringify(shown, undefined, 2)}</pre>${example}`
  })
}

function renderErrorExample(code: string, { summary, value }: JsonObject): Html {
  return html`<details><summary><code>${code}</code><span>${summary}</span></summary>
<pre>${JSON.stringify(value, undefined, 2)}</pre></details>`
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
