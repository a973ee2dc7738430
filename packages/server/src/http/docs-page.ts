import { isJsonObject } from '@tripline/common/json'
import { html, raw } from 'hono/html'
import { createOpenApi } from './openapi.ts'
import type { OpenApiInfo } from './openapi.ts'
import type { Route } from './route.ts'

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

/** Renders the API as an HTML page: each operation with its parameters, body and responses. */
export function renderDocsPage(routes: readonly Route[], info: OpenApiInfo): ReturnType<typeof html> {
  const document = createOpenApi(routes, info)
  const schemas = getSchemas(document)
  const paths = isJsonObject(document['paths']) ? Object.entries(document['paths']) : []
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${info.title}</title><style>${raw(docsStyle)}</style>
</head>
<body>
<h1>${info.title} ${info.version}</h1>
<p>${info.description} Also available as <a href="openapi.json">OpenAPI 3.1</a>.</p>
${paths.flatMap(([path, methods]) => {
    const operations = isJsonObject(methods) ? Object.entries(methods) : []
    return operations.map(([method, operation]) => renderOperation({ path, method, operation, schemas }))
  })}
</body>
</html>`
}

type Schemas = { readonly [name: string]: unknown }
type OperationView = { readonly path: string; readonly method: string; readonly operation: unknown; readonly schemas: Schemas }

function renderOperation({ path, method, operation, schemas }: OperationView): ReturnType<typeof html> {
  const { summary, description, parameters, requestBody, responses } = isJsonObject(operation) ? operation : {}
  return html`<details><summary><code>${method.toUpperCase()} ${path}</code><span>${summary}</span></summary>
${description === undefined ? '' : html`<p>${description}</p>`}
${Array.isArray(parameters) ? html`<table>${parameters.map(renderParameter)}</table>` : ''}
${requestBody === undefined ? '' : html`<p>Request body</p>${renderSchema(requestBody, schemas)}`}
${Object.entries(isJsonObject(responses) ? responses : {}).filter(([status]) => status !== 'default').map(([status, response]) => {
    return html`<p>Response ${status}</p>${renderSchema(response, schemas)}`
  })}
</details>`
}

function renderParameter(parameter: unknown): ReturnType<typeof html> {
  const { name, in: place, schema } = isJsonObject(parameter) ? parameter : {}
  return html`<tr><td><code>${name}</code></td><td>${place}</td><td><code>${JSON.stringify(schema)}</code></td></tr>`
}

/** Renders the schema of a body inline instead of as a reference. */
function renderSchema(holder: unknown, schemas: Schemas): ReturnType<typeof html> | string {
  const reference = /"\$ref":"#\/components\/schemas\/([^"]+)"/.exec(JSON.stringify(holder))?.[1]
  return reference === undefined ? '' : html`<pre>${JSON.stringify(schemas[reference], undefined, 2)}</pre>`
}

function getSchemas(document: { readonly [name: string]: unknown }): Schemas {
  const { components } = document
  const { schemas } = isJsonObject(components) ? components : {}
  return isJsonObject(schemas) ? schemas : {}
}
