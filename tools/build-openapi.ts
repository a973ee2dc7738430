import { createRoutes } from '../packages/server/src/http/http.ts'
import { consoleInfo } from '../packages/server/src/http/api-docs.ts'
import { createOpenApi } from '../packages/server/src/http/openapi.ts'
import { memoryEvents } from '../packages/storage/test/events/memory-events.ts'
import { openTestServer } from '../packages/server/test/open-test-server.ts'

export const openApiPath = 'docs/api/console.json'

/** The OpenAPI document of the console API, made of the routes of a test server. */
export async function buildOpenApi(): Promise<string> {
  const server = await openTestServer([], { events: memoryEvents() })
  return `${JSON.stringify(createOpenApi(createRoutes(server), consoleInfo), undefined, 2)}\n`
}
