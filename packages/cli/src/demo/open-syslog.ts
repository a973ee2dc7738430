import type { ApiClient } from './demo-client.ts'

/** The ports that a server may listen on for syslog by default. */
const firstPort = 5_514
const portCount = 10

/** What this reads of a test of settings, and of the catalogue of connectors. */
type TestResult = { readonly checks: readonly { readonly status: string }[] }
type Configuration = { readonly product: string; readonly text: string }
type Catalogue = { readonly connector_types: readonly { readonly type: string; readonly configurations: readonly Configuration[] }[] }

/** Has the demo listen for syslog at the first free port, and returns what to paste into rsyslog; undefined if none is free. */
export async function openSyslog(call: ApiClient): Promise<string | undefined> {
  for (let port = firstPort; port < firstPort + portCount; port++) {
    const connector = { type: 'syslog', config: { port, transport: 'tcp' } }
    const { checks } = await call<TestResult>('/v1/connectors/new/test', { body: JSON.stringify(connector) })
    if (checks.some(({ status }) => status === 'fail')) continue
    const { id } = await call<{ readonly id: string }>('/v1/connectors', { body: JSON.stringify({ name: 'Syslog', ...connector }) })
    const { connector_types: types } = await call<Catalogue>(`/v1/connector-types?connector_id=${id}`)
    return types.find(({ type }) => type === 'syslog')?.configurations.find(({ product }) => product === 'rsyslog')?.text
  }
  return undefined
}
